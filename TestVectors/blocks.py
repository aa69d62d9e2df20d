"""The parts of cards, one function for each: keys, certificates, JSON, DEFLATE, JWS, QR texts, files.

This follows the standards and uses Python's own zlib and the `cryptography` package. It shares no code with shcverify, so a wrong
vector can pass only if both make the same mistake. The results depend only on the arguments, and not on a clock or random
numbers: keys are made from their names by SHA-256, and signatures use the nonces of RFC 6979.
"""

import base64
import hashlib
import hmac
import itertools
import json
import math
import re
import zlib
from datetime import datetime
from functools import lru_cache
from urllib.parse import quote

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # the order of P-256
P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF  # its field


# Bytes and JSON

def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_b64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def octets(number, length=32):
    return number.to_bytes(length, "big")


def noise(label, length):
    """Bytes that look random, but are always the same for a label."""
    return b"".join(hashlib.sha256(f"{label} {i}".encode()).digest() for i in range(length // 32 + 1))[:length]


class Raw(str):
    """A JSON token that is written unchanged: Raw("6.30"), Raw("NaN"), Raw('"\\\\ud800"')."""


def minify(value, **options):
    def marked(value):
        if isinstance(value, Raw):
            return f"@@{value}@@"
        if isinstance(value, dict):
            return {name: marked(member) for name, member in value.items()}
        return [marked(element) for element in value] if isinstance(value, list) else value

    text = json.dumps(marked(value), ensure_ascii=False, **{"separators": (",", ":"), **options})
    return re.sub(r'"@@(.*?)@@"', lambda token: json.loads(f'"{token[1]}"'), text).encode()


def pretty(value):
    return minify(value, indent=2, separators=(",", ": "))


ABSENT = object()


def edited(value, changes):
    """A copy of a JSON object in which {"a.b": x} sets member b of member a; ABSENT removes it."""
    value = dict(value)
    for path, new in changes.items():
        name, _, rest = path.partition(".")
        if rest:
            value[name] = edited(value[name], {rest: new})
        elif new is ABSENT:
            value.pop(name, None)
        else:
            value[name] = new
    return value


def swapped(data, old, new):
    """The bytes with `old` replaced by `new`. `old` must occur exactly once."""
    assert data.count(old) == 1, (old, data.count(old))
    return data.replace(old, new)


# Keys, key sets, certificates

class Key:
    """A P-256 test key, made from its name. `wanted` is a condition that its public point must meet."""

    def __init__(self, name, wanted=lambda x, y: True):
        for attempt in itertools.count():
            digest = hashlib.sha256(f"shcverify TEST-ONLY key {name} {attempt}".encode()).digest()
            self.name, self.d = name, int.from_bytes(digest, "big") % (N - 1) + 1
            self.private = ec.derive_private_key(self.d, ec.SECP256R1())
            self.public = self.private.public_key()
            point = self.public.public_numbers()
            self.x, self.y = octets(point.x), octets(point.y)
            if wanted(self.x, self.y):
                break
        self.kid = thumbprint(b64url(self.x), b64url(self.y))

    def jwk(self, **changes):
        members = {"kty": "EC", "kid": self.kid, "use": "sig", "alg": "ES256", "crv": "P-256",
                   "x": b64url(self.x), "y": b64url(self.y)}
        return edited(members, changes)

    def private_jwk(self, **changes):
        return self.jwk(d=b64url(octets(self.d)), **changes)


def thumbprint(x, y):
    """The thumbprint of a P-256 key (RFC 7638)."""
    return b64url(hashlib.sha256(minify({"crv": "P-256", "kty": "EC", "x": x, "y": y})).digest())


def key_set(*keys, **others):
    return {"keys": list(keys), **others}


def der(tag, *contents):
    body = b"".join(contents)
    size = bytes([len(body)]) if len(body) < 128 else bytes([0x82]) + octets(len(body), 2)
    return bytes([tag]) + size + body


def certificate(subject, key, issuer=None, signer=None, uri=None, years=(2025, 2035), authority=False):
    """DER of an X.509 certificate, self-signed without `issuer`. `cryptography` encodes the content, and es256 signs it."""
    name = lambda text: x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])
    signer = signer or key
    builder = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer or subject)).public_key(key.public)
               .serial_number(int.from_bytes(noise(f"serial {subject} {years}", 15), "big"))
               .not_valid_before(datetime(years[0], 1, 1)).not_valid_after(datetime(years[1], 1, 1))
               .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
               .add_extension(x509.KeyUsage(not authority, False, False, False, False, authority, authority, False, False), critical=True)
               .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public), critical=False)
               .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public), critical=False))
    if uri:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.UniformResourceIdentifier(uri)]), critical=False)
    signed = builder.sign(signer.private, hashes.SHA256()).tbs_certificate_bytes
    ecdsa_with_sha256 = der(0x30, der(0x06, bytes.fromhex("2a8648ce3d040302")))
    return der(0x30, signed, ecdsa_with_sha256, der(0x03, b"\0", encode_dss_signature(*es256(signer, signed))))


def x5c(*certificates):
    return [base64.b64encode(each).decode() for each in certificates]


def pem(certificate):
    return x509.load_der_x509_certificate(certificate).public_bytes(serialization.Encoding.PEM)


# Signatures

def nonces(d, digest):
    """The candidates for k (RFC 6979 section 3.2) for P-256 and SHA-256."""
    mac = lambda key, *parts: hmac.new(key, b"".join(parts), hashlib.sha256).digest()
    seed = octets(d) + octets(int.from_bytes(digest, "big") % N)
    k, v = b"\0" * 32, b"\1" * 32
    for step in (b"\0", b"\1"):
        k = mac(k, v, step, seed)
        v = mac(k, v)
    while True:
        v = mac(k, v)
        if 0 < int.from_bytes(v, "big") < N:
            yield int.from_bytes(v, "big")
        k = mac(k, v, b"\0")
        v = mac(k, v)


def es256(key, message):
    """(r, s) over the message, checked with the verifier of `cryptography`."""
    digest = hashlib.sha256(message).digest()
    for k in nonces(key.d, digest):
        r = ec.derive_private_key(k, ec.SECP256R1()).public_key().public_numbers().x % N  # x of k times the base point
        s = pow(k, -1, N) * (int.from_bytes(digest, "big") + r * key.d) % N
        if r and s:
            key.public.verify(encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
            return r, s


def raw_signature(r, s):
    return octets(r) + octets(s)


# DEFLATE

def deflated(data, bits=-15, level=9, strategy=zlib.Z_DEFAULT_STRATEGY, end=zlib.Z_FINISH):
    """bits: -15 for raw DEFLATE, 15 for zlib's format, 31 for gzip's. data may be a list of pieces."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, bits, 9, strategy)
    pieces = [data] if isinstance(data, bytes) else data
    return b"".join(map(compressor.compress, pieces)) + compressor.flush(end)


def inflated(data):
    inflater = zlib.decompressobj(-15)
    plain = inflater.decompress(data)
    assert inflater.eof and not inflater.unused_data
    return plain


# The card

def header(key, **changes):
    return edited({"zip": "DEF", "alg": "ES256", "kid": key.kid}, changes)


def card(payload, key, head=None, compress=deflated, spell=lambda head, body: (head, body),
         sign=lambda r, s: raw_signature(r, s), spell_signature=lambda text: text, sign_over=None):
    """A compact JWS. `head` and `payload` are JSON objects or bytes. `spell` changes the two encoded parts before they are
    signed, `sign` turns (r, s) into the signature's bytes, and `sign_over` replaces the signing input."""
    head = header(key) if head is None else head
    head, payload = (part if isinstance(part, bytes) else minify(part) for part in (head, payload))
    signing_input = ".".join(spell(b64url(head), b64url(compress(payload))))
    return signing_input + "." + spell_signature(b64url(sign(*es256(key, sign_over or signing_input.encode()))))


# Carriers of cards

def file(*cards, **others):
    return minify({"verifiableCredential": list(cards), **others}).decode()


def parameters(*cards, extra=()):
    return minify({"resourceType": "Parameters", "parameter": [
        {"name": "verifiableCredential", "valueString": each} for each in cards] + list(extra)}).decode()


def digits(text):
    return "".join(f"{ord(character) - 45:02}" for character in text)


def qr(card):
    return "shc:/" + digits(card)


def chunks(card, count=None):
    """The card in balanced chunks, of at most 1191 characters if no number of chunks is given."""
    count = count or math.ceil(len(card) / 1191)
    at = [len(card) * i // count for i in range(count + 1)]
    return [f"shc:/{i + 1}/{count}/{digits(card[at[i]:at[i + 1]])}" for i in range(count)]


def deep_link(fragment, safe=""):
    return "https://viewer.example/open#" + quote(fragment, safe=safe)


# Reading the cards again

QR_TEXT = re.compile(r"shc:/(?:(\d+)/(\d+)/)?((?:\d\d)+)(?![\d/])", re.IGNORECASE)
JWS_TEXT = re.compile(r"(?<![\w.-])[\w-]+\.[\w-]+\.[\w-]+(?![\w.-])")


def cards_in(texts):
    """All compact JWS in the texts, including those in QR texts."""
    found, parts = [], {}
    for text in texts:
        for index, count, number in QR_TEXT.findall(text):
            plain = "".join(chr(int(number[i:i + 2]) + 45) for i in range(0, len(number), 2))
            group = parts.setdefault(int(count or 0), {})
            group[int(index or len(group))] = plain
        found += [each for each in JWS_TEXT.findall(text) if from_b64url(each.split(".")[0]).lstrip().startswith(b"{")]
    for count, known in parts.items():
        found += ["".join(known[i] for i in sorted(known))] if count else known.values()
    return found


def opened(card, jwks):
    """The payload's bytes (JSON) of a card whose signature verifies with one of the JWKs."""
    head, body, signature = card.split(".")
    kid, signature = json.loads(from_b64url(head))["kid"], from_b64url(signature)
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    for jwk in jwks:
        if isinstance(jwk, dict) and jwk.get("kid") == kid and jwk.get("crv") == "P-256":
            x, y = (int.from_bytes(from_b64url(jwk[name]), "big") for name in "xy")
            try:
                public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
                public.verify(encode_dss_signature(r, s), f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
            except Exception:
                continue
            plain = inflated(from_b64url(body))
            json.loads(plain, parse_int=str)
            return plain
    raise AssertionError("no key verifies the signature")
