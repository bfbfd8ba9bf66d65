#include "access_patterns/floor.hpp"

#include <algorithm>

namespace cudabook::access_patterns {

Floor floor_of(const Kernel& kernel, const NamedPattern& pattern, std::size_t bytes,
               std::size_t element_bytes, const Demand& demand, const Ceilings& ceilings) {
    const auto all = static_cast<double>(bytes);
    const double elements = all / static_cast<double>(element_bytes);
    const double moved = elements * demand.bytes_per_element();
    const auto ms = [](double amount, double a_nanosecond) {
        return a_nanosecond > 0 ? amount / a_nanosecond / 1e6 : 0;
    };
    Floor longest{0, "memory"};
    const auto take = [&](double floor, const char* by) {
        if (floor > longest.ms) longest = {floor, by};
    };
    if (!fits_into(ceilings.cache_bytes, bytes)) {
        const double missed = std::max(0.0, 1 - static_cast<double>(ceilings.cache_bytes) / all);
        const bool comes_again = pattern.returns != Returns::soon || ceilings.cache_bytes == 0;
        const double again =
            pattern.returns == Returns::by_rows ? elements * demand.bytes_per_element_of_rows() : moved;
        const bool on_gpu = kernel.device != DeviceKind::cpu;
        take(ms(on_gpu && comes_again ? std::max(all, missed * again) : all, ceilings.memory_gb_per_s),
             "memory");
    }
    take(ms(moved, ceilings.cache_gb_per_s), "cache");
    const auto rate = ceilings.unit_rates.find({kernel.name, element_bytes});
    if (rate != ceilings.unit_rates.end()) take(ms(elements, rate->second), "unit");
    const auto walk = ceilings.walk_rates.find(pattern.name);
    if (walk != ceilings.walk_rates.end()) take(ms(elements, walk->second), "walk");
    return longest;
}

}  // namespace cudabook::access_patterns
