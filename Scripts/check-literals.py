#!/usr/bin/env python3
"""Checks that Swift files have no literal of more than 160 characters.

    Scripts/check-literals.py

Paragraphs are data: docs/explanations.md has those that reports and `explain` print. A literal has at most 160 characters, or in each of
its lines if it has several, and literals that "+" joins have at most 320 together. Help texts may be longer: what follows "help:",
"abstract:" or "discussion:", and the texts in Sources/shcverify/Options. Generated files are left out. The exit code is 1 if this rule is
broken.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST, LONGEST_JOINED = 160, 320
HELP = re.compile(r"\b(help|abstract|discussion): *\(?\s*$")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|(?P<hashes>#*)(?P<quote>"""(?=\n)|")', re.S)


def end_of_literal(text, token):
    """The place after the literal that a token begins."""
    place, end, escape = token.end(), token["quote"] + token["hashes"], "\\" + token["hashes"]
    while not text.startswith(end, place):
        if text.startswith(escape + "(", place):
            place = end_of_interpolation(text, place + len(escape) + 1)
        else:
            place += len(escape) + 1 if text.startswith(escape, place) else 1
    return place + len(end)


def end_of_interpolation(text, place):
    depth = 1
    while depth:
        if token := TOKEN.match(text, place):
            place = end_of_literal(text, token) if token["quote"] else token.end()
        else:
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            place += 1
    return place


def literals(text):
    """Where each literal begins and ends."""
    place = 0
    while token := TOKEN.search(text, place):
        place = end_of_literal(text, token) if token["quote"] else token.end()
        if token["quote"]:
            yield token.start(), place


def longest(literal):
    """The length of a literal, or of its longest line."""
    literal = literal.strip("#")
    if not literal.startswith('"""\n'):
        return len(literal) - 2
    lines = literal.split("\n")[1:]
    indentation = len(lines.pop()) - 3
    return max((len(line) for line in re.sub(r"\\\n", "", "\n".join(line[indentation:] for line in lines)).split("\n")), default=0)


def main():
    problems = []
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if path.is_relative_to(ROOT / "Sources/shcverify/Options") or path.stem.endswith("+Generated"):
            continue
        text, joined, last, is_help = path.read_text(), 0, 0, False
        for start, end in literals(text):
            is_joined = text[last:start].strip() == "+"
            is_help = is_joined and is_help or HELP.search(text[max(0, start - 200):start])
            length, last = longest(text[start:end]), end
            joined = (joined if is_joined else 0) + length
            if not is_help and (length > LONGEST or joined > LONGEST_JOINED):
                line = text.count("\n", 0, start) + 1
                problems.append(f"{path.relative_to(ROOT)}:{line}: a text of {max(length, joined)} characters")
    print("\n".join(problems) or "no text in Swift is too long")
    sys.exit(1 if problems else 0)


main()
