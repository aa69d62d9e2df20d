"""Runs groups of vectors with a program, until one has another result than it should.

    vectors.py ROOT PROGRAM cards/GROUP certificates/GROUP …

A group is the first part of the IDs of TestVectors/vectors.json (`cards`) or of TestVectors/hcert/cases.json (`certificates`), or a whole ID. Exit code,
reason and the members of the report are compared. `VectorTests` compares more, for all of them.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "TestVectors"))

import texts  # noqa: E402

INDEXES = {"cards": ("vectors.json", "vectors"), "certificates": ("hcert/cases.json", "cases")}


@cache
def unpacked(root):
    return texts.unpacked(root / "TestVectors")


def cases(root, token):
    kind, _, group = token.partition("/")
    path, member = INDEXES[kind]
    index = unpacked(root) / path
    found = [case for case in json.loads(index.read_text())[member]
             if case["mode"] == "verify" and f"{case['id']}/".startswith(f"{group}/") and "--format" not in case["args"]]
    return index.parent, found


def path(folder, text):
    before, brace, name = text.partition("{")
    return f"{before}{folder}/{name[:-1]}" if brace and text.endswith("}") else text


def run(program, folder, case):
    files = [folder / name for name in case.get("files", [])]
    feed, given, command = case.get("feed", "paths"), b"", [str(program), "verify"]
    if feed == "qr":
        command += [word for file in files for word in ("--qr", file.read_text())]
    elif feed in ("lines", "stdin"):
        given = b"\n".join(file.read_bytes() for file in files)
        command.append("-")
    else:
        command += map(str, files)
    command += [path(folder, word) for word in case["args"]] + ["--format", "json"]
    nowhere = {"XDG_CACHE_HOME": "/dev/null", "XDG_DATA_HOME": "/dev/null", "SHCVERIFY_SYSTEM_DIR": "/dev/null"}
    return subprocess.run(command, input=given, capture_output=True, env={**os.environ, **nowhere}, check=False)


def at(value, pointer):
    for step in pointer.split("/")[1:]:
        try:
            value = value[int(step) if isinstance(value, list) else step]
        except (IndexError, KeyError, TypeError, ValueError):
            return None
    return value


def values(value):
    return value if isinstance(value, list) else [value]


def agrees(case, result):
    expect = case["expect"]
    if result.returncode not in values(expect["exit"]):
        return False
    try:
        report = json.loads(result.stdout)
    except ValueError:
        return result.returncode in (64, 66)
    if any(at(report, pointer) != value for pointer, value in expect.get("json", {}).items()):
        return False
    reasons = next((values(expect[name]) for name in ("reason", "reasons") if name in expect), None)
    found = next((card["reason"]["code"] for card in report["cards"] if card.get("reason")), None)
    return reasons is None or found in reasons


def main(root, program, *tokens):
    count = 0
    for token in tokens:
        folder, found = cases(Path(root), token)
        for case in found:
            count += 1
            if not agrees(case, run(program, folder, case)):
                print(f"differs: {token.partition('/')[0]}/{case['id']}")
                return 1
        if not found:
            print(f"differs: there are no vectors {token}")
            return 1
    print(f"{count} vectors passed after all")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
