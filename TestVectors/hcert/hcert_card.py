"""Makes certificates (cards) and collects the cases."""

from hcert_blocks import Tag, cbor, hc1, seconds, to_be_signed
from hcert_trust import XA

AT = "2022-06-01T00:00:00Z"
IAT, EXP = seconds("2022-01-10T12:00:00"), seconds("2023-01-10T12:00:00")
ABSENT = object()


# Claims

def check_character(text):
    """Luhn mod 38, as unique vaccination certificate identifiers have it."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:"
    products = [alphabet.index(c) * (2 - i % 2) for i, c in enumerate(reversed(text))]
    return alphabet[-sum(product // 38 + product % 38 for product in products) % 38]


def identifier(text):
    return f"{text}#{check_character(text)}"


UVCI = identifier("URN:UVCI:01:XA:INVENTED0001")
COMMON = {"tg": "840539006", "co": "AT", "is": "Ministerium Muster", "ci": UVCI}
RECORDS = {
    "v": {"ci": UVCI, "co": "AT", "dn": 2, "dt": "2022-01-05", "is": "Ministerium Muster", "ma": "ORG-100030215", "mp": "EU/1/20/1528",
          "sd": 2, "tg": "840539006", "vp": "1119349007"},
    "t": COMMON | {"tt": "LP6464-4", "nm": "Muster PCR", "sc": "2022-01-09T08:15:00+01:00", "tr": "260415000", "tc": "Teststelle Musterstadt"},
    "r": COMMON | {"fr": "2021-12-20", "df": "2022-01-01", "du": "2022-06-18"},
}
RAPID = {"tt": "LP217198-3", "ma": "1232", "nm": ABSENT}
NAME = {"fn": "Muster", "gn": "Jane", "fnt": "MUSTER", "gnt": "JANE"}


def changed(value, changes):
    """The map with these members put in, and without those that are ABSENT."""
    return {name: member for name, member in (value | changes).items() if member is not ABSENT}


def record(group="v", **changes):
    return changed(RECORDS[group], changes)


def content(group="v", record={}, name={}, dcc={}):
    """The EU DCC: what stands at key 1 of hcert."""
    groups = {group: [changed(RECORDS[group], record)]} if group else {}
    return changed(groups | {"dob": "1979-04-14", "nam": changed(NAME, name), "ver": "1.3.0"}, dcc)


def claims(group="v", record={}, name={}, dcc={}, hcert={}, change={}):
    body = changed({1: content(group, record, name, dcc)}, hcert)
    return changed({1: "XA", 4: EXP, 6: IAT, -260: body}, change)


# COSE

class Message(bytes):
    """COSE octets that are presented as HC1: text."""


class File(bytes):
    """Octets that are presented as they are."""


def card(group="v", *, signer=XA, alg=None, kid=None, protected=None, unprotected=None, payload=None, over=None, sign=None,
         spell=lambda signature: signature, tags=(18,), form=cbor, whole=None, **parts):
    """A COSE_Sign1 that is valid but for what is given.

    protected: a map, or the octets of the byte string. payload: octets. over: the (protected, payload) that are signed, or the
    octets. sign: a function in place of the signer's. spell: changes the signature. form: how CBOR is written. whole: makes the
    message out of the four elements.
    """
    alg = signer.key.alg if alg is None else alg
    kid = signer.kid if kid is None else kid
    if protected is None:
        protected = {1: alg, 4: kid}
    protected = protected if isinstance(protected, bytes) else form(protected)
    payload = form(claims(group, **parts)) if payload is None else payload
    over = (protected, payload) if over is None else over
    over = over if isinstance(over, bytes) else to_be_signed(*over)
    elements = [protected, {} if unprotected is None else unprotected, payload, spell((sign or signer.sign)(over))]
    message = whole(elements) if whole else elements
    for number in reversed(tags):
        message = Tag(number, message)
    return Message(form(message))


def text(*arguments, **options):
    return hc1(card(*arguments, **options))


# Cases

EXITS = {"malformed-input": 10, "malformed-qr": 10, "inflate-failed": 10, "payload-too-large": 10, "malformed-cose": 10, "unsupported-credential": 10, "empty-input": 27,
         "unsupported-algorithm": 10, "malformed-payload": 10, "signature-invalid": 11, "key-not-found": 12, "key-invalid": 12,
         "certificate-invalid": 12, "issuer-not-trusted": 13, "not-yet-valid": 14, "expired": 15, "revoked": 16, "records-not-matching": 17,
         "keys-unavailable": 20, "revocation-unavailable": 21, "receiver-required": 23, "link-unavailable": 23,
         "link-expired": 15, "malformed-link": 10, "unsupported-link-version": 10, "codes-unknown": 26, None: 0}
CASES, CARDS = [], {}
STORED = {}


def directory(*names):
    return [part for name in names for part in ("--directory", f"{{trust/{name}}}")]


def jwks(*names):
    return [part for name in names for part in ("--jwks", f"{{trust/{name}}}")]


def stored(identity, what):
    """The file that holds this. What several cases need is stored once."""
    if isinstance(what, str) and what.startswith("@"):
        return what[1:]  # a file that is there already
    if isinstance(what, (Message, str)):
        data, suffix = (hc1(what) if isinstance(what, Message) else what).encode(), "hc1"
    else:
        data, suffix = bytes(what), "cwt"
    if data not in STORED:
        STORED[data] = f"cards/{identity.replace('/', '-')}.{suffix}"
        assert STORED[data] not in CARDS, identity
        CARDS[STORED[data]] = data
    return STORED[data]


def case(identity, what, reason, why, *, trust=directory("signers.pem"), at=AT, args=(), mode="verify", exits=None, unsure=False, feed=None,
         **expect):
    """One case. reason: None for a pass, a code, or a list of those allowed. Other expectations are as in README.md."""
    assert identity not in {each["id"] for each in CASES}, identity
    things = what if isinstance(what, list) else [what]
    files = [stored(identity + (f"-{i + 1}" if i else ""), thing) for i, thing in enumerate(things)]
    reasons = reason if isinstance(reason, list) else [reason]
    codes = sorted({EXITS[each] for each in reasons}) if exits is None else exits
    codes = codes if isinstance(codes, list) else [codes]
    offline = [] if mode.startswith("directory-") else ["--offline"]
    arguments = [*trust, *args, *offline] + (["--at", at] if at else [])
    made = {"id": identity, "mode": mode, "files": files, "args": arguments} | ({"feed": feed} if feed else {})
    made["expect"] = {"exit": codes[0] if len(codes) == 1 else codes, "reason": reason} | expect
    CASES.append(made | ({"unsure": True} if unsure else {}) | {"why": why})


def passes(identity, what, why, **options):
    case(identity, what, None, why, **options)
