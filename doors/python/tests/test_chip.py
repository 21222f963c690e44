"""Chips."""

import numpy as np
import pytest
import warpsim


def test_own_chips(tmp_path):
    text = '(base: "g80", name: "few", clusters: 2)'
    path = tmp_path / "few.ron"
    path.write_text(text)
    for chip in (warpsim.Chip(text), warpsim.Chip(path), warpsim.Chip(str(path))):
        assert chip.sms == 4
    assert warpsim.Chip("g80", {"clusters": 2}).sms == 4
    assert warpsim.Chip("fermi", {"clusters": np.int64(2)}).sets == {"clusters": "2"}


def test_wrong_chips():
    with pytest.raises(warpsim.ChipError, match="(?s)chip.*clusterz"):
        warpsim.Chip('(base: "g80", clusterz: 2)')
    with pytest.raises(warpsim.ChipError, match="sm.max_warpz"):
        warpsim.Chip("g80", {"sm.max_warpz": 2})
    with pytest.raises(TypeError, match="expected a number"):
        warpsim.Chip("g80", {"clusters": [2]})
    with pytest.raises(TypeError, match="expected a name"):
        warpsim.Chip(b"g80")


def test_built_in_chips():
    chips = warpsim.chips()
    assert "g80" in chips and "kepler" not in chips and not warpsim.Chip("kepler").simulated


def test_occupancy_is_that_of_a_launch():
    kernel = warpsim.compile("__global__ void k(float *x) { x[threadIdx.x] += 1; }", chip="g80")[
        "k"
    ]
    report = kernel[1, 64](np.zeros(64, np.float32))
    assert kernel.occupancy(64) == report.launch["launch"]["occupancy"]
    assert kernel.occupancy(1024)["refusals"]
