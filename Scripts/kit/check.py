#!/usr/bin/env python3
"""Checks the kit against our own verdicts, and what the program prints against its schemas.

    Scripts/kit/check.py SHCVERIFY [FOLDER]

Makes the kit in FOLDER (.build/kit), twice, and compares the archives. Then it checks each sidecar against TestKit/case.schema.json and runs
SHCVERIFY with what the sidecar says, and nothing else: the exit code must mean what `expect` says. The recorded answers of links come
from a server on loopback, which is reached as a proxy, so that the links stay as they are in the kit. The JSON that is printed for the cases,
and by all commands for the vectors, must follow the schemas of the program (schemas.py). The exit code is 1 if anything differs.
"""

import concurrent.futures
import http.client
import io
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

sys.dont_write_bytecode = True
warnings.simplefilter("ignore")
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "Tests" / "TestSupport")]

import jsonschema  # noqa: E402

import make  # noqa: E402
import schemas  # noqa: E402
from issuer import Authority, pem  # noqa: E402

# A row in rules.py could leave out more than was meant.
LEAST = 1200


class Replay:
    """Answers CONNECT as a proxy, and then as the server of the links, with what is recorded. Anything else gets no answer."""

    def __init__(self, folder, scratch):
        self.folder, self.answers, self.unknown = folder, {}, []
        authority = Authority("kit")
        self.authority = scratch / "authority.pem"
        self.authority.write_bytes(pem(authority.certificate))
        chain = scratch / "links.pem"
        chain.write_bytes(authority.issue(["links.example"]))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(chain)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def record(self, case):
        for step in case.get("exchange", []):
            self.answers[step["request"]["method"], step["request"]["url"]] = step

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            connection.settimeout(30)
            self.head(connection)
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            with self.context.wrap_socket(connection, server_side=True) as secure:
                first, fields, rest = self.head(secure)
                method, target, _ = first.split(" ")
                length = int(fields.get("Content-Length", 0))
                while len(rest) < length:
                    rest += secure.recv(65536)
                answer = self.answer(method, f"https://{fields['Host']}{target}", rest)
                if answer:
                    secure.sendall(answer)
        except (OSError, ValueError):
            pass
        finally:
            connection.close()

    @staticmethod
    def head(connection):
        """The first line, the fields, and what was read of the body."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                raise OSError("closed")
            data += more
        head, _, rest = data.partition(b"\r\n\r\n")
        first, _, fields = head.partition(b"\r\n")
        return first.decode(), http.client.parse_headers(io.BytesIO(fields + b"\r\n\r\n")), rest

    def answer(self, method, url, body):
        parts = urlsplit(url)
        query = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] != "recipient"])
        step = self.answers.get((method, urlunsplit(parts._replace(query=query))))
        if step is None:
            self.unknown.append(f"{method} {url}")
            return None
        sent = json.loads(body) if body else {}
        for name, value in step["request"].get("body", {}).items():
            if sent.get(name) != value:
                self.unknown.append(f"{method} {url}: another {name}")
                return None
        content = (self.folder / step["answer"]["body"]).read_bytes()
        status = step["answer"]["status"]
        fields = {**step["answer"]["headers"], "Content-Length": len(content), "Connection": "close"}
        lines = [f"HTTP/1.1 {status} {http.client.responses[status]}", *(f"{name}: {value}" for name, value in fields.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + content


def arguments(case, folder):
    """Our options for what a sidecar says."""
    said = ["--at", case["at"]]
    for key in case.get("keys", []):
        said += ["--jwks", (key["issuer"] + "=" if "issuer" in key else "") + str(folder / key["file"])]
    for issuer in case.get("issuers", []):
        said += ["--trust", issuer]
    for signer in case.get("signers", []):
        said += ["--jwks" if ".jwks." in signer else "--directory", str(folder / signer)]
    for member, option in (("directories", "--directory"), ("anchors", "--anchor"), ("revocation", "--crl")):
        for file in case.get(member, []):
            said += [option, str(folder / file)]
    if case.get("revocationRequired"):
        said.append("--require-revocation")
    return said


def judge(program, case, folder, replay):
    """What our program says, in the kit's words, its report in JSON and what it has printed besides."""
    if case["form"] == "list":
        command = [program, "directory", "verify", str(folder / case["input"][0])]
        command += [part for file in case["listKeys"] for part in ("--list-key", str(folder / file))]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        return make.outcome(result.returncode), result.returncode, "", result.stderr.decode(errors="replace").strip()
    result = run(program, ["verify", "--format", "json", "--no-cache", *arguments(case, folder)], case, folder, replay)
    return make.outcome(result.returncode), result.returncode, result.stdout.decode(), result.stderr.decode(errors="replace").strip()


def run(program, command, case, folder, replay):
    """Runs a command on the input of a case, with the server of the links."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "LC_ALL": "C.UTF-8"}
    command = [program, *command]
    if case["area"] == "links":
        environment["https_proxy"] = replay.address
        command += ["--ca-file", str(replay.authority), "--timeout", "30"]
        if "passcode" in case:
            environment["SHCVERIFY_PASSCODE"] = case["passcode"]
    else:
        command.append("--offline")
    command += ["--", *(str(folder / file) for file in case["input"])]
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def main():
    program = os.path.abspath(sys.argv[1])
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / ".build" / "kit"
    target.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    problems = []
    with tempfile.TemporaryDirectory(prefix="kit-") as scratch:
        scratch = Path(scratch)
        # It forks, so it begins before there are threads.
        check = schemas.Check(program, make.VECTORS, scratch)
        for part in schemas.tables, schemas.vectors, schemas.pictures:
            part(check)
        first, second = make.Kit(target / make.NAME), make.Kit(scratch / "again")
        for kit, archive in ((first, target / f"{make.NAME}.tar.gz"), (second, scratch / "again.tar.gz")):
            kit.make()
            kit.archive(archive)
        if (target / f"{make.NAME}.tar.gz").read_bytes() != (scratch / "again.tar.gz").read_bytes():
            problems.append("two archives of one commit differ")
        folder = target / make.NAME
        schema = json.loads((folder / "case.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        cases = [json.loads((folder / entry["case"]).read_text()) for entry in json.loads((folder / "index.json").read_text())]
        replay = Replay(folder, scratch)
        for case in cases:
            replay.record(case)
            problems += [f"{case['id']}: {error.message}" for error in validator.iter_errors(case)]
            named = case["input"] + case.get("directories", []) + case.get("signers", []) + case.get("listKeys", []) + case.get("anchors", []) + case.get("revocation", [])
            named += [key["file"] for key in case.get("keys", [])] + [step["answer"]["body"] for step in case.get("exchange", [])]
            problems += [f"{case['id']}: there is no {file}" for file in named if not (folder / file).is_file()]
        with concurrent.futures.ThreadPoolExecutor((os.cpu_count() or 2) + 1) as pool:
            verdicts = list(pool.map(lambda case: judge(program, case, folder, replay), cases))
            follow = ["inspect", "--format", "json", "--follow"]
            links = list(pool.map(lambda case: run(program, follow, case, folder, replay), (case for case in cases if case["area"] == "links")))
        for case, (found, code, _, words) in zip(cases, verdicts):
            # 64 is no verdict: our program refuses a list that it cannot read. The kit says so only as an opinion.
            if found != case["expect"] or code == 64 and not case.get("opinion"):
                problems.append(f"{case['id']}: expected {case['expect']}, exit code {code}: {words[:200]}")
        check.texts("verify", [report for _, _, report, _ in verdicts if report])
        check.texts("inspect", [result.stdout.decode() for result in links if result.stdout])
        schemas.network(check)
        violations, words = check.finish()
        problems += violations
        print(words)
        # These two are about a server that does not answer.
        problems += [f"a request that is not recorded: {request}" for request in replay.unknown
                     if not any(name in request for name in ("/answer/silence/", "/answer/location-not-found/"))]
    if sum(1 for case in cases if not case.get("opinion")) < LEAST:
        problems.append(f"fewer than {LEAST} cases that are no opinions")
    print("\n".join(problems) or f"{len(cases)} cases of the kit are judged as it says")
    print(f"{time.monotonic() - start:.0f} s")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
