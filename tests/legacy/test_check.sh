#!/usr/bin/env bash
# test_check.sh CUDABOOK_NVCC BUILD COMPILER: what --check, --check=race, CUDABOOK_COUNTERS and CUDABOOK_TRACE say of programs with and without a bug.
set -euo pipefail
nvcc=$1
export CUDABOOK_BUILD=$2 CXX=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0

fail() {
  echo "FAILED: $*"
  sed 's/^/  /' said
  failed=1
}

expect() { # expect STATUS MESSAGE WORD...: cudabook-nvcc with these words ends so, and a line of what it says matches
  local status=0 message=$2 expected=$1
  shift 2
  "$nvcc" "$@" >said 2>&1 || status=$?
  [ "$status" = "$expected" ] || fail "$*: status $status"
  grep -qE -e "$message" said || fail "$*: does not say $message"
}

# reverse: each thread reads what another one has written; with -DWAITS after a barrier.
cat >reverse.cu <<'X'
#include <stdio.h>
#include <stdlib.h>
__global__ void reverse(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
#ifdef WAITS
  __syncthreads();
#endif
  a[threadIdx.x] = s[63 - threadIdx.x];
}
int main(int count, char** arguments) {
  int *memory, values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  cudaMalloc((void**)&memory, sizeof values);
  cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
  reverse<<<1, 64>>>(memory);
  cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  printf("arguments: %d\n", count - 1);
  return count > 1 ? atoi(arguments[1]) : 0;
}
X
cat >beyond.cu <<'X'
__global__ void fill(int* a, int n) {
  int i = threadIdx.x;
  if (i <= n)
    a[i] = i;
}
int main() {
  int* memory;
  cudaMalloc((void**)&memory, 100 * sizeof(int));
  fill<<<1, 128>>>(memory, 100);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
X
# unbinds: its texture object outlives the reference's binding, which is no leak of the program.
cat >unbinds.cu <<'X'
#include <stdio.h>
texture<float, 1> texels;
__global__ void read(float* a) { *a = tex1D(texels, 0.5f); }
int main() {
  const float one = 1;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  float *memory, value = 0;
  cudaArray_t array;
  cudaMallocArray(&array, &format, 1);
  cudaMemcpy2DToArray(array, 0, 0, &one, sizeof one, sizeof one, 1, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(texels, array);
  cudaMalloc((void**)&memory, sizeof value);
  read<<<1, 1>>>(memory);
  cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  cudaUnbindTexture(texels);
  cudaFreeArray(array);
  printf("read: %g\n", value);
}
X

# few: the launch gives less shared memory than the kernel uses.
cat >few.cu <<'X'
__global__ void few() {
  extern __shared__ int s[];
  s[threadIdx.x] = 0;
}
int main() {
  few<<<1, 64, 32 * sizeof(int)>>>();
  cudaDeviceSynchronize();
}
X
# halves: the threads of a block wait at two barriers; with -DONE at one, of which the program has several.
cat >halves.cu <<'X'
#include <stdio.h>
template <int rounds> __device__ inline void meet() {
  for (int i = 0; i < rounds; ++i) __syncthreads();
}
__global__ void halves() {
#ifdef ONE
  if (threadIdx.x < 32) meet<3>();
  else meet<3>();
#else
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
#endif
}
int main() {
  halves<<<1, 64>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
X
# unwritten: every atomic function but atomicExch reads shared memory that nobody has written, from line 3 on.
{
  printf '%s\n' '__global__ void unwritten() {' '  __shared__ unsigned s[30];'
  at=0
  for name in Add Sub Min Max Inc Dec CAS And Or Xor; do
    for of in '' _block _system; do
      case $name in CAS) values='1, 2' ;; *) values=1 ;; esac
      echo "  atomic$name$of(&s[$at], $values);"
      at=$((at + 1))
    done
  done
  printf '%s\n' '}' 'int main() {' '  unwritten<<<1, 1>>>();' '  cudaDeviceSynchronize();' '}'
} >unwritten.cu
# adds: one thread reads what the others add to.
cat >adds.cu <<'X'
__global__ void adds(int* a) {
  if (threadIdx.x == 0)
    a[1] = a[0];
  else
    atomicAdd(&a[0], 1);
}
int main() {
  int* memory;
  cudaMalloc((void**)&memory, 2 * sizeof(int));
  cudaMemset(memory, 0, 2 * sizeof(int));
  adds<<<1, 64>>>(memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
X

expect 1 'heap-buffer-overflow' --check beyond.cu
grep -q 'beyond.cu:4' said || fail 'no file and line of the access'
if grep -q 'invoke\|emulator' said || [ "$(wc -l <said)" -gt 8 ]; then fail 'more than a handful of lines'; fi
expect 1 'error in few, .*: the launch gives 128 bytes of dynamic shared memory, and it uses byte 128' --check few.cu
grep -q 'AddressSanitizer: beyond the shared memory that the launch gives' said || fail 'what is beyond'
expect 1 'the barrier of halves.cu:13, and other threads of its block wait at the barrier of halves.cu:11: all' --check halves.cu
expect 0 'no error' --check -DONE halves.cu
expect 0 '^arguments: 0$' --check -DWAITS reverse.cu
expect 3 '^arguments: 2$' --check -DWAITS reverse.cu -- 3 x
expect 0 '^read: 1$' --check unbinds.cu
[ "$(wc -l <said)" = 2 ] || fail '--check says more than the program' # and for which GPU
expect 1 'leave out -c' --check -c reverse.cu
expect 1 '--check=memory or --check=race' --check=speed reverse.cu
[ ! -e a.out ] || fail '--check leaves a program that nobody asked for'
expect 0 '^arguments: 0$' --check -DWAITS reverse.cu -o checked
[ -x checked ] || fail '--check -o leaves no program'

if [[ $CXX = *clang++* ]]; then
  expect 1 'by g\+\+' --check=race reverse.cu
  expect 1 '--count: .* by g\+\+' --count reverse.cu
  "$nvcc" --emulate -DWAITS reverse.cu
  CUDABOOK_COUNTERS=1 ./a.out >said 2>&1
  grep -q 'cannot count' said || fail 'does not say that it cannot count'
  CUDABOOK_TRACE=t.html ./a.out >said 2>&1
  grep -q 'CUDABOOK_TRACE: .*cannot count' said || fail 'does not say that it cannot trace'
  exit $failed
fi
expect 1 'data race in reverse.*thread' --check=race reverse.cu
grep -q 'reverse.cu:[59]' said || fail 'no file and line of the race'
expect 0 '^arguments: 0$' --check=race -DWAITS reverse.cu
expect 1 'data race in adds.*atomically' --check=race adds.cu
for line in 3 5; do grep -q "adds.cu:$line" said || fail "no line $line of the race"; done
expect 1 'error in unwritten, .*: reads 4 bytes of shared memory that no thread of this block has written' --check=race unwritten.cu
[ "$(sed -n 's/.*has written, at .*unwritten.cu://p' said | xargs)" = "$(seq 3 32 | xargs)" ] || fail 'not the lines of the atomic functions'

# A program that counts, made at once or of objects, beside another program or alone. Not from a cache: its lines have the folder's name in them.
export CCACHE_DISABLE=1
"$nvcc" --emulate -DWAITS reverse.cu
"$nvcc" --emulate -DWAITS -c reverse.cu -o reverse.o
"$nvcc" --emulate reverse.o -o linked
"$nvcc" --count -DWAITS reverse.cu -o counts
"$nvcc" --count reverse.o -o linked_counts
expect 1 '--count: .* without --check' --count --check reverse.cu
expect 1 '--count: .* from -O1 on' --count -O0 reverse.cu
expect 1 'leave out -c' --count -c reverse.cu
for program in a.out linked counts linked_counts; do
  ./$program >said 2>&1 || fail "$program ends with $?"
  [ "$(cat said)" = 'arguments: 0' ] || fail "$program prints more than it is asked for"
  CUDABOOK_COUNTERS=1 ./$program 0 y >said 2>&1 || fail "$program ends with $?"
  grep -q '^arguments: 2$' said || fail "$program counts without its arguments"
  for word in reverse 'global loads' barriers; do grep -q "$word" said || fail "$program does not count $word"; done

  CUDABOOK_TRACE=trace.html ./$program 0 y >said 2>&1 || fail "$program ends with $?"
  [ "$(cat said)" = 'arguments: 2' ] || fail "$program prints more than it is asked for"
  grep -q '"kernel":"reverse"' trace.html || fail "$program does not trace"
  grep -q '"path":"reverse.cu"' trace.html || fail "$program has no lines"
  rm trace.html
  for bad in 2:CUDABOOK_TRACE_BLOCK=7 2:CUDABOOK_TRACE_BLOCK=x 3:CUDABOOK_TRACE_WARPS=0 3:CUDABOOK_TRACE_LIMIT=-1; do
    status=0
    env CUDABOOK_TRACE=trace.html ${bad#*:} ./$program >said 2>&1 || status=$?
    [ $status = ${bad%:*} ] || fail "$bad: status $status"
    bad=${bad#*:}
    grep -q "${bad%=*}" said || fail "$bad: $(cat said)"
    [ ! -e trace.html ] || fail "$bad: a file is left"
  done
  status=0
  CUDABOOK_TRACE=/nowhere/t.html ./$program >said 2>&1 || status=$?
  [ $status = 3 ] || fail "a file that cannot be written: status $status"
done
exit $failed
