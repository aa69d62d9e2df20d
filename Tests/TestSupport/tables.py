#!/usr/bin/env python3
"""Reads what shcverify prints as lines with the columns that `shcverify schema --format duckdb` names, in DuckDB.

    tables.py PROGRAM VECTORS

Every value in the table must be the one in the JSON. It needs the package duckdb (duckdb-requirements.txt).
"""

import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

import duckdb

PROGRAM, VECTORS = sys.argv[1], pathlib.Path(sys.argv[2])
CARDS = sorted((VECTORS / "cards").rglob("*.jws"))
CERTIFICATES = sorted((VECTORS / "hcert" / "cards").glob("*.hc1"))
OPTIONS = ["--offline", "--jwks", f"https://issuer-a.example/cards={VECTORS / 'keys/issuer-a.jwks.json'}", "--directory",
           str(VECTORS / "hcert/trust/gdhcn-v2.did.json"), "--at", "2022-06-01T00:00:00Z"]


def load(text):
    """The JSON value. Numbers may have thousands of digits, and DuckDB shortens those in Bundles."""
    return json.loads(text, parse_int=float, parse_float=float)


def printed(*words, stdin=b""):
    return subprocess.run([PROGRAM, *words], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def lines(paths):
    """One object for each file that is one line of text."""
    for number, path in enumerate(paths):
        text = path.read_bytes().strip()
        if len(text) < 1 << 20 and b"\n" not in text and text.isascii():
            yield json.dumps({"id": number if number % 2 else f"text {number}", "card": text.decode()})


def equal(read, printed):
    """Whether a value of the table is that of the JSON."""
    if isinstance(read, dict):
        known = printed or {}
        return (printed is not None or all(value is None for value in read.values())) and all(
            equal(value, known.get(name)) for name, value in read.items())
    if isinstance(read, list):
        return len(read) == len(printed) and all(map(equal, read, printed))
    if isinstance(read, datetime.datetime):
        return abs(read - datetime.datetime.fromisoformat(printed)) < datetime.timedelta(milliseconds=1)
    if isinstance(read, str) and not isinstance(printed, str):
        return load(read) == printed
    return read == printed


def check(name, output):
    objects = [load(line) for line in output.splitlines()]
    columns = printed("schema", name, "--format", "duckdb").decode()
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as file:
        file.write(output)
        file.flush()
        table = duckdb.sql(f"select * from read_ndjson('{file.name}', {columns})")
        rows = [dict(zip(table.columns, row)) for row in table.fetchall()]
    assert len(rows) == len(objects) > 0, name
    missing = {member for value in objects for member in value} - set(table.columns)
    assert not missing, f"{name} has no column for {missing}"
    for row, value in zip(rows, objects):
        for member, cell in row.items():
            assert equal(cell, value.get(member)), f"{name}, line {value.get('line')}: {member} is {cell!r}, not {value.get(member)!r}"
    print(f"{name}: {len(rows)} lines, {len(table.columns)} columns")


duckdb.sql("set timezone = 'UTC'")
cards = "\n".join([*lines(CARDS), *lines(CERTIFICATES)]).encode()
check("batch", printed("batch", "-", "--records", "--bundle", *OPTIONS, stdin=cards))
check("batch-fields", printed("batch", "-", "--fields", "line,id,verdict,reason", *OPTIONS, stdin=cards))
check("records-lines", printed("records", "--format", "ndjson", *OPTIONS, *map(str, CARDS[:200]), *map(str, CERTIFICATES)))
check("lint-lines", printed("lint", "--lines", "-", "--offline", stdin=cards))
