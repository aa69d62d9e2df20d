"""The kit's cases about SMART Health Links: a link, and what its server answered, recorded as requests and answers.

The files in the links are those of TestVectors/links, whose script has made them with another implementation.
"""

import base64
import hashlib
import json

HOST = "https://links.example"
CARD = "application/smart-health-card"
AT = "2026-06-01T00:00:00Z"
CERTIFICATES_AT = "2022-06-01T00:00:00Z"

# What is in the files, the rules that this is about, and whether the verdict is an opinion. Several cards in one link are not in the kit.
FILES = [
    ("card", "valid", ["SHL-F1", "SHL-F3"], False, "a card file"),
    ("card-deflated", "valid", ["SHL-F2"], False, "a file that is compressed"),
    ("card-no-cty", "valid", ["SHL-F1", "SHL-F3"], True, "a JWE that does not say what is in it"),
    ("card-wrong-cty", "valid", ["SHL-F3"], True, "a JWE whose cty says something else"),
    ("card-jws", "valid", ["SHL-F3"], True, "a JWS in place of a card file"),
    ("card-qr", "valid", ["SHL-F3"], True, "the text of QR codes in place of a card file"),
    ("card-parameters", "valid", ["SHL-F3"], True, "the answer of a FHIR operation in place of a card file"),
    ("forged", "invalid", ["SHL-F3", "SHC-J3"], False, "a card file whose card is forged"),
    ("jws-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "a forged JWS"),
    ("jws-space-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "a forged JWS whose header begins with a space"),
    ("fhir", "undetermined", ["SHL-F3"], False, "a FHIR Bundle, which nobody has signed"),
    ("access", "undetermined", ["SHL-F3"], False, "an access token, and no card"),
    ("nested", "undetermined", ["SHL-F3"], True, "another link, which is not followed"),
    ("pdf", "undetermined", ["SHL-F3"], True, "the beginning of a document, and no card"),
    ("empty", "undetermined", ["SHL-F3"], True, "an empty file"),
    ("text", "undetermined", ["SHL-F3"], True, "words, and no card"),
    ("url", "undetermined", ["SHL-F3"], True, "an address, and no card"),
    ("deeplink", "valid", ["SHL-F3", "SHC-C4"], True, "a deep link with a card"),
    ("deeplink-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "a deep link with a forged card"),
    ("parameters-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "the answer of a FHIR operation with a forged card"),
    ("card-among-text-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "a forged card among words"),
    ("utf-16-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "a forged card file in UTF-16"),
    ("scanner-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "a forged card file behind a scanner's prefix"),
    ("frame-forged", "invalid", ["SHL-F3", "SHC-J3"], True, "a forged JWS between control characters"),
    ("member-twice", "invalid", ["SHL-F3", "RFC 8259 §4"], True, "a card file with two lists of cards"),
    ("member-twice-escaped", "invalid", ["SHL-F3", "RFC 8259 §4"], True, "two lists of cards, one of them with an escape"),
    ("member-in-other-case", "invalid", ["SHL-F3", "SHC-C1"], True, "the list of cards in another case"),
    ("member-in-array-forged", "invalid", ["SHL-F3", "SHC-C1"], True, "a card file in an array"),
    ("parameters-object", "invalid", ["SHL-F3", "SHC-C5"], True, "a parameter without a list"),
    ("claims-card", "invalid", ["SHL-F3", "SHC-C1"], True, "a file that says it is a card file, and is a word"),
    ("no-cards", "invalid", ["SHL-F3", "SHC-C1"], True, "a card file without cards"),
    ("wrong-key", "invalid", ["SHL-F1", "RFC 7518 §5.3"], False, "encrypted with another key"),
    ("spoilt-header", "invalid", ["SHL-F1", "RFC 7516 §5.2"], False, "the protected header is changed"),
    ("spoilt-iv", "invalid", ["SHL-F1", "RFC 7518 §5.3"], False, "one bit of the initialization vector is changed"),
    ("spoilt-ciphertext", "invalid", ["SHL-F1", "RFC 7518 §5.3"], False, "one bit of the ciphertext is changed"),
    ("spoilt-tag", "invalid", ["SHL-F1", "RFC 7518 §5.3"], False, "one bit of the authentication tag is changed"),
    ("iv-16", "invalid", ["SHL-F1", "RFC 7518 §5.3"], False, "an initialization vector of 16 bytes"),
    ("other-alg", "invalid", ["SHL-F1"], False, "another alg"),
    ("other-enc", "invalid", ["SHL-F1"], False, "another enc"),
    ("other-zip", "invalid", ["SHL-F2"], False, "another zip"),
    ("crit", "invalid", ["RFC 7516 §4.1.13"], False, "something critical that nobody knows"),
    ("not-deflated", "invalid", ["SHL-F2"], False, "zip says DEF, and nothing is compressed"),
    ("bomb", "invalid", ["SHL-F2"], True, "32 MiB of spaces, compressed"),
    ("plain-card", "invalid", ["SHL-F1"], False, "a JWS that is not encrypted"),
    ("padded", "invalid", ["SHL-F1", "RFC 7515 §2"], False, "base64url with padding"),
    ("certificate", "valid", ["SHL-F3", "HCERT-H1"], True, "an EU certificate"),
    ("certificate-forged", "invalid", ["SHL-F3", "HCERT-S1"], True, "a forged EU certificate"),
    ("token", "valid", ["SHL-F3", "HCERT-C1"], True, "the octets of an EU certificate"),
    ("token-forged", "invalid", ["SHL-F3", "HCERT-S1"], True, "the octets of a forged EU certificate"),
]


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def minified(value):
    return json.dumps(value, separators=(",", ":")).encode()


class Links:
    """Collects the cases: (class, name, text of the link, members of the sidecar, files beside it)."""

    def __init__(self, folder):
        self.folder = folder
        self.key = json.loads((folder / "links.json").read_text())["key"]
        self.cases = []

    def jwe(self, name):
        return (self.folder / f"{name}.jwe").read_bytes()

    def url(self, kind, name):
        return f"{HOST}/{kind}/{name}/{hashlib.sha256(f'{kind}/{name}'.encode()).hexdigest()[:32]}"

    def add(self, kind, name, expect, rules, why, opinion=False, payload=None, text=None, form="shlink:/{}", answer=None, manifest=None,
            files=(), status=200, headers=None, passcode=None, direct=None, at=AT, requested=True):
        """`payload` changes members of the payload (None removes one). `files` are (entry, answer of its location or None)."""
        url = self.url(kind, name)
        members = {"url": url, "key": self.key}
        members.update(payload or {})
        raw = minified({key: value for key, value in members.items() if value is not None})
        exchange, beside = [], {}

        def record(method, address, body, status=200, headers=None, sent=None):
            file = f"{name}.{len(exchange) + 1}.answer"
            beside[file] = body
            request = {"method": method, "url": address}
            if sent:
                request["body"] = sent
            exchange.append({"request": request, "answer": {"status": status, "headers": headers or {}, "body": file}})

        if requested and direct is not None:
            record("GET", url, direct, status, {"Content-Type": "application/jose", **(headers or {})})
        elif requested:
            entries, located = [], []
            for number, (entry, body) in enumerate(files):
                if body is not None:
                    entry = {**entry, "location": f"{url}/file-{number}"}
                    located.append((entry["location"], body))
                entries.append(entry)
            body = answer if answer is not None else minified({"files": entries} if manifest is None else manifest)
            record("POST", url, body, status, {"Content-Type": "application/json", **(headers or {})},
                   {"passcode": passcode} if passcode else None)
            for address, body in located:
                if body != b"":
                    record("GET", address, body, 200, {"Content-Type": "application/jose"})
        sidecar = {"at": at, "expect": expect, "rules": rules, "why": why, "exchange": exchange}
        if opinion:
            sidecar["opinion"] = True
        if passcode:
            sidecar["passcode"] = passcode
        self.cases.append((kind, name, (text or form.format(b64(raw))).encode(), sidecar, beside))

    def embedded(self, name, **members):
        return {"contentType": CARD, "embedded": self.jwe(name).decode(), **members}, None

    def located(self, name, **members):
        return {"contentType": CARD, **members}, self.jwe(name)

    def make(self):
        self.make_files()
        self.make_payloads()
        self.make_forms()
        self.make_manifests()
        self.make_answers()
        return self.cases

    def make_files(self):
        for name, expect, rules, opinion, why in FILES:
            at = CERTIFICATES_AT if name.startswith(("certificate", "token")) else AT
            kind = "" if name not in ("card", "card-deflated", "forged", "claims-card", "no-cards", "wrong-key") else CARD
            entry = {"contentType": kind or "application/octet-stream", "embedded": self.jwe(name).decode()}
            self.add("file", name, expect, rules, f"In the manifest: {why}.", opinion, files=[(entry, None)], at=at)
        for name, expect, rules, opinion, why in FILES:
            if name in ("card", "card-deflated", "forged", "fhir", "wrong-key", "spoilt-tag", "spoilt-ciphertext", "other-enc", "crit",
                        "plain-card", "not-deflated", "claims-card"):
                self.add("location", name, expect, rules + ["SHL-M3"], f"Behind a location: {why}.", opinion, files=[self.located(name)])
                if name != "claims-card":
                    self.add("direct", name, expect, rules + ["SHL-M4"], f"Without a manifest: {why}.", opinion, payload={"flag": "U"},
                             direct=self.jwe(name))

    def make_payloads(self):
        card = [self.embedded("card")]

        def payload(name, expect, rules, why, opinion=False, requested=True, **members):
            self.add("payload", name, expect, rules, why, opinion, payload=members, files=card, requested=requested)

        payload("label", "valid", ["SHL-P5"], "A label.", label="For the school")
        payload("label-of-80", "valid", ["SHL-P5"], "A label of the maximum length.", label="x" * 80)
        payload("version-1", "valid", ["SHL-P5"], "The version, which is 1.", v=1)
        payload("long-term", "valid", ["SHL-P4"], "The flag L.", flag="L")
        payload("unknown-flag", "valid", ["SHL-P4"], "A flag that nobody knows is ignored.", flag="X")
        payload("unknown-member", "valid", ["SHL-P4"], "A member that nobody knows is ignored.", extra={"a": [1]})
        payload("expires-later", "valid", ["SHL-P3"], "It expires in 2100.", exp=4102444800)
        payload("expired", "invalid", ["SHL-P3"], "It has expired.", requested=False, exp=1600000000)
        payload("expired-a-day-ago", "invalid", ["SHL-P3"], "It expired a day ago.", requested=False, exp=1780185600)
        payload("exp-text", "invalid", ["SHL-P3"], "exp is words.", True, requested=False, exp="tomorrow")
        payload("version-2", "invalid", ["SHL-P5"], "A newer version.", requested=False, v=2)
        payload("version-text", "invalid", ["SHL-P5"], "The version is a text.", True, requested=False, v="one")
        payload("no-url", "invalid", ["SHL-P1"], "No url.", requested=False, url=None)
        payload("url-number", "invalid", ["SHL-P1"], "url is a number.", requested=False, url=1)
        payload("url-http", "invalid", ["SHL-P1"], "url is not https: everybody on the way could read and change the manifest.", True,
                requested=False, url="http://links.example/payload/url-http")
        payload("url-relative", "invalid", ["SHL-P1"], "url has no server.", requested=False, url="/payload/url-relative")
        payload("url-file", "invalid", ["SHL-P1"], "url names a file of the verifier's machine.", requested=False, url="file:///etc/hostname")
        payload("no-key", "invalid", ["SHL-P2"], "No key.", requested=False, key=None)
        payload("key-number", "invalid", ["SHL-P2"], "key is a number.", requested=False, key=1)
        payload("key-31", "invalid", ["SHL-P2"], "A key of 31 bytes.", requested=False, key=b64(bytes(31)))
        payload("key-33", "invalid", ["SHL-P2"], "A key of 33 bytes.", requested=False, key=b64(bytes(33)))
        payload("key-16", "invalid", ["SHL-P2"], "A key of 16 bytes.", requested=False, key=b64(bytes(16)))
        payload("key-empty", "invalid", ["SHL-P2"], "An empty key.", requested=False, key="")
        payload("key-not-base64url", "invalid", ["SHL-P2", "RFC 4648 §5"], "A key with characters that base64url does not have.",
                requested=False, key="!" * 43)
        payload("other-key", "invalid", ["SHL-P2", "SHL-F1"], "A key that is not that of the files.", key=b64(bytes(range(32))))
        payload("flags-p-and-u", "invalid", ["SHL-P4"], "The flags P and U together.", requested=False, flag="PU")
        payload("flag-number", "invalid", ["SHL-P4"], "flag is a number.", True, requested=False, flag=1)
        payload("label-number", "invalid", ["SHL-P5"], "label is a number.", True, requested=False, label=1)

    def make_forms(self):
        card = [self.embedded("card")]

        def form(name, expect, why, form="shlink:/{}", opinion=False, text=None, requested=True):
            self.add("form", name, expect, ["SHL-P6"], why, opinion, form=form, text=text, files=card, requested=requested)

        form("viewer", "valid", "Behind the address of a viewer.", "https://viewer.example/#shlink:/{}")
        form("viewer-with-path", "valid", "Behind the address of a viewer with a path.", "https://viewer.example/open/here#shlink:/{}")
        form("upper-case", "valid", "The scheme in upper case.", "SHLINK:/{}", True)
        form("two-slashes", "valid", "Two slashes.", "shlink://{}", True)
        form("padded", "valid", "base64url with padding.", "shlink:/{}==", True)
        form("white-space", "valid", "White space around the link.", " shlink:/{}\r\n", True)
        form("nothing", "invalid", "Nothing behind the scheme.", text="shlink:/", requested=False)
        form("not-base64url", "invalid", "Characters that base64url does not have.", text="shlink:/!!!!", requested=False)
        form("not-json", "invalid", "The payload is no JSON.", text="shlink:/" + b64(b"hello, world"), requested=False)
        form("array", "invalid", "The payload is an array.", text="shlink:/" + b64(b"[1,2]"), requested=False)
        form("empty-object", "invalid", "The payload is an empty object.", text="shlink:/e30", requested=False)
        form("cut-off", "invalid", "The payload is cut off.",
             text="shlink:/" + b64(minified({"url": self.url("form", "cut-off"), "key": self.key})[:-9]), requested=False)
        url, other = self.url("form", "url-twice"), f"{HOST}/other"
        twice = f'{{"url":"{url}","key":"{self.key}","url":"{other}"}}'.encode()
        form("url-twice", "invalid", "url stands there twice.", opinion=True, text="shlink:/" + b64(twice), requested=False)

    def make_manifests(self):
        entry, _ = self.embedded("card")

        def manifest(name, expect, why, value=None, opinion=False, rules=("SHL-M3",), **more):
            self.add("manifest", name, expect, list(rules), why, opinion, manifest=value, **more)

        manifest("location-and-embedded", "valid", "A file is embedded and has a location.", opinion=True,
                 files=[({**entry}, self.jwe("card"))])
        manifest("other-members", "valid", "Members that nobody knows.", {"files": [{**entry, "more": 1}], "more": {}})
        manifest("status", "valid", "The status is one of those of the specification.", {"files": [entry], "status": "finalized"}, True)
        manifest("no-content-type", "valid", "A file without contentType.", {"files": [{"embedded": entry["embedded"]}]}, True)
        manifest("no-files", "invalid", "No member files.", {"status": "finalized"})
        manifest("files-object", "invalid", "files is an object.", {"files": entry})
        manifest("files-null", "invalid", "files is null.", {"files": None})
        manifest("array", "invalid", "The manifest is an array.", [entry])
        manifest("file-text", "invalid", "A file is a text.", {"files": ["card"]})
        manifest("nothing-to-read", "invalid", "A file has neither embedded nor location.", {"files": [{"contentType": CARD}]})
        manifest("embedded-number", "invalid", "embedded is a number.", {"files": [{"contentType": CARD, "embedded": 1}]})
        manifest("location-http", "invalid", "A location is not https.",
                 {"files": [{"contentType": CARD, "location": "http://links.example/file"}]}, True)
        manifest("location-relative", "invalid", "A location has no server.", {"files": [{"contentType": CARD, "location": "/file"}]})
        manifest("location-file", "invalid", "A location names a file of the verifier's machine.",
                 {"files": [{"contentType": CARD, "location": "file:///etc/hostname"}]})
        manifest("empty-list", "undetermined", "A list without files.", {"files": []}, True)
        manifest("not-json", "invalid", "The manifest is a web page.", answer=b"<!DOCTYPE html><title>Welcome</title>")
        manifest("empty", "invalid", "The manifest is empty.", answer=b"")
        manifest("cut-off", "invalid", "The manifest is cut off.", answer=minified({"files": [entry]})[:-4])
        manifest("files-twice", "invalid", "files stands there twice.", opinion=True, rules=("SHL-M3", "RFC 8259 §4"),
                 answer=b'{"files":[],' + minified({"files": [entry]})[1:])

    def make_answers(self):
        card = [self.embedded("card")]

        def answer(name, expect, rules, why, opinion=False, **more):
            self.add("answer", name, expect, rules, why, opinion, **{"files": card, **more})

        answer("passcode", "valid", ["SHL-M1"], "The passcode is right.", payload={"flag": "P"}, passcode="1234")
        answer("wrong-passcode", "undetermined", ["SHL-M2"], "The passcode is wrong.", payload={"flag": "P"}, passcode="4321", status=401,
               answer=b'{"remainingAttempts":4}')
        answer("no-passcode", "undetermined", ["SHL-P4", "SHL-M1"], "A passcode is needed, and not known.", payload={"flag": "P"},
               requested=False)
        answer("not-found", "invalid", ["SHL-M2"], "404: the link is no longer active.", True, status=404, answer=b"")
        answer("gone", "invalid", ["SHL-M2"], "410: the link is no longer active.", True, status=410, answer=b"")
        answer("wait", "undetermined", ["SHL-M2"], "429: the client must wait.", status=429, headers={"Retry-After": "17"}, answer=b"")
        for status in (400, 403, 500, 503):
            answer(f"status-{status}", "undetermined", ["SHL-M2"], f"{status}: nothing was received.", status=status, answer=b"")
        answer("location-not-found", "undetermined", ["SHL-M3"], "The location of the only file does not answer.", True,
               files=[({"contentType": CARD}, b"")])
        answer("silence", "undetermined", ["SHL-M1"], "The server does not answer.", requested=False)
        answer("direct-not-found", "invalid", ["SHL-M4", "SHL-M2"], "404 for a link without a manifest.", True, payload={"flag": "U"},
               direct=b"", status=404)
        answer("direct-error", "undetermined", ["SHL-M4"], "500 for a link without a manifest.", payload={"flag": "U"}, direct=b"",
               status=500)
        answer("direct-empty", "invalid", ["SHL-M4", "SHL-F1"], "An empty file without a manifest.", payload={"flag": "U"}, direct=b"")
        answer("direct-page", "invalid", ["SHL-M4", "SHL-F1"], "A web page in place of a file.", payload={"flag": "U"},
               direct=b"<!DOCTYPE html><title>Welcome</title>")
