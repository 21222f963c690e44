"""Devices, and arrays in their memory."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from . import _native
from ._chip import Chip, ChipLike, Sets, chosen

if TYPE_CHECKING:
    import numpy as np

    from ._module import Module


class Device:
    """A simulated device with its memory, which launches share.

    >>> import numpy as np, warpsim
    >>> device = warpsim.Device("g80")
    >>> x = device.array(np.arange(4, dtype=np.float32))
    >>> module = warpsim.compile("__global__ void twice(float *x) { x[threadIdx.x] *= 2; }")
    >>> for _ in range(2):
    ...     report = module["twice"][1, 4](x)
    >>> x.numpy().tolist()
    [0.0, 4.0, 8.0, 12.0]
    """

    def __init__(self, chip: Optional[ChipLike] = None, sets: Optional[Sets] = None) -> None:
        #: The chip.
        self.chip: Chip = chosen(chip, sets)
        self._native = _native.Device(self.chip._native)

    def array(self, values: Any, dtype: Any = None) -> DeviceArray:
        """Copies an array, or what numpy makes an array of, to the device."""
        import numpy as np

        host = np.ascontiguousarray(values)
        made = self.empty(host.shape, host.dtype if dtype is None else dtype)
        made.set(host)
        return made

    def empty(self, shape: Union[int, Tuple[int, ...]], dtype: Any = "float32") -> DeviceArray:
        """Allocates an array, which the simulator fills with zeros."""
        return DeviceArray(self, shape, dtype)

    #: The same: memory of the simulator begins with zeros.
    zeros = empty

    def write_symbol(self, module: Module, name: str, value: Any) -> None:
        """Writes a ``__constant__`` or ``__device__`` variable (``cudaMemcpyToSymbol``).

        >>> import numpy as np, warpsim
        >>> device = warpsim.Device()
        >>> text = "__constant__ int c[2]; __global__ void k(int *p) { *p = c[1]; }"
        >>> module = warpsim.compile(text)
        >>> device.write_symbol(module, "c", np.array([3, 4], np.int32))
        >>> device.read_symbol(module, "c", np.int32).tolist()
        [3, 4]
        """
        from ._module import _bytes

        self._native.write_symbol(module._native, name, _bytes(name, value))

    def read_symbol(self, module: Module, name: str, dtype: Any) -> np.ndarray[Any, Any]:
        """Reads a variable (``cudaMemcpyFromSymbol``)."""
        import numpy as np

        return np.frombuffer(self._native.read_symbol(module._native, name), dtype).copy()

    def __repr__(self) -> str:
        return f"Device({self.chip.name!r})"


class DeviceArray:
    """An array in the memory of a device."""

    def __init__(self, device: Device, shape: Union[int, Tuple[int, ...]], dtype: Any) -> None:
        import numpy as np

        #: The device.
        self.device = device
        #: The extents.
        self.shape: Tuple[int, ...] = (
            (int(shape),) if not isinstance(shape, (tuple, list)) else tuple(shape)
        )
        #: The type of the elements.
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        if self.dtype.hasobject:
            raise TypeError(f"an array of {self.dtype} has no bytes of the device")
        address = device._native.malloc(max(self.nbytes, 1))
        self._address = address
        self._free = weakref.finalize(self, device._native.free, address)

    @property
    def size(self) -> int:
        """Number of elements."""
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    @property
    def nbytes(self) -> int:
        """Number of bytes."""
        return self.size * self.dtype.itemsize

    @property
    def ptr(self) -> int:
        """Address in the memory of its device, for a structure that has a pointer. It means
        nothing on another device."""
        return self._device_address(self.device)

    def numpy(self) -> np.ndarray[Any, Any]:
        """Copies the array to the host."""
        import numpy as np

        data = self.device._native.read(self.ptr, self.nbytes)
        return np.frombuffer(data, self.dtype).reshape(self.shape).copy()

    def set(self, values: Any) -> None:
        """Copies values of the host to the array; they have its shape, and fit into its type."""
        import numpy as np

        given = np.asarray(values)
        are_integers = self.dtype.kind in "iu" and given.dtype.kind in "biu"
        if not are_integers and not np.can_cast(given.dtype, self.dtype, "same_kind"):
            raise TypeError(f"the array has the type {self.dtype}, the values have {given.dtype}")
        host = np.ascontiguousarray(given, dtype=self.dtype)
        if are_integers and (host != given).any():
            raise ValueError(f"a value does not fit into {self.dtype}")
        if host.shape != self.shape:
            raise ValueError(f"the array has the shape {self.shape}, the values have {host.shape}")
        self.device._native.write(self.ptr, host.tobytes())

    def free(self) -> None:
        """Frees the memory now; otherwise it is freed with the array."""
        self._free()

    def _device_address(self, device: Any) -> int:
        if not self._free.alive:
            raise ValueError("the array has been freed")
        return self._address

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray[Any, Any]:
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device!r})"
