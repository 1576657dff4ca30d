"""onnx's own tests and other published vectors, run on halfpixel."""
