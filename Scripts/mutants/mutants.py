#!/usr/bin/env python3
"""Changes the code that decides, in many small ways, and sees whether the tests notice each.

    mutants.py all            builds all mutants of mutants.txt, runs their suites, and writes RESULTS.md
    mutants.py tenth          a tenth of them, chosen by the hash of the commit; writes nothing
    mutants.py check          only checks that the text of each row stands once in its file
    mutants.py NAME,NAME      only these; writes nothing

All mutants are built at once, each behind a switch that reads SHCVERIFY_MUTANT, in a copy of the package in .build/mutants. First, all suites
have to pass without any mutant. Then they are run for each, and first of all the test that RESULTS.md names. The exit code is 1 if a mutant
survives that mutants.txt has no sentence for, or if one is caught that it has a sentence for.
"""

import concurrent.futures
import datetime
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import rows  # noqa: E402
import vectors  # noqa: E402
from package import Package  # noqa: E402

TABLE, RESULTS = HERE / "mutants.txt", HERE / "RESULTS.md"
# How many run at a time, and how long the suites of a mutant may take, in seconds, since a mutant may never end. On a computer that does nothing
# else, each is done in a tenth of that time. A mutant that takes longer has not survived: the limit is no verdict on it.
TOGETHER = int(os.environ.get("SHCVERIFY_MUTANTS_TOGETHER", "2"))
LIMIT = 600
FAILED = re.compile(r"^✘ Test (.+?) recorded an issue (?:with .*? )?at (\w+)\.swift|^differs: (.+)|^(?:.*: )?Fatal error")
# The lines of RESULTS.md that name a test or a vector, and what swift-testing exits with if there is no such test.
KNOWN = re.compile(r"^\| .*\| (\S+) \| (?:\w+: (\w+)\(.*|the vector (\S+)) \|$")
NO_TESTS = 69
COLOR = re.compile(r"\x1b\[[0-9;]*m")


class Result:
    def __init__(self, mutant, outcome, by, seconds):
        self.mutant, self.outcome, self.by, self.seconds = mutant, outcome, by, seconds


class Runner:
    def __init__(self, package, program, slow, known):
        self.package, self.program, self.slow, self.known = package, program, slow, known

    def run(self, suites, number, first=None):
        """Runs suites, or only the first of their tests, until a failure. Returns the outcome, who noticed it, and the whole output."""
        environment = {**os.environ, "SHCVERIFY_MUTANT": str(number), "SHCVERIFY_SHARED": str(self.package.folder / "none")}
        skipped = [test for test in self.slow if test not in suites]
        chosen = first or suites
        if is_of_vectors(chosen[0]):
            command = [sys.executable, "-B", str(HERE / "vectors.py"), str(self.package.place),
                       str(self.program.parent / "shcverify"), *chosen]
        else:
            command = [str(self.program), "--testing-library", "swift-testing", "--no-parallel",
                       "--filter", rows.pattern(chosen), "--skip", rows.pattern(skipped)]
        process = subprocess.Popen(
            [*self.package.prefix, *command],
            cwd=self.package.place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        isLate = threading.Event()

        def end():
            isLate.set()
            stop(process)

        timer = threading.Timer(LIMIT, end)
        if number:
            timer.start()
        output, by = [], None
        for line in process.stdout:
            text = COLOR.sub("", line.decode(errors="replace").rstrip())
            output.append(text)
            found = FAILED.search(text)
            if found:
                by = f"{found[2]}: {found[1]}" if found[2] else f"the vector {found[3]}" if found[3] else "a crash"
                if number:
                    stop(process)
                    break
        process.stdout.close()
        code = process.wait()
        timer.cancel()
        if by is None and isLate.is_set():
            return "late", "the time limit", output
        if by is None and code not in (0, NO_TESTS):
            by = "a crash" if code < 0 or code > 128 else f"exit code {code}"
        return ("caught" if by else "survived"), by, output

    def judge(self, mutant):
        start = time.monotonic()
        groups = [suite for suite in mutant.suites if is_of_vectors(suite)]
        tests = [suite for suite in mutant.suites if suite not in groups]
        outcome, by = "survived", None
        if first := self.first(mutant):
            outcome, by, _ = self.run(mutant.suites, mutant.number, first)
        for suites in (tests, groups):
            if outcome == "survived" and suites:
                outcome, by, _ = self.run(suites, mutant.number)
        result = Result(mutant, outcome, by, time.monotonic() - start)
        print(f"{outcome:8} {mutant.name}" + (f" ({by})" if by else "") + f", {result.seconds:.1f} s\n", end="", flush=True)
        return result

    def confirm(self, suite):
        """Makes sure that a suite passes without a mutant. A second try is for tests that wait for something, on a busy computer."""
        for _ in range(2):
            outcome, by, output = self.run([suite], 0)
            if outcome == "survived" and any("passed after" in line for line in output):
                return
        print("\n".join(output[-40:]))
        raise rows.Problem(f"without a mutant, {suite} does not pass: {by or 'no test was run'}")

    def passing(self, mutant):
        """What has to pass without a mutant: its suites, and of the vectors only that which is run first, since there are many."""
        own = [test for test in self.first(mutant) if is_of_vectors(test)]
        return {suite for suite in mutant.suites if not (own and is_of_vectors(suite))} | set(own)

    def first(self, mutant):
        """The test or the vector that noticed a mutant the last time. It is run first, since that takes less time than a suite."""
        test, vector = self.known.get(mutant.name, (None, None))
        if vector:
            return [vector] if any(vector.startswith(f"{suite}/") for suite in mutant.suites) else []
        targets = dict.fromkeys(suite.partition(".")[0] for suite in mutant.suites if not is_of_vectors(suite))
        return [f"{target}/{test}" for target in targets] if test else []


def known(path):
    """The tests and vectors that RESULTS.md names. A vector may be gone since."""
    found = [match for match in map(KNOWN.match, path.read_text().splitlines()) if match]
    return {match[1]: (match[2], match[3]) for match in found if not match[3] or vectors.cases(ROOT, match[3])[1]}


def is_of_vectors(suite):
    """Whether a suite is a group of vectors, which the program itself runs."""
    return suite.startswith(("cards/", "certificates/"))


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def check(mutants):
    """Whether each row has its place. All problems are told at once."""
    problems = []
    for file in dict.fromkeys(mutant.file for mutant in mutants):
        path = ROOT / file
        own = [mutant for mutant in mutants if mutant.file == file]
        if not path.is_file():
            problems.append(own[0].problem(f"there is no {file}"))
            continue
        source = path.read_text()
        for mutant in own:
            try:
                mutant.span(source)
            except rows.Problem as problem:
                problems.append(problem)
        if not problems:
            rows.changed(source, own)
    tests = "\n".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
    for mutant in mutants:
        for suite in mutant.suites:
            if is_of_vectors(suite):
                continue
            target, _, name = suite.partition("/")[0].partition(".")
            if not (ROOT / "Tests" / target).is_dir() or name and not re.search(rf"(?:struct|class|enum) {name}\b", tests):
                problems.append(mutant.problem(f"there is no suite {suite}"))
    if problems:
        raise rows.Problem("\n".join(map(str, problems)))


def tenth(mutants):
    """A tenth that follows each other, since few targets have to be built for it, without those that may survive."""
    mutants = [mutant for mutant in mutants if not mutant.why]
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    place = int(os.environ.get("SHCVERIFY_MUTANTS_TENTH") or int(commit, 16) % 10)
    return mutants[place * len(mutants) // 10:(place + 1) * len(mutants) // 10]


def chosen(mutants, names):
    if names == "all":
        return mutants
    if names == "tenth":
        return tenth(mutants)
    wanted = names.split(",")
    unknown = [name for name in wanted if name not in {mutant.name for mutant in mutants}]
    if unknown:
        raise rows.Problem(f"there is no mutant {unknown[0]}")
    return [mutant for mutant in mutants if mutant.name in wanted]


def table(results):
    caught = [result for result in results if result.outcome == "caught"]
    late = [result for result in results if result.outcome == "late"]
    survived = [result for result in results if result.outcome == "survived"]
    yield "# Mutants"
    yield ""
    yield (f"`make mutants` made this on {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}, from `mutants.txt`. Of {len(results)} mutants, "
           f"{len(caught)} were caught by a test, {len(late)} ran into the time limit, and {len(survived)} survived. Only the first test that "
           "failed is named.")
    yield ""
    yield "## Survivors"
    yield ""
    yield "| mutant | file | why it may |"
    yield "|---|---|---|"
    for result in survived:
        yield f"| {result.mutant.name} | {result.mutant.file} | {' '.join(result.mutant.why) or '**not explained**'} |"
    yield ""
    yield "## Caught"
    yield ""
    yield "| file | mutant | caught by |"
    yield "|---|---|---|"
    file = None
    for result in results:
        if result.outcome == "survived":
            continue
        yield f"| {result.mutant.file if result.mutant.file != file else ''} | {result.mutant.name} | {words(result.by)} |"
        file = result.mutant.file


def words(by):
    return by.replace("|", "\\|").replace("<", "&lt;")


def main(names):
    mutants, slow = rows.read(TABLE)
    check(mutants)
    if names == "check":
        print(f"all {len(mutants)} mutants have their place")
        return 0
    few = chosen(mutants, names)
    package = Package(ROOT, os.environ.get("SWIFT", "swift"))
    start = time.monotonic()
    package.write(few if names == "tenth" else mutants)
    suites = sorted({suite for mutant in few for suite in mutant.suites})
    targets = {"shcverify" if is_of_vectors(suite) else suite.partition(".")[0] for suite in suites}
    runner = Runner(package, package.build(targets), slow, known(RESULTS))
    print(f"built {len(few)} mutants in {time.monotonic() - start:.0f} s", flush=True)
    start = time.monotonic()
    suites = sorted(set().union(*map(runner.passing, few)))
    with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(runner.confirm, suites))
        print(f"all suites pass without a mutant, {time.monotonic() - start:.0f} s", flush=True)
        results = list(pool.map(runner.judge, few))
    if names == "all":
        RESULTS.write_text("\n".join(table(results)) + "\n")
    unexplained = [result.mutant.name for result in results if result.outcome == "survived" and not result.mutant.why]
    outdated = [result.mutant.name for result in results if result.outcome == "caught" and result.mutant.why]
    survived = sum(result.outcome == "survived" for result in results)
    print(f"{len(results)} mutants, {survived} survived, {time.monotonic() - start:.0f} s")
    for name in unexplained:
        print(f"mutants.py: {name} survived, and mutants.txt does not say why that is right", file=sys.stderr)
    for name in outdated:
        print(f"mutants.py: {name} is caught, so its sentence in mutants.txt is out of date", file=sys.stderr)
    return 1 if unexplained or outdated else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "all"))
    except rows.Problem as problem:
        print(f"mutants.py: {problem}", file=sys.stderr)
        sys.exit(2)
