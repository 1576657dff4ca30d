// Calls on tensors of another library that shares its tensors by DLPack's table of C functions: neither arrays nor
// calls of that library's Python stand between a tensor and the passes, nor between the passes and the result.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

#include "program.hpp"
#include "request_key.hpp"
#include "thread_count.hpp"

namespace halfpixel {

using namespace nb::literals;

namespace {

// DLPack, major version 1.
struct Version {
    std::uint32_t major, minor;
};

struct ManagedTensor {
    Version version;
    void* context;
    void (*deleter)(ManagedTensor*);
    std::uint64_t flags;
    nb::dlpack::dltensor tensor;
};

struct Exchange {
    Version version;
    const Exchange* previous;
    void* allocate;
    void* export_tensor;
    int (*import_tensor)(ManagedTensor*, void** object);      // takes the tensor; -1 with an exception
    int (*view_tensor)(void* object, nb::dlpack::dltensor*);  // borrows from the object; -1 with an exception
    void* current_stream;
};

constexpr std::uint32_t major_version = 1;
constexpr std::int32_t cpu = 1;
constexpr const char* exchange_name = "dlpack_exchange_api";
constexpr std::size_t alignment = 64;  // of results: a cache line
constexpr i64 bytes_worth_releasing = 1 << 16;

nb::dlpack::dtype dtype_from(const std::string& element) {
    static constexpr std::pair<const char*, nb::dlpack::dtype> known[] = {
        {"int8", {0, 8, 1}},     {"int16", {0, 16, 1}},   {"int32", {0, 32, 1}},   {"int64", {0, 64, 1}},
        {"uint8", {1, 8, 1}},    {"uint16", {1, 16, 1}},  {"uint32", {1, 32, 1}},  {"uint64", {1, 64, 1}},
        {"float16", {2, 16, 1}}, {"float32", {2, 32, 1}}, {"float64", {2, 64, 1}}, {"bfloat16", {4, 16, 1}},
        {"bool", {6, 8, 1}},
    };
    for (const auto& [name, dtype] : known)
        if (element == name) return dtype;
    throw std::invalid_argument("unknown element " + element);
}

// A new tensor, its shape and strides behind it in one block of memory, and then its elements.
class Result {
  public:
    Result(const nb::dlpack::dltensor& like, const std::vector<i64>& shape, const std::vector<i64>& strides,
           i64 bytes) {
        const std::size_t lists = 2 * shape.size() * sizeof(i64);
        const std::size_t begin = (sizeof(ManagedTensor) + lists + alignment - 1) / alignment * alignment;
        void* block = ::operator new(begin + std::size_t(bytes), std::align_val_t(alignment), std::nothrow);
        if (!block) return;
        auto* lengths = reinterpret_cast<i64*>(static_cast<char*>(block) + sizeof(ManagedTensor));
        i64* steps = std::copy(shape.begin(), shape.end(), lengths);
        std::copy(strides.begin(), strides.end(), steps);
        managed_.reset(new (block) ManagedTensor{{major_version, 0}, nullptr, &release, 0, like});
        nb::dlpack::dltensor& tensor = managed_->tensor;
        tensor.data = static_cast<char*>(block) + begin;
        tensor.shape = lengths;
        tensor.strides = steps;
        tensor.byte_offset = 0;
    }

    explicit operator bool() const { return managed_ != nullptr; }
    char* data() const { return static_cast<char*>(managed_->tensor.data); }
    ManagedTensor* take() { return managed_.release(); }

  private:
    static void release(ManagedTensor* tensor) { ::operator delete(tensor, std::align_val_t(alignment)); }

    struct Release {
        void operator()(ManagedTensor* tensor) const { release(tensor); }
    };

    std::unique_ptr<ManagedTensor, Release> managed_;
};

// A map of dense tensors of one element type and shape that lie in memory in one of a few orders of their axes.
class DenseCall {
  public:
    using Order = std::vector<std::size_t>;  // axes from the outermost to the innermost

    DenseCall(const std::string& element, std::vector<i64> in_shape, std::vector<i64> out_shape,
              const std::vector<std::pair<Order, HostMap>>& maps, nb::callable thread_count,
              nb::callable default_threads)
        : in_shape_(std::move(in_shape)),
          out_shape_(std::move(out_shape)),
          threads_(std::move(thread_count), std::move(default_threads)),
          dtype_(dtype_from(element)) {
        for (const auto& [order, map] : maps) layouts_.push_back(layout(order, map));
    }

    // The result as another object of x's library; None where the long way must decide or refuse; null with an
    // exception.
    PyObject* call(const Exchange& exchange, PyObject* x, PyObject* threads_object) const {
        nb::dlpack::dltensor view;
        if (exchange.view_tensor(x, &view) != 0) {
            PyErr_Clear();
            Py_RETURN_NONE;
        }
        const Layout* layout = takes(view) ? layout_of(view) : nullptr;
        if (!layout || is_negated(x)) Py_RETURN_NONE;
        int threads = 1;
        if (!threads_.read(threads_object, threads)) return nullptr;
        Result result(view, out_shape_, layout->out_strides, layout->map.out_bytes());
        if (!result || !run(layout->map, address_of(view), result.data(), threads)) Py_RETURN_NONE;
        void* object = nullptr;
        if (exchange.import_tensor(result.take(), &object) != 0) return nullptr;
        return static_cast<PyObject*>(object);
    }

  private:
    struct Layout {
        Order order;
        HostMap map;
        std::vector<i64> out_strides;  // in elements
    };

    static const char* address_of(const nb::dlpack::dltensor& view) {
        return static_cast<const char*>(view.data) + view.byte_offset;
    }

    Layout layout(const Order& order, const HostMap& map) const {
        const i64 axes = i64(out_shape_.size());
        if (i64(order.size()) != axes ||
            !std::all_of(order.begin(), order.end(), [&](auto a) { return i64(a) < axes; }))
            throw std::invalid_argument("an order has every axis once");
        std::vector<i64> strides(order.size());
        i64 step = 1;
        for (std::size_t place = order.size(); place-- > 0; step *= out_shape_[order[place]])
            strides[order[place]] = step;
        return {order, map, std::move(strides)};
    }

    bool takes(const nb::dlpack::dltensor& view) const {
        return view.device.device_type == cpu && view.data && view.strides && view.dtype == dtype_ &&
               std::size_t(view.ndim) == in_shape_.size() &&
               std::equal(in_shape_.begin(), in_shape_.end(), view.shape) &&
               reinterpret_cast<std::uintptr_t>(address_of(view)) % (dtype_.bits / 8) == 0;
    }

    const Layout* layout_of(const nb::dlpack::dltensor& view) const {
        for (const Layout& layout : layouts_)
            if (is_dense(view, layout.order)) return &layout;
        return nullptr;
    }

    // Axes of length 1 have no stride to speak of.
    static bool is_dense(const nb::dlpack::dltensor& view, const Order& order) {
        i64 expected = 1;
        for (std::size_t place = order.size(); place-- > 0;) {
            const std::size_t axis = order[place];
            if (view.shape[axis] != 1 && view.strides[axis] != expected) return false;
            expected *= view.shape[axis];
        }
        return true;
    }

    // A view of torch's that stands for the negative of what its memory holds, which DLPack does not say.
    static bool is_negated(PyObject* x) {
        static PyObject* const name = PyUnicode_InternFromString("is_neg");
        const nb::object negated = nb::steal(PyObject_CallMethodNoArgs(x, name));
        if (!negated) PyErr_Clear();
        return negated.ptr() != Py_False;
    }

    // False without memory.
    static bool run(const HostMap& map, const char* from, char* to, int threads) {
        try {
            if (map.in_bytes() + map.out_bytes() < bytes_worth_releasing) {
                map.run(from, to, threads);
            } else {
                nb::gil_scoped_release release;
                map.run(from, to, threads);
            }
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    std::vector<i64> in_shape_, out_shape_;
    ThreadCount threads_;
    nb::dlpack::dtype dtype_;
    std::vector<Layout> layouts_;
};

const Exchange* exchange_of(PyObject* capsule) {
    return static_cast<const Exchange*>(PyCapsule_GetPointer(capsule, exchange_name));
}

PyObject* refuse_arguments(const char* expected) {
    PyErr_SetString(PyExc_TypeError, expected);
    return nullptr;
}

PyObject* run(const Exchange& exchange, const nb::object& call, PyObject* x, PyObject* threads) {
    if (!nb::isinstance<DenseCall>(call)) Py_RETURN_NONE;
    return nb::inst_ptr<DenseCall>(call)->call(exchange, x, threads);
}

// (call, x, threads) -> result or None.
PyObject* run_dense(PyObject* self, PyObject* const* given, Py_ssize_t count) {
    if (count != 3) return refuse_arguments("call, x and threads");
    const Exchange* exchange = exchange_of(self);
    return exchange ? run(*exchange, nb::borrow(given[0]), given[1], given[2]) : nullptr;
}

// What a plan keeps under a key; empty where that is nothing, or with an exception.
nb::object kept_by(PyObject* plan, PyObject* key) {
    static PyObject* const name = PyUnicode_InternFromString("_lazy");
    const nb::object kept = nb::steal(PyObject_GetAttr(plan, name));
    return kept ? found_in(kept.ptr(), nb::borrow(key)) : nb::object();
}

// (plan, key, x, threads) -> result of the DenseCall that the plan keeps under the key, or None.
PyObject* run_kept(PyObject* self, PyObject* const* given, Py_ssize_t count) {
    if (count != 4) return refuse_arguments("plan, key, x and threads");
    const Exchange* exchange = exchange_of(self);
    if (!exchange) return nullptr;
    const nb::object call = kept_by(given[0], given[1]);
    if (!call && PyErr_Occurred()) return nullptr;
    if (!call) Py_RETURN_NONE;
    return run(*exchange, call, given[2], given[3]);
}

// The key of a call by request_key(x.dtype, x.shape, *arguments); empty where it has none, or with an exception.
nb::object key_of(const Exchange& exchange, PyObject* x, PyObject* const* arguments, Py_ssize_t count) {
    nb::dlpack::dltensor view;
    RequestKey key;
    if (exchange.view_tensor(x, &view) != 0) {
        PyErr_Clear();
        return {};
    }
    static_assert(sizeof(npy_intp) == sizeof(*view.shape));
    if (!key.add_shape(reinterpret_cast<const npy_intp*>(view.shape), view.ndim)) return {};
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!key.add_argument(arguments[i])) return {};
    static PyObject* const name = PyUnicode_InternFromString("dtype");
    const nb::object dtype = nb::steal(PyObject_GetAttr(x, name)), bytes = nb::steal(key.bytes());
    return dtype && bytes ? nb::steal(PyTuple_Pack(2, dtype.ptr(), bytes.ptr())) : nb::object();
}

// (plans, x, threads, *arguments) -> result, or None: plans holds, under request_key(x.dtype, x.shape, *arguments),
// plans that may keep a DenseCall.
PyObject* short_tensor_call(PyObject* self, PyObject* const* given, Py_ssize_t count) {
    if (count < 3 || !PyDict_Check(given[0])) return refuse_arguments("plans, x, threads and the arguments");
    const Exchange* exchange = exchange_of(self);
    if (!exchange) return nullptr;
    const nb::object key = key_of(*exchange, given[1], given + 3, count - 3);
    const nb::object plan = key ? found_in(given[0], key) : nb::object();
    if (!plan && PyErr_Occurred()) return nullptr;
    if (!plan) Py_RETURN_NONE;
    static PyObject* const forward = PyUnicode_InternFromString("dense");
    PyObject* const arguments[] = {plan.ptr(), forward, given[1], given[2]};
    return run_kept(self, arguments, 4);
}

template <auto function>
PyCFunction as_method() {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef methods[] = {{"run_dense", as_method<run_dense>(), METH_FASTCALL, nullptr},
                         {"run_kept", as_method<run_kept>(), METH_FASTCALL, nullptr},
                         {"short_call", as_method<short_tensor_call>(), METH_FASTCALL, nullptr}};

// run_dense, run_kept and short_call for a library by its capsule __dlpack_c_exchange_api__; None where its version is
// unknown.
nb::object tensor_calls(const nb::capsule& capsule) {
    const Exchange* exchange = exchange_of(capsule.ptr());
    if (!exchange) nb::raise_python_error();
    while (exchange && exchange->version.major != major_version) exchange = exchange->previous;
    if (!exchange || !exchange->view_tensor) return nb::none();
    const nb::capsule self(exchange, exchange_name);
    const auto bound = [&](PyMethodDef& method) { return nb::steal(PyCFunction_NewEx(&method, self.ptr(), nullptr)); };
    return nb::make_tuple(bound(methods[0]), bound(methods[1]), bound(methods[2]));
}

}  // namespace

void bind_dense_call(nb::module_& m) {
    nb::class_<DenseCall>(m, "DenseCall")
        .def(nb::init<const std::string&, std::vector<i64>, std::vector<i64>,
                      const std::vector<std::pair<DenseCall::Order, HostMap>>&, nb::callable, nb::callable>(),
             "element"_a, "in_shape"_a, "out_shape"_a, "maps"_a, "thread_count"_a, "default_threads"_a,
             nb::sig("def __init__(self, element: str, in_shape: collections.abc.Sequence[int], out_shape: "
                     "collections.abc.Sequence[int], maps: collections.abc.Sequence[tuple[collections.abc.Sequence[int]"
                     ", HostMap]], thread_count: object, default_threads: object) -> None"));
    m.def("tensor_calls", &tensor_calls, "capsule"_a,
          nb::sig("def tensor_calls(capsule: object) -> tuple[collections.abc.Callable[..., object], ...] | None"));
}

}  // namespace halfpixel
