// The maps of the programs of this process, by their words: the ones used last, a few hundred.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "../run/host_interface.hpp"

namespace halfpixel {

class MapCache {
  public:
    struct Found {
        std::int32_t status;  // a HostStatus
        std::shared_ptr<void> map;
    };

    // A map that a call holds outlives its place in the cache. Threads that miss the same words may make them twice.
    Found find(const HostInterface& host, const std::int64_t* words, std::int64_t count) {
        const std::string_view key(reinterpret_cast<const char*>(words), std::size_t(count) * sizeof(std::int64_t));
        {
            const std::lock_guard lock(mutex_);
            const auto place = places_.find(key);
            if (place != places_.end()) {
                entries_.splice(entries_.begin(), entries_, place->second);
                return {host_ok, place->second->map};
            }
        }
        void* made = nullptr;
        const std::int32_t status = host.make(words, count, &made);
        if (status != host_ok) return {status, nullptr};
        std::shared_ptr<void> map(made, host.free);
        keep(key, map);
        return {host_ok, std::move(map)};
    }

  private:
    static constexpr std::size_t most_maps = 256;

    struct Entry {
        std::string words;
        std::shared_ptr<void> map;
    };

    void keep(std::string_view key, const std::shared_ptr<void>& map) {
        const std::lock_guard lock(mutex_);
        if (places_.contains(key)) return;
        if (entries_.size() == most_maps) {
            places_.erase(entries_.back().words);
            entries_.pop_back();
        }
        entries_.push_front({std::string(key), map});
        places_.emplace(entries_.front().words, entries_.begin());
    }

    std::mutex mutex_;
    std::list<Entry> entries_;                                                 // the one used last in front
    std::unordered_map<std::string_view, std::list<Entry>::iterator> places_;  // keys are the entries' words
};

}  // namespace halfpixel
