// Replaces CCCL's header: the names of Thrust's CUDA system for vectors and their memory.
#pragma once

#include <thrust/system/cpp/memory.h>
#include <thrust/system/cpp/memory_resource.h>
#include <thrust/system/cpp/pointer.h>
#include <thrust/system/cpp/vector.h>
#include <thrust/system/cuda/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system::cuda {
using system::cpp::allocator;
using system::cpp::memory_resource;
using system::cpp::pointer;
using system::cpp::reference;
using system::cpp::tag;
using system::cpp::universal_allocator;
using system::cpp::universal_memory_resource;
using system::cpp::universal_pointer;
using system::cpp::universal_vector;
using system::cpp::vector;
}  // namespace system::cuda

namespace cuda {
using namespace system::cuda;
}  // namespace cuda
THRUST_NAMESPACE_END
