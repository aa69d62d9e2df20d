"""Reads mutants.txt, and writes its changes into the sources, each behind a switch."""

import collections
import re

MARKS = "«»"


class Problem(Exception):
    """What is wrong with a row, which it names."""


class Mutant:
    """A row of mutants.txt."""

    def __init__(self, number, name, file, suites, line):
        self.number, self.name, self.file, self.suites, self.line = number, name, file, suites, line
        self.old, self.new, self.why = [], [], []
        self.kind = None

    def problem(self, words):
        return Problem(f"Scripts/mutants/mutants.txt:{self.line}: {self.name}: {words}")

    def span(self, source):
        """The beginning and the end of what is changed."""
        text = "\n".join(self.old)
        begin, end = (text.find(mark) for mark in MARKS)
        plain = text.replace(MARKS[0], "").replace(MARKS[1], "")
        count = source.count(plain)
        if count != 1:
            raise self.problem(f"the text stands {count} times in {self.file}, and has to stand there once: {plain}")
        place = source.index(plain)
        if begin < 0 and end < 0:
            return place, place + len(plain)
        if begin < 0 or end < begin or text.count(MARKS[0]) + text.count(MARKS[1]) != 2:
            raise self.problem(f"the marks {MARKS} do not stand around a part of the text")
        return place + begin, place + end - 1

    def switched(self, old):
        """What replaces a text: the text and its change, with the switch between them."""
        switch, new = f"mutant({self.number})", "\n".join(self.new)
        if self.kind == "+":
            return f"({switch} ? ({new}) : ({old}))"
        if self.kind == "*":
            return f"if {switch} {{ {new} }} else {{ {old} }}"
        return new.replace("MUTANT", switch)


def read(path):
    """The rows in their order, and the slow tests."""
    mutants, slow, file, suites, mutant = [], [], None, [], None
    for line, text in enumerate(path.read_text().splitlines(), 1):
        if text.startswith("#") or not text.strip():
            mutant = None if not text.strip() else mutant
        elif text.startswith("~ "):
            slow.append(text[2:])
        elif text.startswith("== "):
            file, _, names = (part.strip() for part in text[3:].partition("|"))
            suites = names.split()
        elif mutant is None:
            name, _, names = (part.strip() for part in text.partition("|"))
            mutant = Mutant(len(mutants) + 1, name, file, names.split() or suites, line)
            mutants.append(mutant)
        elif text[0] == "-" and mutant.kind is None:
            mutant.old.append(text[2:])
        elif text[0] in "+*=" and mutant.kind in (None, text[0]):
            mutant.kind = text[0]
            mutant.new.append(text[2:])
        elif text[0] == "!" and mutant.kind:
            mutant.why.append(text[2:])
        else:
            raise mutant.problem(f"line {line} does not belong there: {text}")
    for mutant in mutants:
        if not (mutant.old and mutant.kind and mutant.suites and mutant.file):
            raise mutant.problem("the row is not complete")
    twice = [name for name, count in collections.Counter(mutant.name for mutant in mutants).items() if count > 1]
    if twice:
        raise Problem(f"Scripts/mutants/mutants.txt: two rows have the name {twice[0]}")
    return mutants, slow


def changed(source, mutants):
    """A source with all of its mutants."""
    spans = sorted((*mutant.span(source), mutant) for mutant in mutants)
    for (_, end, one), (begin, _, other) in zip(spans, spans[1:]):
        if begin < end:
            raise other.problem(f"it changes the same text as {one.name}")
    for begin, end, mutant in reversed(spans):
        source = source[:begin] + mutant.switched(source[begin:end]) + source[end:]
    return source


def pattern(tests):
    """The pattern for the options --filter and --skip. A test is named by its target, target and suite, or by all three (`T`, `T.S` or `T.S/test`), or
    by its target and its own name (`T/test`).
    """
    ends = {(False, False): "[.]", (True, False): "/", (True, True): "[(]", (False, True): "[(]"}
    names = (re.escape(test) if "." in test else re.escape(test).replace("/", "[.].*/") for test in tests)
    return "|".join("^" + name + ends["." in test, "/" in test] for name, test in zip(names, tests))
