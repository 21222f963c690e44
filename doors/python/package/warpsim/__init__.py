"""Runs CUDA C and PTX on a cycle-level simulator of the first CUDA GPUs.

A kernel is compiled, launched with numpy arrays, and returns a report:

>>> import numpy as np, warpsim
>>> module = warpsim.compile('''
... __global__ void scale(float *x, float a, int n) {
...     int i = blockIdx.x * blockDim.x + threadIdx.x;
...     if (i < n) x[i] *= a;
... }''')
>>> x = np.arange(256, dtype=np.float32)
>>> report = module.launch("scale", 2, 128, x, 2.0, x.size)
>>> x[:4].tolist()
[0.0, 2.0, 4.0, 6.0]
>>> report.finished and report.cycles > 0
True

`run` runs a whole program with its host code, `experiment` an experiment file, and
`%load_ext warpsim` adds the cell magic `%%warpsim`. The page docs/PYTHON.md has more examples.
"""

from ._chip import Chip, chips
from ._device import Device, DeviceArray
from ._experiment import Experiment, experiment
from ._magic import load_ipython_extension
from ._module import Kernel, Module, Parameter, compile
from ._native import (
    ChipError,
    CompileError,
    Error,
    InternalError,
    LaunchError,
    __version__,
)
from ._picture import Picture
from ._program import Program, run
from ._report import Finding, Line, Report, frame, metrics

__all__ = [
    "Chip",
    "ChipError",
    "CompileError",
    "Device",
    "DeviceArray",
    "Error",
    "Experiment",
    "Finding",
    "InternalError",
    "Kernel",
    "LaunchError",
    "Line",
    "Module",
    "Parameter",
    "Picture",
    "Program",
    "Report",
    "__version__",
    "chips",
    "compile",
    "experiment",
    "frame",
    "load_ipython_extension",
    "metrics",
    "run",
]
