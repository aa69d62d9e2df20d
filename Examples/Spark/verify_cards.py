#!/usr/bin/env python3
"""Verifies SMART Health Cards with Spark.

    spark-submit verify_cards.py CARDS OUTPUT --program shcverify --issuer https://issuer.example [-- OPTION...]

CARDS has the columns id and card. Ids may be numbers; in OUTPUT they are text. OUTPUT gets a row for each card, as Parquet: id, issuer, verdict and reason. At the end, the
number of cards by issuer and reason is printed. The issuer of a card that did not pass is what the card claims.

The driver collects the keys and revocation lists of the issuers once. The executors make no requests. They need pyarrow and pandas, which
mapInArrow needs, and what the program needs: a C library as new as that on which it was built, OpenSSL 3 and zlib. Options after "--" go to `shcverify batch`, such as --at. Those that
change which lines it prints, or what is in them, are refused.
"""

import argparse
import collections
import itertools
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import pyarrow
from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.functions import col

SCHEMA = "id string, issuer string, verdict string, reason string"
ROWS_AT_ONCE = 5000
# The longest line that batch reads. A longer one gets a verdict too, but one without an id.
LONGEST_LINE = 16 << 20
# Options of batch that change which lines it prints, what is in them, or what its exit code means.
REFUSED_OPTIONS = ["--fail-on", "--fields", "--from", "--quiet", "--resume", "--help", "--version"]
# The exit codes of `directory collect` if keys or a revocation list could not be fetched.
INCOMPLETE = (20, 21)


def send(batches, pipe, sent, problems):
    """Writes the cards to the program, one JSON object on each line, and adds their ids to those that were sent."""
    try:
        with pipe:
            for batch in batches:
                for identifier, card in zip(batch.column("id").to_pylist(), batch.column("card").to_pylist()):
                    if identifier is None:
                        raise ValueError("a card has no id")
                    line = json.dumps({"id": identifier, "card": card}).encode()
                    if len(line) > LONGEST_LINE:
                        # No card is so large. A text that is no card is malformed, too, and keeps its id.
                        line = json.dumps({"id": identifier, "card": "too large"}).encode()
                    if len(line) > LONGEST_LINE:
                        raise ValueError("an id is too long")
                    sent.append(identifier)
                    pipe.write(line + b"\n")
    except BrokenPipeError:
        pass  # The program has ended. Its exit code says why.
    except Exception as problem:
        problems.append(problem)


def row(line, number, sent):
    """The row of a verdict, which has to be the one on the card that is next in order. The first card has the number 1."""
    verdict = json.loads(line)
    identifier = sent.popleft() if sent else None
    if identifier is None or verdict.get("id") != identifier or verdict.get("line") != number:
        raise RuntimeError(f"the verdict on {verdict.get('id')!r} came instead of that on {identifier!r}")
    issuer, reason = verdict["issuer"] or {}, verdict["reason"] or {}
    # Only reports on EU certificates have a country: that of the signer, who alone is trusted. Their "iss" is a claim.
    name = issuer["country"] if verdict["verdict"] == "pass" and "country" in issuer else issuer.get("iss")
    return {"id": identifier, "issuer": name, "verdict": verdict["verdict"], "reason": reason.get("code")}


def check(program):
    """Starts the program once, so that a machine that cannot run it says why."""
    try:
        run = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
        problem = None if run.returncode == 0 else run.stderr.decode(errors="replace").strip()[-500:] or f"it ended with {run.returncode}"
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    if problem is not None:
        raise RuntimeError(f"shcverify cannot run on {platform.node()} ({' '.join(platform.libc_ver())}, {platform.machine()}): {problem}. It needs a C "
                           "library as new as that of the system on which it was built (glibc 2.36 on Debian 12), OpenSSL 3 and zlib: see "
                           "\"What a release runs on\" in docs/install.md")


def verifier(program, snapshot, options):
    """The function that verifies a partition: one run of batch, which reads the snapshot once, and takes one card after the other."""
    fields = pyarrow.schema([(field.split()[0], pyarrow.string()) for field in SCHEMA.split(", ")])

    def verify(batches):
        first = next((batch for batch in batches if batch.num_rows), None)
        if first is None:
            return
        check(SparkFiles.get(program))
        # With --fail-on none, any exit code but 0 means that batch could not do its work.
        command = [SparkFiles.get(program), "batch", "--directory", SparkFiles.get(snapshot), "--offline", "--fail-on", "none",
                   "--fields", "line,id,issuer,verdict,reason", "--jobs", str(TaskContext.get().cpus()), *options, "-"]
        sent, problems = collections.deque(), []
        with tempfile.TemporaryFile() as messages:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages)
            # Another thread writes. If one thread wrote and read, both programs could wait for each other, each with a full pipe.
            writer = threading.Thread(target=send, args=(itertools.chain([first], batches), process.stdin, sent, problems), daemon=True)
            writer.start()
            try:
                rows = []
                for number, line in enumerate(process.stdout, start=1):
                    rows.append(row(line, number, sent))
                    if len(rows) == ROWS_AT_ONCE:
                        yield pyarrow.RecordBatch.from_pylist(rows, fields)
                        rows = []
                code = process.wait()
                writer.join()
                if problems:
                    raise problems[0]
                if code != 0 or sent:
                    messages.seek(0)
                    words = messages.read().decode(errors="replace")[-2000:]
                    raise RuntimeError(f"shcverify ended with {code}, {len(sent)} cards have no verdict: {words}")
                if rows:
                    yield pyarrow.RecordBatch.from_pylist(rows, fields)
            finally:
                process.kill()
                process.wait()
                process.stdout.close()

    return verify


def collect(program, arguments, folder):
    """Fetches what the issuers publish into a snapshot. Unless --partial is given, no card is verified without all of it."""
    snapshot = os.path.join(folder, "snapshot.json")
    directories = [word for directory in arguments.directory for word in ("--directory", directory)]
    network = [word for file in arguments.ca_file for word in ("--ca-file", file)]
    run = subprocess.run([program, "directory", "collect", *directories, *network, "--output", snapshot, *arguments.issuer],
                         stderr=subprocess.PIPE)
    problems = run.stderr.decode(errors="replace")
    sys.stderr.write(problems)
    if run.returncode in INCOMPLETE and arguments.partial:
        with open(snapshot, "rb") as file:
            # An issuer whose keys could not be fetched is in the snapshot without keys. It is not trusted.
            collected = sum(bool(entry["keys"]) for entry in json.load(file)["issuerInfo"])
        if collected == 0:
            sys.exit("verify_cards.py: the keys of no issuer could be collected")
        # The program has printed a line for each problem.
        missing = sum(line.startswith("shcverify: https://") for line in problems.splitlines())
        print(f"verify_cards.py: warning: the snapshot is partial: {missing} key sets or revocation lists are missing, and it has the keys of {collected} "
              "issuers. Cards of the other issuers are refused as issuer-not-trusted", file=sys.stderr)
    elif run.returncode != 0:
        advice = ". With --partial, the cards are verified with what was collected" if run.returncode in INCOMPLETE else ""
        sys.exit(f"verify_cards.py: directory collect ended with {run.returncode}, and no card was verified{advice}")
    return snapshot


def parse(words):
    """The arguments of this program, and the options for batch after "--"."""
    options = []
    if "--" in words:
        words, options = words[:words.index("--")], words[words.index("--") + 1:]
    parser = argparse.ArgumentParser(description="Verifies SMART Health Cards with Spark.")
    parser.add_argument("cards")
    parser.add_argument("output")
    parser.add_argument("--program", required=True, help="the shcverify to run, which is sent to the executors")
    parser.add_argument("--format", default="parquet", choices=["parquet", "json"], help="the format of the cards")
    parser.add_argument("--partitions", type=int, help="how many parts the cards are divided into; by default as Spark reads them")
    parser.add_argument("--snapshot", help="a snapshot of keys and lists that was collected earlier; all issuers in it are trusted")
    parser.add_argument("--issuer", action="append", default=[], help="an issuer that is trusted; repeatable")
    parser.add_argument("--directory", action="append", default=[], help="a file with trusted issuers; repeatable")
    parser.add_argument("--ca-file", action="append", default=[], help="extra TLS root certificates")
    parser.add_argument("--partial", action="store_true", help="go on if the keys or lists of some issuers cannot be collected")
    arguments = parser.parse_args(words)
    # Spark is given a file, and does not look in the PATH.
    program = shutil.which(arguments.program)
    if program is None:
        parser.error(f"--program {arguments.program}: there is no such program, neither as a path nor in the PATH")
    arguments.program = os.path.abspath(program)
    collects = arguments.issuer or arguments.directory
    if not (arguments.snapshot or collects):
        parser.error("say whom to trust: --issuer, --directory or --snapshot")
    if arguments.snapshot and (collects or arguments.ca_file or arguments.partial):
        # All issuers in the snapshot are trusted, and lists of trusted issuers add up. So the other options would not restrict it.
        parser.error("--snapshot cannot be used with --issuer, --directory, --ca-file or --partial, by which a snapshot is collected")
    for word in options:
        # -q may stand together with other letters, as in -vq.
        if word.partition("=")[0] in REFUSED_OPTIONS or re.match("-[a-z]*[qh]", word):
            parser.error(f"the option {word!r} of batch cannot be used here")
    return arguments, options


def read_cards(spark, arguments):
    """The cards, with ids as text."""
    if arguments.format == "json":
        return spark.read.schema("id string, card string").json(arguments.cards)
    # Parquet has types of its own, which another schema would not change.
    return spark.read.parquet(arguments.cards).select(col("id").cast("string"), col("card").cast("string"))


def main():
    arguments, options = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("shcverify").getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        snapshot = arguments.snapshot or collect(arguments.program, arguments, folder)
        for file in (arguments.program, snapshot):
            spark.sparkContext.addFile(file)
        cards = read_cards(spark, arguments)
        if arguments.partitions:
            cards = cards.repartition(arguments.partitions)
        verify = verifier(os.path.basename(arguments.program), os.path.basename(snapshot), options)
        cards.mapInArrow(verify, SCHEMA).write.parquet(arguments.output)
        spark.read.parquet(arguments.output).groupBy("issuer", "reason").count().orderBy("issuer", "reason").show(1000, truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
