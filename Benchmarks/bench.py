#!/usr/bin/env python3
"""Compares the speed of `shcverify batch` with `openssl speed`, in one run, and checks each verdict.

    python3 Benchmarks/bench.py [--quick] [--write] [--cards N] [--rounds N] [--shcverify FILE] [--no-stages]

Makes the cards (cards.py) in a temporary directory, where the next run finds them. Each figure is the median of all rounds. A run
of `batch` is compared with runs of `openssl speed` directly before and after it, because other programs change the machine's
speed from minute to minute. --quick is for a first impression: fewer cards, one round, no run with a million cards, no stages.
--no-stages leaves out the stages, whose first build takes a minute. --write writes the results to
Benchmarks/RESULTS.md. The exit code is 1 if a verdict is wrong. The speed does not change it.

Needs Linux, openssl, and Python's `cryptography` 38 or later and `cbor2` (Debian: python3-cryptography, python3-cbor2). pictures.py says
what it needs besides.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from cards import KINDS, NOW, Set  # noqa: E402
from certificates import CertificateSet, MixedSet  # noqa: E402
import pictures  # noqa: E402

HERE = Path(__file__).resolve().parent
MEGABYTE = 1 << 20
CORES = sorted(os.sched_getaffinity(0))


class Run:
    """A process that has ended, with its time, its use of processor and memory, and its exit code."""

    def __init__(self, command, cores=None, output=os.devnull, error=os.devnull, environment=None, peak=False):
        files = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                 (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                 (os.POSIX_SPAWN_OPEN, 2, error, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
        if cores:
            os.sched_setaffinity(0, cores)  # the child process inherits this directly, without a process in between
        try:
            start = time.perf_counter()
            process = os.posix_spawnp(command[0], [str(part) for part in command], environment or os.environ, file_actions=files)
            # The kernel's figure for a child's peak includes this script's own memory, from before the program was
            # started.
            self.peak = self.watched(process) if peak else None
            _, status, usage = os.wait4(process, 0)
            self.seconds = time.perf_counter() - start
        finally:
            os.sched_setaffinity(0, CORES)
        self.code = os.waitstatus_to_exitcode(status)
        self.processor = usage.ru_utime + usage.ru_stime

    @staticmethod
    def watched(process):
        """The peak of a process's memory. It is read until the process has ended."""
        highest = 0
        while os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
            highest = int(found[1]) * 1024 if found else highest
            time.sleep(0.01)
        return highest


class Lanes:
    """How to start a program with crypto_mb, and without it. Where it is not as wanted, a mount for this process alone makes it so."""

    LIBRARIES = f"/usr/lib/{platform.machine()}-linux-gnu"

    def __init__(self, folder):
        library = Path(self.LIBRARIES) / "libcrypto_mb.so.11"
        may_mount = subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0
        # What comes before the command; `used` is nil if crypto_mb cannot be had.
        self.used, self.without = None, []
        if folder and may_mount:
            place = f"lowerdir={os.path.realpath(folder)}:{self.LIBRARIES}"
            self.used = self.after(f"mount -t overlay overlay -o {place} {self.LIBRARIES}")
        elif library.exists():
            self.used = []
        if library.exists():
            # Without the right to hide it, all runs but those with --no-precompute use it.
            self.without = self.after(f"mount --bind /dev/null {os.path.realpath(library)}") if may_mount else []

    @staticmethod
    def after(mount):
        return ["unshare", "-m", "sh", "-c", mount + ' && exec "$@"', "sh"]


class Bench:
    def __init__(self, options):
        self.options = options
        self.lanes = Lanes(options.lanes)
        self.program = options.shcverify
        self.folder = options.folder
        self.rows, self.goals, self.wrong = [], [], []
        self.count = options.cards

    def batch(self, cards, *arguments, cores=None, output=os.devnull, file=None, environment=None, peak=False, prefix=()):
        return Run([*prefix, self.program, "batch", file or cards.cards, "--directory", cards.directory, *getattr(cards, "more", []),
                    "--offline", "--at", NOW, *arguments],
                   cores, output, self.scratch("stderr"), environment, peak)

    def scratch(self, name):
        return f"{self.folder}/{os.getpid()}.{name}"

    # Measuring

    def check(self, cards, *arguments, prefix=()):
        """Compares each verdict with the expected one."""
        output = self.scratch("verdicts")
        run = self.batch(cards, *arguments, output=output, prefix=prefix)
        expected = cards.expected()
        found = 0
        with open(output, "rb") as file:
            for number, line in enumerate(file):
                verdict = json.loads(line)
                reason = (verdict["reason"] or {"code": ""})["code"]
                wanted = expected[number] if number < len(expected) else "no line"
                if reason != wanted or verdict["line"] != number + 1 or (verdict["verdict"] == "pass") != (wanted == ""):
                    self.wrong.append(f"line {number + 1} of {Path(cards.cards).name}: {reason or 'pass'}, not {wanted or 'pass'}")
                found += 1
        if found != len(expected):
            self.wrong.append(f"{found} verdicts on {len(expected)} cards of {Path(cards.cards).name}, exit code {run.code}")
        os.remove(output)
        return found

    def openssl_rsa(self, cores):
        """RSA verifications per second with a key of 2048 bits, by wall time."""
        Run(["openssl", "speed", "-elapsed", "-mr", "-seconds", self.options.seconds, "rsa2048"], cores, self.scratch("speed"))
        found = re.search(r"^\+F2:\d+:2048:[\d.]+:([\d.]+)", Path(self.scratch("speed")).read_text(), re.M)
        return float(found[1]) if float(found[1]) > 1 else 1 / float(found[1])

    def openssl(self, cores, multi=False):
        """ECDSA P-256 verifications per second, by wall time."""
        command = ["openssl", "speed", "-elapsed", "-mr", "-seconds", self.options.seconds]
        Run([*command, *(["-multi", len(cores)] if multi else []), "ecdsap256"], cores, self.scratch("speed"))
        # +F4:curve:bits:sign:verify, the last two in seconds per operation. The rates of several processes are added
        # up.
        fields = re.findall(r"^\+F4:\d+:256:([\d.]+):([\d.]+)", Path(self.scratch("speed")).read_text(), re.M)
        rates = [float(verify) for _, verify in fields]
        return sum(rate if rate > 1 else 1 / rate for rate in rates)

    def row(self, name, value, goal=None, at_least=None, aim=None, unit="", digits=2, less=False):
        text = f"{value:,.{digits}f}{unit}"
        self.rows.append((name, text, "" if at_least is None else f"{at_least:g}{unit}", "" if aim is None else f"{aim:g}{unit}"))
        missed = at_least is not None and (value > at_least if less else value < at_least)
        print(f"  {name:<66} {text:>14}" + (f"   goal {at_least:g}{unit}, aim {aim:g}{unit}{'   MISSED' if missed else ''}" if at_least else ""), flush=True)

    def heading(self, text):
        self.rows.append((f"**{text}**", "", "", ""))
        print(f"\n{text}", flush=True)

    # The parts

    def speed(self):
        one, every = {CORES[0]}, set(CORES)
        sets = {name: Set(self.folder, self.count, issuers, uniform) for name, issuers, uniform in [
            ("600 issuers, evenly", 600, True), ("600 issuers, Zipf", 600, False), ("300 issuers, Zipf", 300, False),
            ("10 issuers, Zipf", 10, False)]}
        ways = {"": ([], self.lanes.without), ", --no-precompute": (["--no-precompute"], [])}
        if self.lanes.used is not None:
            ways[", crypto_mb"] = ([], self.lanes.used)
        print(f"checking {len(sets) * len(ways)} times {self.count:,} verdicts", flush=True)
        for cards in sets.values():
            for arguments, prefix in ways.values():
                self.check(cards, *arguments, prefix=prefix)
        figures = {}
        note = lambda name, value: figures.setdefault(name, []).append(value)
        for _ in range(self.options.rounds):
            before = self.openssl(one)
            for name, cards in sets.items():
                for way, (arguments, prefix) in ways.items():
                    run = self.batch(cards, "--jobs", 1, *arguments, cores=one, prefix=prefix)
                    after = self.openssl(one)
                    limit = statistics.harmonic_mean([before, after])
                    before = after
                    note("openssl, one core", limit)
                    note(f"{name}{way}", self.count / run.seconds)
                    note(f"{name}{way} ratio", self.count / run.seconds / limit)
                    if arguments:
                        note("outside", run.seconds / self.count * 1e6 - 1e6 / limit)
            before = self.openssl(every, multi=True)
            for name, cards in sets.items():
                rate = self.count / self.batch(cards, cores=every, prefix=self.lanes.without).seconds
                after = self.openssl(every, multi=True)
                multi = statistics.harmonic_mean([before, after])
                before = after
                note("openssl, all cores", multi)
                note(f"{name}, all cores ratio", rate / multi)
                if len(CORES) > 1:
                    alone = self.batch(cards, "--jobs", 1, cores=one).seconds
                    note("two cores", alone / self.batch(cards, "--jobs", 2, cores=set(CORES[:2])).seconds)
            for name, command in self.peers().items():
                note(name, self.peer(command, sets["600 issuers, evenly"], one))
        median = {name: statistics.median(values) for name, values in figures.items()}

        self.heading(f"Cards a second, {self.count:,} cards, 1 % bad, one core")
        self.row("openssl speed ecdsap256", median["openssl, one core"], unit=" verify/s", digits=0)
        self.row(f"openssl speed -multi {len(CORES)} ecdsap256", median["openssl, all cores"], unit=" verify/s", digits=0)
        for name in sets:
            for way in ways:
                self.row(name + way, median[name + way], unit=" cards/s", digits=0)
        for name in self.peers():
            self.row(f"{name}, a loop over the same cards", median[name], unit=" cards/s", digits=0)
        self.heading("cards/s ÷ verify/s")
        goals = {"600 issuers, evenly": (0.97, 1.05), "600 issuers, evenly, crypto_mb": (1.8, 2.2),
                 "10 issuers, Zipf": (1.7, 2.2), "10 issuers, Zipf, crypto_mb": (1.7, 2.2)}
        for name in sets:
            for way in ways:
                least, aim = goals.get(name + way, (None, None))
                self.row(f"one core, {name}{way}", median[f"{name}{way} ratio"], at_least=least, aim=aim)
            self.row(f"all cores, {name}", median[f"{name}, all cores ratio"])
        self.heading("A card")
        self.row("outside ECDSA: one core, --no-precompute, less openssl's verify", median["outside"], at_least=14, aim=12, unit=" µs", digits=1, less=True)
        if "two cores" in median:
            self.row("two cores ÷ one core", median["two cores"], at_least=1.9, aim=1.97)
        self.sets = sets

    def peers(self):
        """The programs of others that can be had here: what a developer would write with a common library, without checks of trust."""
        return {name: command for name, command in {
            "Python's cryptography": [sys.executable, "-B", str(HERE / "peer.py")],
            "node": ["node", str(HERE / "peer.js")]}.items() if shutil.which(command[0])}

    def peer(self, command, cards, cores):
        """How many cards another program verifies a second, without its start."""
        count = min(self.count, 5_000)
        Run([*command, cards.cards, cards.directory, count], cores, self.scratch("peer"))
        passed, seconds = Path(self.scratch("peer")).read_text().split()
        # They look at no times and no Bundle, and use what the header should say instead of what it says.
        accepted = ("", "expired", "not-yet-valid", "unsupported-algorithm", "unsupported-compression", "malformed-payload")
        if int(passed) != sum(reason in accepted for reason in cards.expected()[:count]):
            self.wrong.append(f"{command[0]} passed {passed} of {count} cards")
        return count / float(seconds)

    def lint(self):
        """lint --lines, compared with batch on the same file."""
        one = {CORES[0]}
        cards = Set(self.folder, self.count // 2, 300)
        self.check(cards)
        ratios = []
        for _ in range(self.options.rounds):
            before = self.batch(cards, "--jobs", 1, cores=one).processor
            run = Run([self.program, "lint", "--lines", cards.cards, "--directory", cards.directory, "--offline", "--at", NOW,
                       "--jobs", 1], one)
            ratios.append(run.processor / statistics.mean([before, self.batch(cards, "--jobs", 1, cores=one).processor]))
        self.heading(f"lint --lines, {cards.count:,} cards of 300 issuers")
        self.row("its processor time ÷ that of batch", statistics.median(ratios), at_least=2.0, aim=1.6, less=True)

    def carriers(self):
        """A line of batch in each carrier, compared with the same JWS alone."""
        one = {CORES[0]}
        cards = Set(self.folder, self.count // 5, 300)
        digits = str.maketrans({chr(code): f"{code - 45:02}" for code in range(45, 123)})
        forms = {
            "shc:/…": lambda text: "shc:/" + text.translate(digits),
            '{"card": JWS}': lambda text: json.dumps({"card": text, "id": 1}),
            '{"card": "shc:/…"}': lambda text: json.dumps({"card": "shc:/" + text.translate(digits), "id": 1}),
        }
        lines = Path(cards.cards).read_text().splitlines()
        ratios = {name: [] for name in forms}
        for _ in range(self.options.rounds):
            for name, form in forms.items():
                file = self.scratch("carriers")
                # Some of the bad cards in the set are no JWS.
                Path(file).write_text("".join(f"{form(line) if line.startswith('eyJ') else line}\n" for line in lines))
                runs = [self.batch(cards, "--jobs", 1, "--no-precompute", cores=one, file=each).processor
                        for each in (cards.cards, file, file, cards.cards)]
                ratios[name].append((runs[1] + runs[2]) / (runs[0] + runs[3]))
        self.heading(f"A line of batch ÷ the same JWS, {cards.count:,} cards of 300 issuers, --no-precompute")
        for name, found in ratios.items():
            self.row(f"`{name}`", statistics.median(found), at_least=1.1, aim=1.0, less=True)

    def certificates(self):
        """EU certificates, and a mix of cards and certificates."""
        one = {CORES[0]}
        count = self.count // 2
        cards = Set(self.folder, count, 300)
        es256, ps256 = CertificateSet(self.folder, count, "ES256", 100), CertificateSet(self.folder, count // 5, "PS256", 10)
        sets = {"ES256, 100 signers": (es256, self.openssl), "PS256, 10 signers": (ps256, self.openssl_rsa),
                "cards and ES256 in turn": (MixedSet(cards, es256), self.openssl)}
        for part, _ in sets.values():
            self.check(part)
        ways = {"": self.lanes.without} | ({", crypto_mb": self.lanes.used} if self.lanes.used is not None else {})
        ratios = {}
        for _ in range(self.options.rounds):
            for name, (part, limit) in sets.items():
                for way, prefix in ways.items():
                    before = limit(one)
                    run = self.batch(part, "--jobs", 1, cores=one, prefix=prefix)
                    ratio = part.count / run.seconds / statistics.harmonic_mean([before, limit(one)])
                    ratios.setdefault(name + way, []).append(ratio)
        self.heading("EU certificates: certificates/s ÷ verify/s, one core")
        for name, values in ratios.items():
            goal = dict(at_least=0.9, aim=1.5) if name.startswith("ES256") else {}
            self.row(name, statistics.median(values), **goal)

    def allocations(self):
        """Allocations per card, from two runs of different lengths."""
        library, result = self.scratch("so"), self.scratch("allocations")
        compiler = next((c for c in ("cc", "clang", "gcc") if shutil.which(c)), None)
        if compiler is None or subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, HERE / "allocations.c"]).returncode:
            print("allocations are not counted: no C compiler", flush=True)
            return
        cards = self.sets["600 issuers, Zipf"]
        environment = {**os.environ, "LD_PRELOAD": library, "ALLOCATIONS_FILE": result}
        counts = []
        for count in self.count // 10, self.count // 5:
            part = self.part(cards, count)
            self.batch(cards, "--no-precompute", "--jobs", 1, file=part, environment=environment)
            if not os.path.exists(result):
                print("allocations are not counted: the process wrote no figures", flush=True)
                return
            counts.append([int(number) for number in Path(result).read_text().split()])
            os.remove(result)
        step = self.count // 5 - self.count // 10
        self.row("allocations, --no-precompute", (counts[1][0] - counts[0][0]) / step, digits=1)
        self.row("bytes allocated, --no-precompute", (counts[1][1] - counts[0][1]) / step, digits=0)

    def part(self, cards, count):
        """A file of the first cards. If there are too few, they are repeated."""
        path = self.scratch("part")
        with open(cards.cards, "rb") as source, open(path, "wb") as file:
            lines = source.readlines()
            for _ in range(count // len(lines)):
                file.writelines(lines)
            file.writelines(lines[:count % len(lines)])
        return path

    def size(self):
        """Peak memory and time for different numbers of cards."""
        self.heading("Many cards, all cores, 600 issuers")
        cards, figures = self.sets["600 issuers, Zipf"], {}
        base = self.count
        for count in (base // 10, base, base * 10) if not self.options.quick else (base // 10, base):
            part = self.part(cards, count)
            runs = [self.batch(cards, file=part, peak=True) for _ in range(self.options.rounds)]
            figures[count] = statistics.median(run.seconds for run in runs)
            goal = dict(at_least=48, aim=40) if count == base * 10 else {}
            self.row(f"peak memory at {count:,}", max(run.peak for run in runs) / MEGABYTE, unit=" MB", digits=1, less=True, **goal)
        if base * 10 in figures:
            self.row(f"time at {base * 10:,} ÷ 10 × time at {base:,}", figures[base * 10] / figures[base] / 10, at_least=1.05, aim=1.0, less=True)

    def latency(self):
        """One card, compared with a program that loads the same library and does nothing."""
        vectors = HERE.parent / "TestVectors"
        commands = {
            "openssl version": ["openssl", "version"],
            "shcverify --version": [self.program, "--version"],
            "one card, keys from a file": [self.program, "verify", vectors / "cards/inputs/file.smart-health-card", "--jwks",
                                           vectors / "keys/issuer-a.jwks.json", "--offline", "--at", NOW],
        }
        times = {name: [] for name in commands}
        ratios = []
        for _ in range(20 if self.options.quick else 200):
            for name, command in commands.items():
                run = Run(command)
                times[name].append(run.seconds * 1e3)
                if run.code != 0:
                    self.wrong.append(f"{name}: exit code {run.code}")
            ratios.append(times["one card, keys from a file"][-1] / times["openssl version"][-1])
        self.heading("Start-up, wall time")
        for name, values in times.items():
            self.row(name, statistics.median(values), unit=" ms")
        self.row("one card ÷ openssl version", statistics.median(ratios), at_least=2.6, aim=2.2, less=True)

    def stages(self):
        """The stages of verifying a card, one line each."""
        self.heading("Stages, one card on one core")
        build = ["swift", "build", "--configuration", "release", "--scratch-path", ".build/stages"]
        environment = {**os.environ, "SHCVERIFY_TARGETS": "Stages"}
        built = subprocess.run([*build, "--product", "Stages"], cwd=HERE.parent, env=environment, capture_output=True, text=True)
        run = subprocess.run([HERE.parent / ".build/stages/release/Stages"], capture_output=True, text=True) if built.returncode == 0 else built
        if run.returncode != 0:
            print(run.stdout[-2000:], run.stderr[-2000:], file=sys.stderr)
            self.wrong.append("the stages did not run")
            return
        for line in run.stdout.splitlines():
            name, nanoseconds = line.split("\t")
            self.row(name, int(nanoseconds) / 1000, unit=" µs")

    def machine(self):
        model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
        version = subprocess.run([self.program, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
        openssl = subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout.strip()
        return f"{model}, {len(CORES)} cores; {openssl}; shcverify {version}; {os.path.getsize(self.program) / MEGABYTE:.1f} MB"

    def write(self):
        rounds = f"medians of {self.options.rounds} rounds" if self.options.rounds > 1 else "one round"
        lines = ["# Results", "",
                 f"{datetime.date.today()}, {self.machine()}. Made by `make bench`; {rounds}.",
                 "Every verdict was as expected. Runs that are timed print to /dev/null; the verdicts are checked in other runs.", "",
                 "| | measured | goal | aim |", "|---|--:|--:|--:|", *("| " + " | ".join(row) + " |" for row in self.rows)]
        (HERE / "RESULTS.md").write_text("\n".join(lines) + "\n")

    def clean(self):
        for path in Path(self.folder).glob(f"{os.getpid()}.*"):
            path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cards", type=int, help="number of cards (default 100,000)")
    parser.add_argument("--rounds", type=int, help="number of measurements of each figure (default 3)")
    parser.add_argument("--seconds", type=int, help="duration of each run of openssl speed (default 2)")
    parser.add_argument("--quick", action="store_true", help="20,000 cards, one round, no run with a million cards, no stages")
    parser.add_argument("--write", action="store_true", help="write Benchmarks/RESULTS.md")
    parser.add_argument("--no-stages", action="store_true", help="leave out the stages of verifying a card")
    parser.add_argument("--only", choices=["speed", "carriers", "certificates", "lint", "latency", "pictures", "stages"], help="only this part")
    parser.add_argument("--lanes", help="a folder with libcrypto_mb.so.11, to measure with crypto_mb although it is not installed (as root)")
    parser.add_argument("--shcverify", default="shcverify", help="the program to measure")
    parser.add_argument("--folder", help="where the cards are kept (default: a directory below the temporary one)")
    options = parser.parse_args()
    options.cards = options.cards or (20_000 if options.quick else 100_000)
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.seconds = options.seconds or (1 if options.quick else 2)
    options.folder = options.folder or f"{tempfile.gettempdir()}/shcverify-bench-{os.getuid()}"
    os.makedirs(options.folder, mode=0o700, exist_ok=True)
    options.shcverify = shutil.which(options.shcverify) or sys.exit(f"bench: there is no program {options.shcverify}")

    bench = Bench(options)
    print(bench.machine())
    try:
        if options.only in (None, "speed"):
            bench.speed()
            bench.allocations()
            bench.size()
        if options.only in (None, "carriers"):
            bench.carriers()
        if options.only in (None, "certificates"):
            bench.certificates()
        if options.only in (None, "lint"):
            bench.lint()
        if options.only in (None, "latency"):
            bench.latency()
        if options.only in (None, "pictures"):
            pictures.measure(bench, Run, CORES)
        if not options.quick and not options.no_stages and options.only in (None, "stages"):
            bench.stages()
    finally:
        bench.clean()
    if bench.wrong:
        print(f"\n{len(bench.wrong)} verdicts or runs are wrong:", *bench.wrong[:20], sep="\n  ", file=sys.stderr)
        sys.exit(1)
    print(f"\nevery verdict is as expected ({len(KINDS)} kinds of bad cards)")
    if options.write:
        bench.write()


if __name__ == "__main__":
    main()
