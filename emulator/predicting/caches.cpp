#include "emulator/predicting/caches.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace cudabook::emulation {

namespace {

constexpr double sector_bytes = 32;

double count_of(unsigned sectors) { return std::popcount(sectors); }

/// Returns by how many the sectors of a line without the other sector of their 64 bytes become more.
double added_lone_sectors(unsigned loaded, unsigned held) {
    const auto lone = [](unsigned sectors) { return count_of((sectors ^ sectors >> 1U) & 0b0101U); };
    return lone(held | loaded) - lone(held);
}

}  // namespace

CacheTraffic operator*(const CacheTraffic& one, double times) {
    return {one.l1_loads * times,   one.l2_loads * times,     one.l2_lines * times,
            one.l2_stores * times,  one.l2_atomics * times,   one.memory_loads * times,
            one.lone_loads * times, one.memory_stores * times};
}

LruCache::Used LruCache::use(std::uint64_t line, unsigned sectors, double lines) {
    const auto found = by_line_.find(line);
    if (found == by_line_.end()) {
        lines_.push_front({line, 0, 0, 0});
        by_line_[line] = lines_.begin();
    } else {
        lines_.splice(lines_.begin(), lines_, found->second);
    }
    Line& used = lines_.front();
    const unsigned held = used.sectors;
    const unsigned missing = sectors & ~held;
    used.sectors |= sectors;
    const double bytes = lines * count_of(missing) * sector_bytes;
    used.bytes += bytes;
    load(bytes);
    return {missing, held};
}

void LruCache::load_others(double bytes) {
    if (bytes == 0) return;
    lines_.push_front({0, 0, 0, bytes});
    load(bytes);
}

unsigned LruCache::mark(std::uint64_t line, unsigned sectors) {
    Line& marked = *by_line_.at(line);
    const unsigned fresh = sectors & ~marked.marked;
    marked.marked |= sectors;
    return fresh;
}

void LruCache::load(double bytes) {
    loaded_bytes_ += bytes;
    held_bytes_ += bytes;
    while (held_bytes_ > bytes_ && lines_.size() > 1) drop_last();
}

void LruCache::drop_last() {
    const Line& last = lines_.back();
    held_bytes_ -= last.bytes;
    if (last.sectors != 0) by_line_.erase(last.line);
    lines_.pop_back();
}

void LruCache::drop_half(const std::function<bool(std::uint64_t)>& is_dropped) {
    held_bytes_ = 0;
    for (auto line = lines_.begin(); line != lines_.end();) {
        if (line->sectors != 0 && is_dropped(line->line)) {
            by_line_.erase(line->line);
            line = lines_.erase(line);
            continue;
        }
        if (line->sectors != 0) line->bytes *= 2;
        held_bytes_ += line->bytes;
        ++line;
    }
}

Caches::Caches(double l2_bytes, unsigned multiprocessors)
    : l2_bytes_(l2_bytes), multiprocessors_(multiprocessors), l2_(l2_bytes) {}

CacheTraffic Caches::run(std::vector<LineAccess> accesses, const FollowedLines& followed,
                         const Residency& residency, const std::function<bool(std::uint64_t wave)>& counts) {
    std::erase_if(accesses, [&](const LineAccess& access) { return !followed.has(access.line); });
    for (; halvings_ < followed.halvings(); ++halvings_)
        l2_.drop_half([&](std::uint64_t line) { return !followed.has(line); });
    if (halvings_ > followed.halvings()) {  // L2 lacks lines that this launch follows
        halvings_ = followed.halvings();
        l2_ = LruCache(l2_bytes_);
        run(accesses, followed, residency, counts);
    }
    const double lines_per_followed = std::exp2(halvings_);
    const auto wave_of = [&](const LineAccess& access) { return access.block / residency.blocks_at_once; };
    std::ranges::sort(accesses, {}, [&](const LineAccess& access) {
        return std::tuple(wave_of(access), access.turn, access.block, access.line);
    });

    std::vector<LruCache> l1(multiprocessors_, LruCache(residency.l1_bytes));
    CacheTraffic traffic;
    double dirtied = 0;
    const double loaded_before = l2_.loaded_bytes();
    double wave_began = loaded_before;
    std::uint64_t wave = 0;
    // Other waves have passed, of which nothing is known but that they load about as much.
    const auto pass = [&](std::uint64_t waves, double bytes_of_wave) {
        if (waves == 0) return;
        l2_.load_others(static_cast<double>(waves) * bytes_of_wave);
        l1.assign(multiprocessors_, LruCache(residency.l1_bytes));
    };
    if (!accesses.empty() && wave_of(accesses.front()) > 0) {
        wave = wave_of(accesses.front());
        pass(wave, residency.bytes_of_wave);
        wave_began = l2_.loaded_bytes();
    }
    for (const LineAccess& access : accesses) {
        if (wave_of(access) != wave) {
            pass(wave_of(access) - wave - 1, l2_.loaded_bytes() - wave_began);
            wave = wave_of(access);
            wave_began = l2_.loaded_bytes();
        }
        const double times = counts(wave) ? lines_per_followed : 0;
        unsigned asked = access.sectors;
        const bool loads =
            access.kind == LineAccess::Kind::load || access.kind == LineAccess::Kind::pitched_fetch;
        if (loads) {
            traffic.l1_loads += times * count_of(asked);
            asked = l1[access.block % multiprocessors_].use(access.line, asked, lines_per_followed).missing;
            if (asked == 0) continue;
            traffic.l2_loads += times * count_of(asked);
            traffic.l2_lines += times * (access.kind == LineAccess::Kind::load ? 1 : count_of(asked));
        }
        const auto [missing, held] = l2_.use(access.line, asked, lines_per_followed);
        if (access.kind != LineAccess::Kind::store) {
            traffic.memory_loads += times * count_of(missing);
            traffic.lone_loads += times * added_lone_sectors(missing, held);
        }
        if (loads) continue;
        dirtied += times * count_of(l2_.mark(access.line, asked));
        (access.kind == LineAccess::Kind::store ? traffic.l2_stores : traffic.l2_atomics) +=
            times * count_of(asked);
    }
    const std::uint64_t waves = (residency.blocks + residency.blocks_at_once - 1) / residency.blocks_at_once;
    bytes_of_wave_ = l2_.loaded_bytes() - wave_began;
    pass(waves - 1 - wave, bytes_of_wave_);

    // A launch that loads more than L2 holds makes L2 write as many bytes to memory as become dirty.
    const double excess = (l2_.loaded_bytes() - loaded_before) / l2_bytes_ - 1;
    traffic.memory_stores = dirtied * std::clamp(2 * excess, 0.0, 1.0);
    return traffic;
}

}  // namespace cudabook::emulation
