#!/usr/bin/env python3
"""Verifies SMART Health Cards with Spark.

    spark-submit verify_cards.py CARDS OUTPUT --program shcverify --issuer https://issuer.example [-- OPTION...]

CARDS has the columns id and card, both strings. OUTPUT gets a row for each card, as Parquet: id, issuer, verdict and reason. At the end, the
number of cards by issuer and reason is printed. The issuer of a card that did not pass is what the card claims.

The driver collects the keys and revocation lists of the issuers once. The executors make no requests. They need pyarrow and pandas, which
mapInArrow needs, and the libraries of the program: OpenSSL 3 and zlib. Options after "--" go to `shcverify batch`, such as --at.
"""

import argparse
import collections
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading

import pyarrow
from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession

SCHEMA = "id string, issuer string, verdict string, reason string"
ROWS_AT_ONCE = 5000


def send(batches, pipe, sent, problems):
    """Writes the cards to the program, one JSON object on each line, and adds their ids to those that were sent."""
    try:
        with pipe:
            for batch in batches:
                for identifier, card in zip(batch.column("id").to_pylist(), batch.column("card").to_pylist()):
                    if identifier is None:
                        raise ValueError("a card has no id")
                    sent.append(identifier)
                    pipe.write(json.dumps({"id": identifier, "card": card}).encode() + b"\n")
    except BrokenPipeError:
        pass  # The program has ended. Its exit code says why.
    except Exception as problem:
        problems.append(problem)


def row(line, sent):
    """The row of a verdict, which has to be the one on the card that is next in order."""
    verdict = json.loads(line)
    identifier = sent.popleft() if sent else None
    if identifier is None or verdict["id"] != identifier:
        raise RuntimeError(f"the verdict on {verdict['id']!r} came instead of that on {identifier!r}")
    issuer, reason = verdict["issuer"] or {}, verdict["reason"] or {}
    return {"id": identifier, "issuer": issuer.get("iss"), "verdict": verdict["verdict"], "reason": reason.get("code")}


def verifier(program, snapshot, options):
    """The function that verifies a partition: one run of batch, which reads the snapshot once, and takes one card after the other."""
    fields = pyarrow.schema([(field.split()[0], pyarrow.string()) for field in SCHEMA.split(", ")])

    def verify(batches):
        first = next((batch for batch in batches if batch.num_rows), None)
        if first is None:
            return
        # With --fail-on none, any exit code but 0 means that batch could not do its work.
        command = [SparkFiles.get(program), "batch", "--directory", SparkFiles.get(snapshot), "--offline", "--fail-on", "none",
                   "--fields", "id,issuer,verdict,reason", "--jobs", str(TaskContext.get().cpus()), *options, "-"]
        sent, problems = collections.deque(), []
        with tempfile.TemporaryFile() as messages:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages)
            # Another thread writes. If one thread wrote and read, both programs could wait for each other, each with a full pipe.
            writer = threading.Thread(target=send, args=(itertools.chain([first], batches), process.stdin, sent, problems), daemon=True)
            writer.start()
            try:
                rows = []
                for line in process.stdout:
                    rows.append(row(line, sent))
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
    """Fetches what the issuers publish into a snapshot. Without all of it, no card is verified."""
    snapshot = os.path.join(folder, "snapshot.json")
    directories = [word for directory in arguments.directory for word in ("--directory", directory)]
    network = [word for file in arguments.ca_file for word in ("--ca-file", file)]
    subprocess.run([program, "directory", "collect", *directories, *network, "--output", snapshot, *arguments.issuer], check=True)
    return snapshot


def main():
    words, options = sys.argv[1:], []
    if "--" in words:
        words, options = words[:words.index("--")], words[words.index("--") + 1:]
    parser = argparse.ArgumentParser(description="Verifies SMART Health Cards with Spark.")
    parser.add_argument("cards")
    parser.add_argument("output")
    parser.add_argument("--program", required=True, help="the shcverify to run, which is sent to the executors")
    parser.add_argument("--format", default="parquet", choices=["parquet", "json"], help="the format of the cards")
    parser.add_argument("--partitions", type=int, help="how many parts the cards are divided into; by default as Spark reads them")
    parser.add_argument("--snapshot", help="a snapshot of keys and lists that was collected earlier")
    parser.add_argument("--issuer", action="append", default=[], help="an issuer that is trusted; repeatable")
    parser.add_argument("--directory", action="append", default=[], help="a file with trusted issuers; repeatable")
    parser.add_argument("--ca-file", action="append", default=[], help="extra TLS root certificates")
    arguments = parser.parse_args(words)
    if not (arguments.snapshot or arguments.issuer or arguments.directory):
        parser.error("say whom to trust: --issuer, --directory or --snapshot")

    spark = SparkSession.builder.appName("shcverify").getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        snapshot = arguments.snapshot or collect(arguments.program, arguments, folder)
        for file in (arguments.program, snapshot):
            spark.sparkContext.addFile(file)
        cards = spark.read.format(arguments.format).schema("id string, card string").load(arguments.cards)
        if arguments.partitions:
            cards = cards.repartition(arguments.partitions)
        verify = verifier(os.path.basename(arguments.program), os.path.basename(snapshot), options)
        cards.mapInArrow(verify, SCHEMA).write.parquet(arguments.output)
        spark.read.parquet(arguments.output).groupBy("issuer", "reason").count().orderBy("issuer", "reason").show(1000, truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
