#!/usr/bin/env python3
"""Serves a SMART Health Link on this machine, to try links out.

    python3 serve-link.py

Writes link.txt (the link) and authority.pem (the certificate of the server) to the current folder, and returns. The server goes on in the
background until link.txt is removed, for ten minutes at most. Behind the link are two files, which lie beside this script: a health card, and a
FHIR Bundle that nobody signed. Both are encrypted with the link's key, as on a real server. The certificate is made by the program `openssl`.
"""

import base64
import http.server
import json
import os
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = {"link-card.jwe": "application/smart-health-card", "link-fhir.jwe": "application/fhir+json"}
KEY = "sYLgneqsc-CrcQ1dgIilVE_-RRI-o1O3N9S8veZ0DxI"
PATH = "/link/example"
MANIFEST = json.dumps({"status": "finalized", "files": [{"contentType": kind, "embedded": (HERE / name).read_text()} for name, kind in FILES.items()]})


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers the request for the manifest of the link. Any other path is 404."""

    def do_POST(self):
        self.rfile.read(min(int(self.headers.get("Content-Length") or 0), 1 << 16))
        answer = MANIFEST.encode() if self.path == PATH else b"{}"
        self.send_response(200 if self.path == PATH else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def certificate(folder):
    """A self-signed certificate for localhost, which is its own authority."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"],
        check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
    return context, Path(folder, "certificate.pem").read_text()


def main():
    with tempfile.TemporaryDirectory() as folder:
        context, authority = certificate(folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    link = {"url": f"https://localhost:{server.server_port}{PATH}", "key": KEY, "label": "An example"}
    text = base64.urlsafe_b64encode(json.dumps(link, separators=(",", ":")).encode()).rstrip(b"=").decode()
    Path("authority.pem").write_text(authority)
    Path("link.txt").write_text(f"https://viewer.example/#shlink:/{text}\n")
    # The server already listens, so the caller can go on.
    if os.fork():
        return
    os.setsid()
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    end = time.monotonic() + 600
    while time.monotonic() < end and os.path.exists("link.txt"):
        time.sleep(0.2)


if __name__ == "__main__":
    main()
