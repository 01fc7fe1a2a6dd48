"""Prints the bill of materials of the packages (CycloneDX 1.5): the program, Swift's libraries, and the Debian packages whose
libraries it uses, as dpkg knows them. sbom.py VERSION FILE-WITH-PACKAGES"""

import datetime
import json
import os
import re
import subprocess
import sys
import uuid

PROJECT = "https://github.com/oidc-preflight/oidc-preflight"


def licences(package: str) -> list[dict]:
    """The short names of a package's copyright file, if it is machine-readable."""
    with open(f"/usr/share/doc/{package}/copyright", encoding="utf-8", errors="replace") as file:
        text = file.read()
    names = sorted({" ".join(name.split()) for name in re.findall(r"^License: *(\S.*)$", text, re.MULTILINE)})
    return [{"license": {"name": name}} for name in names]


def component(package: str) -> dict:
    query = ["dpkg-query", "-W", "-f", "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}", package]
    name, version, architecture, source, source_version = subprocess.check_output(query, text=True).split("\t")
    with open("/etc/os-release", encoding="utf-8") as file:
        system = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', file.read(), re.MULTILINE))
    distribution = f"{system.get('ID', 'debian')}-{system.get('VERSION_ID', '')}".rstrip("-")
    escaped = version.replace("+", "%2B").replace(":", "%3A").replace("~", "%7E")
    url = f"pkg:deb/{system.get('ID', 'debian')}/{name.replace('+', '%2B')}@{escaped}?arch={architecture}&distro={distribution}"
    result = {
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": version,
        "purl": url,
        "properties": [
            {"name": "debian:source", "value": source},
            {"name": "debian:source-version", "value": source_version},
        ],
    }
    found = licences(name)
    return result | ({"licenses": found} if found else {})


def swift() -> dict:
    words = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"Swift version (\S+)", words)
    return {
        "type": "library",
        "bom-ref": "swift",
        "name": "swift-runtime",
        "version": version.group(1) if version else "unknown",
        "description": "Swift's standard library, Dispatch and FoundationEssentials, inside the programs",
        "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}],
    }


def main() -> None:
    version, listed = sys.argv[1:]
    with open(listed, encoding="utf-8") as file:
        parts = [swift()] + [component(line.strip()) for line in file if line.strip()]
    program = {
        "type": "application",
        "bom-ref": "oidc-preflight",
        "name": "oidc-preflight",
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "externalReferences": [{"type": "website", "url": PROJECT}],
    }
    made = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    contents = json.dumps(parts, sort_keys=True)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # The same contents get the same serial number.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, PROJECT + version + contents)}",
        "version": 1,
        "metadata": {"timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": program},
        "components": parts,
        "dependencies": [
            {"ref": "oidc-preflight", "dependsOn": sorted(part["bom-ref"] for part in parts)},
        ],
    }
    print(json.dumps(document, indent=2))


main()
