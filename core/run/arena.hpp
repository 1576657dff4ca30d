// Scratch memory of one thread: blocks that grow on demand, are used like a stack, and are kept for the next call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace halfpixel {

class Arena {
  public:
    // Everything taken after the mark is free again when the mark goes out of scope.
    class Mark {
      public:
        explicit Mark(Arena& arena) : arena_(arena), block_(arena.block_), used_(arena.used_) {}
        ~Mark() {
            arena_.block_ = block_;
            arena_.used_ = used_;
        }
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;

      private:
        Arena& arena_;
        std::size_t block_, used_;
    };

    // Aligned to 64 bytes; 64 bytes behind the end may be read.
    char* take(std::size_t bytes) {
        bytes = (bytes + 2 * alignment - 1) / alignment * alignment;
        while (block_ < blocks_.size() && blocks_[block_].size - used_ < bytes) {
            ++block_;
            used_ = 0;
        }
        if (block_ == blocks_.size()) {
            const std::size_t size = bytes > least_block ? bytes : least_block;
            blocks_.push_back({Memory(static_cast<char*>(::operator new(size, std::align_val_t(alignment)))), size});
            used_ = 0;
        }
        char* start = blocks_[block_].memory.get() + used_;
        used_ += bytes;
        return start;
    }

    // Gives memory beyond `kept` bytes back to the system. Only with no mark alive.
    void trim(std::size_t kept) {
        std::size_t total = 0;
        for (const Block& block : blocks_) total += block.size;
        if (total > kept) blocks_.clear();
        block_ = used_ = 0;
    }

  private:
    static constexpr std::size_t alignment = 64;
    static constexpr std::size_t least_block = 1 << 18;
    struct Free {
        void operator()(char* p) const { ::operator delete(p, std::align_val_t(alignment)); }
    };
    using Memory = std::unique_ptr<char, Free>;
    struct Block {
        Memory memory;
        std::size_t size;
    };
    std::vector<Block> blocks_;
    std::size_t block_ = 0, used_ = 0;
};

Arena& thread_arena();

}  // namespace halfpixel
