// The functions of device code that concern other threads: barriers, votes, shuffles, atomics, clocks.
// Source: CUDA C++ Programming Guide, "C++ Language Extensions".
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "common/emulation/block.hpp"
