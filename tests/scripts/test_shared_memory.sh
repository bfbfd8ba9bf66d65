#!/usr/bin/env bash
# test_shared_memory.sh TOOL: the tool of emulator/objects/: the places of the arrays of dynamic shared memory, and the
# bytes that each kernel declares. Each installed compiler makes the objects.
set -euo pipefail
tool=$1
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/kernels.hpp" <<'END'
#include <cstddef>
#define __shared__ thread_local __attribute__((abi_tag("cudabook_shared")))
template <class T>
T last_of_two(T value) {
    __shared__ T values[2];
    values[1] = value;
    return *const_cast<volatile T*>(values + 1);
}
float in_other_object(float value);  // 64 bytes
// A name that is long.
template <int... numbers>
struct Numbers {};
#define TEN(i) i##0, i##1, i##2, i##3, i##4, i##5, i##6, i##7, i##8, i##9
using Long = Numbers<TEN(1), TEN(2), TEN(3), TEN(4), TEN(5), TEN(6), TEN(7), TEN(8), TEN(9)>;
END
cat >"$folder/one.cpp" <<'END'
#include "kernels.hpp"
namespace n {
unsigned char* dynamic_kernel() {
    extern __shared__ unsigned char bytes[];
    bytes[0] = 1;
    return bytes;
}
}  // namespace n
float* floats_of_dynamic_shared() {
    extern __shared__ float floats[];
    return floats;
}
// A local function, called by two kernels, with a variable of its own.
__attribute__((noinline)) static int local(int i) {
    __shared__ int table[100];
    table[i] = i;
    return *const_cast<volatile int*>(table + i / 2);
}
int nothing(int i) { return i + 1; }
int one_table(int i) { return local(i); }
double two_tables(int i) {
    __shared__ int table[50];
    table[i] = i;
    return local(i) + *const_cast<volatile int*>(table + i / 2) + last_of_two(1.0) + last_of_two(2.0);
}
float all(float value) { return in_other_object(value) + static_cast<float>(two_tables(0)); }
int takes_long(Long, int i) { return local(i); }
// The other ones use nothing, and 12 bytes.
static __attribute__((used, noinline)) int same_name(int i) { return local(i); }
static __attribute__((used, noinline)) int same_again(int i) { return i; }
thread_local int no_shared_memory = 1;
int reads_thread_local() { return no_shared_memory; }
int recursive(int i) { return i == 0 ? local(i) : i + 2 * recursive(local(i)); }
END
cat >"$folder/two.cpp" <<'END'
#include "kernels.hpp"
float in_other_object(float value) {
    __shared__ float table[14];
    table[1] = value;
    return last_of_two(*const_cast<volatile float*>(table));
}
float* more_floats() {
    extern __shared__ float floats[];
    return floats;
}
static __attribute__((used, noinline)) int same_name(int i) { return i; }
static __attribute__((used, noinline)) int same_again(int i) {
    __shared__ int table[3];
    table[i] = i;
    return *const_cast<volatile int*>(table + i / 2);
}
END
cat >"$folder/main.cpp" <<'END'
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include "emulator/engine/static_shared.hpp"
namespace n { unsigned char* dynamic_kernel(); }
float* floats_of_dynamic_shared();
float* more_floats();
namespace cudabook::emulation {
KnownStaticShared::KnownStaticShared(const StaticShared* table, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) std::printf("%s %zu\n", table[i].kernel, table[i].bytes);
}
}  // namespace cudabook::emulation
int main() {
    const auto check = [] {
        unsigned char* const bytes = n::dynamic_kernel();
        std::memset(bytes, 1, 233472);
        const void* const expected = bytes;
        if (floats_of_dynamic_shared() != expected || more_floats() != expected || reinterpret_cast<std::uintptr_t>(bytes) % 1024 != 0)
            std::puts("wrong address");
    };
    check();
    std::thread(check).join();
}
END
cat >"$folder/expected" <<'END'
_Z10takes_longLong 400
_Z10two_tablesi 616
_Z15in_other_objectf 64
_Z3allf 680
_Z9one_tablei 400
_Z9recursivei 400
_ZL10same_againi 12
_ZL5locali 400
_ZL9same_namei 400
END

for compiler in g++ clang++ clang++-14; do
  if ! command -v "$compiler" >"$folder/path"; then continue; fi
  for options in -O2 "-O0 -fPIC" "-O3 -fPIE"; do
    read -ra options <<<"$options -std=c++20 -ffunction-sections -pthread -Iemulator/include -I."
    for source in one two; do "$compiler" "${options[@]}" -c "$folder/$source.cpp" -o "$folder/$source.o"; done
    "$tool" "$folder/one.o" "$folder/two.o" >"$folder/shared_memory.cpp"
    "$compiler" "${options[@]}" "$folder"/{main,shared_memory}.cpp "$folder"/{one,two}.o -o "$folder/program"
    # Leaves out the instances of templates, whose names differ between compilers.
    "$folder/program" | grep -v last_of_two | sed 's/^_Z10takes_long7Numbers[^ ]*/_Z10takes_longLong/' | LC_ALL=C sort |
      diff "$folder/expected" - || {
      echo "$compiler ${options[*]}: not what was expected" >&2
      exit 1
    }
  done
done

cd "$folder"
none="// Made by emulator/objects/."
"$(command -v c++)" -c -x c++ -o none.o - <<<"int f() { return 1; }"
[ "$("$tool" none.o)" = "$none" ]

# Archives, which may also contain files that are no objects.
ar rc short.a one.o two.o kernels.hpp
"$tool" short.a | diff shared_memory.cpp -
for object in one two; do cp $object.o ${object}_with_a_long_name.o; done
ar rc long.a {one,two}_with_a_long_name.o none.o
"$tool" long.a | diff shared_memory.cpp -
ar rc empty.a
[ "$("$tool" empty.a)" = "$none" ]

# An object with more sections than its header has room for.
{
  for i in {1..66000}; do echo ".section .text.f$i,\"ax\",%progbits"; done
  "$(command -v c++)" -O2 -ffunction-sections -S -x c++ -o - - <<'END'
int* many() {
    static thread_local __attribute__((abi_tag("cudabook_shared"))) int values[5];
    return values;
}
END
} | "$(command -v c++)" -c -x assembler -o many.o -
"$tool" many.o >many.cpp
grep -q '{"_Z4manyv", 20}' many.cpp

# For files that it cannot read, the tool prints one line on stderr and nothing else.
refused() { # refused MESSAGE FILE...
  local message=$1 status=0
  shift
  "$tool" "$@" >printed 2>said || status=$?
  if [ $status != 1 ] || [ -s printed ] || [ "$(cat said)" != "$message" ]; then
    echo "$*: status $status, printed $(wc -c <printed) bytes, said $(cat said)" >&2
    exit 1
  fi
}
refused 'missing.o: No such file or directory' one.o missing.o
refused 'kernels.hpp: it is no ELF file' one.o kernels.hpp
: >empty.o
refused 'empty.o: it is no ELF file' empty.o
ar rcT thin.a one.o
refused 'thin.a: it is a thin archive, which does not hold its objects' thin.a
bytes=$(wc -c <one.o)
for size in 4 16 63 64 $((bytes / 2)) $((bytes - 1)); do
  head -c $size one.o >part.o
  refused 'part.o: it is incomplete or broken' two.o part.o
done
ar rcS broken.a two_with_a_long_name.o part.o
refused 'broken.a(part.o): it is incomplete or broken' broken.a
head -c "$bytes" long.a >part.a
refused 'part.a: it is incomplete or broken' part.a
