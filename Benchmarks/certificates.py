"""Makes tens of thousands of EU Digital COVID Certificates, with the expected verdict of each, and sets of cards and certificates.

One certificate in a hundred is bad, and the kinds in KINDS take turns. Needs Python's `cbor2` besides `cryptography`.
"""

import datetime
import hashlib
import multiprocessing
import os
import random
import zlib

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.x509.oid import NameOID

from cards import NOW, Set

FORM = 1  # the version of the certificates; if it changes, they are made again
CHUNK = 2_500
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def base45(data):
    text = []
    for place in range(0, len(data), 2):
        group = data[place:place + 2]
        number = int.from_bytes(group, "big")
        for _ in range(len(group) + 1):
            number, digit = divmod(number, 45)
            text.append(ALPHABET[digit])
    return "".join(text)


class Signer:
    def __init__(self, private, number):
        self.private = private
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Example Signer {number}"),
                          x509.NameAttribute(NameOID.COUNTRY_NAME, "XA")])
        moment = datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc)
        year = datetime.timedelta(days=365)
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(private.public_key())
        builder = builder.serial_number(number + 1).not_valid_before(moment - 6 * year).not_valid_after(moment + 6 * year)
        self.certificate = builder.sign(private, hashes.SHA256())
        der = self.certificate.public_bytes(serialization.Encoding.DER)
        self.kid = hashlib.sha256(der).digest()[:8]

    @property
    def isRSA(self):
        return isinstance(self.private, rsa.RSAPrivateKey)

    def sign(self, text):
        if self.isRSA:
            return self.private.sign(text, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
        return b"".join(n.to_bytes(32, "big") for n in decode_dss_signature(self.private.sign(text, ec.ECDSA(hashes.SHA256()))))


def content(rng):
    date = f"2021-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    person = {"fn": "Muster", "fnt": "MUSTER", "gn": f"Jane {rng.randrange(1000)}", "gnt": "JANE"}
    record = {"tg": "840539006", "vp": "1119349007", "mp": "EU/1/20/1528", "ma": "ORG-100030215", "dn": 2, "sd": 2, "dt": date,
              "co": "XA", "is": "Example Ministry", "ci": f"URN:UVCI:01:XA:{rng.randrange(10**12):012}#A"}
    return {"ver": "1.3.0", "nam": person, "dob": f"{rng.randint(1930, 2010)}-01-20", "v": [record]}


def text(signer, rng, claims=None, kid=None, spoil=False, maker=None):
    body = {1: "XA", 4: NOW + 1 + rng.randrange(10**6), 6: NOW - 1 - rng.randrange(10**6), -260: {1: content(rng)}} | (claims or {})
    protected = cbor2.dumps({1: -37 if signer.isRSA else -7, 4: kid or signer.kid})
    payload = cbor2.dumps(body)
    signature = bytearray((maker or signer).sign(cbor2.dumps(["Signature1", protected, b"", payload])))
    if spoil:
        signature[rng.randrange(len(signature) - 1)] ^= 1
    message = cbor2.dumps(cbor2.CBORTag(18, [protected, {}, payload, bytes(signature)]))
    return "HC1:" + base45(zlib.compress(message, 9))


# The expected reason code, and the function that makes the line.
KINDS = [
    ("signature-invalid", lambda s, r: text(s, r, spoil=True)),
    ("expired", lambda s, r: text(s, r, {4: NOW - 1})),
    ("not-yet-valid", lambda s, r: text(s, r, {6: NOW + 1})),
    ("key-not-found", lambda s, r: text(s, r, kid=b"12345678")),
    ("malformed-payload", lambda s, r: text(s, r, {4: "never"})),
    ("malformed-qr", lambda s, r: text(s, r)[:-1] + "a"),
]


def _key(kind, number):
    if kind == "ES256":
        secret = int.from_bytes(hashlib.sha256(f"shcverify TEST-ONLY bench signer {number}".encode()).digest(), "big")
        return ec.derive_private_key(secret >> 1, ec.SECP256R1())
    return rsa.generate_private_key(65537, 2048)


def _chunk(task):
    first, count, keys = task
    signers = []
    for number, (pem, kid) in enumerate(keys):
        signers.append(Signer(serialization.load_pem_private_key(pem, None), number))
        # The signature of a certificate has a random nonce, so only the first one is on the list.
        signers[-1].kid = kid
    rng = random.Random(f"{FORM} {len(keys)} {first}")
    lines, expected = [], []
    for number in range(first, first + count):
        signer = signers[number % len(signers)]
        if number % 100 == 37:
            reason, make = KINDS[number // 100 % len(KINDS)]
            lines.append(make(signer, rng))
            expected.append(reason)
        else:
            lines.append(text(signer, rng))
            expected.append("")
    return "\n".join(lines) + "\n", "\n".join(expected) + "\n"


class CertificateSet(Set):
    """The files with the certificates of a number of signers with keys of one kind. Missing files are made."""

    def __init__(self, folder, count, kind, signers):
        self.count, self.kind, self.signers = count, kind, signers
        stem = f"{folder}/certificates-{FORM}-{kind}-{count}-{signers}"
        self.cards, self.reasons, self.directory = f"{stem}.txt", f"{stem}.reasons", f"{stem}.pem"
        if not os.path.exists(self.cards):
            self._make()

    def _make(self):
        keys = [_key(self.kind, number) for number in range(self.signers)]
        pems = [key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
                for key in keys]
        signers = [Signer(key, number) for number, key in enumerate(keys)]
        with open(self.directory, "wb") as file:
            for signer in signers:
                file.write(signer.certificate.public_bytes(serialization.Encoding.PEM))
        tasks = [(first, min(CHUNK, self.count - first), [(pem, signer.kid) for pem, signer in zip(pems, signers)])
                 for first in range(0, self.count, CHUNK)]
        unfinished = self.cards + ".new"
        with multiprocessing.Pool() as pool, open(unfinished, "w") as cards, open(self.reasons, "w") as reasons:
            for lines, expected in pool.imap(_chunk, tasks):
                cards.write(lines)
                reasons.write(expected)
        os.rename(unfinished, self.cards)


class MixedSet(Set):
    """The lines of a set of cards and of a set of certificates in turn."""

    def __init__(self, cards, certificates):
        self.cards, self.reasons = certificates.cards + ".mixed", certificates.reasons + ".mixed"
        self.directory = cards.directory
        self.more = ["--directory", certificates.directory]
        self.count = 2 * min(cards.count, certificates.count)
        for mixed, one, other in (self.cards, cards.cards, certificates.cards), (self.reasons, cards.reasons, certificates.reasons):
            with open(one) as first, open(other) as second, open(mixed, "w") as file:
                for pair in zip(first, second):
                    file.writelines(pair)
