// The arguments of a call as bytes, to look its plan up by.
#pragma once

#include <array>
#include <cstddef>

#include "numpy_api.hpp"

namespace halfpixel {

// Writes values one behind the other so that no two different lists of arguments give the same bytes: each with its
// type, so that 2, 2.0 and True differ, and numbers by their bits, so that 0.0 and -0.0 do.
class RequestKey {
  public:
    // False for a value that may change between two looks or is too long: such a call has no key.
    bool add_dtype(PyArray_Descr* dtype);
    bool add_shape(const npy_intp* lengths, int rank);
    bool add_shape(PyObject* lengths);  // a tuple of integers
    bool add_argument(PyObject* value);

    PyObject* bytes() const { return PyBytes_FromStringAndSize(bytes_.data(), Py_ssize_t(size_)); }

  private:
    bool add_number(PyObject* value);
    bool add_text(PyObject* value);
    bool add_scalar_of_numpy(PyObject* value);
    bool add_array(PyArrayObject* values);
    bool add_numbers(PyObject* values);
    bool put(char kind) { return put(kind, nullptr, 0); }
    bool put(char kind, const void* data, std::size_t size);
    template <class T>
    bool put(char kind, const T& value) {
        return put(kind, &value, sizeof value);
    }

    std::array<char, 1024> bytes_;
    std::size_t size_ = 0;
};

// The value under a key of a dictionary; empty where there is none, or with an exception.
inline nb::object found_in(PyObject* dictionary, const nb::object& key) {
#ifdef Py_GIL_DISABLED
    PyObject* found = nullptr;
    (void)PyDict_GetItemRef(dictionary, key.ptr(), &found);
    return nb::steal(found);
#else
    return nb::borrow(PyDict_GetItemWithError(dictionary, key.ptr()));
#endif
}

}  // namespace halfpixel
