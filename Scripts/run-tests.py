#!/usr/bin/env python3
"""Builds the tests, and runs them.

    run-tests.py [--sanitize address|thread|undefined] [--coverage] [--build-only] [PATTERN]

PATTERN selects suites by the names of their tests, such as CommandLineTests.BatchTests. SHCVERIFY_PROGRAMS names a folder whose programs the tests start
instead of those of this build.

Parts of the tests run at once, one more than there are processors, since some wait. Each has a process of its own, and runs one test at a
time: so the time limit of a test is its own. First, all tests run without ../shared, which a clone does not have. Those that read it are skipped then, and run
afterwards, if the folder is there. What each part prints is in .build/test-logs.
"""

import argparse
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "TestVectors"))

import texts  # noqa: E402

SWIFT = os.environ.get("SWIFT", "swift")
LOGS = ROOT / ".build/test-logs"
SHARED = Path(os.environ.get("SHCVERIFY_SHARED") or ROOT.parent / "shared")
# A target whose suites start processes and wait for them. Each of them is a part of its own, the others are one for each target.
SPLIT = {"CommandLineTests"}
# The pages of sessions run in several parts, since they take longer than anything else.
SESSIONS = "CommandLineTests.SessionTests"
# What takes longest begins first, so that nothing waits for the last part. Any other order would only take longer.
LONG = re.compile("(ListUpdate|HostilePicture|DirectoryAudit|Session|Schema|BatchNetwork)Tests$|^(Conformance|FHIR|SMARTHealthCards|Cryptography)Tests$")
# A release does not read the variable that names a library of these tests.
OF_TEST_BUILD = {"CommandLineTests.LanesTests"}
# Each sanitizer has a build folder of its own, so that the usual build is not thrown away. The compiler for Linux has no sanitizer for
# undefined behaviour. In Swift that traps in any build, so `undefined` checks C only: our own, and what headers of OpenSSL and zlib define.
SANITIZERS = {
    "address": ["--sanitize", "address"],
    "thread": ["--sanitize", "thread"],
    "undefined": [word for flag in ("-fsanitize=undefined", "-fno-sanitize-recover=undefined") for word in ("-Xcc", flag)]
    + ["-Xswiftc", "-Xclang-linker", "-Xswiftc", "-fsanitize=undefined"],
}
# Without optimisation, most time would pass in the libraries that are tested. DEBUG lets the programs read variables that are for tests.
OPTIMIZED = ["--configuration", "release", "--scratch-path", ".build/tests", "-Xswiftc", "-enable-testing", "-Xswiftc", "-DDEBUG"]
COLOR = re.compile(r"\x1b\[[0-9;]*m")
COUNT = re.compile(r"Test run with (\d+) tests?")
SKIPPED = re.compile(r'^➜ (Test|Suite) .* skipped(?:: "(.*)")?$', re.MULTILINE)
# The lines that say nothing of a failure.
GOOD = re.compile(r"^[◇✔➜]")
HIDE = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'


class Part:
    """Tests that run one after the other in a process of their own."""

    def __init__(self, name, pattern, environment=None):
        self.name, self.pattern, self.prefix, self.environment = name, pattern, (), environment or {}

    def run(self, program):
        """Runs the tests. Returns whether they passed, their number and the reasons for which some were skipped."""
        start = time.monotonic()
        environment = {**os.environ, **self.environment}
        if self.name in OF_TEST_BUILD:
            environment.pop("SHCVERIFY_PROGRAMS", None)
        command = [*self.prefix, program, "--testing-library", "swift-testing", "--no-parallel", "--filter", self.pattern]
        log = LOGS / f"{self.name}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
            _, status, used = os.wait4(process.pid, 0)
            code = process.returncode = os.waitstatus_to_exitcode(status)
        text = COLOR.sub("", log.read_text(errors="replace"))
        count = sum(map(int, COUNT.findall(text)[-1:]))
        passed = code == 0 and count > 0
        lines = [f"{'✔' if passed else '✘'} {self.name}: {count} tests, {time.monotonic() - start:.0f} s, "
                 f"{used.ru_utime + used.ru_stime:.0f} s of processor time"]
        if not passed:
            told = [line for line in text.splitlines() if line and not GOOD.match(line)]
            lines += [f"    {line}" for line in told[-100:] or text.splitlines()[-20:]] + [f"    exit code {code}; the whole output: {log}"]
        print("\n".join(lines), flush=True)
        return self, passed, count, [reason for _, reason in SKIPPED.findall(text)]


def build(options):
    """Builds the tests, and returns the folder with their program."""
    # Standard output is for the folder, if that was asked for.
    if subprocess.run([SWIFT, "build", "--build-tests", *options], cwd=ROOT, stdout=sys.stderr, check=False).returncode:
        sys.exit("run-tests: the build failed")
    shown = subprocess.run([SWIFT, "build", *options, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    folder = Path(shown.stdout.strip())
    scanner = ROOT / "Scanner/.build/release/shcverify-scan"
    if scanner.exists():
        shutil.copy(scanner, folder)
    return folder


def parts(program, pattern):
    """The parts of the tests of which one has a name that the pattern matches."""
    listed = subprocess.run([program, "--testing-library", "swift-testing", "--list-tests"], check=True, capture_output=True, text=True).stdout
    # A test is named TARGET.SUITE/NAME, or TARGET.NAME if it is in no suite.
    suites = sorted({re.split(r"[/(]", line)[0] for line in listed.splitlines() if re.search(pattern, line)})
    names = {suite if suite.partition(".")[0] in SPLIT else suite.partition(".")[0]: [] for suite in suites}
    for name, suite in itertools.product(names, suites):
        if f"{suite}.".startswith(f"{name}."):
            names[name].append(re.escape(suite.partition(".")[2]))
    found = []
    for name, suites in sorted(names.items(), key=lambda item: (not LONG.search(item[0]), "." not in item[0])):
        pages = [{"SHCVERIFY_PAGES": pages} for pages in groups_of_pages()] if name == SESSIONS and "SHCVERIFY_PAGES" not in os.environ else [{}]
        for number, variables in enumerate(pages, 1):
            title = name if len(pages) == 1 else f"{name} {number} of {len(pages)}"
            found.append(Part(title, rf"^{name.partition('.')[0]}[.]({'|'.join(suites)})[/(]", variables))
    return found


def groups_of_pages():
    """The pages of sessions, in groups that take about as long as each other."""
    pages = sorted((ROOT / "Tests/Sessions").glob("*.md"), key=lambda page: -page.stat().st_size)
    return [" ".join(page.name for page in pages[number::4]) for number in range(4)]


def hidden():
    """How a part runs without ../shared: a prefix of its command, and variables."""
    none = LOGS / "none"
    none.mkdir(exist_ok=True)
    if not SHARED.exists():
        return [], {}
    # A test that names the folder in another way does not find it either.
    prefix = ["unshare", "--mount", "bash", "-c", HIDE, "_", str(none), str(SHARED.resolve())]
    if os.geteuid() == 0 and subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return prefix, {}
    print("Without the right to make a mount namespace, ../shared is hidden from the tests by SHCVERIFY_SHARED alone.")
    return [], {"SHCVERIFY_SHARED": str(none)}


def run(parts, program):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
        return list(pool.map(lambda part: part.run(program), parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sanitize", choices=SANITIZERS)
    parser.add_argument("--coverage", action="store_true", help="write profiles to .build/coverage/profiles")
    parser.add_argument("--build-only", action="store_true", help="run nothing, and print the folder of the build at last")
    parser.add_argument("pattern", nargs="?", default="")
    given = parser.parse_args()
    options = OPTIMIZED
    if given.sanitize:
        # The search for leaks is off: Swift tags pointers, so it does not find them.
        os.environ.update(SANITIZE=given.sanitize, ASAN_OPTIONS="detect_leaks=0",
                          TSAN_OPTIONS=f"suppressions={ROOT}/Tests/thread-suppressions.txt")
        options = ["--scratch-path", f".build/sanitize-{given.sanitize}", *SANITIZERS[given.sanitize]]
    if given.coverage:
        # Each process writes a file of its own. If several share one, counts of shared code are added twice and soon overflow.
        os.environ["LLVM_PROFILE_FILE"] = f"{ROOT}/.build/coverage/profiles/%p.profraw"
        options = ["--scratch-path", ".build/coverage", "--enable-code-coverage"]
    if options is OPTIMIZED:
        # The tests themselves are not optimised, as Package.swift says.
        os.environ["SHCVERIFY_RELEASE"] = "1"
    start = time.monotonic()
    folder = build(options)
    if given.build_only:
        print(folder)
        return 0
    program = folder / "shcverifyPackageTests.xctest"
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    all = parts(program, given.pattern)
    if not all:
        sys.exit(f"run-tests: no suite is named {given.pattern}")
    os.environ["SHCVERIFY_VECTORS"] = str(texts.unpacked())
    prefix, variables = hidden()
    for part in all:
        part.prefix = prefix
        part.environment |= variables
    results = run(all, program)
    skipped = [reason for result in results for reason in result[3]]
    # If the folder was not hidden, a test could read it and fail in a clone.
    hid = any("../shared is missing" in reason for reason in skipped) or given.pattern != ""
    if not hid:
        print("✘ no test was skipped because ../shared is missing")
    again = {}
    for suite, pattern in map(str.split, subprocess.run(
            [sys.executable, "-B", ROOT / "Scripts/shared-tests.py"], check=True, capture_output=True, text=True).stdout.splitlines()):
        for part in all:
            if part.name in (suite, suite.partition(".")[0]):
                again.setdefault(part.name, []).append(pattern)
    if (SHARED / "conformance").is_dir():
        skipped = [reason for reason in skipped if "../shared is missing" not in reason]
        more = run([Part(f"{name} with shared", "|".join(patterns)) for name, patterns in again.items()], program)
        results += more
        skipped += [reason for result in more for reason in result[3]]
    for reason in sorted(set(skipped)):
        print(f"➜ skipped ({skipped.count(reason)}): {reason or 'no reason given'}")
    failed = [result[0].name for result in results if not result[1]]
    print(f"{sum(result[2] for result in results)} tests in {len(results)} parts, {time.monotonic() - start:.0f} s with the build: "
          + (f"FAILED in {', '.join(failed)}" if failed else "all passed" if hid else "FAILED"))
    return 1 if failed or not hid else 0


if __name__ == "__main__":
    sys.exit(main())
