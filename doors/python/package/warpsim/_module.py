"""Modules: compiled CUDA C or PTX, and launches of its kernels."""

from __future__ import annotations

import difflib
import html
import json
import os
import sys
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Union

from . import _arguments, _native
from ._chip import Chip, ChipLike, Sets, chosen
from ._device import Device
from ._native import is_ptx
from ._report import Report

#: Extents of a grid or a block: a number, or up to three numbers.
Extents = Union[int, Sequence[int]]


def compile(
    text: Union[str, os.PathLike[str]],
    *,
    chip: Optional[ChipLike] = None,
    sets: Optional[Sets] = None,
    name: Optional[str] = None,
    opt_level: int = 3,
    fast_math: bool = False,
    max_registers: Optional[int] = None,
    defines: Optional[Mapping[str, object]] = None,
    include: Iterable[Union[str, os.PathLike[str]]] = (),
) -> Module:
    """Compiles CUDA C or PTX: a text, or a path (`pathlib.Path`).

    PTX has a line that begins with ``.version``. The default chip is ``"fermi"``. `name` is the
    name of the file in messages and reports. The other options are options of nvcc: `opt_level`
    (``-O``), `fast_math` (``-use_fast_math``), `max_registers` (``-maxrregcount``), `defines`
    (``-D``), and folders of included files (``-I``).

    Raises `CompileError` with the message of the compiler.

    >>> import warpsim
    >>> module = warpsim.compile("__global__ void k(int *p) { *p = N; }", defines={"N": 7})
    >>> module.kernels
    [Kernel(k(int *p))]
    >>> try:
    ...     warpsim.compile("__global__ void k(int *p) { *p = q; }", name="k.cu")
    ... except warpsim.CompileError as error:
    ...     print("`q`" in str(error) and "k.cu:1" in str(error))
    True
    """
    text, name, folders = read(text, name)
    options = compiler(opt_level, fast_math, max_registers, defines, [*folders, *include])
    on = chosen(chip, sets)
    return Module(_native.Module(text, name, on._native, options), on)


def read(text: Union[str, os.PathLike[str]], name: Optional[str]) -> Tuple[str, str, list[str]]:
    """Returns a text, its name, and the folders of files that it includes."""
    if isinstance(text, os.PathLike):
        path = Path(text)
        return path.read_text(encoding="utf-8"), name or str(path), [str(path.parent)]
    if not isinstance(text, str):
        raise TypeError(f"expected a text or a path, found {type(text).__name__}")
    return text, name or ("kernel.ptx" if is_ptx(text) else "kernel.cu"), []


def natural(name: str, value: Optional[int]) -> Optional[int]:
    """Checks a number that is not negative, or `None`."""
    if value is None:
        return None
    if not hasattr(value, "__index__") or value.__index__() < 0 or value.__index__() >= 1 << 64:
        raise ValueError(f"{name}: expected a whole number from 0 on, found {value!r}")
    return value.__index__()


def compiler(
    opt_level: int,
    fast_math: bool,
    max_registers: Optional[int],
    defines: Optional[Mapping[str, object]],
    include: Iterable[Union[str, os.PathLike[str]]],
) -> dict[str, Any]:
    """Returns the options of the compiler."""
    return {
        "opt_level": opt_level,
        "fast_math": fast_math,
        "max_registers": max_registers,
        "defines": [f"{key}={value}" for key, value in dict(defines or {}).items()],
        "include": [os.fspath(folder) for folder in include],
    }


class Parameter:
    """A parameter of a kernel."""

    def __init__(self, native: _native.Parameter) -> None:
        #: Name.
        self.name: str = native.name
        #: Type in CUDA C; `None` in PTX.
        self.c_type: Optional[str] = native.c_type
        #: Type in PTX.
        self.ptx_type: str = native.ptx_type
        #: Size in bytes.
        self.bytes: int = native.bytes
        #: Whether it is an address of global memory.
        self.is_pointer: bool = native.is_pointer

    @property
    def is_written(self) -> bool:
        """Whether the kernel can write what the parameter points to."""
        return self.c_type is None or "const" not in self.c_type.split("*")[0].split()

    def __str__(self) -> str:
        if self.c_type is None:
            return f".{self.ptx_type} {self.name}"
        gap = "" if self.c_type.endswith("*") else " "
        return f"{self.c_type}{gap}{self.name}"

    def __repr__(self) -> str:
        return f"Parameter({self})"


class Kernel:
    """A kernel of a module. ``kernel[grid, block](…)`` launches it."""

    def __init__(self, module: Module, native: _native.Kernel) -> None:
        self.module = module
        #: Name in CUDA C.
        self.name: str = native.name
        #: Name in PTX.
        self.symbol: str = native.symbol
        #: The parameters in order.
        self.parameters: list[Parameter] = [Parameter(one) for one in native.parameters]
        #: Registers per thread.
        self.registers: int = native.registers
        #: Bytes of static shared memory per block.
        self.shared_bytes: int = native.shared_bytes
        #: Bytes of local memory per thread.
        self.local_bytes: int = native.local_bytes
        #: Bytes of parameters.
        self.param_bytes: int = native.param_bytes
        #: Number of micro-ops.
        self.instructions: int = native.instructions

    @property
    def declaration(self) -> str:
        """Name and parameters."""
        return f"{self.name}({', '.join(map(str, self.parameters))})"

    def __getitem__(self, configuration: Tuple[Any, ...]) -> Launcher:
        if not isinstance(configuration, tuple) or len(configuration) not in (2, 3):
            raise TypeError(
                f"write {self.name}[grid, block](…) or {self.name}[grid, block, shared](…)"
            )
        return Launcher(self, *configuration)

    def occupancy(
        self,
        block: Extents,
        *,
        shared: int = 0,
        chip: Optional[ChipLike] = None,
        sets: Optional[Sets] = None,
    ) -> dict[str, Any]:
        """Returns the occupancy for blocks of this size: NVIDIA's occupancy calculator.

        The fields are those of ``launch.occupancy`` in docs/REPORT.md.

        >>> import warpsim
        >>> kernel = warpsim.compile("__global__ void k(int *p) { p[threadIdx.x] = 1; }")["k"]
        >>> occupancy = kernel.occupancy(256)
        >>> occupancy["blocks"], occupancy["occupancy"]
        (6, 1.0)
        """
        x, y, z = extents("block", block)
        on = chosen(chip, sets, self.module.chip)
        return json.loads(self.module._native.occupancy(self.symbol, on._native, x * y * z, shared))

    def _named(self, message: str) -> str:
        """Returns a message with the name in CUDA C."""
        return message.replace(f"`{self.symbol}`", f"`{self.name}`")

    def __repr__(self) -> str:
        return f"Kernel({self.declaration})"


class Launcher:
    """A kernel with its grid, block and dynamic shared memory."""

    def __init__(self, kernel: Kernel, grid: Extents, block: Extents, shared: int = 0) -> None:
        self.kernel, self.grid, self.block, self.shared = kernel, grid, block, shared

    def __call__(self, *args: Any, **options: Any) -> Report:
        """Launches the kernel; the options are those of `Module.launch`."""
        options.setdefault("shared", self.shared)
        return self.kernel.module.launch(self.kernel, self.grid, self.block, *args, **options)

    def __repr__(self) -> str:
        return f"{self.kernel.name}[{self.grid}, {self.block}, {self.shared}]"


class Module:
    """Compiled CUDA C or PTX; `compile` makes it. ``module["name"]`` is a kernel."""

    def __init__(self, native: _native.Module, chip: Chip) -> None:
        self._native = native
        #: The chip for which it is compiled; the default chip of launches.
        self.chip = chip
        self._kernels: Optional[list[Kernel]] = None

    @property
    def name(self) -> str:
        """Name of the text in messages."""
        return self._native.name

    @property
    def text(self) -> str:
        """The text that was compiled."""
        return self._native.text

    @property
    def ptx(self) -> str:
        """The PTX for `chip`.

        >>> import warpsim
        >>> "st.global" in warpsim.compile("__global__ void k(int *p) { *p = 1; }").ptx
        True
        """
        return self._native.ptx(self.chip._native)

    @property
    def warnings(self) -> str:
        """The warnings of the compiler."""
        return self._native.warnings(self.chip._native)

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, with their parameters and resources."""
        if self._kernels is None:
            self._kernels = [Kernel(self, one) for one in self._native.kernels(self.chip._native)]
        return self._kernels

    def __getitem__(self, name: str) -> Kernel:
        """Returns the kernel with a name in CUDA C, such as ``"scan<int>"``, or in PTX."""
        plain = name.replace(" ", "")
        for names in (
            lambda kernel: kernel.symbol,
            lambda kernel: kernel.name.replace(" ", ""),
            lambda kernel: kernel.name.split("<")[0],
        ):
            found = [kernel for kernel in self.kernels if names(kernel) == plain]
            if len(found) == 1:
                return found[0]
            if found:
                known = ", ".join(f"{one.declaration} = {one.symbol}" for one in found)
                raise _native.LaunchError(f"several kernels have the name `{name}`: {known}")
        all_names = [kernel.name for kernel in self.kernels]
        near = difflib.get_close_matches(name, all_names, 1)
        hint = f"; did you mean `{near[0]}`?" if near else "."
        raise _native.LaunchError(
            f"the module has no kernel `{name}`{hint} Its kernels: {', '.join(all_names)}"
        )

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self.kernels)

    def __len__(self) -> int:
        return len(self.kernels)

    def launch(
        self,
        kernel: Union[str, Kernel],
        grid: Extents,
        block: Extents,
        *args: Any,
        shared: int = 0,
        symbols: Optional[Mapping[str, Any]] = None,
        chip: Optional[ChipLike] = None,
        sets: Optional[Sets] = None,
        device: Optional[Device] = None,
        timed: Optional[bool] = None,
        checks: str = "",
        registers: Optional[int] = None,
        max_cycles: Optional[int] = None,
        threads: int = 1,
    ) -> Report:
        """Launches a kernel, waits for its end, and returns its report.

        Arrays of numpy are copied to the device and back, except for parameters such as
        ``const float *``. Arrays of a `Device` stay on the device. Other values are converted to
        the types of the parameters. `symbols` are arrays for ``__constant__`` and ``__device__``
        variables.

        The launch runs on `chip` with the overrides `sets`; without them, on the chip of the
        module. Each launch has a new device unless `device` or an array of a device names one.

        ``timed=False`` runs the kernel without timing, which is faster. `checks` are names of
        checkers such as ``"race,memory"`` or ``"all"``: the kernel runs without timing, and
        `Report.findings` has its mistakes. `registers` replaces the number of registers per thread,
        `max_cycles` ends a kernel that runs too long, and `threads` is the number of host threads,
        which changes no result.

        Raises `LaunchError` if the chip refuses the launch or the kernel does not finish,
        `TypeError` or `ValueError` if an argument does not fit, and `KeyboardInterrupt` after
        Ctrl-C; the arrays keep their values then.

        >>> import numpy as np, warpsim
        >>> module = warpsim.compile("__global__ void next(int *p) { p[threadIdx.x] += 1; }")
        >>> p = np.zeros(4, np.int32)
        >>> report = module.launch("next", 1, 4, p, timed=False)
        >>> p.tolist()
        [1, 1, 1, 1]
        >>> report = module["next"][1, 4](p)
        >>> p.tolist()
        [2, 2, 2, 2]
        """
        kernel = kernel if isinstance(kernel, Kernel) else self[kernel]
        if timed and checks:
            raise ValueError("checkers run without timing: leave out `timed`, or `checks`")
        device = _device_of(args, device)
        if device is None:
            device = Device(chosen(chip, sets, self.chip))
        elif chip is not None or sets:
            raise TypeError("the device has a chip already: leave out `chip` and `sets`")
        packed = _arguments.pack(kernel, args, device)
        settings = {
            "kernel": kernel.symbol,
            "grid": extents("grid", grid),
            "block": extents("block", block),
            "shared": natural("shared", shared),
            "args": packed.args,
            "buffers": packed.buffers,
            "symbols": [(name, _bytes(name, value)) for name, value in dict(symbols or {}).items()],
            "timed": timed is not False,
            "checks": checks,
            "registers": natural("registers", registers),
            "max_cycles": natural("max_cycles", max_cycles),
            "threads": natural("threads", threads),
        }
        try:
            run, back = device._native.launch(self._native, settings)
        except _native.LaunchError as error:
            raise _native.LaunchError(kernel._named(str(error))) from None
        report = Report(run)
        if report.printed:
            sys.stdout.write(report.printed)
        if not report.finished:
            failure = _native.LaunchError(
                kernel._named("\n".join(report.messages)[len("error: ") :])
            )
            failure.report = report
            raise failure
        _arguments.unpack(packed, back)
        return report

    def __repr__(self) -> str:
        return f"Module({self.name!r}: {', '.join(kernel.declaration for kernel in self.kernels)})"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{one}</th>" for one in ("kernel", "registers", "shared", "local"))
        row = "<tr><td><code>{}</code></td><td>{}</td><td>{} B</td><td>{} B</td></tr>"
        rows = "".join(
            row.format(
                html.escape(one.declaration), one.registers, one.shared_bytes, one.local_bytes
            )
            for one in self.kernels
        )
        title = f"{self.name} for {self.chip.name}"
        return f"<table><caption>{html.escape(title)}</caption><tr>{head}</tr>{rows}</table>"


def extents(what: str, value: Extents) -> list[int]:
    """Returns three extents."""
    given: Sequence[Any] = list(value) if isinstance(value, (tuple, list)) else [value]
    try:
        all: list[int] = [one.__index__() for one in given]
    except AttributeError:
        all = []
    if not 1 <= len(all) <= 3 or not all or any(not 0 <= one < 1 << 32 for one in all):
        raise TypeError(f"{what}: expected a number or up to three numbers, found {value!r}")
    return all + [1] * (3 - len(all))


def _device_of(args: Sequence[Any], device: Optional[Device]) -> Optional[Device]:
    """Returns the device of the arguments."""
    for value in args:
        own = getattr(value, "device", None)
        if not hasattr(value, "_device_address"):
            continue
        if device is not None and own is not device:
            raise ValueError("the arrays of a launch are on several devices")
        device = own
    return device


def _bytes(name: str, value: Any) -> bytes:
    """Returns the bytes of a variable."""
    import numpy as np

    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.hasobject:
        raise TypeError(
            f"symbols[{name!r}]: expected an array or a value of numpy, such as np.float32(1)"
        )
    return value.tobytes()
