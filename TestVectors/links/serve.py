#!/usr/bin/python3
"""Serves a SMART Health Link on loopback, to try links out.

    serve.py

Writes link.txt (the link) and authority.pem (the certificate authority of the server) to the current folder, and returns. The
server goes on in the background until link.txt is removed, for ten minutes at most. The link holds a health card and a FHIR
Bundle that nobody signed. Needs python3-cryptography.
"""

import base64
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Tests" / "TestSupport"))
warnings.simplefilter("ignore")

from issuer import World  # noqa: E402


def serve(folder, ready):
    scratch = tempfile.mkdtemp(prefix="link-")
    try:
        served = Path(scratch) / "served"
        served.mkdir()
        files = [("card", "application/smart-health-card"), ("fhir", "application/fhir+json")]
        entries = [{"contentType": kind, "embedded": (HERE / f"{name}.jwe").read_text()} for name, kind in files]
        (served / "example.json").write_text(json.dumps({"answer": {"status": "finalized", "files": entries}}))
        world = World(str(served), scratch)
        payload = {
            "url": f"https://localhost:{world.ports['good']}/link/example.json",
            "key": json.loads((HERE / "links.json").read_text())["key"],
            "label": "An example",
        }
        text = base64.urlsafe_b64encode(json.dumps(payload, separators=(",", ":")).encode()).rstrip(b"=").decode()
        shutil.copy(world.authority_path, folder / "authority.pem")
        (folder / "link.txt").write_text(f"https://viewer.example/#shlink:/{text}\n")
        os.write(ready, b"1")
        os.close(ready)
        end = time.monotonic() + 600
        while time.monotonic() < end and (folder / "link.txt").exists():
            time.sleep(0.2)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        os._exit(0)


def main():
    folder = Path.cwd()
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.close(reading)
        for stream in (0, 1, 2):
            os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        serve(folder, writing)
    os.close(writing)
    if not os.read(reading, 1):
        sys.exit("the server could not be started")


if __name__ == "__main__":
    main()
