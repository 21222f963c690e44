"""The cell magic `%%warpsim`."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from typing import Any, Optional

from ._module import compile
from ._program import run


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are exceptions."""

    def error(self, message: str) -> Any:
        raise ValueError(f"%%warpsim: {message}\n{self.format_usage().strip()}")


def _parser() -> _Parser:
    parser = _Parser(prog="%%warpsim", add_help=False)
    parser.add_argument("--chip", default=None)
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE")
    parser.add_argument("--name", default=None, metavar="VARIABLE")
    parser.add_argument("--check", default="", metavar="NAMES")
    parser.add_argument("--functional", action="store_true")
    parser.add_argument("--fast-math", action="store_true")
    parser.add_argument("--args", default="", metavar="WORDS")
    return parser


def has_main(text: str) -> bool:
    """Whether CUDA C has a host program."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", " ", text, flags=re.DOTALL)
    return re.search(r"\bmain\s*\(", code) is not None


def warpsim(line: str, cell: Optional[str] = None) -> Any:
    """Runs a cell of CUDA C as a program, or compiles it to a module if it has no ``main``.

    ``--chip NAME``, ``--set PATH=VALUE``, ``--check NAMES``, ``--functional``, ``--fast-math``
    and ``--args "WORDS"`` are the options of the run. ``--name VARIABLE`` is the variable for the
    module (otherwise ``module``) or for the ended program.
    """
    from IPython import get_ipython

    args = _parser().parse_args(shlex.split(line))
    sets = {}
    for one in args.set:
        path, is_given, value = one.partition("=")
        if not is_given:
            raise ValueError(f"%%warpsim: --set {one}: expected PATH=VALUE")
        sets[path.strip()] = value.strip()
    if args.name is not None and not args.name.isidentifier():
        raise ValueError(f"%%warpsim: --name {args.name}: expected the name of a variable")
    text = cell or ""
    common: dict[str, Any] = {
        "chip": args.chip,
        "sets": sets,
        "fast_math": args.fast_math,
        "name": "cell.cu",
    }
    names = get_ipython().user_ns
    if not has_main(text):
        names[args.name or "module"] = made = compile(text, **common)
        if made.warnings:
            print(made.warnings, file=sys.stderr)
        return made
    timed = False if args.functional else None
    ended = run(text, args=shlex.split(args.args), timed=timed, checks=args.check, **common)
    if args.name is not None:
        names[args.name] = ended
    for stream, output in ((sys.stdout, ended.stdout), (sys.stderr, ended.warnings + ended.stderr)):
        if output:
            stream.write(output if output.endswith("\n") else output + "\n")
            stream.flush()
    return ended


def load_ipython_extension(ipython: Any) -> None:
    """Adds the magic: ``%load_ext warpsim``."""
    ipython.register_magic_function(warpsim, "cell", "warpsim")
