// Fields that the runtime's structs have lost, cudaDeviceProp with CUDA 13 and cudaPointerAttributes with
// CUDA 11. A struct that has them takes the name of each, and the call that fills it fills them too.
#ifndef CUDABOOK_REMOVED_FIELDS_H
#define CUDABOOK_REMOVED_FIELDS_H

#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000

struct cudabook_device_properties : cudaDeviceProp {
    int clockRate;  ///< kHz
    int deviceOverlap;
    int kernelExecTimeoutEnabled;
    int computeMode;         ///< cudaComputeMode
    int maxTexture1DLinear;  ///< texels
    int memoryClockRate;     ///< kHz
    int singleToDoublePrecisionPerfRatio;
    int cooperativeMultiDeviceLaunch;  ///< 0: that launch was dropped with it
};

static inline cudaError_t cudaGetDeviceProperties(cudabook_device_properties* properties, int device) {
    if (const cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(properties), device))
        return error;
    const struct {
        int* field;
        cudaDeviceAttr attribute;
    } removed[] = {
        {&properties->clockRate, cudaDevAttrClockRate},
        {&properties->deviceOverlap, cudaDevAttrGpuOverlap},
        {&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout},
        {&properties->computeMode, cudaDevAttrComputeMode},
        {&properties->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth},
        {&properties->memoryClockRate, cudaDevAttrMemoryClockRate},
        {&properties->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio}};
    for (const auto& one : removed) {
        if (const cudaError_t error = cudaDeviceGetAttribute(one.field, one.attribute, device)) return error;
    }
    properties->cooperativeMultiDeviceLaunch = 0;
    return cudaSuccess;
}

#define cudaDeviceProp cudabook_device_properties

#endif

#if CUDART_VERSION >= 12000 && !defined(cudaDevicePropDontCare)
#define cudaDevicePropDontCare \
    {}
#endif

#if CUDART_VERSION >= 11000

struct cudabook_pointer_attributes : cudaPointerAttributes {
    cudaMemoryType memoryType;  ///< where the memory is: host or device, which managed memory counts as
    int isManaged;
};

static inline cudaError_t cudaPointerGetAttributes(cudabook_pointer_attributes* attributes,
                                                   const void* pointer) {
    if (const cudaError_t error =
            cudaPointerGetAttributes(static_cast<cudaPointerAttributes*>(attributes), pointer))
        return error;
    attributes->isManaged = attributes->type == cudaMemoryTypeManaged;
    attributes->memoryType = attributes->type == cudaMemoryTypeDevice || attributes->isManaged
                                 ? cudaMemoryTypeDevice
                                 : cudaMemoryTypeHost;
    return cudaSuccess;
}

#define cudaPointerAttributes cudabook_pointer_attributes

#endif

#endif
