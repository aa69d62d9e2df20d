#!/usr/bin/env python3
"""Makes the encrypted files of SMART Health Links for the tests.

    python3 TestVectors/links/generate.py [--check]

Writes FILE.jwe for each file below, all of them with one key, and links.json with that key and what is in each file. With
--check, compares the existing files with what it would write. The JWE are made with the package `cryptography` (Debian:
python3-cryptography) and nothing of this project. The cards are those of ../cards/inputs, the EU certificates those of ../hcert/cards.
"""

import base64
import hashlib
import json
import sys
import zlib
from pathlib import Path
from urllib.parse import quote

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HERE = Path(__file__).resolve().parent
CARDS = HERE.parent / "cards"
CERTIFICATES = HERE.parent / "hcert" / "cards"
KEY = hashlib.sha256(b"shcverify test link key").digest()
OTHER_KEY = hashlib.sha256(b"another key").digest()

CARD_TYPE = "application/smart-health-card"
FHIR_TYPE = "application/fhir+json"
ACCESS_TYPE = "application/smart-api-access"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jwe(name, plaintext, cty=None, deflated=False, key=KEY, header=None, iv_length=12, spoil=None):
    """A compact JWE. The initialization vector depends on the name only, so that the files stay the same."""
    fields = {"alg": "dir", "enc": "A256GCM"}
    if cty:
        fields["cty"] = cty
    if deflated:
        fields["zip"] = "DEF"
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
        plaintext = compressor.compress(plaintext) + compressor.flush()
    fields.update(header or {})
    protected = b64(json.dumps(fields, separators=(",", ":")).encode())
    iv = hashlib.sha256(name.encode()).digest()[:iv_length]
    sealed = AESGCM(key).encrypt(iv, plaintext, protected.encode())
    ciphertext, tag = sealed[:-16], sealed[-16:]
    parts = [protected, "", b64(iv), b64(ciphertext), b64(tag)]
    if spoil is not None:
        data = bytearray(base64.urlsafe_b64decode(parts[spoil] + "=" * (-len(parts[spoil]) % 4)))
        data[len(data) // 2] ^= 1
        parts[spoil] = b64(bytes(data))
    return ".".join(parts)


ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def base45(text):
    """The bytes of a text in base45 (RFC 9285)."""
    data = bytearray()
    for place in range(0, len(text), 3):
        group = text[place : place + 3]
        value = sum(ALPHABET.index(letter) * 45**power for power, letter in enumerate(group))
        data += value.to_bytes(len(group) - 1, "big")
    return bytes(data)


def b45(data):
    """Bytes in base45."""
    text = ""
    for place in range(0, len(data), 2):
        group = data[place : place + 2]
        value = int.from_bytes(group, "big")
        for _ in range(len(group) + 1):
            text += ALPHABET[value % 45]
            value //= 45
    return text


def files():
    """Name: (text, what is in it)."""
    inputs = CARDS / "inputs"
    card = (inputs / "file.smart-health-card").read_bytes()
    jws = json.loads(card)["verifiableCredential"][0]
    head, payload, signature = jws.split(".")
    forged = ".".join([head, payload, ("A" if signature[0] != "A" else "B") + signature[1:]])
    file = lambda *cards: json.dumps({"verifiableCredential": list(cards)}).encode()
    bundle = json.dumps({
        "resourceType": "Bundle", "type": "collection",
        "entry": [
            {"fullUrl": "resource:0", "resource": {"resourceType": "Patient", "name": [{"family": "Unsigned", "given": ["Una"]}]}},
            {"fullUrl": "resource:1", "resource": {
                "resourceType": "Immunization", "status": "completed", "occurrenceDateTime": "2025-10-06",
                "vaccineCode": {"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": "309"}]},
                "patient": {"reference": "resource:0"}}},
        ],
    }).encode()
    access = json.dumps({
        "access_token": "SECRET-ACCESS-TOKEN", "token_type": "bearer", "expires_in": 3600, "scope": "patient/*.read",
        "aud": "https://fhir.example/r4"}).encode()
    nested = b"shlink:/" + b64(json.dumps({"url": "https://inner.example/m", "key": b64(OTHER_KEY)}).encode()).encode()
    certificate = (CERTIFICATES / "valid-vaccination.hc1").read_bytes().strip()
    octets = zlib.decompress(base45(certificate[4:].decode()))
    spoilt = octets[:-1] + bytes([octets[-1] ^ 1])
    spoilt_text = b"HC1:" + b45(zlib.compress(spoilt)).encode()
    link_to = lambda content: b"https://app.example/#" + quote(content, safe="").encode()
    twice = card.strip()[:-1] + b',"verifiableCredential":[]}'
    escaped = twice.replace(b"verifiableCredential", b"verifiable\\u0043redential")
    parameters = json.dumps({"resourceType": "Parameters", "parameter": [
        {"name": "verifiableCredential", "valueString": forged}]}).encode()
    document = lambda content: json.dumps({"resourceType": "Bundle", "type": "collection", "entry": [{"resource": {
        "resourceType": "DocumentReference", "status": "current", "content": [{"attachment": {
            "contentType": CARD_TYPE, "data": base64.b64encode(content).decode()}}]}}]}).encode()
    digits = "".join(f"{ord(letter) - 45:02}" for letter in jws).encode()
    made = {
        "attached": (jwe("attached", document(card), FHIR_TYPE), "fhir"),
        "attached-forged": (jwe("attached-forged", document(file(forged)), FHIR_TYPE), "fhir"),
        "attached-refused": (jwe("attached-refused", document(b"%PDF-1.7"), FHIR_TYPE), "fhir"),
        "digits": (jwe("digits", digits), "malformed-input"),
        "list-of-cards": (jwe("list-of-cards", json.dumps([jws]).encode()), "health-card"),
        "card": (jwe("card", card, CARD_TYPE), "health-card"),
        "card-deflated": (jwe("card-deflated", card, CARD_TYPE, deflated=True), "health-card"),
        "card-no-cty": (jwe("card-no-cty", card), "health-card"),
        "card-wrong-cty": (jwe("card-wrong-cty", card, FHIR_TYPE), "health-card"),
        "card-jws": (jwe("card-jws", jws.encode(), CARD_TYPE), "health-card"),
        "card-qr": (jwe("card-qr", (CARDS / "inputs" / "chunks-in-one-file.qr.txt").read_bytes(), CARD_TYPE), "health-card"),
        "card-parameters": (jwe("card-parameters", (inputs / "parameters-pretty.json").read_bytes(), CARD_TYPE), "health-card"),
        "two-cards": (jwe("two-cards", file(jws, jws), CARD_TYPE), "health-card"),
        "forged": (jwe("forged", file(forged), CARD_TYPE), "health-card"),
        "genuine-and-forged": (jwe("genuine-and-forged", file(jws, forged), CARD_TYPE), "health-card"),
        "fhir": (jwe("fhir", bundle, FHIR_TYPE), "fhir"),
        "access": (jwe("access", access, ACCESS_TYPE), "api-access"),
        "nested": (jwe("nested", nested, FHIR_TYPE), "other"),
        "pdf": (jwe("pdf", b"%PDF-1.7\n", "application/pdf"), "other"),
        "empty": (jwe("empty", b"", FHIR_TYPE), "other"),
        "certificate": (jwe("certificate", certificate, "text/plain"), "health-card"),
        "certificate-forged": (jwe("certificate-forged", spoilt_text, "text/plain"), "health-card"),
        "certificate-among-text": (jwe("certificate-among-text", b"Your certificate:\n" + certificate), "health-card"),
        "token": (jwe("token", octets, "application/octet-stream"), "health-card"),
        "token-forged": (jwe("token-forged", spoilt), "health-card"),
        "deeplink": (jwe("deeplink", link_to(card), "text/plain"), "health-card"),
        "deeplink-forged": (jwe("deeplink-forged", link_to(file(forged))), "health-card"),
        "jws-forged": (jwe("jws-forged", forged.encode()), "health-card"),
        "jws-space-forged": (jwe("jws-space-forged", (inputs / "jws-header-space-forged.jws").read_bytes(), "text/plain"), "health-card"),
        "parameters-object": (jwe("parameters-object", json.dumps({"resourceType": "Parameters", "parameter": {
            "name": "verifiableCredential", "valueString": forged}}).encode(), FHIR_TYPE), "malformed-input"),
        "parameters-in-bundle": (jwe("parameters-in-bundle", json.dumps({"resourceType": "Bundle", "type": "collection", "entry": [
            {"resource": json.loads(parameters)}]}).encode(), FHIR_TYPE), "malformed-input"),
        "member-in-other-case": (jwe("member-in-other-case", file(forged).replace(b"verifiable", b"Verifiable")), "malformed-input"),
        "member-in-array-forged": (jwe("member-in-array-forged", b"[" + file(forged) + b"]"), "health-card"),
        "deeplink-parameters": (jwe("deeplink-parameters", link_to(parameters)), "malformed-input"),
        "card-among-text-forged": (jwe("card-among-text-forged", b"Your card:\n" + forged.encode()), "health-card"),
        "utf-16-forged": (jwe("utf-16-forged", b"\xff\xfe" + file(forged).decode().encode("utf-16-le"), FHIR_TYPE), "health-card"),
        "scanner-forged": (jwe("scanner-forged", b"]Q1" + file(forged), FHIR_TYPE), "health-card"),
        "frame-forged": (jwe("frame-forged", b"\x02" + forged.encode() + b"\x03\0", "text/plain"), "health-card"),
        "two-jws": (jwe("two-jws", (jws + "\n" + forged).encode()), "health-card"),
        "parameters-forged": (jwe("parameters-forged", parameters, FHIR_TYPE), "health-card"),
        "url": (jwe("url", b"https://app.example/#section"), "other"),
        "text": (jwe("text", b"Read the leaflet. It is at https://app.example.", "text/plain"), "other"),
        "member-twice": (jwe("member-twice", twice), "malformed-input"),
        "member-twice-escaped": (jwe("member-twice-escaped", escaped, "text/plain"), "malformed-input"),
        "member-twice-deeplink": (jwe("member-twice-deeplink", link_to(twice)), "malformed-input"),
        "parameters-twice": (jwe("parameters-twice", parameters[:-1] + b',"x":1,"x":2}', FHIR_TYPE), "malformed-input"),
        "many": (jwe("many", file(*["a.b.c"] * 3000), CARD_TYPE, deflated=True), "health-card"),
        "claims-card": (jwe("claims-card", b"hello", CARD_TYPE), "malformed-input"),
        "no-cards": (jwe("no-cards", file(), CARD_TYPE), "malformed-input"),
        "wrong-key": (jwe("wrong-key", card, CARD_TYPE, key=OTHER_KEY), "decryption-failed"),
        "spoilt-header": (jwe("spoilt-header", card).replace(".", "A.", 1), "malformed-jwe"),
        "spoilt-iv": (jwe("spoilt-iv", card, spoil=2), "decryption-failed"),
        "spoilt-ciphertext": (jwe("spoilt-ciphertext", card, spoil=3), "decryption-failed"),
        "spoilt-tag": (jwe("spoilt-tag", card, spoil=4), "decryption-failed"),
        "iv-16": (jwe("iv-16", card, iv_length=16), "malformed-jwe"),
        "other-alg": (jwe("other-alg", card, header={"alg": "A256KW"}), "unsupported-encryption"),
        "other-enc": (jwe("other-enc", card, header={"enc": "A128CBC-HS256"}), "unsupported-encryption"),
        "other-zip": (jwe("other-zip", card, header={"zip": "GZIP"}), "unsupported-compression"),
        "crit": (jwe("crit", card, header={"crit": ["exp"]}), "malformed-jwe"),
        "not-deflated": (jwe("not-deflated", card, header={"zip": "DEF"}), "inflate-failed"),
        "bomb": (jwe("bomb", b" " * (32 << 20), CARD_TYPE, deflated=True), "payload-too-large"),
        "plain-card": (jws, "malformed-jwe"),
        "padded": (jwe("padded", card) + "==", "malformed-jwe"),
    }
    return made


def pictures():
    """Files that only a scanner can read, by name."""
    names = {"picture": "card.png", "picture-forged": "forged.png", "picture-nothing": "nothing.png", "document": "card.pdf",
             "document-attachment": "card-attachment.pdf"}
    folder = HERE.parent / "pictures"
    made = {name: jwe(name, (folder / file).read_bytes(), "image/png" if file.endswith("png") else "application/pdf")
            for name, file in names.items()}
    nothing = (folder / "nothing.png").read_bytes()
    made["picture-broken"] = jwe("picture-broken", nothing[:len(nothing) // 2], "image/png")
    return made


def main():
    made = files()
    index = {"key": b64(KEY), "files": [{"file": name + ".jwe", "expect": what} for name, (_, what) in made.items()]}
    wanted = {name + ".jwe": text.encode() for name, (text, _) in made.items()}
    wanted.update({name + ".jwe": text.encode() for name, text in pictures().items()})
    wanted["links.json"] = (json.dumps(index, indent=1) + "\n").encode()
    if "--check" in sys.argv:
        found = {path.name: path.read_bytes() for path in HERE.iterdir() if path.suffix in (".jwe", ".json")}
        if found != wanted:
            sys.exit("the link vectors are not what TestVectors/links/generate.py writes")
        return
    for path in HERE.glob("*.jwe"):
        path.unlink()
    for name, content in wanted.items():
        (HERE / name).write_bytes(content)


if __name__ == "__main__":
    main()
