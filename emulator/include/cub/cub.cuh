// The part of CUB that the emulated GPU has. Source: CUB API Reference.
#pragma once

#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "device/device_histogram.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_run_length_encode.cuh"
#include "device/device_scan.cuh"
#include "device/device_select.cuh"
#include "version.cuh"
#include "warp/warp_reduce.cuh"
