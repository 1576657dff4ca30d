// The inputs of a node as the planner reads them.
#pragma once

#include <deque>
#include <vector>

#include "connection.hpp"
#include "ort_tables.hpp"

namespace halfpixel::ort {

// Views of tensors, with the memory of their shapes.
class Inputs {
  public:
    Inputs() = default;
    Inputs(Inputs&&) = default;

    const std::vector<Tensor>& tensors() const { return tensors_; }

    void add_absent() { tensors_.emplace_back(); }
    void add_shape(const TensorInfo& info);  // no data
    void add(const Value& value, bool with_data);

    // Whether every length is known: before a run some may not be. An unknown rank reads as 0.
    bool has_all_lengths() const;

  private:
    std::vector<Tensor> tensors_;
    std::deque<std::vector<std::int64_t>> shapes_;
};

// The inputs of a run.
Inputs inputs_of(const KernelContext& context);

// The inputs of a node as far as the session knows them before any run; empty where a value comes with the run only.
Inputs inputs_ahead(const KernelInfo& info);

std::int64_t elements_of(const Tensor& tensor);

}  // namespace halfpixel::ort
