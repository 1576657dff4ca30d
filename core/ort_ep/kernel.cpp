#include "kernel.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "calls.hpp"
#include "inputs.hpp"
#include "strings.hpp"

namespace halfpixel::ort {
namespace {

constexpr std::size_t message_size = 4096;

class MessageBuffer {
  public:
    Message view() { return {text_.data(), std::int64_t(text_.size())}; }
    const char* text() const { return text_.c_str(); }

  private:
    std::string text_ = std::string(message_size, '\0');
};

// The threads of the session that a kernel runs in.
struct SessionThreads {
    const KernelContext& session;
    Status* status = nullptr;  // why they ran nothing
};

void run_on_session(void* host, std::int64_t tasks, void (*task)(void*, std::int64_t), void* context) {
    struct Task {
        void (*run)(void*, std::int64_t);
        void* context;
    } shared{task, context};
    SessionThreads& threads = *static_cast<SessionThreads*>(host);
    const auto one = [](void* given, std::size_t i) {
        const Task& task = *static_cast<const Task*>(given);
        task.run(task.context, std::int64_t(i));
    };
    if (threads.status) return;
    threads.status = api().KernelContext_ParallelFor(&threads.session, one, std::size_t(tasks), 0, &shared);
}

std::size_t bytes_of(std::int32_t element_type) {
    switch (element_type) {
        case 1:   // float32
        case 6:   // int32
        case 12:  // uint32
            return 4;
        case 7:   // int64
        case 11:  // float64
        case 13:  // uint64
            return 8;
        case 4:   // uint16
        case 5:   // int16
        case 10:  // float16
        case 16:  // bfloat16
            return 2;
        default:
            return 1;
    }
}

void append_bytes(PlanKey& key, const void* data, std::size_t bytes) {
    const std::size_t begin = key.size();
    key.resize(begin + (bytes + 7) / 8);
    std::memcpy(key.data() + begin, data, bytes);
}

PlanKey key_of(const std::vector<Tensor>& inputs) {
    PlanKey key;
    key.reserve(32);
    for (const Tensor& tensor : inputs) {
        key.push_back(tensor.element_type);
        key.push_back(tensor.rank);
        key.insert(key.end(), tensor.shape, tensor.shape + tensor.rank);
        if (tensor.data)
            append_bytes(key, tensor.data, std::size_t(elements_of(tensor)) * bytes_of(tensor.element_type));
    }
    return key;
}

// The attributes that a node has, with the memory of their values.
class Attributes {
  public:
    Attributes(const OperatorEntry& entry, const KernelInfo& info) : info_(info) {
        for (std::int64_t i = 0; i < entry.attribute_count; ++i) read(entry.attributes[i]);
    }
    const std::vector<AttributeValue>& values() const { return values_; }

  private:
    // Null where the node lacks the attribute; the status that says so is released.
    static bool is_there(Status* status) {
        if (status) api().ReleaseStatus(status);
        return !status;
    }

    void read(const AttributeName& attribute) {
        switch (attribute.kind) {
            case int_kind:
                return read_one<std::int64_t>(attribute, api().KernelInfoGetAttribute_int64);
            case float_kind:
                return read_one<float>(attribute, api().KernelInfoGetAttribute_float);
            case string_kind:
                return read_many<char>(attribute, api().KernelInfoGetAttribute_string);
            case ints_kind:
                return read_many<std::int64_t>(attribute, api().KernelInfoGetAttributeArray_int64);
            case floats_kind:
                return read_many<float>(attribute, api().KernelInfoGetAttributeArray_float);
        }
    }

    template <class T>
    void read_one(const AttributeName& attribute, Status* (*get)(const KernelInfo*, const char*, T*)) {
        T value{};
        if (is_there(get(&info_, attribute.name, &value))) keep(attribute, &value, 1);
    }

    template <class T>
    void read_many(const AttributeName& attribute, Status* (*get)(const KernelInfo*, const char*, T*, std::size_t*)) {
        std::size_t count = 0;
        if (!is_there(get(&info_, attribute.name, nullptr, &count))) return;
        std::vector<T> values(count);
        if (count) check(get(&info_, attribute.name, values.data(), &count));
        keep(attribute, values.data(), attribute.kind == string_kind && count ? count - 1 : count);  // without the zero
    }

    template <class T>
    void keep(const AttributeName& attribute, const T* values, std::size_t count) {
        std::vector<char>& bytes = memory_.emplace_back(count * sizeof(T));
        if (count) std::memcpy(bytes.data(), values, bytes.size());
        values_.push_back({attribute.name, attribute.kind, std::int64_t(count), bytes.data()});
    }

    const KernelInfo& info_;
    std::deque<std::vector<char>> memory_;
    std::vector<AttributeValue> values_;
};

}  // namespace

SharedPlan PlanTable::find(const PlanKey& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(plans_, key, &std::pair<PlanKey, SharedPlan>::first);
    return found == plans_.end() ? nullptr : found->second;
}

SharedPlan PlanTable::put(PlanKey key, SharedPlan plan) {
    std::pair<PlanKey, SharedPlan> entry(std::move(key), std::move(plan));
    const SharedPlan kept = entry.second;
    const std::lock_guard lock(mutex_);  // let go before `entry`, which may hold the plan that went
    if (plans_.size() < most) {
        plans_.push_back(std::move(entry));
    } else {
        std::swap(plans_[oldest_], entry);
        oldest_ = (oldest_ + 1) % most;
    }
    return kept;
}

Kernel::Kernel(const OperatorEntry& entry, const KernelInfo& info) {
    Compute = [](KernelImpl* self, KernelContext* context) {
        return guarded([&] { static_cast<Kernel*>(self)->compute(*context); });
    };
    Release = [](KernelImpl* self) { delete static_cast<Kernel*>(self); };
    const Attributes attributes(entry, info);
    MessageBuffer message;
    NodeRequest request{std::int32_t(&entry - connection().entries), std::int32_t(attributes.values().size()),
                        attributes.values().data(), message.view(), 0};
    if (const int code = open_node(request)) refuse(code, message.text());
    node_ = request.node;
    plan_ahead(info);
}

// What the planner refuses now it refuses in the run, where it matters only if the node runs.
void Kernel::plan_ahead(const KernelInfo& info) {
    const Inputs inputs = inputs_ahead(info);
    if (inputs.tensors().empty()) return;
    try {
        plan_for(inputs.tensors());
    } catch (const Failed& failed) {
        api().ReleaseStatus(failed.status);
    }
}

SharedPlan Kernel::plan_for(const std::vector<Tensor>& inputs) {
    PlanKey key = key_of(inputs);
    if (SharedPlan known = plans_.find(key)) return known;
    return plans_.put(std::move(key), make(inputs));
}

SharedPlan Kernel::make(const std::vector<Tensor>& inputs) const {
    MessageBuffer message;
    std::vector<std::int64_t> out_shape(std::size_t(inputs.front().rank));
    PlanRequest request{node_, std::int32_t(inputs.size()), inputs.data(), message.view(), out_shape.data(), nullptr,
                        0};
    if (const int code = make_plan(request)) refuse(code, message.text());
    return std::make_shared<const Plan>(request.map, std::move(out_shape), request.plan);
}

void Kernel::compute(KernelContext& context) {
    const Inputs inputs = inputs_of(context);
    const Tensor& data = inputs.tensors().front();
    const SharedPlan plan = plan_for(inputs.tensors());
    const Value* in = nullptr;
    Value* out = nullptr;
    check(api().KernelContext_GetInput(&context, 0, &in));
    check(api().KernelContext_GetOutput(&context, 0, plan->out_shape.data(), plan->out_shape.size(), &out));
    const auto run = [&](const void* from, void* to) {
        SessionThreads threads{context};
        const int result = connection().host->run_on(plan->map, from, to, run_on_session, &threads);
        check(threads.status);
        if (result != host_ok) throw std::bad_alloc();
    };
    if (data.element_type == string_element) return move_strings(*in, elements_of(data), *out, plan->out_shape, run);
    void *from = nullptr, *to = nullptr;
    check(api().GetTensorMutableData(const_cast<Value*>(in), &from));
    check(api().GetTensorMutableData(out, &to));
    run(from, to);
}

}  // namespace halfpixel::ort
