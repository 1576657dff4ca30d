// The short way of a call, where the work itself takes a microsecond: arguments -> plan -> passes in one step, for
// dense arrays. Every check that fails hands the call back: the long way, in Python, knows what is wrong with it, if
// anything.
#define HALFPIXEL_IMPORTS_NUMPY
#include "numpy_api.hpp"
//
#include <algorithm>
#include <memory>

#include "program.hpp"
#include "request_key.hpp"
#include "thread_count.hpp"

namespace halfpixel {

using namespace nb::literals;

namespace {

constexpr const char* capsule_name = "halfpixel.DirectCall";

// A map of dense arrays of one dtype and shape.
class DirectCall {
  public:
    DirectCall(const Program& program, nb::object dtype, nb::callable thread_count, nb::callable default_threads)
        : program_(program.shared()),
          dtype_(std::move(dtype)),
          threads_(std::move(thread_count), std::move(default_threads)) {
        std::visit(
            [&](const auto& p) {
                operations_ = p->operations();
                in_ = {p->in_shape(), i64(p->element_size())};
                out_ = {p->out_shape(), i64(p->element_size())};
            },
            program_);
    }

    // The result, in out or in a new array; None where the long way must decide or refuse; null with an exception.
    PyObject* call(PyObject* x_object, PyObject* out_object, PyObject* threads_object) const {
        PyArrayObject* x = as_array(x_object);
        if (!x || !takes(x, in_, NPY_ARRAY_CARRAY_RO)) Py_RETURN_NONE;
        PyArrayObject* out = nullptr;
        if (out_object != Py_None) {
            out = as_array(out_object);
            if (!out || !takes(out, out_, NPY_ARRAY_CARRAY) || overlap(x, out)) Py_RETURN_NONE;
        }
        int threads = 1;
        if (!threads_.read(threads_object, threads)) return nullptr;
        const nb::object result = out ? nb::borrow(out_object) : new_result();
        if (!result || !run(x, reinterpret_cast<PyArrayObject*>(result.ptr()), threads)) {
            PyErr_Clear();
            Py_RETURN_NONE;  // without memory: the long way asks again, and says so
        }
        return result.inc_ref().ptr();
    }

  private:
    struct Side {
        std::vector<i64> shape, strides;  // strides in bytes
        i64 bytes = 0;

        Side() = default;
        Side(std::vector<i64> lengths, i64 unit) : shape(std::move(lengths)), strides(shape.size()), bytes(unit) {
            for (std::size_t axis = shape.size(); axis-- > 0; bytes *= shape[axis]) strides[axis] = bytes;
        }
    };

    bool takes(PyArrayObject* array, const Side& side, int flags) const {
        return reinterpret_cast<PyObject*>(PyArray_DESCR(array)) == dtype_.ptr() &&
               std::size_t(PyArray_NDIM(array)) == side.shape.size() && PyArray_CHKFLAGS(array, flags) &&
               std::equal(side.shape.begin(), side.shape.end(), PyArray_DIMS(array));
    }

    bool overlap(PyArrayObject* x, PyArrayObject* out) const {
        const char *from = PyArray_BYTES(x), *to = PyArray_BYTES(out);
        return from < to + out_.bytes && to < from + in_.bytes;
    }

    nb::object new_result() const {
        static_assert(sizeof(i64) == sizeof(npy_intp));
        Py_INCREF(dtype_.ptr());  // for the array, which takes the reference
        auto* shape = reinterpret_cast<const npy_intp*>(out_.shape.data());
        return nb::steal(PyArray_NewFromDescr(&PyArray_Type, reinterpret_cast<PyArray_Descr*>(dtype_.ptr()),
                                              int(out_.shape.size()), shape, nullptr, nullptr, 0, nullptr));
    }

    // False without memory.
    bool run(PyArrayObject* x, PyArrayObject* out, int threads) const {
        const char* from = PyArray_BYTES(x);
        char* to = PyArray_BYTES(out);
        try {
            if (operations_ < gil_worth_releasing) {
                run_passes(from, to, threads);
            } else {
                nb::gil_scoped_release release;
                run_passes(from, to, threads);
            }
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    void run_passes(const char* from, char* to, int threads) const {
        std::visit([&](const auto& p) { p->run(from, in_.strides.data(), to, out_.strides.data(), threads); },
                   program_);
    }

    SharedProgram program_;
    nb::object dtype_;
    ThreadCount threads_;
    double operations_ = 0;
    Side in_, out_;
};

PyObject* call_direct(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "x, out and threads");
        return nullptr;
    }
    const auto* direct = static_cast<const DirectCall*>(PyCapsule_GetPointer(self, capsule_name));
    return direct ? direct->call(arguments[0], arguments[1], arguments[2]) : nullptr;
}

PyMethodDef direct_method = {"direct", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call_direct)),
                             METH_FASTCALL, nullptr};

// A function (x, out, threads) -> result or None.
nb::object direct_call(const Program& program, nb::object dtype, nb::callable thread_count,
                       nb::callable default_threads) {
    auto call =
        std::make_unique<DirectCall>(program, std::move(dtype), std::move(thread_count), std::move(default_threads));
    const nb::capsule self(call.get(), capsule_name, [](void* p) noexcept { delete static_cast<DirectCall*>(p); });
    call.release();
    return nb::steal(PyCFunction_NewEx(&direct_method, self.ptr(), nullptr));
}

bool is_hashable(const nb::object& value) {
    const bool hashed = PyObject_Hash(value.ptr()) != -1;
    if (!hashed) PyErr_Clear();
    return hashed;
}

// The key of a call, None where it has none: bytes, behind the dtype where that is not one of NumPy's objects.
nb::object request_key(nb::object dtype, nb::object shape, const nb::args& arguments) {
    RequestKey key;
    const bool known = PyArray_DescrCheck(dtype.ptr()) && key.add_dtype(reinterpret_cast<PyArray_Descr*>(dtype.ptr()));
    if (!key.add_shape(shape.ptr()) || (!known && !is_hashable(dtype))) return nb::none();
    for (const nb::handle argument : arguments)
        if (!key.add_argument(argument.ptr())) return nb::none();
    nb::object bytes = nb::steal(key.bytes());
    if (!bytes) nb::raise_python_error();
    return known ? bytes : nb::make_tuple(std::move(dtype), std::move(bytes));
}

// build(key, x.dtype, x.shape, *arguments)
nb::object built(PyObject* build, const nb::object& key, PyArrayObject* x, PyObject* const* arguments,
                 std::size_t count) {
    const nb::object shape = nb::steal(PyArray_IntTupleFromIntp(PyArray_NDIM(x), PyArray_DIMS(x)));
    if (!shape) return {};
    std::vector<PyObject*> given{key.ptr(), reinterpret_cast<PyObject*>(PyArray_DESCR(x)), shape.ptr()};
    given.insert(given.end(), arguments, arguments + count);
    return nb::steal(PyObject_Vectorcall(build, given.data(), given.size(), nullptr));
}

// (plans, build, x, out, threads, *arguments) -> result, or None for a call that has no key: plans holds, under
// request_key(x.dtype, x.shape, *arguments), what is called with x, out and threads, and has an attribute `direct`: a
// direct_call or None. What plans lacks is built.
PyObject* short_call(PyObject*, PyObject* const* given, Py_ssize_t count) {
    constexpr Py_ssize_t before = 5;
    if (count < before || !PyDict_Check(given[0])) {
        PyErr_SetString(PyExc_TypeError, "plans, build, x, out, threads and the arguments");
        return nullptr;
    }
    PyArrayObject* x = as_array(given[2]);
    RequestKey key;
    if (!x || !key.add_dtype(PyArray_DESCR(x)) || !key.add_shape(PyArray_DIMS(x), PyArray_NDIM(x))) Py_RETURN_NONE;
    for (Py_ssize_t i = before; i < count; ++i)
        if (!key.add_argument(given[i])) Py_RETURN_NONE;
    const nb::object bytes = nb::steal(key.bytes());
    if (!bytes) return nullptr;
    nb::object plan = found_in(given[0], bytes);
    if (!plan && !PyErr_Occurred()) plan = built(given[1], bytes, x, given + before, std::size_t(count - before));
    if (!plan) return nullptr;
    static PyObject* const name = PyUnicode_InternFromString("direct");
    const nb::object direct = nb::steal(PyObject_GetAttr(plan.ptr(), name));
    if (!direct) return nullptr;
    if (!direct.is_none()) {
        nb::object result = nb::steal(PyObject_Vectorcall(direct.ptr(), given + 2, 3, nullptr));
        if (!result.is_none()) return result.release().ptr();  // or an exception
    }
    return PyObject_Vectorcall(plan.ptr(), given + 2, 3, nullptr);
}

PyMethodDef short_method = {"short_call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(short_call)),
                            METH_FASTCALL, "short_call(plans, build, x, out, threads, /, *arguments)\n--\n\n"};

}  // namespace

void bind_short_call(nb::module_& m) {
    if (_import_array() < 0) nb::raise_python_error();
    m.def("direct_call", &direct_call, "program"_a, "dtype"_a, "thread_count"_a, "default_threads"_a,
          nb::sig("def direct_call(program: Program, dtype: object, thread_count: object, default_threads: object) -> "
                  "collections.abc.Callable[[object, object, object], NDArray | None]"));
    m.def("request_key", &request_key, "dtype"_a.none(), "shape"_a.none(), "arguments"_a,
          nb::sig("def request_key(dtype: object, shape: object, *arguments: object) -> "
                  "collections.abc.Hashable | None"));
    m.attr("short_call") = nb::steal(PyCFunction_NewEx(&short_method, nullptr, m.attr("__name__").ptr()));
}

}  // namespace halfpixel
