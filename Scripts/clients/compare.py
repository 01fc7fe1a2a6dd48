"""Runs the reference provider with each fault, signs in with seven clients, and prints the differences from
Tests/Fixtures/clients.tsv.

    compare.py PROVIDER [--seconds N] [--out FILE] [FAULT-PATTERN …]
"""

import argparse
import csv
import datetime
import fnmatch
import importlib.metadata
import json
import os
import pathlib
import random
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "Tests/Fixtures/clients.tsv"
PACKAGES = {
    "authlib": "Authlib", "idpyoidc": "idpyoidc", "pyoidc": "oic", "social-auth-core": "social-auth-core",
    "mozilla-django-oidc": "mozilla-django-oidc",
}


def versions():
    """The available libraries: those of PyPI always, the gem and Apache's module if Debian's packages are installed."""
    found = {name: importlib.metadata.version(package) for name, package in PACKAGES.items()}
    try:
        asked = ["/usr/bin/ruby", "-e", 'require "openid_connect"; print OpenIDConnect::VERSION']
        found["ruby-openid_connect"] = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        print("ruby-openid_connect: NOT RUN, because Debian's ruby-openid-connect is not installed")
    module = pathlib.Path("/usr/lib/apache2/modules/mod_auth_openidc.so")
    if module.exists() and pathlib.Path("/usr/sbin/apache2").exists():
        asked = ["dpkg-query", "-W", "-f=${Version}", "libapache2-mod-auth-openidc"]
        found["mod_auth_openidc"] = subprocess.run(asked, capture_output=True, text=True).stdout or "of this machine"
    else:
        print("mod_auth_openidc: NOT RUN, because Debian's apache2 and libapache2-mod-auth-openidc are not installed")
    return found


class Worker:
    """One library in a process of its own."""

    def __init__(self, name, log, folder):
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "signing_in.py"), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder,
        )

    def begin(self, provider):
        self.process.stdin.write(json.dumps(provider) + "\n")
        self.process.stdin.flush()

    def end(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"clients: the worker of {self.name} ended; see its log")
        return json.loads(line)


def start(program, fault, *options):
    """The provider with a fault, and the lines that it prints by their first words; None twice if it does not start."""
    arguments = [program, "--port", "0", *options] + (["--fault", fault] if fault != "none" else [])
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    told = {}
    for line in process.stdout:
        name, _, value = line.strip().partition(" ")
        if name == "Press":
            return process, told
        told[name] = value.strip()
    stop(process)
    return None, None


def serve(program, fault, folder):
    """The provider with a fault, and its client configuration; None if it does not start."""
    ca = folder / "ca.pem"
    process, told = start(program, fault, "--ca-out", str(ca))
    if process is None:
        return None, None
    return process, {
        "issuer": told["issuer"], "client_id": told["client"].split(",")[0], "client_secret": told["secret"],
        "redirect_uri": told["redirect"], "ca": str(ca), "metadata": metadata(told["issuer"], ca),
    }


def metadata(issuer, ca):
    """The discovery document, to identify the steps; empty if a fault makes it unavailable."""
    context = ssl.create_default_context(cafile=str(ca))
    try:
        with urllib.request.urlopen(issuer + "/.well-known/openid-configuration", timeout=5, context=context) as answer:
            document = json.load(answer)
            return document if isinstance(document, dict) else {}
    except Exception:  # the client will report the same error
        return {}


def stop(process):
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


def table(names):
    """The cells of the measured clients by fault; the heading is the first line that begins with `fault`."""
    rows = list(csv.reader(TABLE.open(), delimiter="\t"))
    start = next(place for place, row in enumerate(rows) if row and row[0] == "fault")
    heading = rows[start]
    return {
        row[0]: {name: row[heading.index(name)] for name in names if heading.index(name) < len(row)}
        for row in rows[start + 1:]
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("provider", help="the program oidc-preflight-provider")
    parser.add_argument("patterns", nargs="*", default=["*"], help="patterns of faults, such as idtoken.*")
    parser.add_argument("--seconds", type=float, default=1200, help="time limit in seconds (1200)")
    parser.add_argument("--out", type=pathlib.Path, help="the file for the table of results")
    options = parser.parse_intermixed_args()

    libraries = versions()
    known = table(libraries)
    tried = [fault for fault, cells in known.items() if any(cells.values()) and " (" not in fault]
    chosen = [fault for fault in tried if any(fnmatch.fnmatch(fault, pattern) for pattern in options.patterns)]
    if not chosen:
        raise SystemExit("clients: no fault of the table fits")
    print(datetime.date.today(), ", ".join(f"{name} {version}" for name, version in libraries.items()))

    end = time.monotonic() + options.seconds
    if options.patterns == ["*"]:
        # Shuffled, so that a time limit does not always skip the end of the alphabet.
        random.Random(1).shuffle(chosen)
    measured, skipped = {}, []
    with tempfile.TemporaryDirectory() as name, open(os.devnull if not os.environ.get("TRACE") else "/dev/stderr", "w") as log:
        workers = [Worker(library, log, name) for library in libraries]
        for fault in ["none"] + [fault for fault in chosen if fault != "none"]:
            if time.monotonic() > end:
                skipped.append(fault)
                continue
            process, provider = serve(options.provider, fault, pathlib.Path(name))
            if process is None:
                skipped.append(fault)
                continue
            # One at a time: some faults affect every other request.
            results = {}
            for worker in workers:
                worker.begin(provider)
                results[worker.name] = worker.end()
            stop(process)
            measured[fault] = results
        for worker in workers:
            worker.process.stdin.close()
            worker.process.wait(30)

    refused = {name: cells["words"] for name, cells in measured["none"].items() if cells["outcome"] != "+"}
    if refused:
        raise SystemExit(f"clients: the sign-in at the provider without faults failed, so no comparison is possible: {refused}")
    same, changes = 0, []
    for fault, results in measured.items():
        for name, result in results.items():
            before = known.get(fault, {}).get(name, "")
            if not before:
                continue
            if (before == "+") == (result["outcome"] == "+"):
                same += 1
            else:
                changes.append((fault, name, before, result["outcome"], result["words"]))
    if options.out:
        with options.out.open("w") as file:
            file.write("\t".join(["fault"] + list(libraries)) + "\n")
            for fault, results in measured.items():
                file.write("\t".join([fault] + [results[name]["outcome"] for name in libraries]) + "\n")
    print(f"{len(measured)} faults, {same} sign-ins as in the table, {len(changes)} different, {len(skipped)} faults skipped")
    for fault, name, before, now, words in changes:
        print(f"{fault}\t{name}\t{before} -> {now}\t{words}")


if __name__ == "__main__":
    main()
