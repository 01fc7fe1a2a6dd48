"""Reads HTML reports with html5lib, as a browser does, and prints their contents.

Takes a JSON list of pages on standard input; prints a JSON list with an object for each: `errors` of its syntax, the `elements` and
`attributes` that occur, `links`, anchors that lead nowhere (`lost`), identifiers that occur twice (`twice`), the words that a policy
has to name for style and script (`hashes`), the `policy`, and the `text` that a reader sees.
"""
import base64
import hashlib
import json
import sys

import html5lib

results = []
for page in json.load(sys.stdin):
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parse(page)
    elements, attributes, links, names, text, hashes, values = {}, {}, [], [], [], [], set()
    policy = ""
    for element in tree.iter():
        if not isinstance(element.tag, str):
            elements["comment"] = elements.get("comment", 0) + 1
            continue
        name = element.tag.split("}")[-1]
        elements[name] = elements.get(name, 0) + 1
        for attribute, value in element.attrib.items():
            attributes[attribute] = attributes.get(attribute, 0) + 1
            if attribute in ("class", "type", "role", "name", "data-answer", "data-level", "data-stage"):
                values.add(f"{attribute}={value}")
        if "id" in element.attrib:
            names.append(element.attrib["id"])
        if "href" in element.attrib:
            links.append(element.attrib["href"])
        if element.attrib.get("http-equiv") == "Content-Security-Policy":
            policy = element.attrib["content"]
        if name in ("style", "script"):
            digest = hashlib.sha256((element.text or "").encode()).digest()
            hashes.append(f"{name}-src 'sha256-{base64.b64encode(digest).decode()}'")
        else:
            text.append(element.text or "")
        text.append(element.tail or "")
    results.append({
        "errors": [str(error[1]) for error in parser.errors],
        "elements": elements,
        "attributes": sorted(attributes),
        "values": sorted(values),
        "links": sorted(set(links)),
        "lost": sorted({link for link in links if link.startswith("#") and link[1:] not in names}),
        "twice": sorted({name for name in names if names.count(name) > 1}),
        "hashes": hashes,
        "policy": policy,
        "text": "".join(text),
    })
json.dump(results, sys.stdout)
