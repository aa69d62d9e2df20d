#!/usr/bin/env python3
"""Runs a verifier on the cases of the test kit, and counts what it gets wrong. Needs Python 3.9 and nothing else.

    runners/kit.py [--only PATTERN] [--opinions] [--json FILE] PROGRAM [ARGUMENT…]

starts `PROGRAM ARGUMENT… CASE` for each case, in the folder of the kit, where CASE is the path of its .case.json. The program prints `valid`,
`invalid`, `undetermined`, or `skip` if it does not do such a thing. A verifier in Python needs no program of its own:

    from kit import main
    main(judge)         # judge(case, read) returns one of these words. read(path) returns the bytes of a file of the kit

The exit code is 1 if something that is not valid was accepted.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

KIT = Path(__file__).resolve().parents[1]
WORDS = ("valid", "invalid", "undetermined", "skip")
SECONDS = 30
# Some cases ask for more memory than there is. A verifier that takes it fails, and not the machine.
MEMORY = 2 << 30
COLUMNS = ("cases", "right", "accepted wrongly", "refused wrongly", "other word", "failed", "skipped")


def read(path):
    return (KIT / path).read_bytes()


def column(expect, found):
    """What an answer counts as."""
    if found == "skip":
        return "skipped"
    if found not in WORDS:
        return "failed"
    if found == expect:
        return "right"
    if found == "valid":
        return "accepted wrongly"
    # Both of the other words mean that the holder is not let in. They differ in what to say to the person.
    return "refused wrongly" if expect == "valid" else "other word"


def attempt(judge, case):
    """The judge's word. An error is one too: `failed`, with the reason behind it."""
    try:
        found = judge(case, read)
        return found if found in WORDS else f"failed: {found!r} is no word that is known"
    except (Exception, MemoryError) as error:  # an error in one case must not end the run
        return f"failed: {type(error).__name__}: {error}"[:200]


def in_time(judge, case):
    """The word of a judge in this process, who has to answer in time and with so much memory."""
    def late(*_):
        raise TimeoutError(f"no answer within {SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        return attempt(judge, case)
    finally:
        signal.alarm(0)


def program(command):
    # A program beside the one who starts this, and not one in the kit's folder
    command = [os.path.abspath(command[0]) if os.path.exists(command[0]) else shutil.which(command[0]) or command[0], *command[1:]]

    def judge(case, read):
        path = f"cases/{case['id']}.case.json"
        result = subprocess.run([*command, path], cwd=KIT, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
        words = result.stdout.decode(errors="replace").split()
        if not words:
            lines = result.stderr.decode(errors="replace").strip().splitlines()
            last = ([line.strip() for line in lines if "rror" in line] or lines)[-1:]
            raise RuntimeError(", ".join([f"exit code {result.returncode}, and no word", *last]))
        return words[0]
    return judge


def cases(patterns, opinions):
    for entry in json.loads(read("index.json")):
        if (opinions or not entry.get("opinion")) and (not patterns or any(fnmatch.fnmatchcase(entry["id"], one) for one in patterns)):
            yield json.loads(read(entry["case"]))


def table(results):
    rows = collections.defaultdict(collections.Counter)
    for case, found in results:
        for row in ((case["area"], case["class"]), (case["area"], "all")):
            rows[row]["cases"] += 1
            rows[row][column(case["expect"], found)] += 1
    width = max(len("/".join(row)) for row in rows) + 2
    print(" " * width + "  ".join(COLUMNS))
    for row in sorted(rows, key=lambda row: (row[0], row[1] == "all", row[1])):
        if rows[row]["skipped"] < rows[row]["cases"]:
            print("/".join(row).ljust(width) + "  ".join(str(rows[row][name] or "").rjust(len(name)) for name in COLUMNS))


def main(judge=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="PATTERN", help="only cases whose ID fits, for example 'cards/keys/*' (an asterisk fits slashes too)")
    parser.add_argument("--opinions", action="store_true", help="also the cases on which the specification leaves the verdict open")
    parser.add_argument("--json", metavar="FILE", help="write each answer to this file")
    if judge is None:
        parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM [ARGUMENT…]")
    options = parser.parse_args()
    chosen = list(cases(options.only, options.opinions))
    if not chosen:
        sys.exit("there is no such case")
    if judge:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        results = [(case, in_time(judge, case)) for case in chosen]
    else:
        if not options.command:
            parser.error("name the program")
        started = program(options.command)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            results = list(zip(chosen, pool.map(lambda case: attempt(started, case), chosen)))
    if options.json:
        lines = [json.dumps({"id": case["id"], "expect": case["expect"], "opinion": case.get("opinion", False), "found": found})
                 for case, found in results]
        Path(options.json).write_text("[\n" + ",\n".join(lines) + "\n]\n")
    for case, found in results:
        if column(case["expect"], found) not in ("right", "skipped"):
            rules = ", ".join(" §".join(filter(None, (rule["number"], rule.get("section")))) for rule in case["rules"])
            print(f"{case['id']}: expected {case['expect']}, found {found} — {case['why']} [{rules}]")
    print()
    table(results)
    sys.exit(1 if any(column(case["expect"], found) == "accepted wrongly" for case, found in results) else 0)


if __name__ == "__main__":
    main()
