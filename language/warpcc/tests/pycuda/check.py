"""Uses PyCUDA as its users do; a failed check ends the program."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

rng = np.random.default_rng(7)


def source_module():
    module = SourceModule(
        """
        __constant__ float factor[2];
        __device__ int launches;
        __global__ void multiply(float *out, const float *a, const float *b, int n)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n)
                out[i] = a[i] * b[i] * factor[1];
            if (i == 0)
                launches++;
        }
        """
    )
    multiply = module.get_function("multiply")
    a, b = rng.random(400, dtype=np.float32), rng.random(400, dtype=np.float32)
    out = np.zeros_like(a)
    address, size = module.get_global("factor")
    assert size == 8
    drv.memcpy_htod(address, np.array([1, 3], dtype=np.float32))
    multiply(drv.Out(out), drv.In(a), drv.In(b), np.int32(400), block=(128, 1, 1), grid=(4, 1))
    assert np.allclose(out, 3 * a * b)
    multiply.prepare("PPPi")
    buffers = [drv.to_device(array) for array in (out, a, b)]
    multiply.prepared_call((4, 1), (128, 1, 1), *buffers, 400)
    launches = np.zeros(1, dtype=np.int32)
    drv.memcpy_dtoh(launches, module.get_global("launches")[0])
    assert launches[0] == 2
    assert multiply.num_regs > 2 and multiply.max_threads_per_block == 1024
    assert multiply.const_size_bytes == 8 and multiply.shared_size_bytes == 0
    try:
        module.get_function("divide")
    except drv.LogicError as error:
        assert "not found" in str(error), error
    else:
        raise AssertionError("there is no such kernel")
    try:
        SourceModule("__global__ void wrong() { nonsense; }")
    except drv.CompileError as error:
        assert "nonsense" in str(error), error
    else:
        raise AssertionError("the source is wrong")


def in_out():
    module = SourceModule("__global__ void twice(double *p) { p[threadIdx.x] *= 2; }")
    data = np.arange(32, dtype=np.float64)
    module.get_function("twice")(drv.InOut(data), block=(32, 1, 1))
    assert (data == 2 * np.arange(32)).all()


def arrays():
    a = rng.random((50, 60)).astype(np.float32)
    on_device = gpuarray.to_gpu(a)
    assert np.allclose((2 * on_device + 1).get(), 2 * a + 1)
    assert np.allclose((on_device * on_device).get(), a * a)
    assert np.isclose(gpuarray.sum(on_device).get(), a.sum(), rtol=1e-4)
    assert np.isclose(gpuarray.max(on_device).get(), a.max())
    assert np.isclose(gpuarray.dot(on_device, on_device).get(), (a * a).sum(), rtol=1e-4)
    assert (gpuarray.zeros(100, np.int32).fill(5).get() == 5).all()
    assert (gpuarray.arange(100, dtype=np.int32)[10:20].get() == np.arange(10, 20)).all()
    linear = ElementwiseKernel("float a, float *x, float *y", "y[i] = a * x[i] + y[i]", "linear")
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(np.ones_like(a))
    linear(3, x, y)
    assert np.allclose(y.get(), 3 * a + 1)


def reductions():
    kernel = ReductionKernel(
        np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]", arguments="float *x, float *y"
    )
    x, y = rng.random(5000, dtype=np.float32), rng.random(5000, dtype=np.float32)
    assert np.isclose(kernel(gpuarray.to_gpu(x), gpuarray.to_gpu(y)).get(), x @ y, rtol=1e-4)


def scans():
    values = rng.integers(0, 100, 3000).astype(np.int32)
    data = gpuarray.to_gpu(values)
    InclusiveScanKernel(np.int32, "a+b")(data)
    assert (data.get() == np.cumsum(values)).all()
    data = gpuarray.to_gpu(values)
    ExclusiveScanKernel(np.int32, "a+b", neutral="0")(data)
    assert (data.get() == np.cumsum(values) - values).all()


def events():
    start, end = drv.Event(), drv.Event()
    stream = drv.Stream()
    data = drv.pagelocked_zeros(100000, np.float32)
    memory = drv.mem_alloc(data.nbytes)
    start.record(stream)
    drv.memcpy_htod_async(memory, data, stream)
    end.record(stream)
    end.synchronize()
    assert 0.01 < start.time_till(end) < 10, "simulated milliseconds"
    drv.memset_d32(memory, 7, 100000)
    drv.memcpy_dtoh(data, memory)
    assert (data.view(np.int32) == 7).all()
    free, total = drv.mem_get_info()
    assert 0 < free < total


def attributes():
    device = drv.Device(0)
    assert device.compute_capability() == (2, 0)
    assert device.get_attribute(drv.device_attribute.WARP_SIZE) == 32
    assert device.total_memory() > 1 << 30 and len(device.name()) > 3
    assert len(device.get_attributes()) > 40
    assert drv.get_version() == (8, 0, 0)


def textures():
    module = SourceModule(
        """
        texture<float, 2> picture;
        __global__ void turn(float *out)
        {
            out[threadIdx.y * 8 + threadIdx.x] = tex2D(picture, threadIdx.y, threadIdx.x);
        }
        """
    )
    picture = rng.random((8, 8), dtype=np.float32)
    reference = module.get_texref("picture")
    drv.matrix_to_texref(picture, reference, order="C")
    out = np.zeros_like(picture)
    module.get_function("turn")(drv.Out(out), block=(8, 8, 1), texrefs=[reference])
    assert (out == picture.T).all()


def contexts():
    other = drv.Device(0).make_context()
    try:
        assert (gpuarray.to_gpu(np.arange(5)).get() == np.arange(5)).all()
    finally:
        other.pop()
    assert (gpuarray.to_gpu(np.arange(6)).get() == np.arange(6)).all()


for check in (source_module, in_out, arrays, reductions, scans, events, attributes, textures, contexts):
    check()
    print(check.__name__, "passed", flush=True)
