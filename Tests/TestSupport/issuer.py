"""A SMART Health Card issuer's web server for tests on 127.0.0.1. It can behave well or be hostile.

    issuer.py [DIRECTORY] [--ciphers]

Makes its certificates, listens on free ports and prints one line of JSON: the ports by name, the directory that it serves
(a new one if none is given), the file of the certificate authority, and the file in which all requests are logged (one line
of JSON each). It serves until its standard input is closed, and then removes the files that it made.

The https ports behave alike. They differ only in their certificate or in the TLS they support:

    good          a certificate for localhost, *.localhost, issuer.test and 127.0.0.1, from the test's authority
    expired, notYetValid, wrongHost, selfSigned, incomplete (the intermediate certificate is not sent)
    tls11         TLS 1.1 and nothing later
    tls11and12    TLS 1.1 and 1.2
    tls13         TLS 1.3 and nothing earlier
    staticRSA, weakDHE, strongDHE   TLS 1.2 with this kind of key exchange, besides a good one
    weakRSA       a certificate whose key is too short
    plain         HTTP without TLS
    hang          accepts a connection, then does nothing
    closed        nothing listens here
    proxy         an HTTP proxy that connects every name to 127.0.0.1, and logs each CONNECT

A path is that of a file in the directory, with ETag and If-None-Match. `FILE.headers.json` next to it contains header fields
that are sent with it. Null removes a field, and ":status" sets the status. If the first segment of a path names a behaviour
(BEHAVIOURS below), the server behaves in that way while it serves the rest of the path. So https://localhost:PORT/drip/issuer is
an issuer whose keys arrive slowly.
"""

import collections
import datetime
import gzip
import hashlib
import http.server
import ipaddress
import json
import os
import shutil
import socket
import ssl
import sys
import tempfile
import threading
import time
import zlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dh, ec, rsa
from cryptography.x509.oid import NameOID

# ---- Certificates

DAY = datetime.timedelta(days=1)


class Authority:
    """A certificate authority, with the certificates that it issues, as PEM."""

    def __init__(self, name, issuer=None):
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self._sign(issuer or self, self.name, self.key.public_key(), ca=True)

    @staticmethod
    def _sign(issuer, subject, public_key, ca=False, names=(), start=-1, end=30):
        now = datetime.datetime.utcnow()
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer.name)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + start * DAY)
            .not_valid_after(now + end * DAY)
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(list(names)), critical=False)
        return builder.sign(issuer.key, hashes.SHA256())

    def issue(self, names, start=-1, end=30, self_signed=False, chain=(), key=None):
        """The certificate, its chain, and its key."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test issuer")])
        issuer = self
        if self_signed:
            issuer = type("Itself", (), {"name": subject, "key": key})
        general = [
            x509.IPAddress(ipaddress.ip_address(name)) if name[0].isdigit() else x509.DNSName(name) for name in names
        ]
        leaf = self._sign(issuer, subject, key.public_key(), names=general, start=start, end=end)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return b"".join(pem(certificate) for certificate in (leaf, *chain)) + private


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


HOSTS = ["localhost", "*.localhost", "issuer.test", socket.gethostname(), "127.0.0.1"]


TLS_VERSIONS = {
    "tls11": (ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_1),
    "tls11and12": (ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2),
    "tls13": (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_3),
}

CIPHERS = {
    "staticRSA": "ECDHE:kRSA:@SECLEVEL=0",
    "weakDHE": "ECDHE:kDHE:@SECLEVEL=0",
    "strongDHE": "ECDHE:kDHE:@SECLEVEL=0",
    "weakRSA": "ALL:@SECLEVEL=0",
}

# Oakley groups 2 (1024 bits) and 14 (2048 bits) of RFC 2409 §6.2 and RFC 3526 §3.
PRIMES = {
    "weakDHE": """
        FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD
        EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED
        EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF""",
    "strongDHE": """
        FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD
        EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED
        EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F
        83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B
        E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510
        15728E5A8AACAA68FFFFFFFFFFFFFFFF""",
}


def group(name):
    """The parameters of a Diffie-Hellman group, as PEM."""
    numbers = dh.DHParameterNumbers(int("".join(PRIMES[name].split()), 16), 2)
    return numbers.parameters().parameter_bytes(serialization.Encoding.PEM, serialization.ParameterFormat.PKCS3)


def certificates():
    """The test's authority, and the certificate of each port."""
    root = Authority("shcverify test authority")
    intermediate = Authority("shcverify test intermediate authority", issuer=root)
    weak = {}
    # To make these keys takes long, so the ports are there only if they were asked for.
    if "--ciphers" in sys.argv:
        key = rsa.generate_private_key(65537, 2048)
        weak = {name: root.issue(HOSTS, key=key) for name in CIPHERS}
        weak["weakRSA"] = root.issue(HOSTS, key=rsa.generate_private_key(65537, 1024))
    return pem(root.certificate), {
        "good": root.issue(HOSTS),
        "expired": root.issue(HOSTS, start=-20, end=-1),
        "notYetValid": root.issue(HOSTS, start=1, end=20),
        "wrongHost": root.issue(["other.example"]),
        "selfSigned": root.issue(HOSTS, self_signed=True),
        "incomplete": intermediate.issue(HOSTS),
        **{name: root.issue(HOSTS) for name in TLS_VERSIONS},
        **weak,
    }


# ---- Behaviours: each gets the request and the rest of the path

BEHAVIOURS = {}


def behaviour(function):
    BEHAVIOURS[function.__name__.replace("_", "-")] = function
    return function


def status(code, **headers):
    def respond(request, rest):
        request.respond(code, b"<html>an error page</html>", {"Content-Type": "text/html", **headers})

    return respond


for code in (204, 300, 304, 400, 403, 404, 410, 429, 500, 503):
    BEHAVIOURS[f"status-{code}"] = status(code, **({"Retry-After": "120"} if code in (429, 503) else {}))
BEHAVIOURS["auth"] = status(401, **{"WWW-Authenticate": 'Basic realm="keys"'})
BEHAVIOURS["auth-unknown"] = status(401, **{"WWW-Authenticate": "Nonsense"})


@behaviour
def html(request, rest):
    request.respond(200, b"<!DOCTYPE html><title>Welcome</title>", {"Content-Type": "text/html"})


@behaviour
def empty(request, rest):
    request.respond(200, b"", {})


@behaviour
def redirect_http(request, rest):
    request.redirect(f"http://localhost:{request.ports['plain']}{rest}")


def moved(code, location):
    """A redirect that keeps the method (307, 308), or one for which browsers change the method to GET."""

    def respond(request, rest):
        request.respond(code, b"moved", {"Location": location(request) + rest})

    return respond


for code in (301, 302, 303, 307, 308):
    BEHAVIOURS[f"moved-{code}"] = moved(code, lambda request: "")
    BEHAVIOURS[f"moved-away-{code}"] = moved(code, lambda request: f"https://127.0.0.1:{request.ports['good']}")


@behaviour
def redirect_file(request, rest):
    request.redirect("file:///etc/passwd")


@behaviour
def redirect_loop(request, rest):
    request.redirect(request.path)


@behaviour
def redirect_private(request, rest):
    request.redirect("https://10.0.0.1" + rest)


@behaviour
def redirect_loopback(request, rest):
    request.redirect(f"https://0x7f.1:{request.ports['good']}{rest}")


@behaviour
def redirect_garbage(request, rest):
    request.redirect("https://[::1")


@behaviour
def redirect_hostile(request, rest):
    request.redirect("https://\x1b[31m\x9b2J\x08.example/")


@behaviour
def redirect_nowhere(request, rest):
    request.respond(302, b"", {})


@behaviour
def redirect_endless(request, rest):
    request.start(302, {"Location": rest, "Connection": "close"})
    while True:
        request.wfile.write(b"x" * 65536)


def redirect_count(request, count, rest):
    request.redirect(rest if count <= 1 else f"/redirect-{count - 1}{rest}")


@behaviour
def drip(request, rest):
    body = b" " * 600 + request.content(rest)
    request.start(200, {"Content-Length": str(len(body))})
    for byte in body:
        request.wfile.write(bytes([byte]))
        request.wfile.flush()
        time.sleep(0.1)


@behaviour
def slow_headers(request, rest):
    request.connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in range(600):
        request.connection.sendall(f"X-{number}: {number}\r\n".encode())
        time.sleep(0.1)


@behaviour
def silent(request, rest):
    time.sleep(60)


@behaviour
def held(request, rest):
    """No answer until the directory has the file NAME.released, if the next segment is NAME. Then the connection is closed."""
    while request.find(f"/{rest.split('/')[1]}.released") is None:
        time.sleep(0.01)


@behaviour
def late(request, rest):
    """As `held`, but then the rest of the path is served."""
    held(request, rest)
    request.file(rest)


@behaviour
def held_drip(request, rest):
    """As `held`, but a byte of a body comes now and then."""
    request.start(200, {"Content-Length": "100000"})
    while request.find(f"/{rest.split('/')[1]}.released") is None:
        request.wfile.write(b" ")
        request.wfile.flush()
        time.sleep(0.1)


@behaviour
def endless(request, rest):
    request.start(200, {"Connection": "close"})
    while True:
        request.wfile.write(b" " * 65536)


@behaviour
def endless_headers(request, rest):
    request.connection.sendall(b"HTTP/1.1 200 OK\r\n")
    line = b"X-Filler: " + b"x" * 8000 + b"\r\n"
    while True:
        request.connection.sendall(line)


@behaviour
def huge_header(request, rest):
    request.respond(200, request.content(rest), {"X-Filler": "x" * 200_000})


@behaviour
def large(request, rest):
    """A body with as many MiB as the next segment says."""
    count = int(rest.split("/")[1])
    request.start(200, {"Content-Length": str(count << 20)})
    for _ in range(count):
        request.wfile.write(b" " * (1 << 20))


@behaviour
def unmeasured(request, rest):
    """A body without its length, which the end of the connection ends, without the end of TLS."""
    request.start(200, {"Connection": "close"})
    request.wfile.write(request.content(rest))
    request.close_connection = True


@behaviour
def compressed(request, rest):
    request.respond(200, gzip.compress(request.content(rest)), {"Content-Encoding": "gzip"})


@behaviour
def compressed_cut(request, rest):
    request.respond(200, gzip.compress(request.content(rest))[:-12], {"Content-Encoding": "gzip"})


@behaviour
def compressed_bomb(request, rest):
    request.bomb(200, {})


@behaviour
def redirect_bomb(request, rest):
    request.bomb(302, {"Location": rest})


@behaviour
def compressed_garbage(request, rest):
    request.respond(200, b"this is not gzip", {"Content-Encoding": "gzip"})


@behaviour
def content_length_max(request, rest):
    request.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n{}")
    time.sleep(1)


@behaviour
def content_length_beyond(request, rest):
    request.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n{}")
    time.sleep(1)


@behaviour
def content_length_negative(request, rest):
    request.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}")


@behaviour
def closed(request, rest):
    """The connection is closed in the middle of the body."""
    body = request.content(rest)
    request.start(200, {"Content-Length": str(len(body) + 10)})
    request.wfile.write(body)


@behaviour
def closed_early(request, rest):
    pass


@behaviour
def reset(request, rest):
    """The connection is reset in the middle of the body, below TLS."""
    request.start(200, {"Content-Length": "1000"})
    request.wfile.write(b"{")
    request.wfile.flush()
    request.raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    os.close(request.raw.detach() if request.raw is not request.connection else request.connection.detach())


@behaviour
def early_hints(request, rest):
    request.connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
    request.file(rest)


@behaviour
def garbage(request, rest):
    request.connection.sendall(b"\x00\xff\x13 this is not HTTP at all \x80\r\n\r\n" * 20)


@behaviour
def trailer(request, rest):
    """A body in chunks, with a trailer (RFC 9112, 7.1.2)."""
    body = request.content(rest)
    request.connection.sendall(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Digest\r\n\r\n"
        + b"%x\r\n%s\r\n0\r\nX-Digest: 1\r\nX-More: 2\r\n\r\n" % (len(body), body))


@behaviour
def crash(request, rest):
    """A header whose end URLSession of swift-corelibs-foundation 6.3.1 misses, so that it traps."""
    request.connection.sendall(b"HTTP/1.1 200 OK\r\r-1\r\n")


@behaviour
def http09(request, rest):
    request.connection.sendall(request.content(rest))


@behaviour
def status_garbage(request, rest):
    request.connection.sendall(b"HTTP/1.1 999 \xff\xfe\r\nContent-Length: 2\r\n\r\n{}")


@behaviour
def cookie(request, rest):
    request.respond(200, request.content(rest), {"Set-Cookie": "tracker=1; Max-Age=9999999"})


# ---- The server


@behaviour
def link(request, rest):
    """The manifest of a SMART Health Link. `rest` names a file in the directory:

        {"passcode": "1234", "attempts": 3, "status": 200, "headers": {}, "answer": {"files": [...]}}

    "@PORT@" in a string of the answer is the origin of that port. Without the right passcode the answer is 401, and after
    `attempts` wrong ones it is 404. The answer may be anything, such as that of a FHIR operation. A GET gets the file itself.
    """
    name = request.find(rest)
    if request.command == "GET":
        return request.file(rest)
    if name is None:
        return request.respond(404, b"", {})
    with open(name) as file:
        kind = json.load(file)
    world = request.server.world
    asked = json.loads(request.body or b"{}")
    if "passcode" in kind:
        with world.lock:
            left = world.attempts.setdefault(rest, kind.get("attempts", 3))
            if left and asked.get("passcode") != kind["passcode"]:
                world.attempts[rest] = left = left - 1
                answer = json.dumps({"remainingAttempts": left}).encode()
                return request.respond(401, answer, {"Content-Type": "application/json", **kind.get("refusal", {})})
        if not left:
            return request.respond(404, b"", {})
    answer = kind.get("answer", {"files": []})
    text = answer if isinstance(answer, str) else json.dumps(answer)
    for port, number in world.ports.items():
        text = text.replace(f"@{port}@", f"https://localhost:{number}")
    request.respond(kind.get("status", 200), text.encode(), {"Content-Type": "application/json", **kind.get("headers", {})})


@behaviour
def moved_link(request, rest):
    """Redirects a request with its method and body, to another port if the path begins with its name."""
    port, _, path = rest.lstrip("/").partition("/")
    request.respond(307, b"", {"Location": f"https://localhost:{request.ports.get(port, 0)}/{path}"})


class Request(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "issuer"
    sys_version = ""

    @property
    def ports(self):
        return self.server.world.ports

    @property
    def raw(self):
        return self.server.raw_of.get(self.connection, self.connection)

    def do_POST(self):
        self.do_GET()

    def do_GET(self):
        self.close_connection = True
        body = self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.world.log(
            {
                "port": self.server.name,
                "method": self.command,
                "path": self.path,
                "headers": dict(self.headers),
                "body": body.decode(errors="replace"),
            }
        )
        first, _, rest = self.path.lstrip("/").partition("/")
        rest = "/" + rest
        if first in BEHAVIOURS:
            BEHAVIOURS[first](self, rest)
        elif first.startswith("redirect-") and first[9:].isdigit():
            redirect_count(self, int(first[9:]), rest)
        else:
            self.file(self.path)

    def file(self, path):
        name = self.find(path)
        if name is None:
            return self.respond(404, b"not found", {"Content-Type": "text/plain"})
        with open(name, "rb") as file:
            body = file.read()
        headers = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
        headers["ETag"] = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
        if os.path.exists(name + ".headers.json"):
            with open(name + ".headers.json") as file:
                headers.update(json.load(file))
        headers = {key: value for key, value in headers.items() if value is not None}
        status = int(headers.pop(":status", 200))
        if status != 200:
            return self.respond(status, body, headers)
        if "ETag" in headers and self.headers.get("If-None-Match") == headers["ETag"]:
            return self.respond(304, b"", headers)
        self.respond(200, body, headers)

    def content(self, path):
        name = self.find(path)
        if name is None:
            return b'{"keys":[]}'
        with open(name, "rb") as file:
            return file.read()

    def find(self, path):
        root = os.path.realpath(self.server.world.directory)
        name = os.path.realpath(os.path.join(root, path.split("?")[0].lstrip("/")))
        return name if name.startswith(root + os.sep) and os.path.isfile(name) else None

    def start(self, code, headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def respond(self, code, body, headers):
        length = {} if code in (204, 304) else {"Content-Length": str(len(body))}
        self.start(code, {**length, **headers})
        if code not in (204, 304):
            self.wfile.write(body)

    def redirect(self, location):
        self.respond(302, b"moved", {"Location": location})

    def bomb(self, code, headers):
        """4 GiB of zeros, compressed, one MiB at a time."""
        self.start(code, {"Content-Encoding": "gzip", "Connection": "close", **headers})
        compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
        zeros = bytes(1 << 20)
        for _ in range(4096):
            self.wfile.write(compressor.compress(zeros))

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, world, name, context=None):
        super().__init__(("127.0.0.1", 0), Request)
        self.world, self.name, self.context, self.raw_of = world, name, context, {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def process_request_thread(self, request, client_address):
        # The handshake is made here and not when accepting, so that a handshake that hangs delays no other connection.
        try:
            if self.context:
                raw = request
                request = self.context.wrap_socket(raw, server_side=True)
                self.raw_of[request] = raw
            super().process_request_thread(request, client_address)
        except OSError:
            request.close()
        finally:
            self.raw_of.pop(request, None)

    def handle_error(self, request, client_address):
        pass  # clients that go away are expected in these tests


class Proxy(http.server.BaseHTTPRequestHandler):
    """CONNECT to 127.0.0.1 for any name."""

    def do_CONNECT(self):
        self.close_connection = True
        host, _, port = self.path.rpartition(":")
        self.server.world.log({"port": "proxy", "method": "CONNECT", "path": self.path, "headers": dict(self.headers), "body": ""})
        if host == "forbidden.test":
            return self.send_error(403)
        with socket.create_connection(("127.0.0.1", int(port))) as upstream:
            self.connection.sendall(b"HTTP/1.1 200 Connection established\r\nX-From: proxy\r\n\r\n")
            threading.Thread(target=self.copy, args=(upstream, self.connection), daemon=True).start()
            self.copy(self.connection, upstream)

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


class World:
    """All the servers of one run."""

    def __init__(self, directory, scratch):
        self.directory = directory
        self.log_path = os.path.join(scratch, "requests.log")
        self.authority_path = os.path.join(scratch, "authority.pem")
        self.lock = threading.Lock()
        self.attempts = {}
        open(self.log_path, "w").close()
        root, leaves = certificates()
        with open(self.authority_path, "wb") as file:
            file.write(root)
        self.servers = [Server(self, name, self.context(name, leaf, scratch)) for name, leaf in leaves.items()]
        self.servers.append(Server(self, "plain"))
        proxy = Server(self, "proxy")
        proxy.RequestHandlerClass = Proxy
        self.servers.append(proxy)
        self.ports = {server.name: server.server_address[1] for server in self.servers}
        self.hanging = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.ports["hang"] = self.hanging.getsockname()[1]
        threading.Thread(target=self.hang, daemon=True).start()
        # Bound as long as this runs: nobody listens there, and no other process can get the port.
        self.closed = socket.socket()
        self.closed.bind(("127.0.0.1", 0))
        self.ports["closed"] = self.closed.getsockname()[1]

    def hang(self):
        """Accepts connections, and keeps the newest ones."""
        kept = collections.deque(maxlen=200)
        while True:
            kept.append(self.hanging.accept()[0])

    @staticmethod
    def context(name, leaf, scratch):
        path = os.path.join(scratch, name + ".pem")
        with open(path, "wb") as file:
            file.write(leaf)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if name in CIPHERS:
            context.set_ciphers(CIPHERS[name])
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
        if name in PRIMES:
            with open(path + ".dh", "wb") as file:
                file.write(group(name))
            context.load_dh_params(path + ".dh")
        if name in TLS_VERSIONS:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version, context.maximum_version = TLS_VERSIONS[name]
        context.load_cert_chain(path)
        return context

    def log(self, entry):
        with self.lock, open(self.log_path, "a") as file:
            file.write(json.dumps(entry) + "\n")

    def describe(self):
        return {
            "ports": self.ports,
            "directory": self.directory,
            "authority": self.authority_path,
            "log": self.log_path,
        }


def main():
    import warnings

    warnings.simplefilter("ignore")
    scratch = tempfile.mkdtemp(prefix="issuer-")
    try:
        served = os.path.join(scratch, "served")
        os.mkdir(served)
        directories = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
        world = World(directories[0] if directories else served, scratch)
        print(json.dumps(world.describe()), flush=True)
        while sys.stdin.buffer.read(65536):
            pass
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        os._exit(0)


if __name__ == "__main__":
    main()
