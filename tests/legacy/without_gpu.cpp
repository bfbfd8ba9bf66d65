// How the headers handle the runtime's return values. The runtime is a fake below, so that no GPU is needed
// and its calls can fail.
#include <cuda_runtime.h>
#include <string.h>

// ----- the runtime

static cudaError_t of_copies = cudaSuccess;  ///< the return value of copies
static cudaTextureObject_t in_slot = 0;      ///< the handle that the last copy wrote
static int copies = 0;
static cudaMemoryType type_of_memory = cudaMemoryTypeDevice;

extern "C" {
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return ""; }
const char* cudaGetErrorName(cudaError_t) { return ""; }

/// All attributes except those of textures are 1000 plus the attribute's number.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    *value = attribute == cudaDevAttrTextureAlignment ? 512 : 1000 + (int)attribute;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device != 0) return cudaErrorInvalidDevice;
    properties->major = 9;
#if CUDART_VERSION < 13000
    properties->clockRate = 1000 + cudaDevAttrClockRate;
    properties->deviceOverlap = 1000 + cudaDevAttrGpuOverlap;
    properties->kernelExecTimeoutEnabled = 1000 + cudaDevAttrKernelExecTimeout;
    properties->computeMode = 1000 + cudaDevAttrComputeMode;
    properties->maxTexture1DLinear = 1000 + cudaDevAttrMaxTexture1DLinearWidth;
    properties->memoryClockRate = 1000 + cudaDevAttrMemoryClockRate;
    properties->singleToDoublePrecisionPerfRatio = 1000 + cudaDevAttrSingleToDoublePrecisionPerfRatio;
#endif
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
    *device = properties->major;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    attributes->type = type_of_memory;
    attributes->devicePointer = (void*)pointer;
    return cudaSuccess;
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* most, const cudaChannelFormatDesc*, int) {
    *most = 1 << 27;
    return cudaSuccess;
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc*,
                                    const cudaTextureDesc*, const cudaResourceViewDesc*) {
    static cudaTextureObject_t made = 0;
    *object = ++made;
    return cudaSuccess;
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const cudaResourceDesc*) {
    return cudaErrorNotSupported;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) { return cudaSuccess; }
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) { return cudaSuccess; }
cudaError_t cudaMemcpyToSymbolAsync(const void*, const void* from, size_t bytes, size_t, cudaMemcpyKind,
                                    cudaStream_t) {
    if (of_copies != cudaSuccess) return of_copies;
    memcpy(&in_slot, from, bytes);
    copies++;
    return cudaSuccess;
}
}

// ----- the tests

#include "../common/book.h"
#include "texture_reference.h"

static int failed = 0;

static void expect(const char* what, long long expected, long long got) {
    if (expected == got) return;
    printf("%s: expected %lld, got %lld\n", what, expected, got);
    failed++;
}

/// A binding that fails, for example during stream capture, leaves the previous binding.
static void failing_bindings() {
    static texture<float, 1> line;
    static char symbol;
    static cudabook::book::SlotOnHost slot(&line, &symbol, {cudaReadModeElementType, 1});
    float *first = (float*)512, *second = (float*)1024;

    of_copies = cudaErrorStreamCaptureImplicit;
    expect("binding, no copy", of_copies, cudaBindTexture(NULL, line, first, 512));
    size_t offset;
    expect("is not bound", cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, line));
    of_copies = cudaSuccess;
    expect("binding it again", cudaSuccess, cudaBindTexture(NULL, line, first, 512));
    expect("copies it", 1, copies);
    const cudaTextureObject_t of_first = in_slot;
    expect("binding what is bound", cudaSuccess, cudaBindTexture(NULL, line, first, 512));
    expect("copies nothing", 1, copies);

    of_copies = cudaErrorStreamCaptureImplicit;
    expect("another, no copy", of_copies, cudaBindTexture(NULL, line, second, 512));
    expect("leaves what was bound", cudaSuccess, cudaGetTextureAlignmentOffset(&offset, line));
    expect("unbinding, no copy", of_copies, cudaUnbindTexture(line));
    expect("leaves it too", cudaSuccess, cudaGetTextureAlignmentOffset(&offset, line));
    of_copies = cudaSuccess;
    expect("what was bound, again", cudaSuccess, cudaBindTexture(NULL, line, first, 512));
    expect("copies it", 2, copies);
    expect("the object", of_first, in_slot);
    expect("the other", cudaSuccess, cudaBindTexture(NULL, line, second, 512));
    expect("copies that", 3, copies);
    expect("another object", 1, in_slot != of_first);
    expect("unbinding", cudaSuccess, cudaUnbindTexture(line));
    expect("leaves none", 0, in_slot);
}

/// The fields that CUDA has removed have the values of the attributes that replace them.
static void properties() {
    struct cudaDeviceProp prop;
    memset(&prop, 0, sizeof(cudaDeviceProp));
    expect("properties", cudaSuccess, cudaGetDeviceProperties(&prop, 0));
    expect("major", 9, prop.major);
    expect("clockRate", 1000 + cudaDevAttrClockRate, prop.clockRate);
    expect("deviceOverlap", 1000 + cudaDevAttrGpuOverlap, prop.deviceOverlap);
    expect("kernelExecTimeoutEnabled", 1000 + cudaDevAttrKernelExecTimeout, prop.kernelExecTimeoutEnabled);
    expect("computeMode", 1000 + cudaDevAttrComputeMode, prop.computeMode);
    expect("maxTexture1DLinear", 1000 + cudaDevAttrMaxTexture1DLinearWidth, prop.maxTexture1DLinear);
    expect("memoryClockRate", 1000 + cudaDevAttrMemoryClockRate, prop.memoryClockRate);
    expect("singleToDoublePrecisionPerfRatio", 1000 + cudaDevAttrSingleToDoublePrecisionPerfRatio,
           prop.singleToDoublePrecisionPerfRatio);
    expect("cooperativeMultiDeviceLaunch", 0, prop.cooperativeMultiDeviceLaunch);
    int device = 0;
    cudaDeviceProp* asked = &prop;
    expect("choosing", cudaSuccess, cudaChooseDevice(&device, asked));
    expect("by what was asked for", 9, device);
    expect("no such device", cudaErrorInvalidDevice, cudaGetDeviceProperties(asked, 1));
    const cudaDeviceProp any = cudaDevicePropDontCare, zero = {0};
    expect("nothing asked for", 0, any.clockRate + any.major + zero.clockRate + zero.major);
}

static void pointers() {
    const struct {
        cudaMemoryType type, memoryType;
        int isManaged;
    } kinds[] = {{cudaMemoryTypeUnregistered, cudaMemoryTypeHost, 0},
                 {cudaMemoryTypeHost, cudaMemoryTypeHost, 0},
                 {cudaMemoryTypeDevice, cudaMemoryTypeDevice, 0},
                 {cudaMemoryTypeManaged, cudaMemoryTypeDevice, 1}};
    for (int i = 0; i < 4; i++) {
        type_of_memory = kinds[i].type;
        struct cudaPointerAttributes attributes;
        expect("attributes", cudaSuccess, cudaPointerGetAttributes(&attributes, &failed));
        expect("type", kinds[i].type, attributes.type);
        expect("memoryType", kinds[i].memoryType, attributes.memoryType);
        expect("isManaged", kinds[i].isManaged, attributes.isManaged);
    }
}

int main(void) {
    failing_bindings();
    properties();
    pointers();
    return failed == 0 ? 0 : 1;
}
