"""One file a library, with a function ``answer(request)``: the result for x, or whatever the library raises."""
