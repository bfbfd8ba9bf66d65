// `reference`: plain serial loops over the grid, one step at a time. Kernel `blocked` is compared with it.
#pragma once

#include <vector>

#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

class ReferenceSolver final : public Solver {
  public:
    ReferenceSolver(const Scene& scene, const SolverOptions& options);

    double advance(int steps) override;
    double frame(int steps, Canvas canvas) override;
    [[nodiscard]] std::vector<float> temperatures() const override;
    void read(const Region& region, float* cells) const override;
    void write(const Region& region, const float* cells) override;
    void set_sources(const Region& region, const std::vector<float>& sources) override;

  private:
    int width_;
    int height_;
    float speed_;
    std::vector<float> sources_;
    std::vector<float> now_;
    std::vector<float> next_;
};

}  // namespace cudabook::heat
