"""Compares a value with its target: met.py "1.34" "≤ 1.2" prints yes or no, or – if there is no target."""

import re
import sys

value, target = sys.argv[1:3]
number = r"[0-9][0-9,]*(?:\.[0-9]+)?"
found, wanted = re.search(number, value), re.match(rf"([≤≥]) *({number})", target)
if not found or not wanted:
    print("–")
else:
    found, bound = (float(text.replace(",", "")) for text in (found[0], wanted[2]))
    print("yes" if (found <= bound if wanted[1] == "≤" else found >= bound) else "no")
