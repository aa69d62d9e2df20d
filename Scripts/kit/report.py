#!/usr/bin/env python3
"""Runs the kit's runners, and writes what they get wrong to TestKit/RESULTS.md.

    report.py FOLDER

FOLDER has the kit that make.py has made. `make kit-report` starts this with a Python that has the packages of TestKit/runners/requirements.txt.
"""

import collections
import datetime
import importlib.metadata
import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "TestKit" / "runners"), str(ROOT / "Scripts" / "kit")]

import make  # noqa: E402
from kit import COLUMNS, column  # noqa: E402

RUNNERS = [
    ("cards_joserfc.py", "SMART Health Cards", ["joserfc", "cryptography"]),
    ("certificates_pycose.py", "EU Digital COVID Certificates", ["pycose", "cbor2", "base45", "cryptography"]),
]


def rows(results, cases):
    found = collections.defaultdict(collections.Counter)
    for result in results:
        case = cases[result["id"]]
        for row in ((case["area"], case["class"]), (case["area"], "**all**")):
            found[row]["cases"] += 1
            found[row][column(result["expect"], result["found"])] += 1
    yield "| class | " + " | ".join(COLUMNS) + " |"
    yield "|---|" + "---:|" * len(COLUMNS)
    for row in sorted(found, key=lambda row: (row[0], row[1].startswith("*"), row[1])):
        if found[row]["skipped"] < found[row]["cases"]:
            yield f"| {'/'.join(row)} | " + " | ".join(str(found[row][name] or "") for name in COLUMNS) + " |"


def section(script, what, packages, folder, cases):
    with tempfile.TemporaryDirectory() as scratch:
        answers = Path(scratch) / "answers.json"
        subprocess.run([sys.executable, "-B", "-W", "ignore", str(folder / "runners" / script), "--opinions", "--json", str(answers)],
                       stdout=subprocess.DEVNULL, check=False)
        results = json.loads(answers.read_text())
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    ruled = [result for result in results if not result["opinion"]]
    yield f"## {what}: `runners/{script}`"
    yield ""
    yield f"With {versions}."
    yield ""
    yield from rows(ruled, cases)
    yield ""
    for title, name in (("Accepted, and should not be", "accepted wrongly"), ("Refused, and should not be", "refused wrongly"),
                        ("Failed with an error that the verifier did not expect", "failed")):
        chosen = [result for result in ruled if column(result["expect"], result["found"]) == name]
        if chosen:
            yield f"{title}:"
            yield ""
            for result in chosen:
                case = cases[result["id"]]
                numbers = ", ".join((rule["number"] + " " + rule.get("section", "")).strip() for rule in case["rules"])
                error = " It got " + result["found"].split(": ")[1] + "." if name == "failed" else ""
                yield f"- `{result['id']}`: {case['why']} ({numbers}){error}"
            yield ""
    opinions = collections.Counter(column(result["expect"], result["found"]) for result in results if result["opinion"])
    differs = sum(opinions[name] for name in ("accepted wrongly", "refused wrongly", "other word"))
    failed = f", and fails with an error in {opinions['failed']}" if opinions["failed"] else ""
    yield f"Of the cases that are opinions, it agrees with the kit in {opinions['right']}, differs in {differs}, which is no fault{failed}."
    yield ""


def main():
    folder = Path(sys.argv[1]).resolve() / make.NAME
    cases = {entry["id"]: json.loads((folder / entry["case"]).read_text()) for entry in json.loads((folder / "index.json").read_text())}
    opinions = sum(1 for case in cases.values() if case.get("opinion"))
    lines = [
        "# What two other verifiers get wrong",
        "",
        f"Made by `make kit-report` on {datetime.date.today().isoformat()} with version {make.VERSION} of the kit ({len(cases)} cases, {opinions} of them",
        f"opinions) and Python {platform.python_version()}. It says nothing of later versions of the libraries: look at the date.",
        "",
        "The two verifiers are examples of what a careful developer might write first with libraries of others. The makers of the kit wrote them",
        "quickly, before they ran them, and then changed only that without which hardly anything verified: joserfc does not know `zip` in a header,",
        "pycose 1.1.0 does not work with cbor2 6, and no entry of WHO's list was read. So most of what follows is a mistake of the verifier, and not of a library. Their authors knew",
        "the kit, so the numbers do not say how well others would do. `accepted wrongly` is what to look at first.",
        "",
    ]
    for script, what, packages in RUNNERS:
        lines += section(script, what, packages, folder, cases)
    (ROOT / "TestKit" / "RESULTS.md").write_text("\n".join(lines).rstrip() + "\n")
    print("TestKit/RESULTS.md")


if __name__ == "__main__":
    main()
