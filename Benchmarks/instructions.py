#!/usr/bin/env python3
"""Counts the instructions that a card takes, and compares them with the committed numbers.

    python3 Benchmarks/instructions.py [--write] [--shcverify FILE] [--folder FOLDER]

Times depend on the machine and on what else it does. Numbers of instructions do not. Valgrind counts them, on a processor without AVX-512
and SHA extensions, which it does not know, so crypto_mb is not used. Each number is the difference between a run over many lines and one
over fewer, divided by the difference of lines. So the start does not count. Counted are the program itself, with Swift's libraries in
it, and what zlib and the C library do for it. OpenSSL's own instructions are printed but not compared: they depend on its version.

The exit code is 1 if a number is more than 5 % above the committed one (Benchmarks/instructions.json). --write writes that file; commit it
with a change that is worth it. The numbers hold for the compiler and the C library named there. Needs Linux on x86-64 and valgrind.
"""

import argparse
import collections
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from cards import NOW, Set  # noqa: E402
from certificates import CertificateSet  # noqa: E402

HERE = Path(__file__).resolve().parent
COMMITTED = HERE / "instructions.json"
ALLOWED = 1.05
OWN = ("the program", "zlib", "the C library")


def part_of(path, program):
    """What an object file is counted as."""
    name = os.path.basename(path)
    if os.path.realpath(path) == os.path.realpath(program):
        return "the program"
    for start, part in ("libz.", "zlib"), ("libc.", "the C library"), ("libm.", "the C library"), ("libcrypto.", "OpenSSL"):
        if name.startswith(start):
            return part
    return "other"


def read(path, program):
    """The instructions of each part in a file of callgrind (its format: https://valgrind.org/docs/manual/cl-format.html)."""
    names, counts = {}, collections.Counter()
    part, is_call = "other", False
    with open(path, errors="replace") as file:
        for line in file:
            if found := re.match(r"(c?)ob=\((\d+)\)(?: (.*))?", line):
                if found[3]:
                    names[found[2]] = part_of(found[3], program)
                if not found[1]:
                    part = names[found[2]]
            elif line.startswith("calls="):
                # The next line has the instructions of the called function, which are also listed under its own name.
                is_call = True
            elif line[0] in "0123456789+-*":
                if not is_call:
                    counts[part] += int(line.split()[-1])
                is_call = False
    return counts


def code(text):
    """A card as the text of a QR code."""
    return "shc:/" + "".join(f"{ord(character) - 45:02}" for character in text)


class Carried:
    """The cards of a set in another carrier."""

    def __init__(self, cards, folder, name, form):
        self.cards, self.directory = f"{folder}/{name}", cards.directory
        with open(cards.cards) as source, open(self.cards, "w") as file:
            for line in source.read().splitlines():
                print(form(line) if line.startswith("ey") else line, file=file)


class Counter:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, command, cards, count):
        lines = f"{self.folder}/lines"
        with open(cards.cards, "rb") as source, open(lines, "wb") as file:
            file.writelines(source.readlines()[:count])
        result = f"{self.folder}/callgrind"
        # The order in Swift's dictionaries depends on a random number otherwise.
        environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={result}", self.program, *command, lines, "--directory",
             cards.directory, "--offline", "--at", str(NOW), "--jobs", "1"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # The sets have bad cards, whose verdicts give codes from 10 to 29.
        if run.returncode not in (0, *range(10, 30)):
            sys.exit(f"instructions: {command[0]} ended with {run.returncode}:\n{run.stderr[-2000:]}")
        return read(result, self.program)

    def per_line(self, command, cards, few, many):
        start, end = self.run(command, cards, few), self.run(command, cards, many)
        return {part: (end[part] - start[part]) / (many - few) for part in end}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write Benchmarks/instructions.json")
    parser.add_argument("--shcverify", default="shcverify", help="the program to measure")
    parser.add_argument("--folder", help="where the cards are kept (default: a directory below the temporary one)")
    options = parser.parse_args()
    if platform.machine() != "x86_64":
        print(f"instructions: skipped: the numbers are for x86-64, and this is {platform.machine()}")
        return
    program = shutil.which(options.shcverify) or sys.exit(f"instructions: there is no program {options.shcverify}")
    folder = options.folder or f"{tempfile.gettempdir()}/shcverify-bench-{os.getuid()}"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    several, ten = Set(folder, 2_000, 30, uniform=True), Set(folder, 2_000, 10)
    certificates = CertificateSet(folder, 2_000, "ES256", 100)
    cases = {
        "batch, EVP alone": (["batch", "--no-precompute"], several, 200, 800),
        "batch, 10 issuers, with tables": (["batch"], ten, 1_000, 2_000),
        "batch, texts of QR codes, EVP alone": (["batch", "--no-precompute"], Carried(several, folder, "codes", code), 200, 800),
        "batch, JSON lines of QR codes, EVP alone": (
            ["batch", "--no-precompute"],
            Carried(several, folder, "objects", lambda text: json.dumps({"card": code(text), "id": 1})), 200, 800),
        "batch, EU certificates": (["batch"], certificates, 500, 1_500),
        "batch --records": (["batch", "--records", "--no-precompute"], several, 200, 800),
        "lint --lines": (["lint", "--lines"], several, 200, 800),
    }
    committed = json.loads(COMMITTED.read_text())["instructions"] if COMMITTED.exists() else {}
    numbers, worse = {}, []
    with tempfile.TemporaryDirectory() as scratch:
        counter = Counter(program, scratch)
        for name, (command, cards, start, end) in cases.items():
            parts = counter.per_line(command, cards, start, end)
            number = numbers[name] = round(sum(parts.get(part, 0) for part in OWN))
            before = committed.get(name)
            words = f"{number / before - 1:+.1%} against {before:,}" if before else "not committed yet"
            details = ", ".join(f"{part} {parts.get(part, 0):,.0f}" for part in (*OWN, "OpenSSL"))
            print(f"{name}: {number:,} instructions a line, {words} ({details})", flush=True)
            if before and number > ALLOWED * before:
                worse.append(name)
    if options.write:
        compiler = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.splitlines()
        COMMITTED.write_text(json.dumps({
            "made with": [next((line for line in compiler if "Swift version" in line), "Swift"), " ".join(platform.libc_ver())],
            "instructions": numbers}, indent=2) + "\n")
    elif worse:
        sys.exit(f"instructions: more than 5 % above Benchmarks/instructions.json: {', '.join(worse)}")


if __name__ == "__main__":
    main()
