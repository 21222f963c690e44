"""Whole programs in CUDA C, with their host code."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Optional, Sequence, Union

from . import _native
from ._chip import ChipLike, Sets, chosen
from ._module import compiler, natural, read
from ._native import is_ptx
from ._picture import Picture, fitted
from ._report import Report, as_html

if TYPE_CHECKING:
    import pandas


def run(
    program: Union[str, os.PathLike[str]],
    *,
    args: Sequence[object] = (),
    chip: Optional[ChipLike] = None,
    sets: Optional[Sets] = None,
    name: Optional[str] = None,
    stdin: Union[str, bytes] = b"",
    files: Optional[Mapping[str, Union[str, bytes]]] = None,
    timed: Optional[bool] = None,
    checks: str = "",
    devices: int = 1,
    max_cycles: Optional[int] = None,
    threads: int = 1,
    opt_level: int = 3,
    fast_math: bool = False,
    max_registers: Optional[int] = None,
    defines: Optional[Mapping[str, object]] = None,
    include: Iterable[Union[str, os.PathLike[str]]] = (),
) -> Program:
    r"""Compiles and runs a CUDA C program: a text, or the path of a ``.cu`` file.

    `args` are its arguments. It reads and writes files in memory: `files` at first, and
    `Program.files` at the end. The other options are those of `compile` and of `Module.launch`.

    Raises `CompileError` if the compiler refuses the program. An exit code other than 0 is no
    exception.

    >>> import warpsim
    >>> program = warpsim.run('''
    ... #include <stdio.h>
    ... __global__ void k(int *p) { *p = 42; }
    ... int main(int argc, char **argv) {
    ...     int *p, value;
    ...     cudaMalloc(&p, sizeof(int));
    ...     k<<<1, 1>>>(p);
    ...     cudaMemcpy(&value, p, sizeof(int), cudaMemcpyDeviceToHost);
    ...     printf("%s %d\\n", argv[1], value);
    ...     return 3;
    ... }''', args=["answer"])
    >>> program.stdout, program.code, len(program.launches)
    ('answer 42\n', 3, 1)
    >>> program.hints
    ['no cudaFree for 4 bytes of device memory in 1 allocation: p (program.cu:6)']
    """
    if timed and checks:
        raise ValueError("checkers run without timing: leave out `timed`, or `checks`")
    if isinstance(program, str) and "\n" not in program and program.endswith((".cu", ".cuh")):
        program = Path(program)
    text, name, folders = read(
        program, name or (None if isinstance(program, os.PathLike) else "program.cu")
    )
    if is_ptx(text):
        raise _native.CompileError(
            f"{name} is PTX; a program is CUDA C, and warpsim.compile compiles PTX"
        )
    settings = {
        "text": text,
        "name": name,
        "args": [str(one) for one in args],
        "stdin": stdin.encode() if isinstance(stdin, str) else bytes(stdin),
        "files": {
            path: data.encode() if isinstance(data, str) else bytes(data)
            for path, data in dict(files or {}).items()
        },
        "timed": timed is not False,
        "checks": checks,
        "devices": natural("devices", devices),
        "max_cycles": natural("max_cycles", max_cycles),
        "threads": natural("threads", threads),
    }
    options = compiler(opt_level, fast_math, max_registers, defines, [*folders, *include])
    return Program(_native.run_program(chosen(chip, sets)._native, options, settings))


class Program:
    """A program that has ended; `run` makes it."""

    def __init__(self, native: _native.ProgramRun) -> None:
        self._native = native

    @property
    def code(self) -> int:
        """The exit code: 134 after ``abort``, 139 after a wrong access to memory."""
        return self._native.code

    @cached_property
    def stdout(self) -> str:
        """Standard output, with the output of kernels."""
        return self._native.stdout().decode(errors="replace")

    @cached_property
    def stderr(self) -> str:
        """Standard error."""
        return self._native.stderr().decode(errors="replace")

    @property
    def message(self) -> Optional[str]:
        """Why the program stopped, if it made a mistake, with its place."""
        return self._native.message

    @property
    def warnings(self) -> str:
        """The warnings of the compiler."""
        return self._native.warnings

    @cached_property
    def files(self) -> Dict[str, bytes]:
        """The files that the program has written."""
        return dict(self._native.files())

    @cached_property
    def dict(self) -> Dict[str, Any]:
        """What the program did with its device: copies, launches, errors (docs/PROGRAMS.md)."""
        return json.loads(self._native.json())

    @property
    def text(self) -> str:
        """The report of the program."""
        return self._native.text()

    @property
    def hints(self) -> list[str]:
        """What the program should not leave as it is."""
        return self._native.hints()

    @property
    def launches(self) -> list[Dict[str, Any]]:
        """The launches in order."""
        return self.dict["launches"]

    @cached_property
    def report(self) -> Optional[Report]:
        """The report of the launches on the first device; `None` without one."""
        return Report(self._native.launches) if self._native.launches is not None else None

    def frame(self) -> pandas.DataFrame:
        """Returns the launches as a pandas frame."""
        import pandas

        return pandas.DataFrame(
            [{k: v for k, v in one.items() if k != "report"} for one in self.launches]
        )

    def picture(self, name: str = "timeline") -> Picture:
        """Returns the picture of copies and kernels, or a picture of the report."""
        if name == "timeline":
            return Picture("Copies and kernels in time", self._native.timeline())
        if self.report is None:
            raise _native.Error("the program launches no kernel")
        return self.report.picture(name)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the report: an HTML page, JSON or text, by the ending of the path."""
        path = Path(path)
        texts = {".html": self._native.page, ".json": self._native.json, ".txt": lambda: self.text}
        make = texts.get(path.suffix)
        if make is None:
            raise ValueError(f"{path}: expected a path that ends in .html, .json or .txt")
        path.write_text(make(), encoding="utf-8")

    def __repr__(self) -> str:
        ended = f"exit code {self.code}"
        return "\n".join(filter(None, [self.text.rstrip(), self.message, ended]))

    def _repr_html_(self) -> str:
        messages = [self.message] if self.message else []
        if self.code and not messages:
            messages = [f"exit code {self.code}"]
        if self.report is not None:
            messages += self.report.messages
        timeline = fitted(self._native.timeline()) if self.dict["calls"] else ""
        return timeline + as_html(self.report, self.text, messages)
