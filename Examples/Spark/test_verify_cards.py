#!/usr/bin/env python3
"""Tests verify_cards.py: test_verify_cards.py PROGRAM [--measure]

PROGRAM is a release of shcverify. 200,000 cards are verified on a cluster of two executors on this machine, of which one is killed
halfway. An issuer's server on the loopback interface publishes the keys and the revocation list. With --measure, the times of Spark and of
plain batch are printed too.
"""

import collections
import contextlib
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import pyarrow
import pyarrow.dataset
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "TestVectors"
sys.path[:0] = [str(ROOT / "Tests" / "TestSupport"), str(ROOT / "Examples" / "Spark")]
import issuer  # noqa: E402
import verify_cards  # noqa: E402

MEASURES = "--measure" in sys.argv
PROGRAM = pathlib.Path(sys.argv[1]).resolve()
JOB = ROOT / "Examples" / "Spark" / "verify_cards.py"
HOST, ISSUER = "issuer-a.example", "https://issuer-a.example/cards"
TIME = ["--at", "2026-06-01T00:00:00Z"]
COUNT = 200_000
PARTITIONS = 16

# Each card with the verdict that the test vectors expect, and the issuer that the card names.
KINDS = [
    ("inputs/jws.jws", ISSUER, "pass", None),
    ("valid/laboratory.jws", ISSUER, "pass", None),
    ("valid/rid-of-24.jws", ISSUER, "pass", None),
    ("signature/payload-changed.jws", ISSUER, "fail", "signature-invalid"),
    ("signature/of-another-card.jws", ISSUER, "fail", "signature-invalid"),
    ("time/exp-past.jws", ISSUER, "fail", "expired"),
    ("directory/snapshot-revoked.jws", ISSUER, "fail", "revoked"),
    ("trust/longer-host.jws", "https://issuer-a.example.attacker.example/cards", "fail", "issuer-not-trusted"),
    (None, None, "fail", "malformed-input"),
]


def card(kind):
    return (VECTORS / "cards" / KINDS[kind][0]).read_text().strip() if KINDS[kind][0] else "no card\nat all"


@contextlib.contextmanager
def published(folder):
    """Publishes the keys and the list of the issuer. The value has the options and the environment with which it is reached."""
    issuer.HOSTS.append(HOST)
    keys = json.loads((VECTORS / "keys" / "sets" / "revocation-listed.jwks.json").read_text())
    served = folder / "served" / "cards"
    (served / ".well-known" / "crl").mkdir(parents=True)
    (served / ".well-known" / "jwks.json").write_text(json.dumps(keys))
    shutil.copy(VECTORS / "crls" / "revocation-no-rid.json", served / ".well-known" / "crl" / f"{keys['keys'][0]['kid']}.json")
    world = issuer.World(str(served.parent), str(folder))

    class Proxy(issuer.Proxy):
        """Connects every name and port to the issuer's server."""

        def do_CONNECT(self):
            self.path = f"{HOST}:{world.ports['good']}"
            super().do_CONNECT()

    next(server for server in world.servers if server.name == "proxy").RequestHandlerClass = Proxy
    yield ["--issuer", ISSUER, "--ca-file", world.authority_path], {"https_proxy": f"http://127.0.0.1:{world.ports['proxy']}"}


@contextlib.contextmanager
def measured(name):
    """Prints the time that something takes, and the time of processors that it and its children use."""
    start, before = time.monotonic(), os.times()
    yield
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"{name}: {time.monotonic() - start:.1f} s, {used:.1f} s of processors", flush=True)


def write_cards(path):
    cards = [card(kind) for kind in range(len(KINDS))]
    columns = {"id": [f"card {number}" for number in range(COUNT)], "card": [cards[number % len(KINDS)] for number in range(COUNT)]}
    pyarrow.parquet.write_table(pyarrow.table(columns), path, use_dictionary=["card"])


def executors(parent):
    """The processes of executors that are below a process."""
    children = collections.defaultdict(list)
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            children[int(stat.read_text().rpartition(")")[2].split()[1])].append(int(stat.parent.name))
    found, waiting = [], [parent]
    while waiting:
        process = waiting.pop()
        waiting += children[process]
        with contextlib.suppress(OSError):
            if b"CoarseGrainedExecutorBackend" in pathlib.Path(f"/proc/{process}/cmdline").read_bytes():
                found.append(process)
    return found


class ClusterTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.cards, self.output = self.folder / "cards.parquet", self.folder / "verdicts"

    def start(self, master, words, environment, program=PROGRAM):
        submit = pathlib.Path(sys.executable).parent / "spark-submit"
        import pyspark
        settings = ["spark.ui.enabled=false", "spark.log.level=WARN", "spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1",
                    f"spark.local.dir={self.folder}"]
        command = [str(submit), "--master", master, *[word for setting in settings for word in ("--conf", setting)], str(JOB), str(self.cards),
                   str(self.output), "--program", str(program), "--partitions", str(PARTITIONS), *words, "--", *TIME]
        with open(self.folder / "log", "wb") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, cwd=self.folder,
                env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": os.path.dirname(pyspark.__file__),
                     "SPARK_WORKER_DIR": str(self.folder / "work"), "PYSPARK_PYTHON": sys.executable, "XDG_CACHE_HOME": str(self.folder / "cache"), **environment})

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def expect_verdicts(self):
        """Every id has one verdict, and it is the expected one."""
        rows = pyarrow.dataset.dataset(self.output).to_table().to_pylist()
        self.assertEqual(len(rows), COUNT)
        found = {row["id"]: (row["issuer"], row["verdict"], row["reason"]) for row in rows}
        self.assertEqual(found, {f"card {number}": KINDS[number % len(KINDS)][1:] for number in range(COUNT)})

    def test_every_card_has_one_verdict_although_an_executor_is_killed(self):
        write_cards(self.cards)
        with published(self.folder) as (words, environment):
            job = self.start("local-cluster[2,1,1024]", words, environment)
            # Once some tasks are done and others are not, the work is halfway.
            done = 0
            while job.poll() is None and done < 3:
                done = len(list(self.output.glob("_temporary/0/task_*")))
                time.sleep(0.02)
            running = executors(job.pid)
            if job.poll() is None:
                os.kill(running[0], signal.SIGKILL)
            done = len(list(self.output.glob("_temporary/0/task_*")))
            table = job.communicate(timeout=500)[0].decode()
        self.assertEqual(job.returncode, 0, table[-3000:] + self.log()[-3000:])
        self.assertEqual(len(running), 2)
        self.assertTrue(3 <= done < PARTITIONS, f"{done} tasks were done when the executor was killed")
        self.assertRegex(self.log(), "Lost executor|Lost task")
        self.expect_verdicts()
        expected = collections.Counter(KINDS[number % len(KINDS)][1::2] for number in range(COUNT))
        printed = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("|")]
        self.assertEqual(printed[0], ["issuer", "reason", "count"])
        self.assertEqual(
            {tuple(row) for row in printed[1:]},
            {(issuer or "NULL", reason or "NULL", str(count)) for (issuer, reason), count in expected.items()})

    def test_no_card_is_verified_without_the_keys(self):
        write_cards(self.cards)
        job = self.start("local[1]", ["--issuer", "https://localhost:1/cards"], {})
        job.communicate(timeout=300)
        self.assertNotEqual(job.returncode, 0)
        self.assertFalse(self.output.exists())

    def test_program_may_be_in_the_path_and_ids_may_be_numbers(self):
        snapshot = write_snapshot(self.folder)
        cards = [card(kind) for kind in (0, 3)]
        pyarrow.parquet.write_table(pyarrow.table({"id": pyarrow.array([1, 2**40], "int64"), "card": cards}), self.cards)
        environment = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
        job = self.start("local[1]", ["--snapshot", str(snapshot)], environment, PROGRAM.name)
        job.communicate(timeout=300)
        self.assertEqual(job.returncode, 0, self.log()[-3000:])
        rows = pyarrow.dataset.dataset(self.output).to_table().to_pylist()
        self.assertEqual({row["id"]: row["verdict"] for row in rows}, {"1": "pass", str(2**40): "fail"})

    def test_missing_program_is_refused_at_once(self):
        write_cards(self.cards)
        job = self.start("local[1]", ["--issuer", "https://localhost:1/cards"], {}, "no-such-program")
        words = job.communicate(timeout=300)[0].decode() + self.log()
        self.assertEqual(job.returncode, 2)
        self.assertIn("--program no-such-program: there is no such program", words)
        self.assertNotIn("collect", words)

    @unittest.skipUnless(MEASURES, "measures")
    def test_costs(self):
        write_cards(self.cards)
        lines = self.folder / "cards.ndjson"
        with open(lines, "w") as file:
            for row in pyarrow.parquet.read_table(self.cards).to_pylist():
                file.write(json.dumps(row) + "\n")
        with published(self.folder) as (words, environment):
            snapshot = self.folder / "snapshot.json"
            subprocess.run([str(PROGRAM), "directory", "collect", *words[2:], "--output", str(snapshot), ISSUER], check=True,
                           env={**os.environ, **environment})
        for jobs in (1, 2):
            with measured(f"batch --jobs {jobs}"), open(self.folder / "verdicts.ndjson", "wb") as file:
                subprocess.run([str(PROGRAM), "batch", "--directory", str(snapshot), "--offline", "--jobs", str(jobs), *TIME, str(lines)],
                               stdout=file, stderr=subprocess.DEVNULL)
        for master in ("local[1]", "local[2]"):
            shutil.rmtree(self.output, ignore_errors=True)
            with measured(f"Spark, {master}"):
                job = self.start(master, ["--snapshot", str(snapshot)], {})
                job.communicate(timeout=500)
            self.assertEqual(job.returncode, 0, self.log()[-3000:])
            self.expect_verdicts()


def write_snapshot(folder):
    """A snapshot with the keys of the issuer."""
    keys = json.loads((VECTORS / "keys" / "issuer-a.jwks.json").read_text())["keys"]
    snapshot = pathlib.Path(folder) / "snapshot.json"
    snapshot.write_text(json.dumps({"issuerInfo": [{"issuer": {"iss": ISSUER, "name": "A"}, "keys": keys}]}))
    return snapshot


class PartitionTests(unittest.TestCase):
    """The function that verifies a partition, without Spark."""

    def verdicts(self, rows, program=PROGRAM, batch_size=1000):
        with tempfile.TemporaryDirectory() as folder:
            snapshot = write_snapshot(folder)
            table = pyarrow.table({"id": pyarrow.array([row[0] for row in rows], "string"),
                                   "card": pyarrow.array([row[1] for row in rows], "string")})
            with unittest.mock.patch.object(verify_cards.SparkFiles, "get", lambda name: name), \
                    unittest.mock.patch.object(verify_cards.TaskContext, "get", lambda: unittest.mock.Mock(cpus=lambda: 1)):
                verify = verify_cards.verifier(str(program), str(snapshot), TIME)
                return [row for batch in verify(iter(table.to_batches(batch_size))) for row in batch.to_pylist()]

    def with_program(self, script, rows, version="exit 0"):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then {version}; fi\n{script}\n')
            program.chmod(0o755)
            return self.verdicts(rows, program)

    def test_neither_side_waits_for_the_other(self):
        # Much more than what fits into both pipes, in one batch.
        rows = [(str(number), card(number % len(KINDS))) for number in range(20_000)]
        result = self.verdicts(rows, batch_size=20_000)
        self.assertEqual([row["id"] for row in result], [row[0] for row in rows])

    def test_ids_and_cards_may_hold_any_text(self):
        names = ["", "é\u2028", '"\\', "line\nbreak", "\x00", "1e400", "🧪"]
        result = self.verdicts([(name, text) for name in names for text in (card(0), None, "", "a\nb\n")])
        self.assertEqual([row["id"] for row in result], [name for name in names for _ in range(4)])
        self.assertEqual([row["verdict"] for row in result], ["pass", "undetermined", "undetermined", "fail"] * len(names))

    def test_too_large_card_is_malformed(self):
        rows = [("1", card(0)), ("2", "x" * (17 << 20)), ("3", "é" * (3 << 20)), ("4", card(0))]
        self.assertEqual([(row["id"], row["verdict"], row["reason"]) for row in self.verdicts(rows)],
                         [("1", "pass", None), ("2", "fail", "malformed-input"), ("3", "fail", "malformed-input"), ("4", "pass", None)])

    def test_card_at_the_limit_is_sent_as_it_is(self):
        space = verify_cards.LONGEST_LINE - len(json.dumps({"id": "1", "card": ""}))
        for size, sent_size in [(space, space), (space + 1, len("too large"))]:
            pipe = unittest.mock.MagicMock()
            batch = pyarrow.RecordBatch.from_pylist([{"id": "1", "card": "x" * size}])
            verify_cards.send([batch], pipe, collections.deque(), [])
            [[line], _] = pipe.write.call_args
            self.assertEqual(len(json.loads(line)["card"]), sent_size)

    def test_too_long_id_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "id is too long"):
            self.verdicts([("1", card(0)), ("x" * (17 << 20), card(0))])

    def test_partition_without_cards_is_empty(self):
        self.assertEqual(self.verdicts([]), [])

    def test_card_without_id_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "no id"):
            self.verdicts([("1", card(0)), (None, card(0))])

    def test_program_that_cannot_work_is_an_error(self):
        rows = [(str(number), card(0)) for number in range(5000)]
        for script in ["exit 1", "exit 64", "kill -9 $$", f"head -n 100 | {PROGRAM} \"$@\"", "cat >/dev/null", "cat >/dev/null; exit 10"]:
            with self.assertRaisesRegex(RuntimeError, "have no verdict", msg=script):
                self.with_program(script, rows)

    def test_program_that_cannot_start_says_what_it_needs(self):
        message = "version `GLIBC_2.36' not found (required by shcverify)"
        with self.assertRaisesRegex(RuntimeError, "cannot run on .*GLIBC_2.36.*glibc 2.36 on Debian 12.*docs/install.md"):
            self.with_program("exit 1", [("1", card(0))], version=f'echo "{message}" >&2; exit 1'.replace("`", "\\`"))
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_bytes(b"\x7fELF of another machine")
            program.chmod(0o755)
            for path in [program, program / "missing"]:
                with self.assertRaisesRegex(RuntimeError, "cannot run on .*It needs a C library"):
                    self.verdicts([("1", card(0))], path)

    def test_verdict_on_another_card_is_an_error(self):
        rows = [(str(number), card(0)) for number in range(10)]
        for script in [f"{PROGRAM} \"$@\" | tac", f"{PROGRAM} \"$@\" | sed 3d", f"{PROGRAM} \"$@\" | sed 3p",
                       f"{PROGRAM} \"$@\" | sed 's/\"id\":\"3\",//'", f"{PROGRAM} \"$@\" | sed 's/\"line\":3,/\"line\":4,/'"]:
            with self.assertRaisesRegex(RuntimeError, "came instead of", msg=script):
                self.with_program(script, rows)

    def test_equal_ids_are_told_apart_by_their_lines(self):
        rows = [("1", card(0)), ("1", card(3))]
        self.assertEqual([row["verdict"] for row in self.verdicts(rows)], ["pass", "fail"])
        with self.assertRaisesRegex(RuntimeError, "came instead of"):
            self.with_program(f"{PROGRAM} \"$@\" | tac", rows)


class CommandLineTests(unittest.TestCase):
    """The arguments, and what is collected with them, without Spark."""

    def parse(self, *words):
        return verify_cards.parse(["cards", "output", "--program", str(PROGRAM), *words])

    def assert_refused(self, *words, message):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as end:
            self.parse(*words)
        self.assertEqual(end.exception.code, 2, words)
        self.assertIn(message, errors.getvalue())

    def test_program_is_found_in_the_path(self):
        with unittest.mock.patch.dict(os.environ, {"PATH": str(PROGRAM.parent)}):
            arguments = verify_cards.parse(["cards", "output", "--issuer", ISSUER, "--program", PROGRAM.name])[0]
        self.assertEqual(arguments.program, str(PROGRAM))
        for name in ["no-such-program", "/etc/passwd", "/no/such", ""]:
            self.assert_refused("--issuer", ISSUER, "--program", name, message="there is no such program")

    def test_someone_must_be_trusted(self):
        self.assert_refused(message="say whom to trust")

    def test_snapshot_is_not_restricted_by_other_options(self):
        for words in [["--issuer", ISSUER], ["--directory", "list.json"], ["--ca-file", "ca.pem"], ["--partial"]]:
            self.assert_refused("--snapshot", "snapshot.json", *words, message="--snapshot cannot be used with")

    def test_options_that_change_the_lines_are_refused(self):
        for words in [["--fields", "line"], ["--fields=line"], ["--fail-on", "any"], ["--fail-on=any"], ["--quiet"], ["-q"], ["-vq"], ["-qv"],
                      ["--from", "2"], ["--resume=state"], ["-h"], ["--help"], ["--version"]]:
            self.assert_refused("--issuer", ISSUER, "--", *words, message="cannot be used here")

    def test_other_options_reach_batch(self):
        options = [*TIME, "--record-type", "covid19", "-v", "--max-directory-age=7", "--since", "2021-01-01"]
        self.assertEqual(self.parse("--issuer", ISSUER, "--", *options)[1], options)

    def test_certificate_is_of_the_country_of_its_signer(self):
        for verdict, issuer, shown in [("pass", {"iss": "DE", "country": "ZZ"}, "ZZ"), ("pass", {"iss": "DE", "country": None}, None),
                                       ("fail", {"iss": "DE", "country": "ZZ"}, "DE"), ("pass", {"iss": ISSUER}, ISSUER)]:
            line = json.dumps({"line": 1, "id": "a", "issuer": issuer, "verdict": verdict, "reason": None})
            self.assertEqual(verify_cards.row(line, 1, collections.deque("a"))["issuer"], shown)

    def collect(self, folder, *words):
        """The snapshot, its content and what was printed on standard error."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            snapshot = verify_cards.collect(str(PROGRAM), self.parse(*words)[0], folder)
        return json.loads(pathlib.Path(snapshot).read_text()), errors.getvalue()

    def test_partial_snapshot_needs_an_option(self):
        dead = ["--issuer", "https://localhost:1/cards", "--issuer", "https://localhost:1/other"]
        with tempfile.TemporaryDirectory() as folder, published(pathlib.Path(folder)) as (words, environment), \
                unittest.mock.patch.dict(os.environ, {**environment, "XDG_CACHE_HOME": folder}):
            with self.assertRaisesRegex(SystemExit, "ended with 20, .*--partial"):
                self.collect(folder, *words, *dead)
            snapshot, errors = self.collect(folder, *words, *dead, "--partial")
            self.assertEqual([entry["issuer"]["iss"] for entry in snapshot["issuerInfo"] if entry["keys"]], [ISSUER])
            self.assertEqual([entry["issuer"]["iss"] for entry in snapshot["issuerInfo"] if "error" in entry], dead[1::2])
            self.assertRegex(errors, "2 key sets or revocation lists are missing, and it has the keys of 1 issuers")
            with self.assertRaisesRegex(SystemExit, "keys of no issuer"):
                self.collect(folder, *words[2:], *dead, "--partial")

    def test_complete_snapshot_gives_no_warning(self):
        with tempfile.TemporaryDirectory() as folder, published(pathlib.Path(folder)) as (words, environment), \
                unittest.mock.patch.dict(os.environ, {**environment, "XDG_CACHE_HOME": folder}):
            self.assertEqual(self.collect(folder, *words, "--partial")[1], "")

    def test_other_faults_are_not_accepted(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(SystemExit, "ended with (64|66)"):
            self.collect(folder, "--directory", f"{folder}/missing.json", "--partial")


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument not in (sys.argv[1], "--measure")])
