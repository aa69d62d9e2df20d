"""Building blocks: CBOR, base45, COSE, keys and X.509 certificates, written by hand so that they can also be wrong on purpose.

The package `cryptography` is used only for points of curves, for the encoding of public keys, and to check what is made here.
Everything is made from names, so the same octets come out each time.
"""

import base64
import hashlib
import hmac
import itertools
import struct
import zlib
from datetime import datetime, timezone

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature


def noise(label, length):
    """Octets that look random, but are always the same for a label."""
    return b"".join(hashlib.sha256(f"shcverify hcert {label} {i}".encode()).digest() for i in range(length // 32 + 1))[:length]


def b64(data):
    return base64.b64encode(data).decode()


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def big(octets):
    return int.from_bytes(octets, "big")


def seconds(text):
    """Seconds since 1970 of "2022-06-01" or "2022-06-01T12:00:00"."""
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp())


# CBOR

class Cbor:
    """Octets that are put into CBOR as they are."""

    def __init__(self, octets):
        self.octets = octets


class Pairs(list):
    """A map as a list of pairs: any order, any key, and keys may be there twice."""


class Tag:
    def __init__(self, number, value):
        self.number, self.value = number, value


def head(major, number, width=None):
    """The first octets of an item. width: how many octets the number takes, if it fits; None is as few as possible."""
    needed = 0 if number < 24 else 1 if number < 1 << 8 else 2 if number < 1 << 16 else 4 if number < 1 << 32 else 8
    width = max(needed, width or 0)
    if width == 0:
        return bytes([major << 5 | number])
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[width]]) + number.to_bytes(width, "big")


def cbor(value, wide=None, indefinite=False):
    """CBOR of a value. `wide` is the width of every head; `indefinite` gives every array, map and text no length."""
    again = lambda part: cbor(part, wide, indefinite)
    start = lambda major, number: head(major, number, wide)
    if isinstance(value, Cbor):
        return value.octets
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", True: b"\xf5", False: b"\xf4"}[value]
    if isinstance(value, int):
        return start(0, value) if value >= 0 else start(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, Tag):
        return start(6, value.number) + again(value.value)
    if isinstance(value, (str, bytes)):
        major, data = (3, value.encode()) if isinstance(value, str) else (2, value)
        if indefinite:
            half = len(value) // 2
            pieces = [piece.encode() if isinstance(piece, str) else piece for piece in (value[:half], value[half:])]
            return bytes([major << 5 | 31]) + b"".join(start(major, len(piece)) + piece for piece in pieces) + b"\xff"
        return start(major, len(data)) + data
    if isinstance(value, dict):
        value = Pairs(value.items())
    major = 5 if isinstance(value, Pairs) else 4
    parts = [again(part) for element in value for part in (element if major == 5 else [element])]
    first, last = (bytes([major << 5 | 31]), b"\xff") if indefinite else (start(major, len(value)), b"")
    return first + b"".join(parts) + last


# Text

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def base45(data):
    text = ""
    for i in range(0, len(data), 2):
        number, count = big(data[i:i + 2]), 3 if i + 1 < len(data) else 2
        text += "".join(ALPHABET[number // 45 ** j % 45] for j in range(count))
    return text


def from_base45(text):
    groups = [text[i:i + 3] for i in range(0, len(text), 3)]
    return b"".join(sum(ALPHABET.index(c) * 45 ** j for j, c in enumerate(group)).to_bytes(len(group) - 1, "big") for group in groups)


def compressed(data, level=9, bits=15, dictionary=None):
    """bits: 15 is zlib's format with the widest window, -15 raw DEFLATE, 31 gzip."""
    packer = zlib.compressobj(level, zlib.DEFLATED, bits, 9, zlib.Z_DEFAULT_STRATEGY, *([dictionary] if dictionary else []))
    return packer.compress(data) + packer.flush()


def hc1(message, pack=compressed, prefix="HC1:"):
    return prefix + base45(pack(message))


# Keys

class EcKey:
    """A test key made from its name. `wanted` is a condition on the octets of x."""
    kty = "EC"

    def __init__(self, name, curve=ec.SECP256R1(), wanted=lambda x: True):
        self.size = curve.key_size // 8
        self.order = {256: 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
                      384: 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973}[curve.key_size]
        for attempt in itertools.count():
            self.d = big(noise(f"TEST-ONLY key {name} {attempt}", self.size)) % (self.order - 1) + 1
            self.private = ec.derive_private_key(self.d, curve)
            self.public = self.private.public_key()
            point = self.public.public_numbers()
            self.x, self.y = (number.to_bytes(self.size, "big") for number in (point.x, point.y))
            if wanted(self.x):
                break
        self.curve, self.crv, self.alg = curve, f"P-{curve.key_size}", -7

    def pair(self, message):
        """(r, s) over the SHA-256 of the message. The nonce is made as in RFC 6979, with HMAC-SHA-256 for both curves."""
        digest = hashlib.sha256(message).digest()
        mac = lambda key, *parts: hmac.new(key, b"".join(parts), hashlib.sha256).digest()
        seed = self.d.to_bytes(self.size, "big") + (big(digest) % self.order).to_bytes(self.size, "big")
        k, v = b"\0" * 32, b"\1" * 32
        for step in (b"\0", b"\1"):
            k = mac(k, v, step, seed)
            v = mac(k, v)
        while True:
            t = b""
            while len(t) < self.size:
                v = mac(k, v)
                t += v
            nonce = big(t[:self.size])
            if 0 < nonce < self.order:
                r = ec.derive_private_key(nonce, self.curve).public_key().public_numbers().x % self.order
                s = pow(nonce, -1, self.order) * (big(digest) + r * self.d) % self.order
                if r and s:
                    self.public.verify(encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
                    return r, s
            k = mac(k, v, b"\0")
            v = mac(k, v)

    def sign(self, message):
        return b"".join(number.to_bytes(self.size, "big") for number in self.pair(message))

    def verifies(self, message, signature):
        r, s = big(signature[:self.size]), big(signature[self.size:])
        self.public.verify(encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))

    def jwk(self):
        return {"kty": "EC", "crv": self.crv, "x": b64url(self.x), "y": b64url(self.y)}


def prime(label, bits):
    """The first prime at or after a number made from the label, with its two top bits set."""
    number = big(noise(label, bits // 8)) | 3 << (bits - 2) | 1
    small = [p for p in range(3, 4000, 2) if all(p % q for q in range(3, int(p ** .5) + 1, 2))]
    while any(number % p == 0 for p in small) or any(pow(base, number - 1, number) != 1 for base in (2, 3, 5, 7)):
        number += 2
    return number


class RsaKey:
    """A test key made from its name, and thus worthless by design."""
    kty, alg = "RSA", -37

    def __init__(self, name, bits):
        self.e, self.size = 65537, bits // 8
        self.p, self.q = p, q = [prime(f"TEST-ONLY prime {name} {which}", bits // 2) for which in "pq"]
        self.n, self.d = p * q, pow(65537, -1, (p - 1) * (q - 1))
        self.public = rsa.RSAPublicNumbers(65537, self.n).public_key()

    def raw(self, padded):
        return pow(big(padded), self.d, self.n).to_bytes(self.size, "big")

    def sign(self, message, salt=32, digest=hashlib.sha256, mask_digest=hashlib.sha256):
        """RSASSA-PSS (RFC 8017, 9.1.1). The salt is made from the message."""
        salt, h = noise("salt", salt), digest(message).digest()
        h = digest(bytes(8) + h + salt).digest()
        data = bytes(self.size - len(salt) - len(h) - 2) + b"\1" + salt
        mask = b"".join(mask_digest(h + i.to_bytes(4, "big")).digest() for i in range(len(data) // 20 + 1))[:len(data)]
        masked = bytearray(a ^ b for a, b in zip(data, mask))
        masked[0] &= 0x7F
        return self.raw(bytes(masked) + h + b"\xbc")

    def sign_pkcs1(self, message):
        info = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(message).digest()
        return self.raw(b"\0\1" + b"\xff" * (self.size - len(info) - 3) + b"\0" + info)

    def verifies(self, message, signature):
        self.public.verify(signature, message, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())

    def jwk(self):
        return {"kty": "RSA", "n": b64url(self.n.to_bytes(self.size, "big")), "e": "AQAB"}


# Certificates

def der(tag, *contents):
    body = b"".join(contents)
    count = (len(body).bit_length() + 7) // 8
    return bytes([tag]) + (bytes([len(body)]) if len(body) < 128 else bytes([0x80 | count]) + len(body).to_bytes(count, "big")) + body


def oid(text):
    first, second, *others = map(int, text.split("."))
    octets = bytes([first * 40 + second])
    for number in others:
        groups = [number & 127]
        while number := number >> 7:
            groups.insert(0, number & 127 | 128)
        octets += bytes(groups)
    return der(6, octets)


def integer(number):
    return der(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def name(countries, common_name):
    """A Name. countries: one, or several in a tuple."""
    countries = (countries,) if isinstance(countries, str) else countries
    parts = [*(("2.5.4.6", 0x13, country) for country in countries), ("2.5.4.3", 0x0C, common_name)]
    return der(0x30, *(der(0x31, der(0x30, oid(kind), der(tag, text.encode()))) for kind, tag, text in parts if text))


def time(text):
    return der(0x17, datetime.fromtimestamp(seconds(text), timezone.utc).strftime("%y%m%d%H%M%SZ").encode())


def spki(key):
    return key.public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def extension(kind, value, critical=False):
    return der(0x30, oid(kind), der(1, b"\xff") if critical else b"", der(4, value))


ECDSA_WITH_SHA256 = der(0x30, oid("1.2.840.10045.4.3.2"))


def certificate(subject, key, issuer, issuer_key, valid, usages=None, ca=False, key_usage=b"\x07\x80", serial=None, version=3, bare=False, more=()):
    """DER of a certificate. usages: object identifiers of the extended key usage, None for no such extension.

    more: further extensions. bare: no extensions at all.
    """
    identity = lambda which: hashlib.sha1(spki(which)).digest()
    extensions = [] if bare else [
        extension("2.5.29.14", der(4, identity(key))), extension("2.5.29.35", der(0x30, der(0x80, identity(issuer_key)))),
        extension("2.5.29.15", der(3, key_usage), True)]
    extensions += more
    if ca:
        extensions.append(extension("2.5.29.19", der(0x30, der(1, b"\xff")), True))
    if usages is not None:
        extensions.append(extension("2.5.29.37", der(0x30, *map(oid, usages))))
    serial = big(noise(f"serial {subject} {valid}", 15)) if serial is None else serial
    tbs = der(0x30, der(0xA0, integer(2)) if version == 3 else b"", integer(serial), ECDSA_WITH_SHA256, name(*issuer),
              der(0x30, *map(time, valid)), name(*subject), spki(key),
              der(0xA3, der(0x30, *extensions)) if extensions and version == 3 else b"")
    signature = der(0x30, *map(integer, issuer_key.pair(tbs)))
    return der(0x30, tbs, ECDSA_WITH_SHA256, der(3, b"\0", signature))


def pem(data, label="CERTIFICATE"):
    text = b64(data)
    return "\n".join([f"-----BEGIN {label}-----"] + [text[i:i + 64] for i in range(0, len(text), 64)] + [f"-----END {label}-----", ""])


# COSE

def to_be_signed(protected, payload, context="Signature1", external=b""):
    return cbor([context, protected, external, payload])


def unpacked_message(text_or_octets):
    """The COSE octets inside a text or a file, for the check of what was made."""
    data = text_or_octets
    if data[:4].upper() == b"HC1:":
        data = from_base45(data[4:].decode())
    return zlib.decompress(data) if data[0] <= 0x78 and data[0] & 15 == 8 else data
