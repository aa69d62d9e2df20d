"""Validates what the program prints by its schemas, with the package jsonschema.

The published schemas allow further members. Here they are closed, so that each member that is printed has to be in its schema. Each schema
has to validate something, and each member of a schema has to be printed by some run, but for those in UNSEEN.
"""

import base64
import concurrent.futures
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
NOTES = {"$schema", "$id", "title", "description"}
KEYWORDS = NOTES | {"$defs", "$ref", "allOf", "type", "enum", "const", "pattern", "minimum", "maximum", "minItems", "maxItems", "required", "items",
                    "properties"}
CARD = "cards/inputs/jws.jws"
AT = ["--at", "2026-06-01T00:00:00Z"]
# Inputs of one run. A run with many inputs takes hardly longer than a run with one.
CHUNK = 100

# Some cards hold numbers of thousands of digits.
sys.set_int_max_str_digits(0)


def closed(schema, definitions):
    """The schema with what it refers to, as one object of members instead of several parts, and without room for further members."""
    unknown = schema.keys() - KEYWORDS
    assert not unknown, f"schemas.py knows no keyword {', '.join(unknown)}"
    result = {name: value for name, value in schema.items() if name not in ("$defs", "$ref", "allOf", "properties", "items")}
    parts = [closed(part, definitions) for part in schema.get("allOf", [])]
    if "$ref" in schema:
        parts.append(closed(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions))
    known = {name: closed(value, definitions) for name, value in schema.get("properties", {}).items()}
    required = list(schema.get("required", []))
    for part in parts:
        known = {**part.pop("properties", {}), **known}
        required += part.pop("required", [])
        part.pop("additionalProperties", None)
        assert all(name in NOTES or result.get(name, value) == value for name, value in part.items()), "two parts contradict each other"
        result = part | result
    if known:
        result |= {"properties": known, "required": required, "additionalProperties": False}
    if "items" in schema:
        result["items"] = closed(schema["items"], definitions)
    return result


def members(schema, place=""):
    """The places of the members that a closed schema names."""
    for name, value in schema.get("properties", {}).items():
        yield f"{place}/{name}"
        yield from members(value, f"{place}/{name}")
    if "items" in schema:
        yield from members(schema["items"], place)


def places(value, place=""):
    """The places of the members that are in a value, null or not."""
    if isinstance(value, list):
        for element in value:
            yield from places(element, place)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield f"{place}/{name}"
            yield from places(member, f"{place}/{name}")


PUBLISHED, CLOSED, VALIDATORS = {}, {}, {}


def load(program):
    """Asks the program for its schemas, in each process once."""
    for row in subprocess.run([program, "schema"], capture_output=True, check=True, text=True).stdout.splitlines():
        name = row.split()[0]
        schema = json.loads(subprocess.run([program, "schema", name], capture_output=True, check=True).stdout)
        Draft202012Validator.check_schema(schema)
        PUBLISHED[name], CLOSED[name] = schema, closed(schema, schema.get("$defs", {}))
        VALIDATORS[name] = Draft202012Validator(CLOSED[name]), Draft202012Validator(schema)


def violations(name, texts):
    """What violates a schema in JSON texts, and which members these have. Some texts are also validated by the schema as it is published."""
    problems, seen = [], set()
    for number, text in enumerate(texts):
        value = json.loads(text)
        seen.update(places(value))
        for validator in VALIDATORS[name][:2 if number % 20 == 0 else 1]:
            for error in validator.iter_errors(value):
                problems.append(f"/{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    return problems, seen


def validated(name, program, arguments, stdin=b"", lines=False, step=1, environment=None):
    """Validates what a run prints. Of lines, only every one in so many is validated, since this takes long."""
    result = subprocess.run([program, *arguments], input=stdin, capture_output=True, check=False, env={**os.environ, **(environment or {})})
    output = result.stdout.decode()
    texts = output.splitlines()[::step] if lines else [output] if output else []
    problems, seen = violations(name, texts)
    # A signal, or the code of a fault of the program. Wrong use, and an option's file that cannot be read, print nothing.
    is_silent = result.returncode in (64, 66) or "--quiet" in arguments or "-q" in arguments
    if result.returncode < 0 or result.returncode == 1 or not texts and not is_silent:
        problems.append(f"it ended with {result.returncode} and {len(texts)} texts: {result.stderr.decode(errors='replace')[-200:]}")
    return name, len(texts), [f"{name}: {' '.join(map(str, arguments))[:200]}: {problem}" for problem in problems], seen


class Check:
    """Runs and validates, on all processors."""

    def __init__(self, program, folder, scratch):
        self.program, self.folder, self.scratch = program, folder, scratch
        load(program)
        self.counts = dict.fromkeys(CLOSED, 0)
        self.problems, self.seen = [], {name: set() for name in CLOSED}
        self.pool = concurrent.futures.ProcessPoolExecutor(os.cpu_count(), initializer=load, initargs=(program,))
        self.running = []
        self.home = {"XDG_CACHE_HOME": "/dev/null", "XDG_DATA_HOME": f"{scratch}/data", "SHCVERIFY_SYSTEM_DIR": "/dev/null"}

    def validate(self, name, arguments, stdin=b"", **options):
        words = [str(one) for one in arguments]
        self.running.append(self.pool.submit(validated, name, self.program, words, stdin, environment=self.home, **options))

    def texts(self, name, texts):
        """Validates what another run has printed."""
        for start in range(0, len(texts), CHUNK):
            self.running.append(self.pool.submit(given, name, texts[start:start + CHUNK]))

    def run(self, *arguments):
        subprocess.run([self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, check=True, env={**os.environ, **self.home})

    def finish(self):
        """The violations, and a line that says what was validated."""
        for one in concurrent.futures.as_completed(self.running):
            name, count, problems, seen = one.result()
            self.counts[name] += count
            self.problems += problems
            self.seen[name] |= seen
        self.pool.shutdown()
        self.problems += [f"nothing was validated by the schema {name}" for name, count in self.counts.items() if count == 0]
        for name, schema in CLOSED.items():
            unseen = set(members(schema)) - self.seen[name]
            self.problems += [f"{name}: no run has printed {place}" for place in sorted(unseen - UNSEEN.get(name, set()))]
            self.problems += [f"{name}: schemas.py says that no run prints {place}" for place in sorted(UNSEEN.get(name, set()) - unseen)]
        return self.problems, "valid: " + ", ".join(f"{count} {name}" for name, count in self.counts.items())


def given(name, texts):
    problems, seen = violations(name, texts)
    return name, len(texts), [f"{name}: {problem}" for problem in problems], seen


def lines(files):
    """The contents of files as the lines of a batch."""
    texts = [Path(name).read_bytes() for name in files if Path(name).is_file()]
    return b"\n".join(text.strip(b"\r\n") for text in texts if len(text) < 100_000)


def vectors(check):
    """All vectors, those with the same options together."""
    groups = {}
    for path, mode in [("vectors.json", "verify"), ("hcert/cases.json", "verify"), ("check-in/cases.json", "verify"), ("lint.json", "lint")]:
        base = (check.folder / path).parent
        index = json.loads((check.folder / path).read_text())
        for entry in index if isinstance(index, list) else index.get("vectors") or index["cases"]:
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
            part = files[start:start + CHUNK]
            check.validate(mode, [mode, *part, *options, "--format", "json"])
            if mode == "verify":
                everything.append((part, options))
    keys = ["--jwks", check.folder / "keys/issuer-a.jwks.json"]
    check.validate("verify", ["verify", check.folder / CARD, *keys, "--at", "issued", "--offline", "--format", "json"])
    # What the options of a vector change was seen above. The other forms are seen for all inputs, with the options of the most inputs.
    fields = ",".join(CLOSED["batch-fields"]["properties"])
    for kind in "cards", "hcert":
        of_kind = [one for one in everything if f"/{kind}/" in one[0][0]]
        options = max(of_kind, key=lambda one: len(one[0]))[1]
        others(check, sum((one[0] for one in of_kind), []), options, fields)


def others(check, files, options, fields):
    """The other forms of what is known of inputs."""
    for part in [files[start::4] for start in range(4)]:
        stdin = lines(part)
        named = b"".join(json.dumps({"id": str(number), "card": line.decode()}).encode() + b"\n"
                         for number, line in enumerate(stdin.splitlines()) if line.isascii() and len(line) < 5000)
        check.validate("records", ["records", *part, *options, "--format", "json"])
        check.validate("records-lines", ["records", *part, *options, "--format", "ndjson"], lines=True)
        check.validate("inspect", ["inspect", *part, "--format", "json"])
        check.validate("batch", ["batch", "-", *options], stdin, lines=True, step=20)
        check.validate("batch", ["batch", "-", *options, "--records", "--bundle"], stdin, lines=True)
        check.validate("batch-fields", ["batch", "-", *options, "--fields", "id,verdict,reason"], stdin, lines=True, step=20)
        check.validate("batch-fields", ["batch", "-", *issued(options), "--records", "--bundle", "--fields", fields], named, lines=True)
        check.validate("batch", ["batch", "-", *issued(options)], named, lines=True, step=20)
        check.validate("lint-lines", ["lint", "--lines", "-", "--offline"], stdin, lines=True, step=20)
        check.validate("lint-lines", ["lint", "--lines", "-", "--offline"], named, lines=True, step=20)


def issued(options):
    """The options, as of when each card was issued."""
    place = options.index("--at")
    return [*options[:place], "--at", "issued", *options[place + 2:]]


def tables(check):
    """What is installed, listed and compared."""
    codes = check.scratch / "cvx.txt"
    codes.write_text("308|COVID-19, new one|COVID-19, a new vaccine||Active|False|2026/05/01\r\n")
    check.run("codes", "update", "--from", codes)
    check.run("directory", "update", "--from", check.folder / "hcert/trust/gdhcn-v2.did.json")
    check.validate("lint-rules", ["lint", "--list", "--format", "json"])
    for wanted in [], ["308"], ["309"], ["covid"], ["comirnaty"]:
        check.validate("codes-show", ["codes", "show", *wanted, "--format", "json"])
    directories = sorted((check.folder / "directories").iterdir())
    for path in ["gdhcn", *directories, *sorted((check.folder / "hcert/trust").iterdir())]:
        check.validate("directory-show", ["directory", "show", "--directory", path, "--format", "json"])
    for earlier, later in zip(directories, directories[1:]):
        check.validate("directory-diff", ["directory", "diff", earlier, later, "--format", "json"])
    snapshots = check.scratch / "snapshots"
    snapshots.mkdir()
    for day in "2026-05-01", "2026-05-03":
        issuer = {"issuer": {"iss": "https://a.example", "name": "A"}, "keys": [], "lastRetrieved": f"{day}T00:00:00Z"}
        content = {"directory": "d", "time": f"{day}T00:00:00Z", "issuerInfo": [issuer]}
        (snapshots / f"{day}.json").write_text(json.dumps(content))
    check.validate("directory-show", ["directory", "show", "--directory", snapshots, "--at", "2026-05-02", "--format", "json"])
    check.validate("lint", ["lint", "/nonexistent", "--offline", "--format", "json"])
    check.validate("status", ["status", "--format", "json"])


def pictures(check):
    """Codes on pictures and in documents."""
    files = [check.folder / "pictures" / name for name in ("card.png", "two-cards.png", "chunk-1.png", "nothing.png", "malformed.png", "card.pdf")]
    options = ["--jwks", check.folder / "keys/issuer-a.jwks.json", *AT, "--offline"]
    for mode, more in ("verify", options), ("inspect", []), ("lint", ["--offline"]):
        check.validate(mode, [mode, *files, *more, "--format", "json"])
    check.validate("batch", ["batch", "-", "--pictures", *options], "\n".join(map(str, files)).encode(), lines=True)


def network(check):
    """Live issuers, what a patient's app shares, and a cache."""
    support = ROOT / "Tests/TestSupport"
    with subprocess.Popen([sys.executable, "-B", support / "issuer.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        made = json.loads(server.stdout.readline())
        site, port = Path(made["directory"]), made["ports"]["good"]
        base = f"https://localhost:{port}"
        options = ["--ca-file", made["authority"], "--allow-private-network", "--timeout", "20"]
        issuers(check, site, base, options)
        shared(check, site, base, options, support, port)
        cache = ["--cache", check.scratch / "cache"]
        check.validate("verify", ["verify", check.folder / CARD, *options, *cache, *AT, "--format", "json"])
        check.validate("status", ["status", *cache, "--format", "json"])
        concurrent.futures.wait(check.running)
        server.stdin.close()


def issuers(check, site, base, options):
    keys = json.loads((check.folder / "keys/issuer-a.jwks.json").read_text())
    kid = keys["keys"][0]["kid"]
    keys["keys"][0]["crlVersion"] = 1
    for name in "good", "refused":
        place = site / name / ".well-known"
        (place / "crl").mkdir(parents=True)
        (place / "jwks.json").write_text(json.dumps(keys))
        (place / "crl" / f"{kid}.json").write_text(json.dumps({"kid": kid, "method": "rid", "ctr": 1, "rids": ["Zm9v"]}))
    refused = site / "refused/.well-known/jwks.json.headers.json"
    refused.write_text(json.dumps({"Access-Control-Allow-Origin": None}))
    entries = [{"iss": f"{base}/{name}", "name": name} for name in ("good", "refused", "missing", "status-500/x")]
    first, second, audit = (check.scratch / name for name in ("first.json", "second.json", "audit.json"))
    first.write_text(json.dumps({"participating_issuers": entries[:3]}))
    second.write_text(json.dumps({"participating_issuers": [*entries, {**entries[0], "iss": entries[0]["iss"] + "/"}]}))
    command = ["directory", "audit", *options, "--format", "json", "--directory"]
    audit.write_bytes(subprocess.run([check.program, *command, first], capture_output=True, check=False).stdout)
    check.texts("directory-audit", [audit.read_text()])
    refused.unlink()
    check.validate("directory-audit", [*command, second, "--compare", audit])
    check.validate("directory-diff", ["directory", "diff", audit, second, "--format", "json"])
    check.validate("lint", ["lint", "--issuer", f"{base}/good", "--issuer", f"{base}/missing", *options, "--format", "json"])


def shared(check, site, base, options, support, port):
    folder = check.scratch / "shared"
    folder.mkdir()
    subprocess.run([sys.executable, "-B", support / "share.py", str(port), folder], check=True)
    for path, source in [("app/.well-known/jwks.json", folder / "app.jwks.json"), *((f"apps/{file.name}", file) for file in folder.glob("*.jwe"))]:
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(source.read_bytes())
    key = json.loads((check.folder / "links/links.json").read_text())["key"]
    links = []
    for file in sorted(folder.glob("*.jwe")):
        payload = {"url": f"{base}/apps/{file.name}", "key": key, "flag": "U", "exp": int(time.time()) + 600}
        links += ["--qr", "shlink:/" + base64.urlsafe_b64encode(json.dumps(payload).encode()).rstrip(b"=").decode()]
    check.validate("verify", ["verify", *links, "--app", f"{base}/app", *options, "--format", "json"])
    check.validate("inspect", ["inspect", *links, "--follow", *options, "--format", "json"])


# Members that no run prints, by schema.
UNSEEN = {
    # Nothing that inspect shows was verified, so it judges no attestation: the member is null.
    "inspect": {f"/links/files/attestation/{name}" for name in ("status", "iss", "kid", "issued", "jti")},
}
