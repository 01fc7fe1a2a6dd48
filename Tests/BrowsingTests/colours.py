"""The number of colours in regions of a screenshot: colours.py FILE LEFT,TOP,WIDTH,HEIGHT…"""
import json
import sys

import png

width, height, rows, info = png.Reader(filename=sys.argv[1]).asRGBA8()
lines = [bytes(row) for row in rows]
counts = []
for region in sys.argv[2:]:
    left, top, wide, high = map(int, region.split(","))
    assert left + wide <= width and top + high <= height, f"{region} is not in {width}×{height}"
    pixels = {line[4 * x : 4 * x + 4] for line in lines[top : top + high] for x in range(left, left + wide)}
    counts.append(len(pixels))
json.dump(counts, sys.stdout)
