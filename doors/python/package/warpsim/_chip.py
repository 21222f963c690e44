"""Chips: built-in ones by name, and the user's own."""

from __future__ import annotations

import os
from typing import Mapping, Optional, Union

from . import _native

#: The chip of compilations and launches that name none.
DEFAULT = _native.DEFAULT_CHIP

#: What an argument `chip` accepts: a name, a path, the text of a chip file, or a `Chip`.
ChipLike = Union[str, "os.PathLike[str]", "Chip"]

#: Overrides of values of a chip: path in the chip file, and value.
Sets = Mapping[str, object]


class Chip:
    """A chip: a name such as ``"g80"``, the path of a chip file, or its text, with overrides.

    The overrides `sets` are paths in the chip file with their values (docs/CONFIG.md).

    >>> import warpsim
    >>> warpsim.Chip("g80").sms
    16
    >>> small = warpsim.Chip('(base: "g80", name: "small", sm: (max_warps: 8))')
    >>> small
    Chip('small': GeForce 8800 GTX, 16 SMs at 1350 MHz, compute capability 1.0)
    >>> warpsim.Chip("g80", {"sm.max_warps": 8}).sets
    {'sm.max_warps': '8'}
    """

    def __init__(
        self, chip: Union[str, os.PathLike[str]] = DEFAULT, sets: Optional[Sets] = None
    ) -> None:
        text = os.fspath(chip)
        if not isinstance(text, str):
            raise TypeError(f"chip: expected a name, a path or a text, found {type(chip).__name__}")
        pairs = [(path, _ron(path, value)) for path, value in dict(sets or {}).items()]
        self._native = _native.Chip(text, pairs, isinstance(chip, str) and "(" in text)

    @property
    def name(self) -> str:
        """Name, or path of the chip file."""
        return self._native.name

    @property
    def sets(self) -> dict[str, str]:
        """The overrides as they are written in a chip file."""
        return dict(self._native.sets)

    @property
    def board(self) -> str:
        """Name of the board."""
        return self._native.board

    @property
    def capability(self) -> str:
        """Compute capability, such as ``"2.0"``."""
        return self._native.capability

    @property
    def sms(self) -> int:
        """Number of SMs."""
        return self._native.sms

    @property
    def shader_mhz(self) -> float:
        """Shader clock in MHz."""
        return self._native.shader_mhz

    @property
    def simulated(self) -> bool:
        """Whether kernels run on the chip; of the others only the occupancy is known."""
        return self._native.simulated

    @property
    def warnings(self) -> str:
        """Warnings about the values of the chip."""
        return self._native.warnings

    def __repr__(self) -> str:
        return (
            f"Chip({self.name!r}: {self.board}, {self.sms} SMs at {self.shader_mhz:.0f} MHz, "
            f"compute capability {self.capability})"
        )


def chips() -> dict[str, Chip]:
    """Returns the built-in chips on which kernels run, by their names.

    >>> import warpsim
    >>> sorted(warpsim.chips())[:3]
    ['8800gt', 'c1060', 'c2050']
    """
    known = {name: Chip(name) for name in _native.chip_names()}
    return {name: chip for name, chip in known.items() if chip.simulated}


def chosen(chip: Optional[ChipLike], sets: Optional[Sets], default: Optional[Chip] = None) -> Chip:
    """Returns the chip of the arguments `chip` and `sets`."""
    if isinstance(chip, Chip):
        if sets:
            raise TypeError(
                "`sets` changes a chip that is given by its name: use warpsim.Chip(name, sets)"
            )
        return chip
    if chip is None and default is not None:
        return Chip(default.name, {**default.sets, **dict(sets)}) if sets else default
    return Chip(DEFAULT if chip is None else chip, sets)


def _ron(path: str, value: object) -> str:
    """Returns a value as a chip file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, str)):
        return str(value)
    if hasattr(value, "item"):
        return _ron(path, value.item())
    raise TypeError(
        f"sets[{path!r}]: expected a number, a truth value or a text, found {type(value).__name__}"
    )
