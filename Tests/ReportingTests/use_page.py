"""Opens HTML reports in chromium and uses them as users do: by mouse, by keyboard, on a phone, in both themes, printed, without
scripts, and as axe sees them.

    use_page.py PAGE…

Prints a JSON object: for each page what was found wrong (`problems`, a list of sentences) and how much of it was looked at (`done`).
"""
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import axe_core_python
from browser import Browser

axe = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
TAB, ENTER, DOWN, SHIFT = "\ue004", "\ue007", "\ue015", "\ue008"
SHOWN = "return Array.from(document.querySelectorAll('.check')).filter((one) => one.checkVisibility()).length"


def look(page, file, problems, done):
    """Checks widths, themes, and the rules of axe."""
    for width, theme in ((1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")):
        page.open(file, width=width, theme=theme)
        at = f"{width} pixels, {theme}"
        for state in ("as it opens", "unfolded"):
            if state == "unfolded":
                page.run("for (const fold of document.querySelectorAll('details')) fold.open = true")
            wide, room = page.run("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            if wide > room:
                problems.append(f"{at}, {state}: {wide} pixels are needed")
        page.inject(axe)
        found = page.wait(
            "const end = arguments[0]; axe.run(document, {resultTypes: ['violations']})"
            ".then((result) => end({passes: result.passes.length, violations: result.violations.map((one) => "
            "one.id + ': ' + one.help + ' at ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 150)).join(' | '))}), "
            "(error) => end({passes: 0, violations: [String(error)]}))"
        )
        problems += [f"{at}: {violation}" for violation in found["violations"]]
        done["rules"] = done.get("rules", 0) + found["passes"]
        problems += [f"{at}: {line}" for line in page.complaints()]
        loaded = page.run("return performance.getEntriesByType('resource').map((one) => one.name)")
        problems += [f"{at}: loads {name}" for name in loaded]


def filter_by_keyboard(page, file, problems, done):
    """The first tab stop is the link to the findings; the filters work without a mouse."""
    page.open(file)
    page.press(TAB)
    if page.run("return document.activeElement.className") != "skip":
        problems.append("the first tab does not lead to the link that skips")
    if page.run("return document.activeElement.getBoundingClientRect().left") < 0:
        problems.append("the link that skips is not seen when it is reached")
    total = page.run(SHOWN)
    done["checks"] = total
    reached = []
    for _ in range(400):
        page.press(TAB)
        name, outline = page.run(
            "const one = document.activeElement;"
            "return [one.id || one.tagName.toLowerCase(), getComputedStyle(one).outlineStyle]"
        )
        if name == "body":
            break
        reached.append(name)
        if outline == "none":
            problems.append(f"{name} does not show that it is reached")
    summaries = page.run(
        "return Array.from(document.querySelectorAll('summary')).filter((one) => one.checkVisibility()).length"
    )
    if reached.count("summary") != summaries:
        problems.append(f"{reached.count('summary')} of {summaries} folds are reached by the keyboard")
    done["stops"] = len(reached)
    if total < 2:
        return
    for control in ("filter-answer", "filter-level", "filter-stage", "filter-text", "reset", "unfold"):
        if control not in reached:
            problems.append(f"{control} is not reached by the keyboard")
    for name in ("answer", "level", "stage"):
        options = page.run(f"return Array.from(document.getElementById('filter-{name}').options).map((one) => one.value)")
        counts = 0
        page.run(f"document.getElementById('filter-{name}').focus()")
        for option in options[1:]:
            page.press(DOWN)
            value, status, shown = page.run(
                f"return [document.getElementById('filter-{name}').value, "
                "document.querySelector('[role=status]').textContent, "
                "Array.from(document.querySelectorAll('.check')).filter((one) => one.checkVisibility())"
                f".map((one) => one.dataset.{name})]"
            )
            if value != option or set(shown) != {option}:
                problems.append(f"{name} {option}: {value}, {shown}")
            if len(shown) < total and not status.startswith(f"{len(shown)} of {total} "):
                problems.append(f"{name} {option}: the count says {status!r} for {len(shown)}")
            empty = page.run(
                "return Array.from(document.querySelectorAll('.group')).filter((one) => one.checkVisibility() && "
                "!Array.from(one.querySelectorAll('.check')).some((check) => check.checkVisibility())).length"
            )
            if empty:
                problems.append(f"{name} {option}: {empty} headings without a check")
            counts += len(shown)
            done["filters"] = done.get("filters", 0) + 1
        if counts != total:
            problems.append(f"{name}: the options show {counts} of {total} checks together")
        page.click("#reset")
        if page.run(SHOWN) != total:
            problems.append("not everything is shown again")
    identifier = page.run("return document.querySelector('.check:last-of-type .id').textContent")
    page.click("#filter-text")
    page.press(*identifier)
    if not 1 <= page.run(SHOWN) <= total or identifier not in page.run(
        "return Array.from(document.querySelectorAll('.check')).filter((one) => one.checkVisibility())"
        ".map((one) => one.textContent).join(' ')"
    ):
        problems.append(f"the text {identifier} finds nothing")
    page.click("#reset")
    folded = page.run("return document.querySelectorAll('.check > details[open]').length")
    page.click("#unfold")
    if page.run("return document.querySelectorAll('.check > details[open]').length") != total:
        problems.append("not every check is unfolded")
    page.click("#unfold")
    if page.run("return document.querySelectorAll('.check > details[open]').length") != 0 or folded == 0:
        problems.append("not every check is folded again")
    page.run("document.querySelector('.check summary').focus()")
    page.press(ENTER)
    if not page.run("return document.querySelector('.check > details').open"):
        problems.append("a check is not unfolded by the keyboard")


def follow(page, file, problems, done):
    """A link to a check opens it, even if a filter hides it; a command is copied or selected."""
    page.open(file)
    links = page.run("return Array.from(document.querySelectorAll('main a[href^=\"#\"]')).map((one) => one.hash)")
    for link in links[:3]:
        page.run("for (const fold of document.querySelectorAll('.check > details')) fold.open = false")
        page.run("location.hash = ''")
        page.run("location.hash = arguments[0]", link)
        page.wait("setTimeout(arguments[0], 50)")
        if not page.run("const one = document.getElementById(arguments[0].slice(1)); return one.querySelector('details').open", link):
            problems.append(f"{link} leads to a check that stays folded")
        done["links"] = done.get("links", 0) + 1
    if page.run("return document.querySelectorAll('.command button').length") > 0:
        page.run("for (const fold of document.querySelectorAll('details')) fold.open = true")
        page.click(".command button")
        page.wait("setTimeout(arguments[0], 100)")
        words = page.run("return document.querySelector('.command button').textContent")
        if words == "Copy the command":
            problems.append("nothing is copied")
        done["copied"] = words


def print_it(page, file, problems, done):
    """In print the findings are unfolded and the filters hidden, with or without the script."""
    page.open(file)
    page.command("Emulation.setEmulatedMedia", media="print")
    hidden = page.run(
        "return Array.from(document.querySelectorAll('.check pre, .cause pre')).filter((one) => "
        "one.getBoundingClientRect().height < 1).length"
    )
    if hidden:
        problems.append(f"{hidden} texts of findings are not printed")
    if page.run("const one = document.getElementById('filters'); return one !== null && one.checkVisibility()"):
        problems.append("the filters are printed")
    page.command("Emulation.setEmulatedMedia", media="")
    with tempfile.TemporaryDirectory() as folder:
        page.paper(folder + "/page.pdf")
        done["paper"] = pathlib.Path(folder, "page.pdf").stat().st_size


def without_scripts(page, file, problems, done):
    page.open(file)
    state = page.run(
        "return [document.querySelectorAll('.check').length, "
        "Array.from(document.querySelectorAll('.check')).filter((one) => one.checkVisibility()).length, "
        "document.querySelector('#filters:not([hidden])') !== null, document.querySelectorAll('button:not([id])').length]"
    )
    if state[0] != state[1] or state[2] or state[3]:
        problems.append(f"without scripts: {state}")
    done["plain"] = state[0]


results = {file: {"problems": [], "done": {}} for file in sys.argv[1:]}
with Browser() as page:
    for file, result in results.items():
        for use in (look, filter_by_keyboard, follow, print_it):
            use(page, file, result["problems"], result["done"])
        if page.run("return document.scripts.length !== 1 || window.wasRun === true"):
            result["problems"].append("an injected script runs")
        result["problems"] += page.complaints()
with Browser(scripts=False) as page:
    for file, result in results.items():
        without_scripts(page, file, result["problems"], result["done"])
json.dump(results, sys.stdout)
