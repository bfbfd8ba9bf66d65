#include "heat_notexture/parts/checkpoint.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/disk.hpp"
#include "common/program/errors.hpp"
#include "heat_notexture/parts/rows.hpp"

namespace cudabook::heat {

/// An open file. Errors: MachineError, which names `shown`.
class CheckpointFile {
  public:
    CheckpointFile(const std::filesystem::path& path, int flags, std::filesystem::path shown)
        : shown_(std::move(shown)), number_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
        if (number_ < 0) fail(std::strerror(errno));
    }
    CheckpointFile(const CheckpointFile&) = delete;
    CheckpointFile& operator=(const CheckpointFile&) = delete;
    ~CheckpointFile() {
        if (number_ >= 0) close(number_);
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw MachineError(fmt::format("{}: {}", shown_.string(), why));
    }

    /// Reserves the space on the disk, if the file system can, so that a full disk is found before the
    /// writing.
    void reserve(std::uint64_t size) {
        if (const int error = reserve_space(number_, static_cast<off_t>(size)); error != 0)
            fail(std::strerror(error));
    }

    void write(std::uint64_t offset, const void* bytes, std::size_t count) {
        transfer(offset, static_cast<const char*>(bytes), count, pwrite);
    }

    /// Returns false at the end of the file.
    bool read(std::uint64_t offset, void* bytes, std::size_t count) const {
        return transfer(offset, static_cast<char*>(bytes), count, pread);
    }

    [[nodiscard]] std::uint64_t size() const {
        struct stat status {};
        if (fstat(number_, &status) != 0) fail(std::strerror(errno));
        return static_cast<std::uint64_t>(status.st_size);
    }

    /// Closes the file, after everything written is on the disk.
    void finish() {
        if (fsync(number_) != 0) fail(std::strerror(errno));
        if (close(std::exchange(number_, -1)) != 0) fail(std::strerror(errno));
    }

  private:
    template <class Byte, class Call>
    bool transfer(std::uint64_t offset, Byte* bytes, std::size_t count, Call call) const {
        while (count > 0) {
            const ssize_t done = call(number_, bytes, count, static_cast<off_t>(offset));
            if (done < 0 && errno != EINTR) fail(std::strerror(errno));
            if (done == 0) return false;
            if (done < 0) continue;
            bytes += done;
            offset += static_cast<std::uint64_t>(done);
            count -= static_cast<std::size_t>(done);
        }
        return true;
    }

    std::filesystem::path shown_;
    int number_;
};

namespace {

/// The file beside a checkpoint that holds the content until it is complete. On the first worker, the
/// destructor removes the file, unless it has been renamed to the checkpoint.
class UnfinishedFile {
  public:
    UnfinishedFile(const Worker& worker, const std::filesystem::path& file)
        : path_(file.string() + ".part"), removes_(worker.is_first()) {}
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;
    ~UnfinishedFile() {
        if (removes_) unlink(path_.c_str());
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    bool removes_;
};

/// Calls transfer(offset, cells) for each contiguous stretch of a band in a file of `width` cells a row,
/// whose first cell is at byte `begin`.
template <class Transfer>
void for_each_stretch(const Region& band, std::int64_t width, std::uint64_t begin, std::span<float> cells,
                      Transfer transfer) {
    const bool whole_rows = band.width == width;
    const std::size_t stretch = whole_rows ? cells.size() : static_cast<std::size_t>(band.width);
    for (int row = 0; row < (whole_rows ? 1 : band.height); ++row) {
        const auto offset = static_cast<std::uint64_t>((band.y + row) * width + band.x) * sizeof(float);
        transfer(begin + offset, cells.subspan(static_cast<std::size_t>(row) * stretch, stretch));
    }
}

constexpr const char* changed = "not a cudabook checkpoint, or damaged";

}  // namespace

void require_writable_checkpoint(Worker& worker, const std::filesystem::path& file) {
    const UnfinishedFile unfinished(worker, file);
    collectively(worker, [&] {
        if (!worker.is_first()) return;
        const CheckpointFile output(unfinished.path(), O_WRONLY | O_CREAT, file);
        if (file.empty()) output.fail("a file needs a name");
        std::error_code ignored;
        const auto old = std::filesystem::status(file, ignored);
        if (std::filesystem::is_directory(old)) output.fail("it is a folder");
        if (std::filesystem::exists(old) && !std::filesystem::is_regular_file(old))
            output.fail("it is no regular file");
    });
    collectively(worker, [&] { const CheckpointFile output(unfinished.path(), O_WRONLY, file); });
}

void write_checkpoint(Worker& worker, const Partition& partition, const PartSolver* part, CheckpointHead head,
                      const std::filesystem::path& file) {
    const UnfinishedFile unfinished(worker, file);
    const CheckpointLayout layout = layout_of(head);
    const std::uint64_t size = layout.before.size() + layout.cells_bytes + layout.after.size();
    collectively(worker, [&] {
        if (worker.is_first())
            CheckpointFile(unfinished.path(), O_WRONLY | O_CREAT | O_TRUNC, file).reserve(size);
    });
    GridChecksum checksum(worker, partition);
    collectively(worker, [&] {
        if (part == nullptr) return;
        CheckpointFile output(unfinished.path(), O_WRONLY, file);
        for_each_band(part->part(), [&](const Region& band, std::span<float> cells) {
            part->read(band, cells.data());
            for (float& cell : cells) cell = with_one_nan(cell);
            checksum.add(cells);
            for_each_stretch(band, head.width, layout.before.size(), cells,
                             [&](std::uint64_t offset, std::span<float> stretch) {
                                 output.write(offset, stretch.data(), stretch.size_bytes());
                             });
        });
        output.finish();
    });
    head.checksum = checksum.of_all(worker);
    collectively(worker, [&] {
        if (!worker.is_first()) return;
        const CheckpointLayout whole = layout_of(head);
        CheckpointFile output(unfinished.path(), O_WRONLY, file);
        output.write(0, whole.before.data(), whole.before.size());
        output.write(whole.before.size() + whole.cells_bytes, whole.after.data(), whole.after.size());
        output.finish();
        std::error_code error;
        std::filesystem::rename(unfinished.path(), file, error);
        if (error) output.fail(error.message());
    });
}

Checkpoint::Checkpoint(const std::filesystem::path& file)
    : file_(std::make_unique<const CheckpointFile>(file, O_RDONLY, file)) {
    // The offset of each number is the same in all checkpoints, so it is taken from the layout of an empty
    // head.
    const std::string empty = layout_of(head_).before;
    std::string before(empty.size(), '\0');
    if (!file_->read(0, before.data(), before.size())) file_->fail(changed);
    const auto number = [&](std::string_view name, auto& value) {
        const std::size_t local = empty.find(fmt::format("{}.npy", name));
        const std::size_t array = empty.find("\x93NUMPY", local);
        const std::size_t begin = empty.find('\n', array) + 1;
        std::memcpy(&value, before.data() + begin, sizeof value);
    };
    number("width", head_.width);
    number("height", head_.height);
    number("frames", head_.frames);
    number("steps_per_frame", head_.steps_per_frame);
    number("speed", head_.speed);
    number("checksum", head_.checksum);
    constexpr std::int64_t most = std::int64_t{1} << 30U;
    if (head_.width < 1 || head_.width > most || head_.height < 1 || head_.height > most ||
        !std::isfinite(head_.speed))
        file_->fail(changed);
    const CheckpointLayout layout = layout_of(head_);
    std::string after(layout.after.size(), '\0');
    const std::uint64_t after_begin = layout.before.size() + layout.cells_bytes;
    before.resize(layout.before.size());
    if (file_->size() != after_begin + after.size() || !file_->read(0, before.data(), before.size()) ||
        !file_->read(after_begin, after.data(), after.size()) || before != layout.before ||
        after != layout.after)
        file_->fail(changed);
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::read(Worker& worker, const Partition& partition, PartSolver* part) const {
    const std::uint64_t begin = layout_of(head_).before.size();
    GridChecksum checksum(worker, partition);
    collectively(worker, [&] {
        if (part == nullptr) return;
        for_each_band(part->part(), [&](const Region& band, std::span<float> cells) {
            for_each_stretch(band, head_.width, begin, cells,
                             [&](std::uint64_t offset, std::span<float> stretch) {
                                 if (!file_->read(offset, stretch.data(), stretch.size_bytes()))
                                     file_->fail(changed);
                             });
            checksum.add(cells);
            part->write(band, cells.data());
        });
    });
    const bool right = checksum.of_all(worker) == head_.checksum;
    collectively(worker, [&] {
        if (!right) file_->fail(changed);
    });
    if (part != nullptr) part->exchange_halos();
}

}  // namespace cudabook::heat
