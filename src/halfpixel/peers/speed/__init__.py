"""The benchmark: named cases, every installed peer beside us in one run, and the page that comes of it."""
