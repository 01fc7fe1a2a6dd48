#!/usr/bin/env python3
"""Writes Scripts/link/start-order.txt.gz: the functions that the release build runs at start-up, by address, one per line.

The linker places them side by side, so that a start loads few pages. Needs `make release` and valgrind. The linker ignores names that no
longer exist, so an old list costs speed only.
"""

import bisect
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / ".build/release/oidc-preflight"
PLACE = re.compile(r"0x[0-9a-f]+|\+\d+|-\d+|\*")


def addresses(profile, name):
    """The addresses of executed instructions of that object; callgrind writes them relative to the previous line."""
    objects, current, here, isCall = {}, None, 0, False
    for line in profile.read_text().splitlines():
        if match := re.match(r"(c?)ob=\((\d+)\)(?: (.*))?", line):
            if match[3]:
                objects[match[2]] = match[3]
            if not match[1]:
                current = objects[match[2]]
        elif line.startswith("calls="):
            isCall = True
        elif match := PLACE.match(line):
            step = match[0]
            here = int(step, 16) if step.startswith("0x") else here if step == "*" else here + int(step)
            # The line after a call is the call itself, whose address has a line of its own.
            if not isCall and current.endswith(name):
                yield here
            isCall = False


def main():
    if not PROGRAM.exists():
        sys.exit("start-order: no release build; run make release")
    symbols = []
    for line in subprocess.run(["nm", "--numeric-sort", PROGRAM], check=True, capture_output=True, text=True).stdout.splitlines():
        place, kind, symbol = line.split(" ", 2) if line[0] != " " else ("0", "U", "")
        if kind in "tT":
            symbols.append((int(place, 16), symbol))
    with tempfile.TemporaryDirectory() as folder:
        # valgrind cannot read the debug information of such a large program, and does not need it.
        stripped, profile = pathlib.Path(folder) / "stripped", pathlib.Path(folder) / "profile"
        subprocess.run(["strip", "-o", stripped, PROGRAM], check=True)
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={profile}", stripped, "--version"],
            check=True,
            capture_output=True,
        )
        places = [place for place, _ in symbols]
        found = {bisect.bisect(places, address) - 1 for address in addresses(profile, "/stripped")}
    names = [symbols[index][1] for index in sorted(found)]
    order = "\n".join(dict.fromkeys(names)) + "\n"
    (ROOT / "Scripts/link/start-order.txt.gz").write_bytes(gzip.compress(order.encode(), mtime=0))
    print(f"start-order: {len(names)} functions")


main()
