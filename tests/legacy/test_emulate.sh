#!/usr/bin/env bash
# test_emulate.sh CUDABOOK_NVCC BUILD COMPILER: cudabook-nvcc for the emulated GPU: what it says, its status, and the files that it leaves.
set -euo pipefail
nvcc=$1
export CUDABOOK_BUILD=$2 CXX=$3
programs=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}

expect() { # expect STATUS MESSAGE WORD...: with these words it ends so, and says one line that matches, beside that it emulates
  local status=0 message=$2 said expected=$1
  shift 2
  rm -f out
  case ${*: -1} in -o) said=$("$nvcc" --emulate "$@" 2>&1) || status=$? ;; *) said=$("$nvcc" --emulate "$@" -o out 2>&1) || status=$? ;; esac
  said=${said#'cudabook-nvcc: for the emulated GPU'}
  said=${said#$'\n'}
  [ "$status" = "$expected" ] || fail "$*: status $status: $said"
  [[ $said =~ ^($message)$ ]] || fail "$*: said $said"
  [ "$status" = 0 ] || [ ! -e out ] || fail "$*: left a file"
  [ -z "$(find . -name '.*' -type f)" ] || fail "$*: left a temporary file"
}

runs() { # runs OUTPUT [WORD...]: the program that was made prints this
  local expected=$1
  [ "$(./out)" = "$expected" ] || fail "$expected is not what the program prints"
}

cat >good.cu <<'X'
#include <stdio.h>
__constant__ int c[3];
__global__ void add(const int* a, int* sum, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x < n ? a[threadIdx.x] + c[0] : 0;
  __syncthreads();
  if (threadIdx.x == 0) for (int i = 0; i < 64; ++i) *sum += s[i];
}
int other(int x);
int main() {
  int *memory, values[4] = {1, 2, 3, 0}, ten = 10;
  cudaMalloc(&memory, sizeof values);
  cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(c, &ten, sizeof ten);
  add<<<1, 64>>>(memory, memory + 3, 3);
  cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost);
  printf("%d %d %s\n", values[3], other(1), cudaGetErrorString(cudaGetLastError()));
}
X
cat >other.cu <<'X'
__device__ int x;
__global__ void set(int value) { x = value; }
int other(int value) {
  set<<<1, 1>>>(value + 1);
  cudaMemcpyFromSymbol(&value, x, sizeof value);
  return value;
}
X
echo 'int other(int x) { return 3 * x; }' >other.cpp
expect 0 '' good.cu other.cu
runs '36 2 no error'
expect 0 '' -O3 -g -arch=sm_70 -gencode arch=compute_80,code=sm_80 -Xptxas -v --expt-relaxed-constexpr -lineinfo -lm -Xcompiler -Wunused,-O1 \
  -Xlinker --as-needed -I. -DX=3 -D Y -rdc=true -lcudart good.cu other.cpp
runs '36 3 no error'
expect 0 "cudabook-nvcc: C\+\+20 instead of c\+\+11, which the emulated GPU's headers need" -std=c++11 -c good.cu
mv out good.o
expect 0 '' -dc -x cu other.cu
mv out other.o
expect 0 '' good.o other.o
runs '36 2 no error'
ar rc good.a good.o
expect 0 '' good.a other.o
runs '36 2 no error'
expect 0 'cudabook-nvcc: --use_fast_math is left out: .*' --use_fast_math good.cu other.o

# A program may have names of its own that CUDA has in device code alone, or C++20 in std.
cat >names.cu <<'X'
#include <math.h>
#include <stdio.h>
#include <cmath>
__host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
__global__ void mix(float* x) { *x = lerp(1, 3, *x) + umin(7u, 5u); }
unsigned least(unsigned a, unsigned b);
int main() {
  float* x;
  cudaMallocManaged(&x, sizeof *x);
  *x = 0.25F;
  mix<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("%g %g %u\n", *x, std::lerp(1.0, 2.0, 0.5), least(3, 2));
}
X
cat >names.cpp <<'X'
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
static unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline float rsqrtf(float x) { return 1 / x; }
unsigned least(unsigned a, unsigned b) {
  curandState state;
  curand_init(a, b, 0, &state);
  if (curand_uniform(&state) > 1) return 0;
  return umin(a, b) + max(1, 2) + rsqrtf(cudaCreateChannelDesc<float>().x) * 32;
}
X
expect 0 '' names.cu names.cpp
runs '6.5 1.5 5'

# PTX that has a twin.
cat >registers.cu <<'X'
#include <stdio.h>
__global__ void read(unsigned* sums) {
  unsigned lane, warp, below, highest, thread;
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm volatile("mov.u32 %0,%tid.x;" : "=r"(thread) :: "memory");
  asm("bfind.u32 %0, %1 ;" : "=r"(highest) : "r"(lane) : "memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  atomicAdd(sums + 0, lane);
  atomicAdd(sums + 1, below == (1u << lane) - 1 && thread == 32 * warp + lane);
  atomicAdd(sums + 2, highest == (lane == 0 ? ~0u : 31 - __clz(lane)));
  atomicAdd(sums + 3, after >= before);
}
int main() {
  unsigned* sums;
  cudaMallocManaged(&sums, 4 * sizeof *sums);
  read<<<1, 64>>>(sums);
  cudaDeviceSynchronize();
  printf("%u %u %u %u\n", sums[0], sums[1], sums[2], sums[3]);
}
X
expect 0 '' registers.cu
runs '992 64 64 64'

# NVTX does nothing. Headers of single capabilities have what cuda_runtime.h has.
cat >marks.cu <<'X'
#include <sm_35_intrinsics.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <stdio.h>
int main() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "all";
  nvtxNameCudaStream(cudaStreamLegacy, "stream");
  nvtxMark("begin");
  const nvtxRangeId_t range = nvtxRangeStartEx(&event);
  const int depth = nvtxRangePush("part");
  nvtxRangeEnd(range);
  printf("%d\n", depth == nvtxRangePop());
}
X
expect 0 '' marks.cu -lnvToolsExt
runs 1

# What is wrong in the command.
expect 1 'cudabook-nvcc: no source is given'
expect 1 'cudabook-nvcc: none.cu: no such file' none.cu
expect 1 'cudabook-nvcc: none.o: no such file' none.o
head -c 1000 good.o >part.o
expect 1 'part.o: it is incomplete or broken' good.o part.o
expect 1 'cudabook-nvcc: good.txt: neither a source nor an object' good.txt
expect 1 'cudabook-nvcc: --wrong: not an option .*' --wrong good.cu
for option in -ptx -cubin -fatbin; do expect 1 "cudabook-nvcc: $option: .* needs real CUDA" $option good.cu; done
for option in -shared -lib; do expect 1 "cudabook-nvcc: $option: .* whole program" $option good.cu; done
expect 1 'cudabook-nvcc: -lcublas needs real CUDA' -lcublas good.cu
expect 1 'cudabook-nvcc: -o out: one name for 2 sources' -c good.cu other.cu
output() { # output NAME MESSAGE: nothing can be written there
  local status=0 said before
  before=$(ls -A . folder)
  said=$("$nvcc" --emulate good.cu other.cu -o "$1" 2>&1) || status=$?
  [ $status = 1 ] || fail "-o $1: status $status"
  [[ ${said#*$'\n'} =~ ^cudabook-nvcc:\ -o\ $1:\ [^$'\n']*$ ]] || fail "-o $1: said $said"
  [ "$(ls -A . folder)" = "$before" ] || fail "-o $1: left a file"
}
mkdir folder
for name in folder folder/ new/ missing/out ./good.cu; do output $name; done
expect 1 'cudabook-nvcc: -o: a value is missing' good.cu -o
mkfifo pipe
cat pipe >copy &
"$nvcc" --emulate -c other.cu -o pipe 2>/dev/null || fail 'it does not write to a pipe'
wait
[ -p pipe ] || fail 'a pipe is replaced'
[ -s copy ] || fail 'nothing comes through the pipe'
head -c 1000 /dev/zero >picture.cu
expect 1 "cudabook-nvcc: picture.cu: no program's text" picture.cu
CXX=no-such-compiler expect 3 'cudabook-nvcc: no-such-compiler: no such compiler .*' good.cu

# What is wrong in the source.
refused() { # refused LINE MESSAGE TEXT: of this source, line LINE
  printf '%b' "$3" >bad.cu
  expect 1 "bad.cu:$1: $2" bad.cu
}
refused 2 'this launch cannot be read: .*' 'int main() {\nk<<<1, 2>>;\n}\n'
refused 3 'this launch cannot be read: .*' '#define K(x) \\\\\n  k<<<1, 2>>> x\nvoid f() { K(3); }\n'
CUDABOOK_CCCL=$folder refused 2 '<thrust/sort.h> needs the headers of CCCL: install .*' '\n#include <thrust/sort.h>\n'
refused 1 '<cublas_v2.h> needs real CUDA: compute this in a kernel of the program, or on the host' '#include <cublas_v2.h>\n'
mkdir -p toolkit/crt
: >toolkit/cuda_runtime_api.h
echo '#error "this header is only for nvcc"' >toolkit/new_feature.h
refused 2 '<new_feature.h> needs real CUDA: the emulated GPU has no such header' '\n#include "toolkit/new_feature.h"\n'
cat >german <<X
#!/usr/bin/env bash
if [ "\${LC_ALL:-}" = C ]; then exec $CXX "\$@"; fi
exec $CXX "\$@" 2> >(sed 's/fatal error/schwerwiegender Fehler/; s/No such file or directory/Datei oder Verzeichnis nicht gefunden/' >&2)
X
chmod +x german
CXX=$folder/german LC_ALL=C.UTF-8 CUDABOOK_CCCL=$folder refused 2 '<thrust/sort.h> needs the headers of CCCL: install .*' '\n#include <thrust/sort.h>\n'
refused 4 'cuModuleLoad\(\) of the driver API needs real CUDA: compile the kernels with the program' \
  '#include <cuda.h>\nint main() {\n  cuInit(0);\n  cuModuleLoad(nullptr, "");\n}\n'
refused 2 'PTX in an asm statement needs real CUDA' '__global__ void k(int* x) {\n  asm("ex2.approx.f32 %%0, %%1;" : "=f"(*x) : "f"(*x));\n}\n'
printf '__global__ void k(int* x) {\n  *x = y;\n}\nint main() { k<<<1, 1>>>(0); }\n' >bad.cu
"$nvcc" --emulate bad.cu -o out 2>said && fail 'an error of the compiler is none'
grep -q '^bad.cu:2:.*error.*y' said || fail "the compiler's error is not at bad.cu:2"

# Warnings are said once, and not with -w.
printf '__device__ int x;\nint main() { x = 1; }\n' >warned.cu
"$nvcc" --emulate -c warned.cu -o warned.o 2>said || fail "a warning is an error: $(cat said)"
[ "$(grep -c '^warned.cu:2: warning: a __device__ variable "x"' said)" = 1 ] || fail "not one warning: $(cat said)"
"$nvcc" --emulate -w -c warned.cu -o warned.o 2>said || fail "-w: $(cat said)"
if grep -q warning said; then fail "-w: $(cat said)"; fi

# Launches and qualifiers in all their forms; a product and a sum are one operation where the processor has it.
fused=()
if grep -qsw fma /proc/cpuinfo; then fused=(-DFUSED); fi
expect 0 '' "${fused[@]}" "$programs/launches.cu"
runs OK

# As make does it again: the object and the dependencies of the last time are there.
for _ in 1 2; do
  "$nvcc" --emulate -MD -MF again.d -MT again.o -c good.cu -o again.o 2>said || fail "compiled again: $(cat said)"
done

# Where there is no nvcc.
CUDABOOK_NVCC='' CUDACXX=no-nvcc "$nvcc" good.cu other.cu -o out 2>said || fail 'without nvcc it does not compile'
grep -q '^cudabook-nvcc: no nvcc, so for the emulated GPU' said || fail 'it does not say that it emulates'
runs '36 2 no error'

exit $failed
