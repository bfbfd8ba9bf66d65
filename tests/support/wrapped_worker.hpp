// A worker that forwards all calls to another worker, for tests that observe or change some calls.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::test {

class WrappedWorker : public Worker {
  public:
    explicit WrappedWorker(Worker& worker) : worker_(worker) {}

    [[nodiscard]] int index() const override { return worker_.index(); }
    [[nodiscard]] int count() const override { return worker_.count(); }
    [[nodiscard]] int machine() const override { return worker_.machine(); }
    [[nodiscard]] int count_on_machine() const override { return worker_.count_on_machine(); }
    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        worker_.exchange(outgoing, incoming);
    }
    std::vector<std::string> all_gather(std::string_view said) override { return worker_.all_gather(said); }
    [[nodiscard]] bool takes_device_memory() const override { return worker_.takes_device_memory(); }
    void when_another_fails(std::function<void()> stop) override {
        worker_.when_another_fails(std::move(stop));
    }
    bool stop_others() override { return worker_.stop_others(); }
    void wait_for(const std::string& whom, const std::function<void()>& wait) override {
        worker_.wait_for(whom, wait);
    }

  private:
    Worker& worker_;
};

}  // namespace cudabook::test
