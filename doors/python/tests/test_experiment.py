"""Experiment files."""

import pytest
import warpsim

FILE = """(
    kernels: [(kernel: "vecadd", name: "add"), (ptx: "k.cu", launch: "k.ron", name: "own")],
    chips: ["g80", "fermi"],
    factors: [(vary: chip("sm.max_warps"), values: [16, 24], only: ["add"])],
    metrics: ["cycles", "ipc"],
)"""

KERNEL = "__global__ void k(int *p) { p[threadIdx.x] = 1; }"
LAUNCH = (
    '(entry: "k", grid: 1, block: 32, params: [buf("p")], buffers: {"p": (type: s32, len: 32)})'
)


def test_an_experiment_is_a_frame(tmp_path):
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "k.ron").write_text(LAUNCH)
    path = tmp_path / "warps.ron"
    path.write_text(FILE)
    store = tmp_path / "results.sqlite"
    result = warpsim.experiment(path, store=store, jobs=2)
    frame = result.frame()
    assert set(frame["verdict"]) == {"finished"} and set(frame["kernel"]) == {"add", "own"}
    assert frame["cycles"].min() > 0 and result.name == "warps"
    again = warpsim.experiment(path, store=str(store))
    assert again.frame().equals(frame) and "0 to simulate" in " ".join(again.messages)
    result.save(tmp_path / "page.html")
    assert "<table" in result._repr_html_()


def test_wrong_experiments():
    with pytest.raises(warpsim.Error, match="(?s)unknown kernel `vecad`.*did you mean `vecadd`"):
        warpsim.experiment('(\nkernels: [(kernel: "vecad", name: "a")],\n)')
    with pytest.raises(warpsim.Error, match="no-such.ron"):
        warpsim.experiment("no-such.ron")
