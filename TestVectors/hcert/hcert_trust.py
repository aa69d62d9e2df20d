"""Signers, and the lists that name them. FILES has the octets of every file in trust/."""

import hashlib
import json
import textwrap

from cryptography.hazmat.primitives.asymmetric import ec

from hcert_blocks import EcKey, RsaKey, b64, b64url, certificate, der, extension, pem, spki

VALID = ("2021-06-01", "2024-06-01")
ARC, ARC_0 = "1.3.6.1.4.1.1847.2021.1.", "1.3.6.1.4.1.0.1847.2021.1."  # test, vaccination and recovery are 1, 2 and 3 below
CLIENT_AUTH = "1.3.6.1.5.5.7.3.2"
FILES = {}


class Authority:
    def __init__(self, country):
        self.country, self.key, self.name = country, EcKey(f"CSCA {country}"), (country, f"CSCA of {country} (test only)")
        self.der = certificate(self.name, self.key, self.name, self.key, ("2021-05-01", "2031-05-01"), ca=True, key_usage=b"\x01\x06")
        self.kid = hashlib.sha256(self.der).digest()[:8]
        FILES[f"trust/csca-{country.lower()}.pem"] = pem(self.der).encode()


CSCA = {country: Authority(country) for country in ("XA", "XB")}


class Signer:
    """A key with its certificate (a DSC). named: the countries in its subject, if these are not just its country."""
    everything = []

    def __init__(self, label, key=None, country="XA", valid=VALID, authority=None, kid_has="", named=None, **options):
        self.label, self.key, self.country, self.valid = label, key or EcKey(f"DSC {label}"), country, valid
        self.authority = authority or CSCA[country]
        for attempt in range(10000):
            subject = (country if named is None else named, f"DSC {label} of {country} (test only)" + (f" {attempt}" if attempt else ""))
            self.der = certificate(subject, self.key, self.authority.name, self.authority.key, valid, **options)
            self.kid = hashlib.sha256(self.der).digest()[:8]
            if all(character in b64(self.kid) for character in kid_has):
                break
        Signer.everything.append(self)
        FILES[f"trust/dsc-{label}.pem"] = pem(self.der).encode()

    def sign(self, message):
        return self.key.sign(message)


# A kid with "+" and "/" in its base64, and an x that DER writes with a zero octet in front
XA = Signer("xa", EcKey("DSC xa", wanted=lambda x: x[0] > 127), kid_has="+/")
XB = Signer("xb", country="XB")
LATER = Signer("later", valid=("2021-06-01", "2031-06-01"))
ALL = Signer("tvr", usages=[ARC + "1", ARC + "2", ARC + "3"])
V, T, R = (Signer(label, usages=[ARC + number]) for label, number in (("v", "2"), ("t", "1"), ("r", "3")))
V_0, T_0, R_0 = (Signer(label + "-arc-0", usages=[ARC_0 + number]) for label, number in (("v", "2"), ("t", "1"), ("r", "3")))
V_AND_T_0 = Signer("v-and-t-arc-0", usages=[ARC + "2", ARC_0 + "1"])
T_AND_R = Signer("t-and-r", usages=[ARC + "1", ARC + "3"])
V_CLIENT = Signer("v-and-client", usages=[CLIENT_AUTH, ARC + "2"])
CLIENT = Signer("client-auth", usages=[CLIENT_AUTH])
NO_PURPOSE = Signer("empty-usage", usages=[])
LIKE_V = Signer("like-v", usages=[ARC + "2.1", ARC + "4", "1.3.6.1.4.1.1847.2021.2"])
RSA_2048 = Signer("rsa-2048", RsaKey("2048", 2048))
RSA_3072 = Signer("rsa-3072", RsaKey("3072", 3072))
RSA_1024 = Signer("rsa-1024", RsaKey("1024", 1024))
P_384 = Signer("p-384", EcKey("DSC p-384", ec.SECP384R1()))
ENDED = Signer("ended", valid=("2021-06-01", "2022-05-01"))
ENDED_V = Signer("ended-v", valid=("2021-06-01", "2022-05-01"), usages=[ARC + "2"])
FUTURE = Signer("future", valid=("2022-07-01", "2024-06-01"))
IS_CA = Signer("is-ca", ca=True)
CERT_SIGN = Signer("cert-sign", key_usage=b"\x02\x04")
SERIAL_0 = Signer("serial-0", serial=0)
VERSION_1 = Signer("version-1", version=1)
BARE = Signer("no-extensions", bare=True)
ODD = Signer("odd-extensions", more=[
    extension("2.5.29.16", der(0x30, der(0x80, b"20210601000000Z"), der(0x81, b"20211201000000Z"))), extension("2.5.29.37.99", b"\xff\xff"),
    extension("2.5.29.31", der(0x30, der(0x30, der(0xA0, der(0xA0, der(0x86, b"http://crl.example/list.crl"))))))])
BAD_USAGE = Signer("bad-usage", more=[extension("2.5.29.37", b"\x05\x00")])
RENEWED = Signer("renewed", ENDED.key)
BUNDLE = list(Signer.everything)

STRANGER = Signer("stranger", authority=CSCA["XB"])  # says XA, but no authority of XA has signed it
OTHER = Signer("other")  # on the lists of single cases only, as are the following
TWIN_1, TWIN_2 = Signer("twin-1"), Signer("twin-2")
DDCC = Signer("ddcc")
PILGRIM = Signer("pilgrimage")
REFERENCED = Signer("referenced")
DECA = Signer("deca")
NO_CERTIFICATE = Signer("no-certificate")
UNLISTED = Signer("unlisted")
BAD_POINT = Signer("mismatch")
NO_COUNTRY = Signer("no-country", named=())
TWO_COUNTRIES = Signer("two-countries", named=("XA", "XB"))
SAME_TWICE = Signer("same-country-twice", named=("XA", "xa"))
IN_WORDS = Signer("country-in-words", named=("Xanadu",))
AND_WORDS = Signer("country-and-words", named=("XA", "Xanadu"))
IN_THREE, IN_BOTH = Signer("three-letters", named=("DEU",)), Signer("two-and-three-letters", named=("DE", "deu"))
MANY = Signer("many-countries", named=("XA", "XB", "XC", "XD", "XE", "XF"))
FORGED = Signer("forged-list", named=("XA, XB",))
COUNTRIES = [NO_COUNTRY, TWO_COUNTRIES, SAME_TWICE, IN_WORDS, AND_WORDS, IN_THREE, IN_BOTH, MANY, FORGED]
INTERMEDIATE = Signer("intermediate", ca=True, key_usage=b"\x01\x06")
# A name like that of a root, with another key
FILES["trust/dsc-like-root.pem"] = pem(certificate(CSCA["XA"].name, EcKey("like a root"), CSCA["XB"].name, CSCA["XB"].key, VALID, ca=True)).encode()
OF_DEU, OF_XXA = Signer("of-deu"), Signer("of-xxa")
GERMAN = Signer("german", named=("DE",))


def save(path, content):
    FILES[f"trust/{path}"] = content if isinstance(content, bytes) else content.encode()
    return path


def json_text(value):
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def padded_coordinates(key):
    """x and y as DER writes integers: a zero octet in front where the first bit is set."""
    return {name: b64url((b"\0" if octets[0] > 127 else b"") + octets) for name, octets in (("x", key.x), ("y", key.y))}


# Lists of WHO's GDHCN

DID = "did:web:trust.example:v2:trustlist"


def did_entry(signer, usage="DSC", domain="DCC", kid=None, version=2, jwk=None, x5c=None, extra=None):
    kid = b64(signer.kid) if kid is None else kid
    key = signer.key.jwk() | ({"kid": kid} if version == 2 else {})
    key["x5c"] = [b64(signer.der), b64(CSCA[signer.country].der)] if x5c is None else x5c
    where = f"{DID}:{domain}:{signer.country}A:{usage}" if version == 2 else f"did:web:trust.example:trustlist:{signer.country.lower()}a"
    entry = {"id": f"{where}#{kid}", "type": "JsonWebKey2020", "controller": DID, "publicKeyJwk": key | (jwk or {})}
    if version == 2:
        entry |= {"domain": {"code": f"#{domain}"}, "participant": {"code": f"#{signer.country}A"}, "keyusage": {"code": f"#{usage}"}}
    return entry | (extra or {})


def did(*entries):
    return json_text({"@context": ["https://www.w3.org/ns/did/v1"], "id": DID, "controller": DID, "verificationMethod": list(entries),
                      "proof": {"type": "JsonWebSignature2020", "jws": "bm90IGNoZWNrZWQ"}})


class Root:
    """The CSCA of XB as if it were a signer, to see that its entry counts for nothing."""
    key, der, kid, country, label = CSCA["XB"].key, CSCA["XB"].der, CSCA["XB"].kid, "XB", "root"
    sign = staticmethod(CSCA["XB"].key.sign)


UNREADABLE = {"id": f"{DID}:DCC:XAA:DSC#AAAAAAAAAAA=", "type": "JsonWebKey2020", "controller": DID,
              "publicKeyJwk": {"kty": "EC", "crv": "P-256", "x": 7, "y": None, "x5c": ["not a certificate"]}}
save("gdhcn-v2.did.json", did(
    f"{DID}:DCC:XAA:DSC#{b64(REFERENCED.kid)}", UNREADABLE, did_entry(XA, jwk=padded_coordinates(XA.key)), did_entry(Root, "CSCA"),
    did_entry(DECA, "DECA"), did_entry(RSA_2048), did_entry(V), did_entry(DDCC, domain="DDCC"), did_entry(PILGRIM, domain="IPS-PILGRIMAGE"),
    did_entry(Root, "CSCA", kid="AQIDBAUGBwg=", jwk={"crv": "UNKNOWN CURVE"}),
    did_entry(BAD_POINT, jwk={name: OTHER.key.jwk()[name] for name in "xy"})))
save("gdhcn-v1.did.json", did(
    did_entry(XA, version=1, jwk=padded_coordinates(XA.key)), did_entry(RSA_2048, version=1), did_entry(XB, version=1),
    did_entry(STRANGER, version=1), f"{DID}#{b64(REFERENCED.kid)}"))
save("gdhcn-label.did.json", did(did_entry(XA, kid="AAECAwQFBgc=")))
save("gdhcn-unreadable-twin.did.json", did(
    did_entry(XA, jwk={"x": "AA", "y": "AA"}, x5c=["AA=="]), did_entry(P_384, kid=b64(XA.kid)), did_entry(ENDED, kid=b64(XA.kid)), did_entry(XA)))
save("gdhcn-wrong-root.did.json", did(did_entry(XA, x5c=[b64(XA.der), b64(CSCA["XB"].der)])))
save("gdhcn-leaf-alone.did.json", did(did_entry(XA, x5c=[b64(XA.der)])))
save("gdhcn-no-x5c.did.json", did({name: member for name, member in did_entry(NO_CERTIFICATE).items() if name != "x"} | {
    "publicKeyJwk": NO_CERTIFICATE.key.jwk() | {"kid": b64(NO_CERTIFICATE.kid)}}))
save("gdhcn-participants.did.json", did(*(did_entry(signer, extra={
    "publicKeyJwk": signer.key.jwk() | {"kid": b64(signer.kid)}, "participant": {"code": f"#{country}"}})
    for signer, country in ((OF_DEU, "DEU"), (OF_XXA, "XXA")))))
save("gdhcn-usage-case.did.json", did(did_entry(XA, extra={"keyusage": {"code": "#CSCA"}})))
save("gdhcn-private.did.json", did(did_entry(XA, jwk={"d": b64url(XA.key.d.to_bytes(32, "big"))})))
save("gdhcn-ended.did.json", did(did_entry(ENDED), did_entry(FUTURE)))
save("gdhcn-nothing.did.json", did())
save("gdhcn-csca-alone.did.json", did(did_entry(Root, "CSCA")))


# The gateway's list, and the German one that signs the same content

def gateway_entry(signer, kind="DSC", kid=None, raw=None):
    data = signer.der if raw is None else raw
    return {"kid": b64(signer.kid) if kid is None else kid, "timestamp": "2021-06-02T08:00:00Z", "country": signer.country,
            "certificateType": kind, "thumbprint": hashlib.sha256(data).hexdigest(), "signature": b64(b"CMS, which nobody checks here"),
            "rawData": b64(data)}


LISTED = [gateway_entry(XA), gateway_entry(XB), gateway_entry(RSA_2048), gateway_entry(V)]
NOT_SIGNERS = [gateway_entry(Root, "CSCA"), gateway_entry(OTHER, "UPLOAD"), gateway_entry(DECA, "AUTHENTICATION")]
save("gateway.json", json_text(LISTED + NOT_SIGNERS + [gateway_entry(OTHER, raw=b"not a certificate")]))
save("gateway-twins.json", json_text([gateway_entry(TWIN_1, kid="AAAAAAAAAAA="), gateway_entry(TWIN_2, kid="AAAAAAAAAAA=")]))
wrapped = lambda signer, end: gateway_entry(signer) | {"rawData": end.join(textwrap.wrap(b64(signer.der), 64)) + end}
save("gateway-wrapped.json", json_text([wrapped(XA, "\n"), wrapped(XB, "\r\n"), wrapped(RSA_2048, " ")]))
save("gateway-wrapped-unlabelled.json", json_text([{name: value for name, value in wrapped(XA, "\n").items() if name != "kid"}]))
save("gateway-root-as-signer.json", json_text([gateway_entry(XA), gateway_entry(Root)]))
# Other signers of one kid, which are in no other list
CROWD = [certificate(("XA", f"DSC {number} of a crowd (test only)"), EcKey(f"DSC crowd {number}"), CSCA["XA"].name, CSCA["XA"].key, VALID)
         for number in range(32)]
for name, others in (("fifth", 4), ("last", 31), ("beyond", 32)):
    save(f"gateway-{name}-of-one-kid.json", json_text([gateway_entry(TWIN_1, kid="AAAAAAAAAAA=", raw=each) for each in CROWD[:others] + [TWIN_1.der]]))
save("gateway-unusable-of-one-kid.json", json_text([gateway_entry(P_384, kid="AAAAAAAAAAA=")] * 40 + [gateway_entry(TWIN_1, kid="AAAAAAAAAAA=")]))
save("gateway-twin-1.json", json_text([gateway_entry(TWIN_1, kid="AAAAAAAAAAA=")]))
save("gateway-twin-2.json", json_text([gateway_entry(TWIN_2, kid="AAAAAAAAAAA=")]))
save("gateway-twin-unreadable.json", json_text([
    gateway_entry(TWIN_1, kid="AAAAAAAAAAA=", raw=b"\x30\x03\x02\x01\x00"), gateway_entry(P_384, kid="AAAAAAAAAAA="),
    gateway_entry(TWIN_2, kid="AAAAAAAAAAA=")]))
save("gateway-twin-usage.json", json_text([gateway_entry(V, kid="AAAAAAAAAAA="), gateway_entry(TWIN_2, kid="AAAAAAAAAAA=")]))
# The authority of XB certifies the public key of XA's signer.
SHARED_KEY = Signer("xa-of-xb", XA.key, country="XB")
of_both = [gateway_entry(XA, kid="AAAAAAAAAAA="), gateway_entry(SHARED_KEY, kid="AAAAAAAAAAA=")]
save("gateway-key-of-two-countries.json", json_text(of_both))
save("gateway-key-of-two-countries-reversed.json", json_text(of_both[::-1]))
save("gateway-renewed.json", json_text([gateway_entry(ENDED), gateway_entry(RENEWED, kid=b64(ENDED.kid))]))
save("gateway-renewed-first.json", json_text([gateway_entry(RENEWED, kid=b64(ENDED.kid)), gateway_entry(ENDED)]))
save("gateway-ended.json", json_text([gateway_entry(ENDED), gateway_entry(FUTURE)]))
save("gateway-label.json", json_text([gateway_entry(XA, kid="AAECAwQFBgc=")]))
save("gateway-wrong-country.json", json_text([gateway_entry(XA) | {"country": "XB"}]))
for listed in ("FR", "fra", "DE", "EU", "UN", "XA"):
    save(f"gateway-german-of-{listed.lower()}.json", json_text([gateway_entry(GERMAN) | {"country": listed}]))
    save(f"gdhcn-german-of-{listed.lower()}.did.json", did(*(did_entry(GERMAN, domain=domain, extra={
        "id": f"{DID}:{domain}:{listed}:DSC#{b64(GERMAN.kid)}", "participant": {"code": f"#{listed}"}}) for domain in ("DCC", "ICVP"))))
for listed in ("XA", "XB"):
    save(f"gateway-countries-{listed.lower()}.json", json_text([gateway_entry(signer) | {"country": listed} for signer in COUNTRIES]))

GERMAN_KEY = EcKey("German list")


def german(entries, lead="", key=GERMAN_KEY, name='"certificates"'):
    """The signed list. `lead` is how its first line, the signature, has to begin; the number of spaces inside is changed until it does."""
    for spaces in range(100000):
        body = ("{" + name + ":" + " " * spaces + json.dumps(entries, separators=(",", ":")) + "}").encode()
        line = b64(key.sign(body))
        if line.startswith(lead):
            return line.encode() + b"\n" + body


save("german-key.pem", pem(spki(GERMAN_KEY), "PUBLIC KEY"))
save("german-other-key.pem", pem(spki(EcKey("another German list")), "PUBLIC KEY"))
save("german.json", german(LISTED + NOT_SIGNERS))
# "0" and then a base64 that is no DER: the first octet is 0x30 only if the line is taken as it stands
save("german-zero.json", german(LISTED[:1], "0"))
save("german-changed.json", FILES["trust/german.json"].replace(b"2021-06-02T08:00:00Z", b"2021-06-02T08:00:01Z", 1))
save("german-no-signature.json", FILES["trust/german.json"].split(b"\n", 1)[1])
save("german-empty-signature.json", b"\n" + FILES["trust/german.json"].split(b"\n", 1)[1])


# What a list is depends on the names of the members at its top, and on nothing else in it

LIKE_NAMES = {"participating_issuers": ["verificationMethod", "certificates"], "issuerInfo": "kty"}
ARMOUR = {"comment": "-----BEGIN CERTIFICATE-----"}
for name, members in (("like-names", LIKE_NAMES), ("armour", ARMOUR)):
    save(f"did-{name}.json", did(did_entry(XA) | members))
    save(f"gateway-{name}.json", json_text([gateway_entry(XA) | members]))
    save(f"german-{name}.json", german([gateway_entry(XA) | members]))
save("did-escaped.json", did(did_entry(XA)).replace('"verificationMethod":', '"verification\\u004dethod":', 1))
save("german-escaped.json", german(LISTED, name='"certific\\u0061tes"'))
save("two-kinds.json", json_text(json.loads(did(did_entry(XA))) | {"certificates": [gateway_entry(XA)]}))
save("signed-did.json", FILES["trust/german.json"].split(b"\n", 1)[0] + b"\n" + did(did_entry(XA)).encode())


# Certificates

def bundle(*signers):
    return "".join(pem(signer.der) for signer in signers)


save("signers.pem", bundle(*BUNDLE))
save("some-words.pem", "Signers of XA, for tests only\n\n" + bundle(XA).replace("\n", "\r\n") + "\r\nsubject=C = XB\r\n" + bundle(XB))
save("one-broken.pem", pem(b"0not a certificate") + bundle(XA))
save("all-broken.pem", pem(b"0not a certificate"))
save("with-root.pem", bundle(XA, Root))
save("not-of-its-country.pem", bundle(XA, STRANGER))
save("countries.pem", bundle(*COUNTRIES))
FILES["trust/dsc-xa.der"] = XA.der


# JWK sets

def jwk(signer, kid=None, x5c=True, **members):
    return signer.key.jwk() | {"kid": b64(signer.kid) if kid is None else kid} | ({"x5c": [b64(signer.der)]} if x5c else {}) | members


def jwk_set(*keys):
    return json_text({"keys": list(keys)})


save("set.jwks.json", jwk_set(jwk(XA), jwk(RSA_2048), jwk(V), jwk(XB), jwk(LATER)))
save("plain.jwks.json", jwk_set(*(jwk(signer, x5c=False) for signer in (XA, RSA_2048, V, XB))))
save("url.jwks.json", jwk_set(*(jwk(signer, kid=b64url(signer.kid)) for signer in (XA, RSA_2048, V, XB))))
save("mismatch.jwks.json", jwk_set(jwk(XA) | {name: OTHER.key.jwk()[name] for name in "xy"}))
save("mismatch-rsa.jwks.json", jwk_set(jwk(RSA_2048) | {"n": RSA_3072.key.jwk()["n"]}))
save("private.jwks.json", jwk_set(jwk(XA, d=b64url(XA.key.d.to_bytes(32, "big")))))
save("weak.jwks.json", jwk_set(jwk(RSA_1024, x5c=False), jwk(P_384, x5c=False)))
save("off-curve.jwks.json", jwk_set(jwk(XA, x5c=False) | {"y": XA.key.jwk()["x"]}))
save("label.jwks.json", jwk_set(jwk(XA, kid="AAECAwQFBgc=")))
save("stranger.jwks.json", jwk_set(jwk(XA), jwk(STRANGER)))
save("usage-v.jwks.json", jwk_set(jwk(XA, x5c=False, keyUsage=["v"])))
save("usage-tr.jwks.json", jwk_set(jwk(XA, x5c=False, keyUsage=["t", "r"])))
save("use-v.jwks.json", jwk_set(jwk(XA, x5c=False, use="v")))
save("use-tr.jwks.json", jwk_set(jwk(XA, x5c=False, use="tr")))
save("use-sig.jwks.json", jwk_set(jwk(XA, x5c=False, use="sig")))
save("ended.jwks.json", jwk_set(jwk(ENDED), jwk(FUTURE)))
save("empty.jwks.json", jwk_set())

save("url-plain.jwks.json", jwk_set(jwk(XA, kid=b64url(XA.kid), x5c=False)))
save("no-kid.jwks.json", jwk_set({name: value for name, value in jwk(XA).items() if name != "kid"}))
save("with-root.jwks.json", jwk_set(jwk(XA), jwk(Root)))

# Published private keys. Each set has the key and what burns it, or only that.

D, RSA_KEY = b64url(XA.key.d.to_bytes(32, "big")), RSA_2048.key
number = lambda value: b64url(value.to_bytes((value.bit_length() + 7) // 8, "big"))
RSA_PUBLIC = {name: RSA_KEY.jwk()[name] for name in ("kty", "n", "e")}
PRIVATE = {
    "same-kid": ("d under the same key ID", jwk(XA, x5c=False, d=D)),
    "other-kid": ("d under another key ID", jwk(XA, kid="AAECAwQFBgc=", x5c=False, d=D)),
    "card-kid": ("d in an entry that is a key of cards", jwk(XA, kid="key-1", x5c=False, d=D)),
    "no-kid": ("d without a key ID", XA.key.jwk() | {"d": D}),
    "for-encryption": ("d in an entry to encrypt with", jwk(XA, kid="other", x5c=False, d=D, use="enc")),
    "alone": ("d alone", {"kty": "EC", "crv": "P-256", "d": D}),
    "x-only": ("d with x only", {"kty": "EC", "crv": "P-256", "x": XA.key.jwk()["x"], "d": D}),
    "mirrored": ("the private half of the mirrored point", {"kty": "EC", "d": b64url((XA.key.order - XA.key.d).to_bytes(32, "big"))}),
    "beyond-the-order": ("the private half plus the order of the curve", {"kty": "EC", "d": b64url((XA.key.order + XA.key.d).to_bytes(33, "big"))}),
    "not-private": ("some d beside the point, which is not its private half", jwk(XA, kid="AAECAwQFBgc=", x5c=False, d=b64url(bytes(31) + b"\7"))),
    "rsa-d": ("d of an RSA key", RSA_PUBLIC | {"kid": "other", "d": number(RSA_KEY.d)}),
    "rsa-same-kid": ("d of an RSA key under the same key ID", jwk(RSA_2048, x5c=False, d=number(RSA_KEY.d))),
    "rsa-factors": ("p and q of an RSA key", {"kty": "RSA", "kid": "other", "p": number(RSA_KEY.p), "q": number(RSA_KEY.q)}),
    "rsa-factor": ("p of an RSA key", RSA_PUBLIC | {"kid": "other", "p": number(RSA_KEY.p)}),
    "signer-not-private": ("some d in the entry of a signer, which is not its private half", jwk(XA, x5c=False, d=b64url((XA.key.d + 2).to_bytes(32, "big")))),
    "rsa-signer-not-private": ("some d in the entry of an RSA signer, which is not its private half", jwk(RSA_2048, x5c=False, d=number(RSA_KEY.d + 2))),
    "rsa-oth": ("a factor of an RSA key among its further primes", RSA_PUBLIC | {"kid": "other", "oth": [{"r": number(RSA_KEY.p), "d": "AQ", "t": "AQ"}]}),
    "rsa-dp": ("dp of an RSA key", RSA_PUBLIC | {"kid": "other", "dp": number(RSA_KEY.d % (RSA_KEY.p - 1))}),
    "rsa-dq": ("dq of an RSA key", RSA_PUBLIC | {"kid": "other", "dq": number(RSA_KEY.d % (RSA_KEY.q - 1))}),
    "rsa-not-dp": ("some dp of an RSA key, which is not its private half", RSA_PUBLIC | {"kid": "other", "dp": number(RSA_KEY.d % (RSA_KEY.p - 1) + 2)}),
    "rsa-trivial-factors": ("the modulus of an RSA key and 1 as its factors", {"kty": "RSA", "kid": "other", "p": "AQ", "q": number(RSA_KEY.n)}),
    "rsa-trivial-factors-reversed": ("1 and the modulus of an RSA key as its factors", {"kty": "RSA", "kid": "other", "p": number(RSA_KEY.n), "q": "AQ"}),
    "rsa-not-private": ("some d of an RSA key, which is not its private half", RSA_PUBLIC | {"kid": "other", "d": number(RSA_KEY.d + 2)}),
    "rsa-exponent-1": ("some d of an RSA key, beside which the public exponent is 1", RSA_PUBLIC | {"kid": "other", "e": "AQ", "d": "AQ"}),
}
RSA_TRIVIAL = {"rsa-trivial-factors", "rsa-trivial-factors-reversed"}  # anyone can write these, and the product is no proof
BURNT = {label: why for label, (why, _) in PRIVATE.items()}
BURNT_HERE_ONLY = {"not-private", "signer-not-private", "rsa-signer-not-private", "rsa-not-dp", "rsa-not-private", "rsa-exponent-1"} | RSA_TRIVIAL  # anyone can write some d beside a key
for label, (_, entry) in PRIVATE.items():
    signer = RSA_2048 if label.startswith("rsa") else XA
    save(f"burnt-{label}.jwks.json", jwk_set(jwk(signer, x5c=False), entry))
    save(f"burns-{label}.jwks.json", jwk_set(entry))
save("burnt-other.jwks.json", jwk_set(jwk(XA, x5c=False), jwk(OTHER, d=b64url(OTHER.key.d.to_bytes(32, "big")))))
save("gdhcn-burnt.did.json", did(did_entry(XA), did_entry(XA, "CSCA", domain="ICVP", kid="AAECAwQFBgc=", jwk={"d": D})))
relation = json.loads(did(did_entry(XB))) | {"assertionMethod": did_entry(XA, "DECA", kid="AAECAwQFBgc=", jwk={"d": D})}
save("gdhcn-burns-relation.did.json", json_text(relation))
save("gdhcn-burns.did.json", did(did_entry(XB), did_entry(XA, "DECA", kid="AAECAwQFBgc=", jwk={"d": D})))


# The key of an authority, without its certificate

ROOT_KEY = did_entry(Root)
del ROOT_KEY["publicKeyJwk"]["x5c"]
save("gdhcn-root-key.did.json", did(did_entry(XA), ROOT_KEY, did_entry(Root, "CSCA")))
save("root-key.jwks.json", jwk_set(jwk(XA), jwk(Root, x5c=False)))
save("root-key-behind.jwks.json", jwk_set(dict(jwk(XA), x5c=[b64(XA.der), b64(Root.der)]), jwk(Root, x5c=False)))

# What an entry of WHO's list is for. The ID says it as well as the members.

def purpose(where, document=DID, fragment=f"#{b64(XA.kid)}", drop=(), more=(), **members):
    entry = {name: value for name, value in (did_entry(XA, kid=b64(XA.kid)) | {"id": where + fragment} | members).items() if name not in drop}
    return json_text({"id": document, "controller": DID, "verificationMethod": [entry, *more]})


NO_MEMBERS = ("domain", "participant", "keyusage")
code = lambda text: {"code": f"#{text}"}
PURPOSES = {
    "domain-in-id": ("The ID is of domain ICVP, and no member says otherwise", purpose(f"{DID}:ICVP:XAA:DSC", drop=("domain",))),
    "purpose-in-id": ("The ID is of domain PH4H, and there are no members", purpose(f"{DID}:PH4H:XAA:DSC", drop=NO_MEMBERS)),
    "domain-null": ("The ID is of domain ICVP, and the member is null", purpose(f"{DID}:ICVP:XAA:DSC", domain=None)),
    "domains-differ": ("The ID is of domain ICVP, and the member says DCC", purpose(f"{DID}:ICVP:XAA:DSC")),
    "domains-differ-otherwise": ("The ID is of domain DCC, and the member says ICVP", purpose(f"{DID}:DCC:XAA:DSC", domain=code("ICVP"))),
    "usages-differ": ("The ID is of a root, and the member says DSC", purpose(f"{DID}:DCC:XAA:SCA")),
    "usage-in-id": ("The ID is of a root, and no member says otherwise", purpose(f"{DID}:DCC:XAA:CSCA", drop=("keyusage",))),
    "document-of-other-domain": ("The ID is relative, and the document is of domain ICVP", purpose("", f"{DID}:ICVP:XAA:DSC", drop=NO_MEMBERS)),
    "document-of-root": ("The ID is relative, and the document is of a root", purpose("", f"{DID}:DCC:XAA:SCA", drop=NO_MEMBERS)),
    "other-host": ("The ID is of another host than the document", purpose("did:web:evil.example:v2:trustlist:DCC:XAA:DSC")),
    "other-host-alone": ("The ID is of another host, and says nothing else", purpose("did:web:evil.example", drop=NO_MEMBERS)),
    "domain-left-out": ("The member domain is missing, and another entry has it", purpose(f"{DID}:DCC:XAA:DSC", drop=("domain",), more=[did_entry(XB)])),
    "domain-empty": ("The member domain cannot be read", purpose(f"{DID}:DCC:XAA:DSC", domain={})),
    "usage-number": ("The member keyusage cannot be read", purpose(f"{DID}:DCC:XAA:DSC", keyusage=7)),
    "escaped-domain": ("The domain in the ID is percent-encoded", purpose(f"{DID}:%49CVP:XAA:DSC", drop=NO_MEMBERS)),
    "all-domains": ("A list of all domains has a hyphen for the domain", purpose(f"{DID}:-:XAA:DSC", drop=("domain",))),
    "lower-case": ("The ID in small letters", purpose(f"{DID}:dcc:xaa:dsc")),
    "lower-case-members": ("The members in small letters, which are other codes", purpose(f"{DID}:DCC:XAA:DSC", domain=code("dcc"), keyusage=code("dsc"))),
    "relative": ("A relative ID in a list of signers", purpose("", f"{DID}:DCC:XAA:DSC", drop=NO_MEMBERS)),
    "host-of-other-case": ("The host in another case", purpose("did:web:Trust.example:v2:trustlist:DCC:XAA:DSC")),
    "no-list-in-id": ("The ID has no part `trustlist`", purpose("did:web:trust.example:v2:DCC:XAA:DSC", drop=NO_MEMBERS)),
    "other-word-in-id": ("The ID has `trust-list` for `trustlist`", purpose("did:web:trust.example:v2:trust-list:ICVP:XAA:DSC", drop=NO_MEMBERS)),
    "other-method": ("The ID is a DID of another method", purpose("did:key:z6Mk", "did:key:z6Mk", drop=NO_MEMBERS)),
    "other-version": ("The ID is of a version that is not known", purpose("did:web:trust.example:v3:trustlist:DCC:XAA:DSC", drop=NO_MEMBERS)),
    "word-as-id": ("The ID is a word", purpose("ICVP", "ICVP", drop=NO_MEMBERS)),
    "word-as-document-id": ("The ID is relative, and that of the document is a word", purpose("", "ICVP", drop=NO_MEMBERS)),
    "domain-as-participant": ("An ID of version 1 with a domain in place of a country", purpose("did:web:trust.example:trustlist:ICVP", drop=NO_MEMBERS)),
    "domain-before-list": ("An ID with a domain before the list", purpose("did:web:trust.example:ICVP:trustlist", drop=NO_MEMBERS)),
    "longer-id": ("An ID of version 2 with one more part", purpose(f"{DID}:DCC:XAA:DSC:SCA", drop=NO_MEMBERS)),
    "list-alone": ("An ID of version 2 that says nothing, and there are no members", purpose(DID, drop=NO_MEMBERS)),
    "list-and-members": ("An ID of version 2 that says nothing, and members that do", purpose(DID)),
    "no-id-at-all": ("No ID, and that of the document is missing", purpose("", None, drop=NO_MEMBERS)),
    "without-document-id": ("A document without an ID", purpose(f"{DID}:DCC:XAA:DSC", None)),
}
FOR = ("all-domains", "lower-case", "relative", "host-of-other-case", "without-document-id", "list-and-members", "no-id-at-all")
FOR_SIGNERS = {label: PURPOSES[label][0] for label in FOR}
NOT_FOR_SIGNERS = {label: why for label, (why, _) in PURPOSES.items() if label not in FOR}
for label, (_, document) in PURPOSES.items():
    save(f"gdhcn-{label}.did.json", document)

# Things that are no list
save("no-list.json", json_text({"certificates": 7, "hello": "world"}))
save("no-list.txt", "no list at all\n")
save("empty.txt", "")
