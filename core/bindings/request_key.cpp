#include "request_key.hpp"

#include <cstdint>
#include <cstring>

namespace halfpixel {
namespace {

bool is_numeric(int type) { return PyTypeNum_ISBOOL(type) || (PyTypeNum_ISNUMBER(type) && !PyTypeNum_ISCOMPLEX(type)); }

}  // namespace

bool RequestKey::put(char kind, const void* data, std::size_t size) {
    if (size_ + 1 + size > bytes_.size()) return false;
    bytes_[size_++] = kind;
    if (size) std::memcpy(bytes_.data() + size_, data, size);
    size_ += size;
    return true;
}

bool RequestKey::add_dtype(PyArray_Descr* dtype) {
    const int number = type_number(dtype);
    return number >= 0 && put('y', number);
}

bool RequestKey::add_shape(const npy_intp* lengths, int rank) {
    return put('(', rank) && put(':', lengths, std::size_t(rank) * sizeof *lengths);
}

bool RequestKey::add_shape(PyObject* lengths) {
    std::array<npy_intp, NPY_MAXDIMS> values;
    const Py_ssize_t rank = PyTuple_Check(lengths) ? PyTuple_Size(lengths) : -1;
    if (rank < 0 || rank > Py_ssize_t(values.size())) return false;
    for (Py_ssize_t i = 0; i < rank; ++i) {
        PyObject* length = PyTuple_GetItem(lengths, i);
        int overflow = 0;
        if (!PyLong_CheckExact(length)) return false;
        values[std::size_t(i)] = PyLong_AsLongLongAndOverflow(length, &overflow);
        if (overflow) return false;
    }
    return add_shape(values.data(), int(rank));
}

bool RequestKey::add_argument(PyObject* value) {
    if (value == Py_None) return put('-');
    if (PyUnicode_CheckExact(value)) return add_text(value);
    if (PyList_CheckExact(value) || PyTuple_CheckExact(value)) return add_numbers(value);
    if (PyArrayObject* values = as_array(value)) return add_array(values);
    return add_number(value);
}

bool RequestKey::add_number(PyObject* value) {
    if (PyLong_CheckExact(value)) {
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        return !overflow && put('i', number);
    }
    if (PyFloat_CheckExact(value)) return put('f', PyFloat_AsDouble(value));
    if (value == Py_True) return put('t');
    if (value == Py_False) return put('n');
    return add_scalar_of_numpy(value);
}

bool RequestKey::add_text(PyObject* value) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(value, &size);
    if (text == nullptr) PyErr_Clear();  // half of a surrogate pair
    return text != nullptr && put('"', size) && put('"', text, std::size_t(size));
}

bool RequestKey::add_scalar_of_numpy(PyObject* value) {
    if (!PyArray_CheckScalar(value) || PyArray_Check(value)) return false;
    PyArray_Descr* dtype = PyArray_DescrFromScalar(value);
    if (dtype == nullptr) {
        PyErr_Clear();
        return false;
    }
    const int type = dtype->type_num;
    const bool own = dtype->typeobj == Py_TYPE(value) && is_numeric(type);
    Py_DECREF(dtype);
    if (!own) return false;
    alignas(16) char bits[16] = {};
    PyArray_ScalarAsCtype(value, bits);
    return put('s', type) && put('s', bits);
}

bool RequestKey::add_array(PyArrayObject* values) {
    const int type = type_number(PyArray_DESCR(values));
    if (PyArray_NDIM(values) != 1 || !PyArray_IS_C_CONTIGUOUS(values)) return false;
    if (!PyTypeNum_ISINTEGER(type) && !PyTypeNum_ISFLOAT(type)) return false;
    const npy_intp size = PyArray_NBYTES(values);
    return put('a', type) && put('a', size) && put('a', PyArray_DATA(values), std::size_t(size));
}

bool RequestKey::add_numbers(PyObject* values) {
    const nb::object kept = nb::steal(PySequence_Tuple(values));  // another thread may change a list
    if (!kept) {
        PyErr_Clear();
        return false;
    }
    const Py_ssize_t count = PyTuple_Size(kept.ptr());
    if (!put('[', count)) return false;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!add_number(PyTuple_GetItem(kept.ptr(), i))) return false;
    return true;
}

}  // namespace halfpixel
