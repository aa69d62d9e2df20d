"""Certificates and signatures for MadeChains.swift, made again in each run, with Python's `cryptography` (38 or later).

Prints JSON: the issuer; its JWK; by name the `chains`, each with its `x5c`, the `anchors` (PEM) to validate it with, and an
issuer of its own if the case is about the issuer; and `signed`, a message with signatures. Paths are leaf <- Test Intermediate
<- Test Root, unless the name says otherwise. Certificates that are meant to be valid are valid in 2026.
"""
import base64
import json
import sys
from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.x509 import DNSName, ObjectIdentifier, OtherName, RegisteredID, UniformResourceIdentifier as URI

ISSUER = "https://clinic.example/issuer"
CURRENT, PAST, FUTURE = (2025, 2035), (2021, 2022), (2030, 2040)
ABSENT = object()


def b64url(number):
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()


def jwk(key):
    point = key.public_key().public_numbers()
    return {"kty": "EC", "use": "sig", "alg": "ES256", "crv": "P-256", "x": b64url(point.x), "y": b64url(point.y)}


def name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)]) if isinstance(text, str) else text


def element(tag, *contents):
    body = b"".join(contents)
    digits = len(body).to_bytes(4, "big").lstrip(b"\0")
    size = bytes([len(body)]) if len(body) < 128 else bytes([0x80 | len(digits)]) + digits
    return bytes([tag]) + size + body


ECDSA_WITH_SHA1 = element(0x30, element(0x06, bytes.fromhex("2a8648ce3d0401")))
ECDSA_WITH_SHA256 = element(0x30, element(0x06, bytes.fromhex("2a8648ce3d040302")))


class Certificate:
    """A certificate with its key. Without `by` it is self-signed.

    `patch` replaces bytes in the signed part, to make certificates that the library refuses to make. `sha1` signs with SHA-1.
    The lengths stay right only if the replacement is as long, or is directly in the outermost element.
    """
    serial = 1

    def __init__(self, subject, by=None, key=None, ca=False, path_length=None, years=CURRENT, names=(), usage=None,
                 constraints=None, digest=hashes.SHA256, more=(), identifiers=True, basic=True, patch=None,
                 sha1=False):
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.subject = name(subject)
        signer = by.key if by else self.key
        Certificate.serial += 1
        builder = (x509.CertificateBuilder().subject_name(self.subject).public_key(self.key.public_key())
                   .issuer_name(by.subject if by else self.subject).serial_number(Certificate.serial)
                   .not_valid_before(datetime(years[0], 1, 1)).not_valid_after(datetime(years[1], 1, 1)))
        if basic:
            builder = builder.add_extension(x509.BasicConstraints(ca, path_length), critical=True)
        if usage is None:
            usage = {"key_cert_sign"} if ca else {"digital_signature"}
        if usage is not ABSENT:
            bits = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                    "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
            builder = builder.add_extension(x509.KeyUsage(**{bit: bit in usage for bit in bits}), critical=True)
        if identifiers:
            builder = (builder
                       .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
                       .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False))
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        if constraints:
            builder = builder.add_extension(constraints, critical=True)
        for extension, critical in more:
            builder = builder.add_extension(extension, critical)
        digest = None if isinstance(signer, ed25519.Ed25519PrivateKey) else digest()
        self.der = builder.sign(signer, digest).public_bytes(serialization.Encoding.DER)
        if patch:
            signed = x509.load_der_x509_certificate(self.der).tbs_certificate_bytes
            contents = signed[2 + (signed[1] & 0x7F):]
            for old, new in patch:
                assert old in contents, old
                contents = contents.replace(old, new)
            self.sign(element(0x30, contents), signer, hashes.SHA1 if sha1 else hashes.SHA256)

    def sign(self, signed, signer, digest):
        """The certificate around the signed part, with an ECDSA signature."""
        algorithm = ECDSA_WITH_SHA1 if digest is hashes.SHA1 else ECDSA_WITH_SHA256
        self.der = element(0x30, signed, algorithm, element(0x03, b"\0", signer.sign(signed, ec.ECDSA(digest()))))


def pem(*certificates):
    return "".join("-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(each.der).decode() + "-----END CERTIFICATE-----\n"
                   for each in certificates)


chains = {}


def chain(title, x5c, anchors):
    assert title not in chains
    chains[title] = {"x5c": [base64.b64encode(each.der if isinstance(each, Certificate) else each).decode() for each in x5c],
                     "anchors": pem(*anchors)}


KEY = ec.generate_private_key(ec.SECP256R1())
ROOT = Certificate("Test Root", ca=True)
OTHER_ROOT = Certificate("Other Root", ca=True)
INTERMEDIATE = Certificate("Test Intermediate", ROOT, ca=True)


def leaf(by=INTERMEDIATE, **changes):
    return Certificate(**{"subject": "Test Clinic", "by": by, "key": KEY, "names": [URI(ISSUER)], **changes})


LEAF = leaf()

# Valid chains
chain("intermediate", [LEAF, INTERMEDIATE], [ROOT])
chain("with root", [LEAF, INTERMEDIATE, ROOT], [ROOT])
chain("without intermediate", [leaf(ROOT)], [ROOT])
chain("one of several anchors", [LEAF, INTERMEDIATE], [OTHER_ROOT, ROOT])
chain("an anchor twice", [LEAF, INTERMEDIATE], [ROOT, ROOT])
second = Certificate("Second Intermediate", INTERMEDIATE, ca=True)
third = Certificate("Third Intermediate", second, ca=True)
chain("shuffled", [leaf(third), INTERMEDIATE, ROOT, third, OTHER_ROOT, second], [ROOT])
# OpenSSL takes the first authority of a name, if no key identifier tells it which one it must be.
namesakes = [Certificate("Shared Name", ca=True, identifiers=False) for _ in range(3)]
for number, root in enumerate(namesakes):
    chain(f"namesake {number} of three anchors", [leaf(root, identifiers=False)], namesakes)
    middle = Certificate("Middle", root, ca=True, identifiers=False)
    chain(f"intermediate of namesake {number}", [leaf(middle, identifiers=False), middle], namesakes)
late = Certificate("Shared Name", key=namesakes[0].key, ca=True, identifiers=False, years=PAST)
chain("expired namesake with the same key", [leaf(late, identifiers=False)], [late] + namesakes)
chain("leaf twice", [LEAF, LEAF, INTERMEDIATE], [ROOT])
rsa_root = Certificate("RSA Root", key=rsa.generate_private_key(65537, 2048), ca=True)
chain("RSA authority", [leaf(rsa_root)], [rsa_root])
for label, curve, digest in (("P-384", ec.SECP384R1(), hashes.SHA384), ("P-521", ec.SECP521R1(), hashes.SHA512)):
    root = Certificate(f"{label} Root", key=ec.generate_private_key(curve), ca=True)
    chain(f"{label} authority", [leaf(root, digest=digest)], [root])
root = Certificate("Ed25519 Root", key=ed25519.Ed25519PrivateKey.generate(), ca=True)
chain("Ed25519 authority", [leaf(root)], [root])
root = Certificate("Plain Root", ca=True, usage=ABSENT, identifiers=False)
chain("no usage and no identifiers", [leaf(root, usage=ABSENT, identifiers=False)], [root])
chain("anchored intermediate", [LEAF], [INTERMEDIATE])
chain("anchored intermediate in x5c", [LEAF, INTERMEDIATE], [INTERMEDIATE])
chain("anchored leaf", [LEAF], [LEAF])
chain("anchored leaf, with others", [LEAF, INTERMEDIATE, ROOT], [LEAF])
self_signed = leaf(None)
chain("anchored self-signed leaf", [self_signed], [self_signed])
chain("several names", [leaf(names=[DNSName("clinic.example"), URI(ISSUER + "/other"), URI(ISSUER)]), INTERMEDIATE], [ROOT])
chain("no subject", [leaf(subject=x509.Name([])), INTERMEDIATE], [ROOT])
again = Certificate("Test Intermediate", OTHER_ROOT, key=INTERMEDIATE.key, ca=True)
for label, x5c in (("first", [again, INTERMEDIATE]), ("last", [INTERMEDIATE, again])):
    chain(f"cross-signed, other {label}", [LEAF, *x5c], [ROOT])
old = Certificate("Test Intermediate", ROOT, key=INTERMEDIATE.key, ca=True, years=PAST)
for label, x5c in (("first", [old, INTERMEDIATE]), ("last", [INTERMEDIATE, old])):
    chain(f"renewed, old {label}", [LEAF, *x5c], [ROOT])
longest = [Certificate("Level 0", ROOT, ca=True)]
for level in range(1, 9):
    longest.append(Certificate(f"Level {level}", longest[-1], ca=True))
chain("ten", [leaf(longest[-1]), *reversed(longest)], [ROOT])

# Time
chain("expired leaf", [leaf(years=PAST), INTERMEDIATE], [ROOT])
expired = Certificate("Old Intermediate", ROOT, ca=True, years=PAST)
chain("expired intermediate", [leaf(expired), expired], [ROOT])
below = leaf(expired)
chain("anchored leaf, with an expired one", [below, expired, ROOT], [below])
expired = Certificate("Old Root", ca=True, years=PAST)
chain("expired root", [leaf(expired)], [expired])
chain("future leaf", [leaf(years=FUTURE), INTERMEDIATE], [ROOT])
expired = leaf(years=PAST)
chain("expired leaf, itself the anchor", [expired], [expired])

# Names
for label, names in (("other URI", [URI("https://other.example/issuer")]), ("no name", []),
                     ("only a host", [DNSName("clinic.example")]), ("zero behind", [URI(ISSUER + "\0")]),
                     ("zero and more behind", [URI(ISSUER + "\0.attacker.example")]),
                     ("slash behind", [URI(ISSUER + "/")]), ("capitals", [URI("https://Clinic.example/issuer")]),
                     ("issuer as host", [DNSName(ISSUER)]), ("prefix", [URI(ISSUER[:-1])]), ("empty URI", [URI("")]),
                     ("many", [URI(f"https://{number}.example") for number in range(9)]),
                     ("escapes", [URI("https://\x1b[31m.example/\n")])):
    chain(f"{label} in SAN", [leaf(names=names), INTERMEDIATE], [ROOT])
chain("issuer as subject", [leaf(subject=ISSUER, names=[]), INTERMEDIATE], [ROOT])

# Keys and signatures
other_key = ec.generate_private_key(ec.SECP256R1())
chain("other key", [leaf(key=other_key), INTERMEDIATE], [ROOT])
chain("RSA leaf", [leaf(key=rsa_root.key), INTERMEDIATE], [ROOT])
broken = bytearray(LEAF.der)
broken[-1] ^= 1
chain("broken signature", [bytes(broken), INTERMEDIATE], [ROOT])
namesake = Certificate("Test Root", ca=True)
chain("namesake of the root", [leaf(namesake)], [ROOT])
namesake = Certificate("Test Intermediate", ROOT, ca=True)
chain("namesake of the intermediate", [leaf(namesake), INTERMEDIATE], [ROOT])
namesake = Certificate("Test Root", ca=True, identifiers=False)
chain("namesake without identifiers", [leaf(namesake, identifiers=False)], [ROOT])
chain("SHA-1", [leaf(sha1=True, patch=[(ECDSA_WITH_SHA256, ECDSA_WITH_SHA1)]), INTERMEDIATE], [ROOT])
weak = Certificate("Weak Root", key=rsa.generate_private_key(65537, 1024), ca=True)
chain("RSA of 1024 bits", [leaf(weak)], [weak])

# Paths
chain("other root", [LEAF, INTERMEDIATE], [OTHER_ROOT])
chain("other root, with root", [LEAF, INTERMEDIATE, ROOT], [OTHER_ROOT])
chain("self-signed leaf", [self_signed], [ROOT])
chain("intermediate missing", [LEAF], [ROOT])
middle = Certificate("Not An Authority", ROOT)
chain("no authority", [leaf(middle), middle], [ROOT])
middle = Certificate("Not An Authority", ROOT, usage={"key_cert_sign"})
chain("no authority, with keyCertSign", [leaf(middle), middle], [ROOT])
middle = Certificate("No Constraints", ROOT, ca=True, basic=False)
chain("no basicConstraints", [leaf(middle), middle], [ROOT])
middle = Certificate("Not An Authority", names=[URI(ISSUER)])
chain("no authority as anchor", [leaf(middle)], [middle])
short = Certificate("Short Root", ca=True, path_length=0)
middle = Certificate("Too Many", short, ca=True)
chain("path length of the root", [leaf(middle), middle], [short])
chain("path length kept to", [leaf(short)], [short])
short = Certificate("Short Intermediate", ROOT, ca=True, path_length=0)
middle = Certificate("Too Many", short, ca=True)
chain("path length of an intermediate", [leaf(middle), middle, short], [ROOT])
chain("fifty", [LEAF, INTERMEDIATE] + [Certificate(f"Ballast {number}", ca=True) for number in range(48)], [ROOT])
chain("eleven", [LEAF, INTERMEDIATE] + [OTHER_ROOT] * 9, [ROOT])

# Usage and extensions
chain("leaf for agreement", [leaf(usage={"key_agreement"}), INTERMEDIATE], [ROOT])
middle = Certificate("For Data", ROOT, ca=True, usage={"digital_signature"})
chain("authority for data", [leaf(middle), middle], [ROOT])
unknown = ObjectIdentifier("1.3.6.1.4.1.99999.1")
chain("critical extension", [leaf(more=[(x509.UnrecognizedExtension(unknown, b"\5\0"), True)]), INTERMEDIATE], [ROOT])
chain("other extension", [leaf(more=[(x509.UnrecognizedExtension(unknown, b"\5\0"), False)]), INTERMEDIATE], [ROOT])
# 1.2.840 is as long as 2.5.29.17 in DER, but is not an extension.
stand_in = x509.UnrecognizedExtension(ObjectIdentifier("1.2.840"), element(0x30, element(0x86, b"https://other.example")))
twice = [(element(0x06, bytes.fromhex("2a8648")), element(0x06, bytes.fromhex("551d11")))]
chain("SAN twice", [leaf(more=[(stand_in, False)], patch=twice), INTERMEDIATE], [ROOT])
chain("malformed usage", [leaf(usage=ABSENT, more=[(x509.UnrecognizedExtension(stand_in.oid, b"\x30\0"), False)],
                              patch=[(twice[0][0], element(0x06, bytes.fromhex("551d0f")))]), INTERMEDIATE], [ROOT])
middle = Certificate("Malformed", ROOT, ca=True, more=[(x509.UnrecognizedExtension(stand_in.oid, b"\x30\1\0"), False)],
                     patch=[(twice[0][0], element(0x06, bytes.fromhex("551d1e")))])
chain("malformed constraints", [leaf(middle), middle], [ROOT])
middle = Certificate("Policies", ROOT, ca=True, more=[(x509.PolicyConstraints(0, None), True)])
chain("policy required", [leaf(middle), middle], [ROOT])
policies = x509.CertificatePolicies([x509.PolicyInformation(unknown, None)])
middle = Certificate("Policies", ROOT, ca=True, more=[(x509.PolicyConstraints(0, None), True), (policies, False)])
chain("policy present", [leaf(middle, more=[(policies, False)]), middle], [ROOT])

# Name constraints
for label, permitted, excluded, issuer, names in (
        ("permitted", [URI("clinic.example")], None, ISSUER, []),
        ("permitted below", [URI(".example")], None, ISSUER, []),
        ("port", [URI("clinic.example")], None, "https://clinic.example:8443/a:b", []),
        ("other excluded", None, [URI(".other.example")], ISSUER, []),
        ("hosts only", [DNSName("other.example")], None, ISSUER, []),
        ("not permitted", [URI("other.example")], None, ISSUER, []),
        ("excluded", None, [URI("clinic.example")], ISSUER, []),
        ("host of another not permitted", [DNSName("other.example")], None, ISSUER, [DNSName("clinic.example")]),
        ("permitted for OpenSSL alone", [URI(".clinic.example")], None, "https://attacker.example/.clinic.example:", []),
        ("excluded, but for OpenSSL", None, [URI(".clinic.example")], "https://www.clinic.example/a:b", []),
        ("user", [URI("clinic.example")], None, "https://clinic.example:x@attacker.example", []),
        ("query", [URI(".clinic.example")], None, "https://attacker.example?.clinic.example", []),
        ("address", None, [URI("clinic.example")], "https://192.0.2.1/issuer", []),
        ("no authority", [URI("clinic.example")], None, "urn:clinic.example", []),
        ("unsupported kind", [RegisteredID(unknown)], None, ISSUER, [RegisteredID(unknown)]),
        ("unsupported other name", None, [OtherName(unknown, b"\5\0")], ISSUER, [OtherName(unknown, b"\5\0")]),
        ("unsupported and unused", [RegisteredID(unknown)], None, ISSUER, [])):
    middle = Certificate("Constrained", ROOT, ca=True, constraints=x509.NameConstraints(permitted, excluded))
    chain(f"constraints: {label}", [leaf(middle, names=[URI(issuer), *names]), middle], [ROOT])
    chains[f"constraints: {label}"]["issuer"] = issuer
root = Certificate("Constrained Root", ca=True, constraints=x509.NameConstraints([URI("other.example")], None))
chain("constraints: of the anchor", [leaf(root)], [root])

# Encoding
chain("garbage", [b"\0\0\0"], [ROOT])
chain("empty", [b""], [ROOT])
chain("bytes behind", [LEAF.der + b"\0", INTERMEDIATE], [ROOT])
chain("cut", [LEAF.der[:-1], INTERMEDIATE], [ROOT])
chain("garbage behind the leaf", [LEAF, b"garbage", INTERMEDIATE], [ROOT])
chain("text", [pem(LEAF).encode(), INTERMEDIATE], [ROOT])
ballast = x509.UnrecognizedExtension(unknown, element(0x04, b"\0" * 70000))
chain("long", [leaf(more=[(ballast, False)]), INTERMEDIATE], [ROOT])

# Subjects that must not be printed unchanged. The leaf has expired, so that the message contains them.
for label, subject, patch in (
        ("letters", "Clínica Ñandú 診療所", None),
        ("quotes", 'A", B\\C+D=E<F>#;', None),
        ("controls", "A\x1b[31mB\r\nC\x7f\x9b\0D", None),
        ("directions", "A\u202eB\u2066C\ufeffD", None),
        ("not UTF-8", "AXXXXB", [(b"AXXXXB", b"A\xff\xfe\xc0\x80B")]),
        ("long", "L" * 64, None)):
    subject = name(subject)
    if label == "long":
        subject = x509.Name([x509.NameAttribute(x509.NameOID.ORGANIZATIONAL_UNIT_NAME, "O" * 64)] * 20 + list(subject))
    chain(f"subject: {label}", [leaf(subject=subject, years=PAST, patch=patch), INTERMEDIATE], [ROOT])

# Signatures of files
signer = Certificate("Test Signer", key=ec.generate_private_key(ec.SECP521R1()), years=PAST)
message = b"a snapshot"
signature = signer.key.sign(message, ec.ECDSA(hashes.SHA512()))
r, s = decode_dss_signature(signature)
text = lambda data: base64.b64encode(data).decode()
signed = {"certificate": pem(signer), "two": pem(signer, ROOT), "P-256": pem(ROOT), "RSA": pem(rsa_root),
          "P-384": pem(Certificate("P-384 Signer", key=ec.generate_private_key(ec.SECP384R1()))),
          "other": pem(Certificate("Test Signer", key=ec.generate_private_key(ec.SECP521R1()))),
          "key": text(signer.key.public_key().public_bytes(
              serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)),
          "message": text(message), "signature": text(signature), "raw": text(r.to_bytes(66, "big") + s.to_bytes(66, "big")),
          "SHA-256": text(signer.key.sign(message, ec.ECDSA(hashes.SHA256())))}

json.dump({"issuer": ISSUER, "jwk": jwk(KEY), "chains": chains, "signed": signed}, sys.stdout)
