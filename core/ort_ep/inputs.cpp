#include "inputs.hpp"

#include <algorithm>

#include "calls.hpp"

namespace halfpixel::ort {

void Inputs::add_shape(const TensorInfo& info) {
    Tensor tensor;
    std::size_t rank = 0;
    check(api().GetTensorElementType(&info, &tensor.element_type));
    check(api().GetDimensionsCount(&info, &rank));
    std::vector<std::int64_t>& shape = shapes_.emplace_back(rank);
    check(api().GetDimensions(&info, shape.data(), rank));
    tensor.rank = std::int32_t(rank);
    tensor.shape = shape.data();
    tensors_.push_back(tensor);
}

void Inputs::add(const Value& value, bool with_data) {
    TensorInfo* made = nullptr;
    check(api().GetTensorTypeAndShape(&value, &made));
    const Owned<TensorInfo> info(made, api().ReleaseTensorTypeAndShapeInfo);
    add_shape(*info);
    if (!with_data) return;
    void* data = nullptr;  // the table has no entry that reads a const value; nothing is written
    check(api().GetTensorMutableData(const_cast<Value*>(&value), &data));
    tensors_.back().data = data;
}

bool Inputs::has_all_lengths() const {
    if (shapes_.empty() || shapes_.front().empty()) return false;
    return std::ranges::all_of(shapes_.front(), [](std::int64_t length) { return length >= 0; });
}

Inputs inputs_of(const KernelContext& context) {
    std::size_t count = 0;
    check(api().KernelContext_GetInputCount(&context, &count));
    Inputs inputs;
    for (std::size_t i = 0; i < count; ++i) {
        const Value* value = nullptr;
        check(api().KernelContext_GetInput(&context, i, &value));
        if (value)
            inputs.add(*value, i > 0);
        else
            inputs.add_absent();
    }
    return inputs;
}

namespace {

bool is_named(const KernelInfo& info, std::size_t index) {
    std::size_t size = 0;
    check(api().KernelInfo_GetInputName(&info, index, nullptr, &size));
    return size > 1;  // the final zero counts
}

// The type and shape of the data as the graph declares them.
void add_declared(Inputs& inputs, const KernelInfo& info) {
    TypeInfo* made = nullptr;
    check(api().KernelInfo_GetInputTypeInfo(&info, 0, &made));
    const Owned<TypeInfo> type(made, api().ReleaseTypeInfo);
    const TensorInfo* tensor = nullptr;
    check(api().CastTypeInfoToTensorInfo(type.get(), &tensor));
    if (tensor) inputs.add_shape(*tensor);
}

}  // namespace

Inputs inputs_ahead(const KernelInfo& info) {
    std::size_t count = 0;
    check(api().KernelInfo_GetInputCount(&info, &count));
    Inputs inputs;
    add_declared(inputs, info);
    for (std::size_t i = 1; i < count; ++i) {
        if (!is_named(info, i)) {
            inputs.add_absent();
            continue;
        }
        int is_constant = 0;
        const Value* value = nullptr;
        check(api().KernelInfoGetConstantInput_tensor(&info, i, &is_constant, &value));
        if (!is_constant || !value) return {};
        inputs.add(*value, true);
    }
    if (!inputs.has_all_lengths()) return {};
    return inputs;
}

std::int64_t elements_of(const Tensor& tensor) {
    std::int64_t elements = 1;
    for (std::int32_t axis = 0; axis < tensor.rank; ++axis) elements *= tensor.shape[axis];
    return elements;
}

}  // namespace halfpixel::ort
