"""The error family: classes, layout, pickling."""

import copy
import pickle

import pytest

from halfpixel._errors import (
    ERROR_CODES,
    ElementTypeError,
    HalfpixelError,
    MediaError,
    MissingExtraError,
    ModelError,
    ResourceError,
    SpecError,
)

FAMILY = [
    (SpecError, ValueError),
    (ElementTypeError, TypeError),
    (ResourceError, MemoryError),
    (ModelError, ValueError),
    (MediaError, ValueError),
    (MissingExtraError, ImportError),
]


@pytest.mark.parametrize(("error_class", "builtin"), FAMILY)
def test_each_class_is_of_the_family_and_of_a_builtin(error_class, builtin):
    error = error_class("HP104", "a sentence", given="g", allowed="a", do="d")
    assert isinstance(error, HalfpixelError)
    assert isinstance(error, builtin)
    assert (error.code, error.sentence, error.given, error.allowed, error.do) == ("HP104", "a sentence", "g", "a", "d")


@pytest.mark.parametrize("error_class", [error_class for error_class, _ in FAMILY])
def test_the_text_has_four_lines(error_class):
    error = error_class("HP104", "Resize-19 takes one", given="two", allowed="one", do="drop one")
    assert str(error) == "[HP104] Resize-19 takes one\n  given:   two\n  allowed: one\n  do:      drop one"


@pytest.mark.parametrize("error_class", [error_class for error_class, _ in FAMILY])
@pytest.mark.parametrize("duplicate", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_survive_pickle_and_copy(error_class, duplicate):
    error = error_class("HP300", "too large", given="g", allowed="a", do="d")
    same = duplicate(error)
    assert type(same) is error_class
    assert str(same) == str(error)
    assert same.code == "HP300"


def test_no_part_of_a_message_may_be_left_out():
    with pytest.raises(TypeError):
        SpecError("HP104", "a sentence", given="g", allowed="a")


def test_codes_are_hp_and_three_digits():
    assert [code for code in ERROR_CODES if not (len(code) == 5 and code[:2] == "HP" and code[2:].isdigit())] == []
