#!/usr/bin/env python3
"""Validates the program's JSON Schemas, and what the program prints on all test vectors, with the package jsonschema.

    Scripts/check-schemas.py PROGRAM VECTORS

PROGRAM is shcverify, VECTORS the folder TestVectors/. It needs Debian's package python3-jsonschema. The published schemas allow further
members. Here they are closed, so that each member that is printed has to be in its schema.
"""

import json
import os
import pathlib
import subprocess
import sys

from jsonschema import Draft202012Validator

# Inputs of one run. A run with many inputs takes hardly longer than a run with one.
CHUNK = 200


def names(schema, definitions):
    """The members of an object that the schema names, itself or by what it refers to."""
    found = set(schema.get("properties", {}))
    for part in [*schema.get("allOf", []), *referred(schema, definitions)]:
        found |= names(part, definitions)
    return found


def referred(schema, definitions):
    return [definitions[schema["$ref"].removeprefix("#/$defs/")]] if "$ref" in schema else []


def closed(schema, definitions, is_part=False):
    """The schema with what it refers to, and without room for further members."""
    result = {name: value for name, value in schema.items() if name not in ["$defs", "$ref"]}
    if "properties" in schema:
        result["properties"] = {name: closed(value, definitions) for name, value in schema["properties"].items()}
    if "items" in schema:
        result["items"] = closed(schema["items"], definitions)
    if parts := [*schema.get("allOf", []), *referred(schema, definitions)]:
        result["allOf"] = [closed(part, definitions, True) for part in parts]
    known = names(schema, definitions)
    if known and not is_part:
        result["propertyNames"] = {"enum": sorted(known)}
    return result


class Check:
    def __init__(self, program):
        self.program = program
        self.environment = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}
        self.validators = {}
        self.counts = {}
        self.problems = []
        for line in self.run(["schema"]).splitlines():
            name = line.split()[0]
            schema = json.loads(self.run(["schema", name]))
            Draft202012Validator.check_schema(schema)
            self.validators[name] = Draft202012Validator(closed(schema, schema.get("$defs", {})))
            self.counts[name] = 0

    def run(self, arguments, stdin=b""):
        result = subprocess.run([self.program, *arguments], input=stdin, capture_output=True, env=self.environment)
        return result.stdout.decode("utf-8")

    def validate(self, name, arguments, stdin=b"", lines=False, step=1):
        """Validates what a run prints. Of lines, only every one in so many is validated, since this takes long."""
        output = self.run(arguments, stdin)
        for text in output.splitlines()[::step] if lines else [output] if output else []:
            self.counts[name] += 1
            for error in self.validators[name].iter_errors(json.loads(text)):
                place = "/".join(str(step) for step in error.absolute_path)
                self.problems.append(f"{name}: {' '.join(arguments)[:200]}: /{place}: {error.message[:200]}")


def lines(files):
    """The contents of files as the lines of a batch."""
    texts = [pathlib.Path(name).read_bytes() for name in files if pathlib.Path(name).is_file()]
    return b"\n".join(text.strip(b"\r\n") for text in texts if len(text) < 100_000)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    # Some cards hold numbers of thousands of digits.
    sys.set_int_max_str_digits(0)
    check = Check(program)
    # Vectors with the same options are run together.
    groups = {}
    for path, member, mode in [
        ("vectors.json", "vectors", "verify"), ("hcert/cases.json", "cases", "verify"), ("lint.json", "vectors", "lint")
    ]:
        base = (folder / path).parent
        for entry in json.loads((folder / path).read_text())[member]:
            options = []
            for word in entry.get("args", []):
                before, brace, name = word.partition("{")
                options.append(before + str(base / name[:-1]) if brace else word)
            if "--format" not in options and entry.get("mode", mode) in ["verify", "lint"]:
                files = groups.setdefault((entry.get("mode", mode), tuple(options)), [])
                files += [str(base / name) for name in entry["files"]]
    everything = []
    for (mode, options), files in groups.items():
        for start in range(0, len(files), CHUNK):
            part = files[start : start + CHUNK]
            if mode == "lint":
                check.validate("lint", ["lint", *part, *options, "--format", "json"])
                continue
            everything.append((part, options))
            check.validate("verify", ["verify", *part, *options, "--format", "json"])
    # What the options of a vector change was seen above. The other forms are seen for all inputs, with the options of the most inputs.
    options = max(everything, key=lambda one: len(one[0]))[1]
    for part in [sum((one[0] for one in everything[start::8]), []) for start in range(8)]:
        stdin = lines(part)
        check.validate("records", ["records", *part, *options, "--format", "json"])
        check.validate("records-lines", ["records", *part, *options, "--format", "ndjson"], lines=True)
        check.validate("inspect", ["inspect", *part, "--format", "json"])
        check.validate("batch", ["batch", "-", *options], stdin, lines=True, step=10)
        check.validate("batch", ["batch", "-", *options, "--records", "--bundle"], stdin, lines=True)
        check.validate("batch-fields", ["batch", "-", *options, "--fields", "id,verdict,reason"], stdin, lines=True, step=10)
        check.validate("lint-lines", ["lint", "--lines", "-", "--offline"], stdin, lines=True, step=10)
    check.validate("lint-rules", ["lint", "--list", "--format", "json"])
    for wanted in [], ["309"], ["covid"], ["comirnaty"]:
        check.validate("codes-show", ["codes", "show", *wanted, "--format", "json"])
    directories = sorted(str(path) for path in (folder / "directories").iterdir())
    for path in directories + sorted(str(path) for path in (folder / "hcert/trust").iterdir()):
        check.validate("directory-show", ["directory", "show", "--directory", path, "--format", "json"])
    for path in directories:
        for other in directories[:3]:
            check.validate("directory-diff", ["directory", "diff", other, path, "--format", "json"])
    check.validate("status", ["status", "--format", "json"])
    for problem in check.problems[:20]:
        print(problem)
    print(", ".join(f"{count} {name}" for name, count in check.counts.items()))
    # directory audit asks issuers, so only the tests with a server of their own validate it.
    missing = [name for name, count in check.counts.items() if count == 0 and name != "directory-audit"]
    if missing:
        print(f"nothing was validated by {', '.join(missing)}")
    if check.problems or missing:
        sys.exit(f"{len(check.problems)} problems")
    print("valid")


main()
