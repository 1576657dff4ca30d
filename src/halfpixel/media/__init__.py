"""Picture and array files in and out.

read.read_media -> resize.resize_media -> write.write_media,  or all three: resize_file
"""

from halfpixel.media.files import Resized, resize_file
from halfpixel.media.picture import Arrays, Media, Picture, Pictures
from halfpixel.media.read import DEFAULT_MAX_PIXELS, read_media
from halfpixel.media.request import ResizeRequest
from halfpixel.media.resize import resize_media, resize_picture
from halfpixel.media.write import EncodeOptions, write_media

__all__ = [
    "DEFAULT_MAX_PIXELS",
    "Arrays",
    "EncodeOptions",
    "Media",
    "Picture",
    "Pictures",
    "ResizeRequest",
    "Resized",
    "read_media",
    "resize_file",
    "resize_media",
    "resize_picture",
    "write_media",
]
