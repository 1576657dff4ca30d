"""Element types: what is moved bit for bit, how averages are rounded, and how near they come to the exact value."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

INTEGERS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]
NUMBERS = [*INTEGERS, np.float16, np.float32, np.float64, np.complex64, np.complex128, ml_dtypes.bfloat16]


def middle(values, dtype, mode="linear", **request):
    """The result half way between the two samples in the middle of an even number."""
    return hp.resize(np.array(values, dtype), sizes=[1], mode=mode, **request)[0]


def any_bits(dtype, count):
    """Elements with bits of every kind, signalling NaNs and negative zeros among them."""
    size = count * np.dtype(dtype).itemsize
    return np.frombuffer(bytes((i * 151 + 127) % 256 for i in range(size)), dtype)


@pytest.mark.rule("R-TYP-01", "R-TYP-10")
@pytest.mark.parametrize("dtype", NUMBERS)
def test_nearest_moves_bits(dtype):
    x = any_bits(dtype, 4)
    y = hp.resize(x, [2.0])
    assert y.dtype == x.dtype
    assert y.tobytes() == np.repeat(x, 2).tobytes()


@pytest.mark.rule("R-TYP-01", "R-TYP-10")
@pytest.mark.parametrize("dtype", NUMBERS)
def test_rearrangements_move_bits(dtype):
    x = any_bits(dtype, 8).reshape(1, 8, 1, 1)
    y = hp.depth_to_space(x, 2)
    assert y.dtype == x.dtype
    assert y.tobytes() == x.ravel()[[0, 2, 4, 6, 1, 3, 5, 7]].tobytes()
    assert hp.space_to_depth(y, 2).tobytes() == x.tobytes()


@pytest.mark.rule("R-TYP-01")
def test_nearest_and_rearrangements_of_bool():
    assert hp.resize(np.array([True, False]), [2.0]).tolist() == [True, True, False, False]
    assert hp.depth_to_space(np.array([[[[True]], [[False]], [[False]], [[True]]]]), 2).tolist() == [
        [[[True, False], [False, True]]]
    ]


@pytest.mark.rule("R-TYP-01")
@pytest.mark.parametrize("dtype", [object, "<U3", np.dtypes.StringDType()])
def test_nearest_and_rearrangements_of_strings(dtype):
    x = np.array(["a", "bb", "", "\u00e9t\u00e9"], dtype)
    y = hp.resize(x, [2.0])
    assert y.dtype == x.dtype
    assert y.tolist() == ["a", "a", "bb", "bb", "", "", "\u00e9t\u00e9", "\u00e9t\u00e9"]
    assert hp.depth_to_space(x.reshape(1, 4, 1, 1), 2).tolist() == [[[["a", "bb"], ["", "\u00e9t\u00e9"]]]]
    assert hp.upsample(x, [2.0]).tolist() == y.tolist()


@pytest.mark.rule("R-TYP-06")
@pytest.mark.parametrize("dtype", [object, "<U1", np.dtypes.StringDType()])
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_strings_are_not_averaged(dtype, mode):
    with pytest.raises(hp.ElementTypeError, match="cannot average strings") as info:
        middle(["a", "b"], dtype, mode)
    assert info.value.code == "HP202"


@pytest.mark.rule("R-TYP-10")
@pytest.mark.parametrize("dtype", [*NUMBERS, np.bool_])
def test_an_average_has_the_type_of_its_samples(dtype):
    assert middle([0, 1], dtype).dtype == dtype


@pytest.mark.rule("R-TYP-02")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_ties_go_to_even(dtype):
    # 1/2, 3/2, 5/2 and 7/2
    assert [middle(pair, dtype) for pair in ([0, 1], [1, 2], [2, 3], [3, 4])] == [0, 2, 2, 4]


@pytest.mark.rule("R-TYP-02")
def test_negative_ties_go_to_even():
    assert [middle(pair, np.int8) for pair in ([0, -1], [-1, -2], [-2, -3])] == [0, -2, -2]


@pytest.mark.rule("R-TYP-03")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_averages_saturate(dtype):
    # Cubic half way: -3/32, 19/32, 19/32, -3/32.
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    assert middle([low, high, high, low], dtype, "cubic") == high
    assert middle([high, low, low, high], dtype, "cubic") == low


@pytest.mark.rule("R-TYP-04")
def test_bool_is_true_from_one_half_up():
    # 0, 1/4, 3/4, 1, and 1/2
    assert hp.resize(np.array([False, True]), [2.0], mode="linear").tolist() == [False, False, True, True]
    assert middle([False, True], np.bool_) == True  # noqa: E712
    # 19/16 and -3/16
    assert middle([False, True, True, False], np.bool_, "cubic") == True  # noqa: E712
    assert middle([True, False, False, True], np.bool_, "cubic") == False  # noqa: E712


@pytest.mark.rule("R-TYP-05")
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_by_parts(dtype):
    assert middle([1 + 4j, 3 - 2j], dtype) == 2 + 1j
    assert middle([32, 0, 0, 32j], dtype, "cubic") == -3 - 3j
    nan = middle([complex(np.nan, 1), complex(0, 3)], dtype)
    assert np.isnan(nan.real)
    assert nan.imag == 2


@pytest.mark.rule("R-TYP-07")
def test_large_integers_are_averaged_in_float64():
    # float32 has 24 bits
    assert middle([16777217, 16777217], np.int32) == 16777217
    assert middle([4294967293, 4294967295], np.uint32) == 4294967294
    assert middle([-2147483647, 2147483645], np.int32) == -1
    # float64 has 53
    assert middle([9007199254740991, 9007199254740989], np.int64) == 9007199254740990
    assert middle([9007199254740991, 1], np.uint64) == 4503599627370496


@pytest.mark.rule("R-TYP-07")
def test_half_precision_is_averaged_in_float32():
    # 64.5 and 512.5; rounded between the axes they would be 64 and 512.
    x = np.array([[256, 1], [1, 0]], ml_dtypes.bfloat16)
    assert hp.resize(x, sizes=[1, 1], mode="linear").astype(np.float32).tolist() == [[64.5]]
    x = np.array([[2048, 1], [1, 0]], np.float16)
    assert hp.resize(x, sizes=[1, 1], mode="linear").tolist() == [[512.5]]


def exact_linear(values, out_size):
    """Half-pixel linear interpolation in exact fractions: (weighted sum, sum of |weight * sample|) for each output."""
    results = []
    for i in range(out_size):
        x = Fraction((2 * i + 1) * len(values), 2 * out_size) - Fraction(1, 2)
        first = x.numerator // x.denominator
        taps = [(first, 1 - (x - first)), (first + 1, x - first)]
        terms = [weight * Fraction(values[min(max(k, 0), len(values) - 1)]) for k, weight in taps]
        results.append((sum(terms), sum(map(abs, terms))))
    return results


@pytest.mark.rule("R-TYP-08")
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16])
@pytest.mark.parametrize("out_size", [5, 11, 16, 23, 64, 97])
def test_small_integers_are_the_rounded_exact_value(dtype, out_size):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = [low + (k * 7919 * (high - low) // 4096) % (high - low + 1) for k in range(17)]
    result = hp.resize(np.array(values, dtype), sizes=[out_size], mode="linear").tolist()
    for got, (exact, _) in zip(result, exact_linear(values, out_size), strict=True):
        nearest = {round(exact)}
        if abs(exact - (exact // 1) - Fraction(1, 2)) <= Fraction(1, 10000):
            nearest = {exact // 1, exact // 1 + 1}
        assert got in nearest


@pytest.mark.rule("R-TYP-09")
@pytest.mark.parametrize("out_size", [5, 11, 16, 23, 64, 97])
def test_float32_is_within_its_bound(out_size):
    values = np.float32([(k * 7919 % 1000 - 500) / 7 for k in range(17)])
    result = hp.resize(values, sizes=[out_size], mode="linear")
    exact = exact_linear([float(value) for value in values], out_size)
    taps = 2
    for got, (value, magnitude) in zip(result, exact, strict=True):
        assert abs(Fraction(float(got)) - value) <= (4 + Fraction(taps, 8)) * Fraction(1, 2**23) * magnitude
