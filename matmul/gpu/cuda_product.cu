#include "matmul/gpu/cuda_product.cuh"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/fault.hpp"
#include "matmul/peers/cublas.cuh"

namespace cudabook::matmul {

namespace {

class CudaProduct final : public Product {
  public:
    CudaProduct(const Device& device, const Factors& factors, std::span<const CudaKernel> table)
        : table_(table),
          shape_(factors.shape),
          device_(device),
          a_(factors.a),
          b_(factors.b),
          c_(factors.shape.m * factors.shape.n) {}

    double run(const Kernel& kernel) override {
        const CudaKernel* row = row_of(kernel);
        return row != nullptr ? run_kernel(*row) : run_cublas(kernel);
    }

    [[nodiscard]] std::vector<float> result(const Kernel& kernel, const std::optional<Rows>& rows) override {
        CUDA_CHECK(cudaMemsetAsync(c_.data(), 0xff, c_.size() * sizeof(float), stream_.get()));
        run(kernel);
        std::vector<float> c = rows ? download(*rows) : c_.download();
        flip_bit_if_asked(kernel.name, std::span(c));
        return c;
    }

    [[nodiscard]] std::optional<Occupancy> occupancy(const Kernel& kernel) const override {
        if (row_of(kernel) == nullptr) return std::nullopt;
        return occupancy_of(launched_.at(kernel.name), device_.index);
    }

  private:
    [[nodiscard]] std::vector<float> download(const Rows& rows) const {
        std::vector<float> c(rows.size() * shape_.n);
        float* to = c.data();
        for (const std::size_t row : rows) {
            CUDA_CHECK(
                cudaMemcpy(to, c_.data() + row * shape_.n, shape_.n * sizeof(float), cudaMemcpyDeviceToHost));
            to += shape_.n;
        }
        return c;
    }

    /// Returns the kernel's row of the table, or null for a cuBLAS kernel.
    [[nodiscard]] const CudaKernel* row_of(const Kernel& kernel) const {
        const auto row = std::ranges::find(table_, kernel.name, &CudaKernel::name);
        return row == table_.end() ? nullptr : &*row;
    }

    double run_kernel(const CudaKernel& row) {
        if (const std::size_t floats = row.workspace(device_, shape_); floats > workspace_.size()) {
            workspace_ = {};
            workspace_ = DeviceArray<float>(floats);
        }
        const Input input{.shape = shape_,
                          .device = device_,
                          .stream = stream_,
                          .c = c_.data(),
                          .a = a_.data(),
                          .b = b_.data(),
                          .textures = textures_for(row),
                          .workspace = workspace_.data()};
        stopwatch_.start(stream_);
        launched_[std::string(row.name)] = row.launch(input);
        return stopwatch_.stop(stream_);
    }

    double run_cublas(const Kernel& kernel) {
        const Cublas& cublas = cublas_.try_emplace(kernel.name, stream_, kernel).first->second;
        stopwatch_.start(stream_);
        cublas.multiply(c_.data(), a_.data(), b_.data(), shape_);
        return stopwatch_.stop(stream_);
    }

    /// Returns the textures that the kernel reads, or null if the kernel reads none. They are created at
    /// the first use.
    const Textures* textures_for(const CudaKernel& row) {
        if (row.memory == "texture1d") {
            if (!linear_)
                linear_ = std::make_unique<Textures>(Textures{TextureObject::linear(a_.data(), a_.size()),
                                                              TextureObject::linear(b_.data(), b_.size())});
            return linear_.get();
        }
        if (row.memory == "texture2d") {
            if (!arrays_) arrays_ = std::make_unique<Arrays>(shape_, a_.data(), b_.data());
            return &arrays_->textures;
        }
        return nullptr;
    }

    struct Arrays {
        Arrays(const GemmShape& shape, const float* from_a, const float* from_b)
            : a(CudaArray::plane<float>(shape.k, shape.m)),
              b(CudaArray::plane<float>(shape.n, shape.k)),
              textures{TextureObject::array(a.get()), TextureObject::array(b.get())} {
            a.copy_from(from_a);
            b.copy_from(from_b);
        }
        CudaArray a;
        CudaArray b;
        Textures textures;
    };

    std::span<const CudaKernel> table_;
    GemmShape shape_;
    Device device_;
    Stream stream_;
    Stopwatch stopwatch_;
    DeviceArray<float> a_;
    DeviceArray<float> b_;
    DeviceArray<float> c_;
    DeviceArray<float> workspace_;
    std::unique_ptr<Textures> linear_;
    std::unique_ptr<Arrays> arrays_;
    std::map<std::string, LaunchedKernel> launched_;
    std::map<std::string, Cublas> cublas_;
};

}  // namespace

std::unique_ptr<Product> make_cuda_product(const Device& device, const Factors& factors,
                                           std::span<const CudaKernel> table) {
    CUDA_CHECK(cudaSetDevice(device.index));
    return std::make_unique<CudaProduct>(device, factors, table);
}

}  // namespace cudabook::matmul
