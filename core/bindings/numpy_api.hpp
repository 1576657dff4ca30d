// NumPy's C API, imported once by short_call.cpp: nanobind's arrays cost more than the work of a small call.
#pragma once

#include <nanobind/nanobind.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL halfpixel_numpy_api
#ifndef HALFPIXEL_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

namespace halfpixel {

namespace nb = nanobind;

// Exactly numpy.ndarray.
inline PyArrayObject* as_array(PyObject* object) {
    return Py_TYPE(object) == &PyArray_Type ? reinterpret_cast<PyArrayObject*>(object) : nullptr;
}

// The number of a dtype of which there is one object in the process: NumPy's own in native byte order, and those that
// other packages register. -1 for every other one.
inline int type_number(PyArray_Descr* dtype) {
    PyArray_Descr* only = PyArray_DescrFromType(dtype->type_num);
    if (only == nullptr) PyErr_Clear();
    const bool same = only == dtype;
    Py_XDECREF(only);
    return same ? dtype->type_num : -1;
}

}  // namespace halfpixel
