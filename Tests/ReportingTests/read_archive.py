"""Reads HTTP archives with two independent readers: hario-core, whose models are those of HAR 1.2, and haralyzer.

Takes a JSON list of archives, each a text, on standard input; prints a line for each: its entries, its pages, the smallest and the
largest status, how many bodies are left out, and how many bytes all bodies have. A text that is no archive ends the program.
"""
import base64
import datetime
import json
import sys

from haralyzer import HarParser
from hario_core.models.har_1_2 import HarLog

for text in json.load(sys.stdin):
    archive = json.loads(text)
    log = HarLog.model_validate(archive["log"])
    assert log.version == "1.2", log.version
    parser = HarParser(archive)
    pages = {page.page_id: page for page in parser.pages}
    left = octets = 0
    for entry, model in zip(archive["log"]["entries"], log.entries):
        moment = datetime.datetime.fromisoformat(entry["startedDateTime"])
        assert moment.tzinfo is not None, entry["startedDateTime"]
        assert model.pageref in pages, model.pageref
        phases = [max(0, entry["timings"][name]) for name in ("blocked", "dns", "connect", "send", "wait", "receive")]
        assert abs(sum(phases) - entry["time"]) < 0.01, entry["timings"]
        assert all(entry["timings"][name] >= 0 for name in ("send", "wait", "receive")), entry["timings"]
        content = entry["response"]["content"]
        if "text" in content:
            body = base64.b64decode(content["text"]) if content.get("encoding") else content["text"].encode()
            assert len(body) == content["size"], content
            octets += len(body)
        elif content["size"] != 0:
            assert content["comment"], content
            left += 1
    # Each entry is found again by its page.
    assert sum(len(page.entries) for page in pages.values()) == len(log.entries)
    status = [entry.response.status for entry in log.entries] or [0]
    print(len(log.entries), len(pages), min(status), max(status), left, octets)
