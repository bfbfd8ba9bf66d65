// Fields that were removed from cudaDeviceProp in CUDA 13 and from cudaPointerAttributes in CUDA 11. For each
// of the two structs, a macro substitutes a derived struct that has the removed fields. An overload of the
// CUDA function that fills the struct also fills these fields.
#ifndef CUDABOOK_REMOVED_FIELDS_H
#define CUDABOOK_REMOVED_FIELDS_H

#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000

struct cudabook_device_properties : cudaDeviceProp {
    int clockRate;  ///< kHz
    int deviceOverlap;
    int kernelExecTimeoutEnabled;
    int computeMode;         ///< a value of cudaComputeMode
    int maxTexture1DLinear;  ///< texels
    int memoryClockRate;     ///< kHz
    int singleToDoublePrecisionPerfRatio;
    int cooperativeMultiDeviceLaunch;  ///< always 0, because CUDA 13 also removed these launches
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
    cudaMemoryType memoryType;  ///< host or device; managed memory counts as device memory
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
