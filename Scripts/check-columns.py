#!/usr/bin/env python3
"""Compares the columns of `shcverify schema NAME --format duckdb` and `--format spark` with the JSON Schema itself.

    Scripts/check-columns.py PROGRAM NAME

It reads the schema and both texts in its own way: every member of the schema is a column, in both, with a type that holds its values.
"""

import json
import re
import subprocess
import sys

PROGRAM, NAME = sys.argv[1:]
TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T"
DUCKDB = {"VARCHAR": "text", "BIGINT": "integer", "BOOLEAN": "boolean", "TIMESTAMPTZ": "time"}
SPARK = {"STRING": "text", "BIGINT": "integer", "BOOLEAN": "boolean", "TIMESTAMP": "time"}


def printed(*words):
    return subprocess.run([PROGRAM, "schema", NAME, *words], check=True, capture_output=True, text=True).stdout


def merged(schema, definitions):
    """The schema with everything that it refers to."""
    result = {name: value for name, value in schema.items() if name not in ["$ref", "allOf", "properties"]}
    parts = schema.get("allOf", []) + ([definitions[schema["$ref"].rpartition("/")[2]]] if "$ref" in schema else [])
    members = {}
    for part in [merged(part, definitions) for part in parts] + [{"properties": schema.get("properties", {})}]:
        members |= part.get("properties", {})
        result = {**part, **result}
    return result | ({"properties": members} if members else {})


def expected(schema, definitions):
    schema = merged(schema, definitions)
    if schema.get("properties"):
        return {name: expected(value, definitions) for name, value in schema["properties"].items()}
    if "items" in schema:
        return [expected(schema["items"], definitions)]
    if schema.get("pattern", "").startswith(TIME):
        return "time"
    types = schema.get("type", [])
    types = {types} if isinstance(types, str) else set(types)
    if "const" in schema:
        types = {"integer"}
    found = [name for name in ("integer", "boolean") if types - {"null"} == {name}]
    # Anything else is text, or JSON that is kept as text.
    return found[0] if found else "text"


class Reader:
    """Reads a type as DuckDB or Spark writes it."""

    def __init__(self, text, names):
        self.tokens, self.names = re.findall(r'"\w+"|`\w+`|\w+|\[\]|[<>(),:]', text), names

    def take(self, wanted=None):
        token = self.tokens.pop(0)
        assert wanted in (None, token), (wanted, token)
        return token

    def type(self):
        word = self.take()
        if word == "ARRAY":
            self.take("<")
            found = [self.type()]
            self.take(">")
        elif word == "STRUCT":
            end = {"(": ")", "<": ">"}[self.take()]
            found, mark = {}, ","
            while mark == ",":
                name = self.take().strip('"`')
                if end == ">":
                    self.take(":")
                found[name] = self.type()
                mark = self.take()
            assert mark == end
        else:
            found = self.names[word]
        while self.tokens[:1] == ["[]"]:
            self.take()
            found = [found]
        return found


def read(text, names):
    reader = Reader(text, names)
    found = reader.type()
    assert not reader.tokens, reader.tokens
    return found


schema = json.loads(printed())
wanted = expected(schema, schema.get("$defs", {}))
duckdb = printed("--format", "duckdb")
assert duckdb.startswith("columns = {\n") and duckdb.endswith("\n}\n")
columns = dict(re.fullmatch(r"  '(\w+)': '([^']*)',?", line).groups() for line in duckdb.splitlines()[1:-1])
assert {name: read(text, DUCKDB) for name, text in columns.items()} == wanted
rows = [re.fullmatch(r"`(\w+)` (.*?),?", line).groups() for line in printed("--format", "spark").splitlines()]
assert {name: read(text, SPARK) for name, text in rows} == wanted
assert [name for name, _ in rows] == list(columns)
