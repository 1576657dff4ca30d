// The argument threads= of a call as a number.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

namespace halfpixel {

namespace nb = nanobind;

// Small integers are read here; everything else goes to the two functions of Python, which know what is allowed.
class ThreadCount {
  public:
    ThreadCount(nb::callable of_argument, nb::callable by_default)
        : of_argument_(std::move(of_argument)), by_default_(std::move(by_default)) {}

    // False with an exception.
    bool read(PyObject* threads, int& count) const {
        if (PyLong_CheckExact(threads)) {
            int overflow = 0;
            const long given = PyLong_AsLongAndOverflow(threads, &overflow);
            if (!overflow && given >= 1 && given <= most) {
                count = int(given);
                return true;
            }
        }
        const nb::object counted = nb::steal(threads == Py_None ? PyObject_CallNoArgs(by_default_.ptr())
                                                                : PyObject_CallOneArg(of_argument_.ptr(), threads));
        if (!counted) return false;
        count = int(PyLong_AsLong(counted.ptr()));
        return count != -1 || !PyErr_Occurred();
    }

  private:
    static constexpr long most = 1024;

    nb::callable of_argument_, by_default_;
};

}  // namespace halfpixel
