"""Arguments of kernels: values of Python as bytes of the kernel's parameters."""

from __future__ import annotations

import re
import struct
from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np

#: Scalar types of CUDA C: numpy's type and the format of `struct`.
_SCALARS = {
    "bool": ("bool", "?"),
    "char": ("int8", "b"),
    "signed char": ("int8", "b"),
    "unsigned char": ("uint8", "B"),
    "short": ("int16", "h"),
    "unsigned short": ("uint16", "H"),
    "int": ("int32", "i"),
    "unsigned int": ("uint32", "I"),
    "unsigned": ("uint32", "I"),
    "long": ("int64", "q"),
    "unsigned long": ("uint64", "Q"),
    "long long": ("int64", "q"),
    "unsigned long long": ("uint64", "Q"),
    "size_t": ("uint64", "Q"),
    "float": ("float32", "f"),
    "double": ("float64", "d"),
}

#: Formats of the types of PTX.
_PTX = {
    "s8": "b", "u8": "B", "b8": "B", "s16": "h", "u16": "H", "b16": "H", "s32": "i", "u32": "I",
    "b32": "I", "s64": "q", "u64": "Q", "b64": "Q", "f32": "f", "f64": "d", "pred": "?",
}  # fmt: skip

#: Names of vector types of CUDA C.
_VECTOR = re.compile(r"(u?)(char|short|int|long|longlong|float|double)([1-4])$")


class Packed(NamedTuple):
    """The arguments of a launch as the simulator gets them."""

    #: Address, bytes, or the number of a buffer in a tuple.
    args: list[Any]
    #: Name, bytes, and whether it is copied back.
    buffers: list[Tuple[str, bytes, bool]]
    #: The array of each buffer.
    arrays: list[Any]


def element(c_type: str) -> Optional[np.dtype[Any]]:
    """Returns the type of the elements of a pointer type; `None` for structures and `void`."""
    base = _base(c_type.split("*")[0].split("&")[0])
    vector = _VECTOR.match(base)
    if vector:
        unsigned, base, _ = vector.groups()
        base = base.replace("longlong", "long long")
        base = ("unsigned " if unsigned else "") + base
    scalar = _SCALARS.get(base)
    return np.dtype(scalar[0]) if scalar else None


def _base(c_type: str) -> str:
    words = [word for word in c_type.split() if word not in ("const", "volatile", "__restrict__")]
    return " ".join(words)


def pack(kernel: Any, args: Sequence[Any], device: Any) -> Packed:
    """Converts arguments by the parameters of a kernel.

    Raises `TypeError` or `ValueError` about the first argument that does not fit.
    """
    parameters = kernel.parameters
    if len(args) != len(parameters):
        expected = f"{len(parameters)} argument{'s' * (len(parameters) != 1)}"
        raise TypeError(f"{kernel.declaration} expects {expected}, found {len(args)}")
    packed = Packed([], [], [])
    for place, (parameter, value) in enumerate(zip(parameters, args)):
        about = f"argument {place + 1} of {kernel.name}, {parameter}"
        if _is_array(value, parameter.is_pointer):
            packed.args.append(_array(packed, parameter, value, about))
        elif hasattr(value, "_device_address"):
            _check_element(parameter, value.dtype, about)
            packed.args.append(value._device_address(device))
        elif parameter.is_pointer and parameter.c_type is not None:
            if value is not None:
                raise TypeError(
                    f"{about}: expected a numpy array, an array of the device or None, "
                    f"found {type(value).__name__}"
                )
            packed.args.append(0)
        else:
            packed.args.append(_scalar(parameter, value, about))
    return packed


def _is_array(value: Any, is_pointer: bool) -> bool:
    return isinstance(value, np.ndarray) and (is_pointer or value.ndim > 0)


def _array(packed: Packed, parameter: Any, array: Any, about: str) -> Tuple[int]:
    """Adds an array as a buffer, or finds the buffer of the same array."""
    if not parameter.is_pointer and parameter.c_type is not None:
        raise TypeError(f"{about}: expected a value, found an array of {array.dtype}")
    _check_element(parameter, array.dtype, about)
    if array.dtype.hasobject or not array.dtype.isnative:
        raise TypeError(f"{about}: an array of {array.dtype} has no bytes of the device")
    if not array.flags.c_contiguous:
        raise ValueError(
            f"{about}: the array is not contiguous; pass a copy by np.ascontiguousarray"
        )
    is_written = parameter.is_written
    if is_written and not array.flags.writeable:
        raise ValueError(f"{about}: the kernel can write the array, which is read-only")
    for number, known in enumerate(packed.arrays):
        if known is array or _same(known, array):
            name, data, back = packed.buffers[number]
            packed.buffers[number] = (name, data, back or is_written)
            if is_written and not known.flags.writeable:
                packed.arrays[number] = array
            return (number,)
        if np.may_share_memory(known, array):
            raise ValueError(
                f"{about}: the array shares memory with another argument, but is not the same"
            )
    packed.arrays.append(array)
    packed.buffers.append((parameter.name, array.tobytes(), is_written))
    return (len(packed.arrays) - 1,)


def _same(a: Any, b: Any) -> bool:
    return (
        a.nbytes == b.nbytes
        and a.nbytes > 0
        and a.__array_interface__["data"][0] == b.__array_interface__["data"][0]
    )


def _check_element(parameter: Any, dtype: Any, about: str) -> None:
    if parameter.c_type is None:
        return
    expected = element(parameter.c_type)
    if expected is None or dtype == expected or (expected == np.bool_ and dtype == np.uint8):
        return
    raise TypeError(
        f"{about}: expected an array of {expected}, found {dtype}; convert it by astype"
    )


def _scalar(parameter: Any, value: Any, about: str) -> bytes:
    """Returns the bytes of a value."""
    if parameter.c_type is not None:
        known = _SCALARS.get(_base(parameter.c_type))
        code = known[1] if known else None
    else:
        code = _PTX.get(parameter.ptx_type)
    if code is not None and struct.calcsize(code) != parameter.bytes:
        # An array of PTX, or `long` of a host with another size.
        code = {4: {"q": "i", "Q": "I"}}.get(parameter.bytes, {}).get(code)
    if code is None or isinstance(value, (bytes, bytearray, np.void)):
        return _raw(parameter, value, about)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    is_number = isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating))
    if not is_number:
        raise TypeError(f"{about}: expected a number, found {type(value).__name__}")
    is_whole = not isinstance(value, (float, np.floating))
    if code in "fd":
        try:
            return struct.pack("<" + code, float(value))
        except OverflowError:
            raise ValueError(f"{about}: {value!r} is too large") from None
    if not is_whole:
        raise TypeError(f"{about}: expected a whole number, found {value!r}; convert it by int")
    if code == "?":
        return bytes([bool(value)])
    try:
        return struct.pack("<" + code, int(value))
    except struct.error:
        raise ValueError(f"{about}: {int(value)} is out of range") from None


def _raw(parameter: Any, value: Any, about: str) -> bytes:
    """Returns the bytes of a structure."""
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        value = None
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tobytes()
    if not isinstance(value, (bytes, bytearray)):
        raise TypeError(
            f"{about}: expected {parameter.bytes} bytes, or a value of numpy with this size"
        )
    if len(value) != parameter.bytes:
        raise ValueError(f"{about}: expected {parameter.bytes} bytes, found {len(value)}")
    return bytes(value)


def unpack(packed: Packed, back: Sequence[bytes]) -> None:
    """Copies buffers back into their arrays."""
    for array, (_, _, is_written), data in zip(packed.arrays, packed.buffers, back):
        if is_written and array.nbytes:
            array.reshape(-1).view(np.uint8)[:] = np.frombuffer(data, np.uint8)
