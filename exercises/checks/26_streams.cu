// Checks 26_streams. What `process` gives to each stream is captured as a graph. The graph of one stream
// alone must make its piece and touch no other, on the host or the device, and a capture refuses what waits
// or goes to the default stream.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

namespace cudabook::check {

/// Says what is to do, and goes on.
void to_do(const char* what) {
    std::printf("%s\n", what);
    reached = false;
}

/// What process() does in each stream; ends the check if it does what no stream can do.
std::vector<cudaGraph_t> captured(float* out, const float* in, float* device, int n,
                                  std::vector<cudaStream_t>& streams) {
    for (cudaStream_t stream : streams)
        cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    const int parts = static_cast<int>(streams.size());
    process(out, in, device, n, streams.data(), parts);
    bool is_captured = cudaGetLastError() == cudaSuccess;
    std::vector<cudaGraph_t> graphs(parts);
    for (int i = 0; i < parts; ++i)
        is_captured = cudaStreamEndCapture(streams[i], &graphs[i]) == cudaSuccess && is_captured;
    cudaGetLastError();
    if (is_captured) return graphs;
    to_do("a copy or a kernel is in no stream, or something waits, so that nothing overlaps");
    finish();
}

}  // namespace cudabook::check

int main() {
    namespace check = cudabook::check;
    constexpr int parts = 4;
    const int n =
        parts * (check::timed() ? 4'000'000 : 1000);  // so many that the copies take longer than the calls
    const check::Array<float> device(n);
    std::vector<cudaStream_t> streams(parts);
    for (cudaStream_t& stream : streams) check::cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
    float* const in = memory_on_host(n);
    float* const out = memory_on_host(n);
    if (in == nullptr || out == nullptr) {
        std::printf("memory_on_host gives no memory\n");
        check::end(check::wrong);
    }
    cudaPointerAttributes attributes{};
    check::cuda(cudaPointerGetAttributes(&attributes, in), "cudaPointerGetAttributes");
    if (attributes.type != cudaMemoryTypeHost) check::to_do("the memory on the host is not page-locked");

    const std::vector<float> numbers = check::numbers(n);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = 3 * numbers[i] + 1;
    const auto clear = [&] { std::memset(out, 0xff, n * sizeof(float)); };
    std::memcpy(in, numbers.data(), n * sizeof(float));
    clear();
    check::run([&] { process(out, in, device, n, streams.data(), parts); });
    check::equal("out", std::vector<float>(out, out + n), expected);

    // What no kernel leaves as it is.
    const std::vector<float> before(n, -1);
    const std::vector<cudaGraph_t> graphs = check::captured(out, in, device, n, streams);
    for (int part = 0; part < parts; ++part) {
        clear();
        check::cuda(cudaMemcpy(device, before.data(), n * sizeof(float), cudaMemcpyHostToDevice),
                    "cudaMemcpy");
        cudaGraphExec_t executable{};
        check::cuda(cudaGraphInstantiate(&executable, graphs[part], 0), "cudaGraphInstantiate");
        check::cuda(cudaGraphLaunch(executable, streams[part]), "cudaGraphLaunch");
        check::cuda(cudaStreamSynchronize(streams[part]), "The stream");
        const std::vector<float> on_device = device.values();
        for (int i = 0; i < n; ++i) {
            const bool own = i / (n / parts) == part;
            const bool is_out = own ? out[i] != expected[i] : !check::is_untouched(out[i]);
            if (!is_out && (own || on_device[i] == before[i])) continue;
            if (own)
                std::printf("streams[%d] alone does not make piece %d: out[%d] is wrong\n", part, part, i);
            else
                std::printf("streams[%d] does more than piece %d: it changes %s[%d]\n", part, part,
                            is_out ? "out" : "device", i);
            check::reached = false;
            check::finish();
        }
        cudaGraphExecDestroy(executable);
        cudaGraphDestroy(graphs[part]);
    }
    give_back(in);
    give_back(out);
    for (const float* const memory : {in, out}) {
        check::cuda(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
        if (attributes.type != cudaMemoryTypeHost) continue;
        std::printf("give_back does not free what CUDA has allocated: cudaFreeHost does\n");
        check::end(check::wrong);
    }
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    check::finish();
}
