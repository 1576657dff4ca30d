"""The error family. Every message says what was given, what is allowed and what to do.

HalfpixelError
+-- SpecError(ValueError)          HP1xx  the request breaks a rule of the operator
+-- ElementTypeError(TypeError)    HP2xx  the element type is not allowed here
+-- ResourceError(MemoryError)     HP3xx  the output is too large to address or to allocate; nothing was allocated
+-- ModelError(ValueError)         HP4xx  the model file is unreadable, hostile or has no answer
+-- MediaError(ValueError)         HP5xx  the picture or volume cannot be read or written
+-- MissingExtraError(ImportError) HP9xx  what to install
"""

from __future__ import annotations

ERROR_CODES: dict[str, str] = {
    # spec/: the request
    "HP100": "the operator is unknown",
    "HP101": "the operator has no such since-version",
    "HP102": "the opset is not an integer from 1 on, or has no such operator",
    "HP103": "neither scales nor sizes is given",
    "HP104": "both scales and sizes are given",
    "HP105": "scales has the wrong number of values",
    "HP106": "sizes has the wrong number of values",
    "HP107": "a scale is not a finite number above 0 in float32",
    "HP108": "a scale of Upsample is below 1",
    "HP109": "a size is negative",
    "HP110": "an axis is out of range",
    "HP111": "an axis is listed twice",
    "HP112": "an attribute has a value that no version knows",
    "HP113": "an attribute, value or input belongs to another version",
    "HP114": "an attribute is not a number in its range",
    "HP115": "a flag is neither 0 nor 1",
    "HP116": "an argument is not a one-dimensional sequence of numbers",
    "HP117": "roi is missing or has the wrong number of values",
    "HP118": "a value of roi is not finite",
    "HP119": "an axis of length 0 should grow",
    "HP120": "roi and scales give a negative length",
    "HP121": "the shape is not a sequence of lengths from 0 on",
    "HP122": "a required argument is missing",
    "HP123": "the rank is wrong for the operator",
    "HP124": "blocksize is not an integer from 1 on",
    "HP125": "blocksize does not divide the input",
    "HP126": "the length rule is unknown",
    "HP127": "two arrays of which no request makes the one of the other",
    # plan/, ops/: arrays, out=, threads=, boxes
    "HP160": "an array has another shape than its plan was made for",
    "HP161": "an array has another element type than its plan was made for",
    "HP162": "out has the wrong shape",
    "HP163": "out has the wrong dtype",
    "HP164": "out is read-only",
    "HP165": "out overlaps the input or itself",
    "HP166": "threads is not an integer from 1 on",
    "HP167": "HALFPIXEL_THREADS is not an integer from 1 on",
    "HP168": "HALFPIXEL_ISA names no instruction set that can run here",
    "HP169": "a box is not a tuple of slices within its array",
    "HP170": "a slab lacks input samples that its output box needs",
    "HP171": "a string would need an extrapolation value",
    "HP172": "a keyword is unknown",
    "HP173": "an index lies outside the output",
    "HP174": "like names no library that has a preset",
    "HP175": "points have another number of coordinates than their box has axes",
    "HP176": "a letterbox into which nothing of the picture fits",
    # ops/boxes.py, ops/crop_gradient.py: boxes
    "HP177": "boxes is not a table of finite numbers, a start and an end an axis",
    "HP178": "box_indices has not one entry of the batch for each box",
    "HP179": "the batch axis cannot be cropped",
    "HP185": "a box has no gradient in mode nearest",
    # ops/node.py: the inputs and attributes of a node
    "HP180": "a node has an attribute that its operator does not know",
    "HP181": "an attribute of a node has another type",
    "HP182": "a node has too few or too many inputs",
    "HP183": "a node lacks its data",
    "HP184": "an input of a node is not one-dimensional",
    # layers/
    "HP190": "lda_coeff is not a finite number",
    "HP191": "backward of a layer that is not in training mode",
    "HP192": "backward without a forward in training mode",
    "HP193": "the names of the inputs are not those of one request",
    "HP194": "training is not a flag, or name not text",
    "HP198": "an entry of Sequential is not a layer",
    # torch/
    "HP195": "arguments of interpolate that do not go together",
    "HP196": "interpolate has an axis without samples",
    "HP197": "no node of ONNX gives the numbers of a call",
    # jax/
    "HP187": "an argument that must be known is traced",
    "HP188": "a map with a constant has no transpose",
    "HP189": "image_resize has no such method",
    # spec/: element types
    "HP200": "the element type is unknown",
    "HP201": "the element type is not allowed in this version",
    "HP202": "strings cannot be averaged",
    # plan/: kinds of arrays
    "HP220": "a dtype has no ONNX tensor type",
    "HP221": "an argument is not an array or not a dtype",
    "HP222": "an array cannot be read in CPU memory",
    "HP223": "an array has a mask or a gradient that would be lost",
    "HP224": "an object array holds something else than strings",
    "HP225": "the element type has no gradient",
    "HP226": "strings have no map for another host",
    # ops/node.py: the inputs of a node
    "HP230": "an input of a node has another element type",
    # spec/: resources
    "HP300": "the output has more elements than 63 bits can count",
    "HP301": "an output or a table does not fit into memory",
    "HP302": "the system gave no memory",
    # peers/speed/: processes that measure
    "HP303": "a process that measures ended early",
    # onnx/: models and the backend interface
    "HP400": "the file or the bytes are not an ONNX model",
    "HP401": "onnx's checker refuses the model or the node",
    "HP402": "an operator of the model has no implementation",
    "HP403": "a device other than the CPU",
    "HP404": "the inputs are not those of the model or the node",
    "HP405": "the model file, or a file that it refers to, cannot be read",
    "HP406": "onnx cannot load the model",
    "HP407": "an operator that onnx runs has failed",
    # models/: model files, their nodes
    "HP410": "the model is larger than what is read",
    "HP411": "the graphs of the model do not hang together",
    "HP412": "external data is missing, out of reach or too short",
    "HP413": "a tensor of the model is not what it says",
    "HP414": "the model has no resize-like node of this name",
    "HP415": "something of a node is unknown before the model runs, and was not passed",
    "HP416": "the model does not fit into one protobuf message",
    "HP417": "a node stands where no opset that has its operator is imported",
    "HP418": "a file does not become an input of the model",
    # models/explain/
    "HP425": "the shape of a node's input is not known",
    "HP426": "an input of a node is computed at run time, and was not passed",
    "HP427": "no node is chosen in a model that has not exactly one",
    "HP428": "there is no resampled axis to draw",
    # models/compare/, models/identify/, peers/runtimes/
    "HP430": "a runtime is unknown",
    "HP431": "the shape of an input of a model is not known",
    "HP432": "a name is no input of the model, or an input cannot be made up",
    # models/upgrade/, models/lower/, models/simplify/
    "HP435": "a node has no equal in the wanted opset",
    "HP436": "the wanted opset needs a choice that only the caller can make",
    "HP437": "onnx's version converter cannot convert a node",
    "HP438": "no opset that models are brought to",
    "HP439": "a node cannot be said with the wanted operators",
    "HP440": "a rewritten model has other numbers",
    "HP441": "onnx's checker refuses a rewritten model",
    "HP442": "no word for what unknown scales do",
    "HP443": "no target that nodes are lowered to",
    # onnxruntime/: the execution provider
    "HP445": "a run of a session needs the planner after Python has ended",
    "HP446": "the library with the execution provider is missing or of another version",
    # models/check/: what may be asked
    "HP420": "a target of check is not known",
    "HP421": "a rule of check is not known",
    # openvino/: the operator in its graph
    "HP447": "a node in another runtime has data of an element type that the operators lack",
    # media/: picture and array files
    "HP500": "the file cannot be opened",
    "HP501": "the file's content is of no kind that is read here",
    "HP502": "the file is damaged or not complete",
    "HP503": "the file is of a kind that is not handled",
    "HP504": "the picture has more pixels than the limit",
    "HP505": "the output's suffix names no format that is written here",
    "HP506": "the output's format cannot hold the result",
    "HP507": "the output cannot be written",
    "HP508": "the result would have no pixels",
    "HP509": "the request does not fit this picture or array",
    "HP510": "a folder or pattern has no file to resize",
    "HP511": "a file holds another number of arrays than one",
    # cli/: the command line
    "HP600": "the command line is not understood",
    "HP601": "two inputs would become the same output",
    "HP602": "an output would replace an input",
    "HP603": "an option's value is not of its form",
    "HP604": "options that exclude each other, or none of them",
    "HP605": "several inputs and one output file",
    # every room that uses an extra
    "HP900": "a package that the call needs is not installed",
    "HP901": "a package that the call needs is too old",
}
"""Code -> the kind of mistake, in a line. One code, one kind of mistake."""


class HalfpixelError(Exception):
    """A mistake that halfpixel can name.

    Args:
        code: "HP" and three digits, a key of ERROR_CODES.
        sentence: one sentence that says what is wrong, without a full stop.
        given: what the caller passed.
        allowed: what may be passed there.
        do: what to change.
    """

    def __init__(self, code: str, sentence: str, given: str, allowed: str, do: str) -> None:
        super().__init__(code, sentence, given, allowed, do)
        self.code = code
        self.sentence = sentence
        self.given = given
        self.allowed = allowed
        self.do = do

    def __str__(self) -> str:
        return (
            f"[{self.code}] {self.sentence}\n  given:   {self.given}\n  allowed: {self.allowed}\n  do:      {self.do}"
        )


class SpecError(HalfpixelError, ValueError):
    """The request breaks a rule of the operator."""


class ElementTypeError(HalfpixelError, TypeError):
    """The element type is not allowed here."""


class ResourceError(HalfpixelError, MemoryError):
    """The output is too large to address or to allocate; nothing was allocated."""


class ModelError(HalfpixelError, ValueError):
    """The model file is unreadable, hostile or has no answer."""


class MediaError(HalfpixelError, ValueError):
    """The picture or volume cannot be read or written."""


class MissingExtraError(HalfpixelError, ImportError):
    """A package that the call needs is not installed."""
