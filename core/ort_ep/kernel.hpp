// One node in a session: maps for the shapes that it has seen, and the run.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "connection.hpp"
#include "ort_tables.hpp"

namespace halfpixel::ort {

// A map for one shape, and what the planner keeps for it.
class Plan {
  public:
    Plan(const void* map, std::vector<std::int64_t> out_shape, std::int64_t token)
        : map(map), out_shape(std::move(out_shape)), token_(token) {}
    ~Plan() { release(token_); }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    const void* const map;
    const std::vector<std::int64_t> out_shape;

  private:
    const std::int64_t token_;
};

using SharedPlan = std::shared_ptr<const Plan>;

// What a plan depends on: types and shapes of all inputs, and the values of all but the first.
using PlanKey = std::vector<std::int64_t>;

// Bounded; the oldest goes first. No plan dies while the lock is held: that would call the planner.
class PlanTable {
  public:
    SharedPlan find(const PlanKey& key) const;
    SharedPlan put(PlanKey key, SharedPlan plan);

  private:
    static constexpr std::size_t most = 64;
    mutable std::mutex mutex_;
    std::vector<std::pair<PlanKey, SharedPlan>> plans_;
    std::size_t oldest_ = 0;
};

class Kernel : public KernelImpl {
  public:
    Kernel(const OperatorEntry& entry, const KernelInfo& info);
    ~Kernel() { release(node_); }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    // May run on many threads at once.
    void compute(KernelContext& context);

  private:
    SharedPlan plan_for(const std::vector<Tensor>& inputs);
    SharedPlan make(const std::vector<Tensor>& inputs) const;
    void plan_ahead(const KernelInfo& info);

    std::int64_t node_ = 0;
    PlanTable plans_;
};

}  // namespace halfpixel::ort
