// A run: prints the book's lines as soon as their numbers are known, and fills the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/program/common_options.hpp"
#include "common/program/report.hpp"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

struct Options {
    CommonOptions common;
    std::size_t mb = 0;
    std::optional<int> index_bits;  ///< nullopt means the device's limit
    std::string memory = "auto";    ///< auto, device or mapped
};

class ReadRun {
  public:
    using Print = std::function<void(const std::string&)>;

    /// `options`, `print` and `report` must outlive the ReadRun.
    ReadRun(const Options& options, const Print& print, Report& report);

    void on_cpu(const Kernel& kernel);

    /// Reads the array with the kernels. Throws MachineError if no kernel has enough textures for the array.
    void on_gpu(const std::vector<Kernel>& kernels, ArrayOfWords& data);

  private:
    using Read = std::function<Reading()>;

    void begin();
    [[nodiscard]] Split split(int components, const ArrayOfWords& data) const;
    void require_one_that_performs(const std::vector<Kernel>& kernels, const ArrayOfWords& data) const;
    [[nodiscard]] Result new_result(const std::string& kernel, const std::string& memory) const;
    double measure_into(Result& result, std::uint32_t expected, const Read& read);
    void add_peer(const std::string& name, const std::string& memory, std::uint32_t expected,
                  const Read& read);
    void add_kernel(const Kernel& kernel, int components, ArrayOfWords& data);

    const Options& options_;
    const Print& print_;
    Report& report_;
    std::size_t words_;
    std::uint32_t expected_ = 0;
    std::optional<double> peer_gb_per_s_;
};

}  // namespace cudabook::tex1dfetch_big
