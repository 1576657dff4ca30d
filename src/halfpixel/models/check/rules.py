"""The table of rules. An id keeps its meaning for ever; docs/rules has a page for each."""

from __future__ import annotations

from halfpixel.models.check.attributes import (
    antialias_of_nearest,
    attribute_of_another_mode,
    attribute_of_another_version,
    cubic_coefficient,
    nothing_to_exclude,
    policy_with_scales,
    roi_without_crop,
)
from halfpixel.models.check.finding import Rule
from halfpixel.models.check.graph import half_pixel_against_asymmetric, joined_with_another_length, order_of_channels
from halfpixel.models.check.inputs import (
    baked_in_sizes,
    breaks_a_rule,
    empty_or_absent,
    input_types,
    upsample_is_deprecated,
)
from halfpixel.models.check.lengths import fractional_align_corners, length_of_scales, roi_in_the_length
from halfpixel.models.check.targets import target_differs, target_refuses
from halfpixel.models.check.ties import nearest_in_float32, shrinking_without_antialias
from halfpixel.models.reports import ERROR, NOTE, WARNING

_TABLE = (
    Rule("HPM001", "the output length depends on the precision of a product", WARNING, length_of_scales),
    Rule("HPM002", "roi and scales together give two output lengths", WARNING, roi_in_the_length),
    Rule("HPM003", "align_corners with a fractional length", WARNING, fractional_align_corners),
    Rule("HPM004", "nearest takes another sample in float32", WARNING, nearest_in_float32),
    Rule("HPM005", "antialias on nearest", WARNING, antialias_of_nearest),
    Rule("HPM006", "keep_aspect_ratio_policy beside scales", WARNING, policy_with_scales),
    Rule("HPM007", "roi without tf_crop_and_resize", WARNING, roi_without_crop),
    Rule("HPM008", "exclude_outside where nothing is excluded", WARNING, nothing_to_exclude),
    Rule("HPM009", "an attribute of another mode", NOTE, attribute_of_another_mode),
    Rule("HPM010", "an attribute or value of another version", ERROR, attribute_of_another_version, of_any=True),
    Rule("HPM011", "a cubic coefficient of another library", WARNING, cubic_coefficient),
    Rule("HPM012", "shrinking by more than 2 without antialias", WARNING, shrinking_without_antialias),
    Rule("HPM013", "asymmetric averages against half_pixel", WARNING, half_pixel_against_asymmetric),
    Rule("HPM014", "empty where absent is meant, or the other way round", WARNING, empty_or_absent),
    Rule("HPM015", "baked-in sizes of a dynamic model", WARNING, baked_in_sizes),
    Rule("HPM016", "scales, sizes or roi of another element type", ERROR, input_types, of_any=True),
    Rule("HPM017", "Upsample is deprecated", WARNING, upsample_is_deprecated, of_any=True),
    Rule("HPM018", "DepthToSpace in another order than the exporter's", WARNING, order_of_channels),
    Rule("HPM019", "the result is joined with another length", ERROR, joined_with_another_length),
    Rule("HPM020", "the node breaks a rule of its operator", ERROR, breaks_a_rule, of_any=True),
    Rule("HPM021", "a target refuses the node", ERROR, target_refuses),
    Rule("HPM022", "a target gives other numbers", WARNING, target_differs),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in _TABLE}
"""Id -> rule, in the order of their numbers."""
