"""Makes seed files for each target from the test vectors, and the list of the signed cards.

usage: seeds.py VECTORS BUILD_FOLDER
"""

import base64
import hashlib
import importlib.util
import json
import re
import sys
import tarfile
import zlib
from pathlib import Path

import cbor2
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from made_seeds import (BUNDLES, CODE_LISTS, FETCHES, LINK_CONTENTS, LINK_PAYLOADS, LINK_TEXTS, MANIFESTS, PUBLIC_KEYS, SCANS,
                        SIGNER_IDS)

# In bytes. Larger seeds make a fuzzer slow, and find nothing that smaller ones do not find.
LARGEST = 16 << 10
# The key of LinkTarget.
LINK_KEY = bytes([7]) * 32
# The same limit for an inflated payload.
LARGEST_INFLATED = 64 << 10
JWS = re.compile(rb"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")


def encrypted(plaintext, **members):
    """A file of a link, encrypted with the key of LinkTarget."""
    header = base64.urlsafe_b64encode(json.dumps({"alg": "dir", "enc": "A256GCM", **members}).encode()).rstrip(b"=")
    if "zip" in members:
        deflater = zlib.compressobj(wbits=-15)
        plaintext = deflater.compress(plaintext) + deflater.flush()
    nonce = hashlib.sha256(plaintext).digest()[:12]
    sealed = AESGCM(LINK_KEY).encrypt(nonce, plaintext, header)
    parts = [base64.urlsafe_b64encode(part).rstrip(b"=") for part in (nonce, sealed[:-16], sealed[-16:])]
    return b".".join([header, b"", *parts])


def decoded(text):
    return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))


def texts_of_cards(contents):
    """Everything in a file that looks like a JWS, in any kind of input."""
    found = set(JWS.findall(contents))
    parts = []
    for line in contents.splitlines():
        digits = line.rpartition(b"/")[2].strip()
        if line.startswith(b"shc:/") and digits.isdigit() and len(digits) % 2 == 0:
            pairs = [int(digits[i : i + 2]) for i in range(0, len(digits), 2)]
            parts.append(bytes(pair + 45 for pair in pairs if pair <= 77))
    return found | {jws for jws in parts + [b"".join(parts)] if JWS.fullmatch(jws)}


def inflates_too_far(jws):
    try:
        inflater = zlib.decompressobj(-15)
        return len(inflater.decompress(decoded(jws.split(b".")[1]), LARGEST_INFLATED + 1)) > LARGEST_INFLATED
    except (ValueError, zlib.error):
        return False


def is_signed(jws, keys):
    signing_input, _, signature = jws.rpartition(b".")
    try:
        signature = decoded(signature)
    except ValueError:
        return False
    if len(signature) != 64:
        return False
    der = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    for key in keys:
        try:
            key.verify(der, signing_input, ec.ECDSA(hashes.SHA256()))
            return True
        except InvalidSignature:
            pass
    return False


def public_keys(path):
    for key in json.loads(path.read_bytes())["keys"]:
        x, y = (int.from_bytes(decoded(key[name].encode()), "big") for name in "xy")
        yield ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


ALPHABET = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def from_base45(text):
    groups = [[ALPHABET.index(byte) for byte in text[i : i + 3]] for i in range(0, len(text), 3)]
    return b"".join(sum(digit * 45**place for place, digit in enumerate(group)).to_bytes(len(group) - 1, "big") for group in groups)


def made(signature, text, key):
    """Whether a key has made the signature of a certificate."""
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
            key.verify(utils.encode_dss_signature(r, s), text, ec.ECDSA(hashes.SHA256()))
        else:
            key.verify(signature, text, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
        return True
    except (InvalidSignature, ValueError):
        return False


def certificates(vectors, seed):
    """Makes the seeds of EU Digital COVID Certificates, and returns what was signed: protected headers and payloads."""
    keys = [x509.load_pem_x509_certificate(file.read_bytes()).public_key() for file in sorted((vectors / "trust").glob("dsc-*.pem"))]
    signed = set()
    for file in sorted((vectors / "cards").iterdir()):
        contents = file.read_bytes()
        # The octets of the others are enough.
        if file.name.startswith(("valid-", "text-", "zlib-")):
            seed("hcert", contents)
        seed("artifact", contents)
        for line in contents.splitlines() if file.suffix == ".hc1" else [contents]:
            line = line.strip(b" \t\xef\xbb\xbf") if file.suffix == ".hc1" else line
            try:
                seed("base45", line[4:])
                octets = from_base45(line[4:]) if line[:4].upper() == b"HC1:" else line
                message = zlib.decompress(octets) if octets[0] & 15 == 8 else octets
            except (ValueError, OverflowError, IndexError, zlib.error):
                continue
            for target in ("cose", "cbor"):
                seed(target, message)
            seed("hcert", message)
            try:
                parts = cbor2.loads(message)
                while isinstance(parts, cbor2.CBORTag):
                    parts = parts.value
                protected, _, payload, signature = parts
                text = cbor2.dumps(["Signature1", protected, b"", payload])
                seed("cbor", protected)
                seed("cbor", payload)
            except Exception:  # Whatever cbor2 thinks of broken messages
                continue
            if isinstance(signature, bytes) and any(made(signature, text, key) for key in keys):
                signed.add(base64.b64encode(protected) + b" " + base64.b64encode(payload))
    for folder in ("trust", "revocation"):
        for file in sorted((vectors / folder).iterdir()):
            seed("signers", file.read_bytes())
    return signed


def trust_lists(folder, seed):
    """Seeds of WHO's lists, and the octets that the key of production has signed in the vectors, in hexadecimal."""
    spec = importlib.util.spec_from_file_location("gdhcn", folder / "generate.py")
    arguments, sys.argv = sys.argv, [str(folder / "generate.py")]
    gdhcn = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gdhcn)
    sys.argv = arguments
    for case in gdhcn.CASES:
        seed("list-proof", case["text"].encode())
    return {octets.hex().encode() for octets in gdhcn.SIGNED[gdhcn.KEY["prod"]]}


def check_ins(folder, seed):
    """Seeds of check-ins, and the responses that the wallet of the vectors has signed for their session, in hexadecimal."""
    spec = importlib.util.spec_from_file_location("check_in", folder / "generate.py")
    arguments, sys.argv = sys.argv, [str(folder / "generate.py")]
    check_in = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check_in)
    sys.argv = arguments
    for file in sorted((folder / "inputs").glob("*.json")):
        seed("check-in", file.read_bytes())
    signed = set()
    for text in (None, "{}", check_in.minify(check_in.response()).decode()):
        plaintext = check_in.device_response(text)
        seed("check-in", plaintext)
        signed.add(check_in.minify(check_in.response()) if text is None else text.encode())
    for changes in ({"digest": True}, {"count": 2}, {"attached": "equal"}, {"spoil_device": True}, {"auth": {"deviceMac": []}}):
        seed("check-in", check_in.device_response(**changes))
    return {text.hex().encode() for text in signed}


def main(vectors, build):
    def seed(target, contents):
        folder = build / "seeds" / target
        folder.mkdir(parents=True, exist_ok=True)
        if len(contents) <= LARGEST:
            (folder / hashlib.sha256(contents).hexdigest()[:20]).write_bytes(contents)

    keys = list(public_keys(vectors / "keys/issuer-a.jwks.json"))
    app_keys = list(public_keys(vectors / "lint/profile-error/ktc-attestation-form/good-option-5.jwks.json"))
    signed, attested = set(), set()
    folders = {"crls": "revocation", "directories": "directory", "keys": "jwks"}
    # The corpora have cards of earlier vectors, which the key has signed all the same.
    for archive in sorted((Path(__file__).parent / "Corpora").glob("*.tar.xz")):
        with tarfile.open(archive) as inputs:
            for member in inputs:
                contents = inputs.extractfile(member).read() if member.isfile() else b""
                signed.update(jws for jws in texts_of_cards(contents) if is_signed(jws, keys))
    for file in sorted(vectors.rglob("*")):
        place = file.relative_to(vectors).parts[0]
        if not file.is_file() or place not in (*folders, "cards", "bundles", "certificates", "handover", "lint"):
            continue
        contents = file.read_bytes()
        cards = texts_of_cards(contents) if place in ("cards", "handover", "lint") else set()
        signed.update(jws for jws in cards if is_signed(jws, keys))
        if b"app-attestation" in contents:
            attested.update(jws for jws in texts_of_cards(contents) if is_signed(jws, app_keys))
        if len(contents) > LARGEST or any(inflates_too_far(jws) for jws in cards):
            continue
        seed("lint", contents)
        if place in folders:
            seed(folders[place], contents)
        if file.suffix == ".json":
            seed("json", contents)
        if place == "bundles":
            seed("fhir", contents)
        if place not in ("cards", "handover", "lint"):
            continue
        seed("artifact", contents)
        seed("verify", contents)
        if contents.startswith(b"shc:"):
            seed("qr", contents)
        for jws in cards:
            seed("jws", jws)
            for part in jws.split(b"."):
                seed("base64url", part)
            try:
                stream = decoded(jws.split(b".")[1])
                seed("inflate", stream)
                payload = zlib.decompress(stream, -15)
                seed("json", payload)
                bundle = json.loads(payload)["vc"]["credentialSubject"]["fhirBundle"]
                seed("fhir", json.dumps(bundle, ensure_ascii=False, separators=(",", ":")).encode())
                seed("lint", payload)
            except (ValueError, KeyError, TypeError, RecursionError, zlib.error):
                continue
    for file in sorted((vectors / "lint").rglob("*.json")):
        contents = file.read_bytes()
        if b'"Bundle"' in contents[:200]:
            seed("fhir", contents)
        for name, target in ((b'"rids"', "revocation"), (b'"participating_issuers"', "directory"),
                             (b'"issuerInfo"', "directory"), (b'"keys"', "jwks")):
            if name in contents:
                seed(target, contents)
    links = json.loads((vectors / "links/links.json").read_bytes())
    for file in links["files"]:
        text = (vectors / "links" / file["file"]).read_bytes()
        if len(text) <= LARGEST:
            seed("link", b"e" + text)
            seed("link", b"m" + json.dumps({"status": "finalized", "files": [
                {"contentType": "application/fhir+json;fhirVersion=4.0.1", "embedded": text.decode()},
                {"contentType": "application/smart-health-card", "location": "https://a.example/f", "lastUpdated": "2026"}]}).encode())
    payload = json.dumps({"url": "https://a.example/m", "key": links["key"], "exp": 4102444800, "flag": "LP", "label": "x", "v": 1})
    encoded = base64.urlsafe_b64encode(payload.encode()).rstrip(b"=")
    seed("link", b"p" + payload.encode())
    for text in (b"<html>", b"{}", b'{"files":[]}', b'{"resourceType":"Bundle"}'):
        # What stands at an address in place of an encrypted file.
        seed("link", b"e" + text)
    for text in (b"shlink:/" + encoded, b"https://v.example/#shlink:/" + encoded, b"https://v.example/?shlink=" + encoded,
                 b"https://v.example/#shlink%3A%2F" + encoded):
        seed("link", b"t" + text)
    for content in LINK_CONTENTS:
        seed("link", b"c" + content)
    for manifest in MANIFESTS:
        seed("link", b"m" + manifest)
    for text in LINK_TEXTS:
        seed("link", b"t" + text)
    whole = {"url": "https://a.example/m", "key": links["key"]}
    for changes in LINK_PAYLOADS:
        seed("link", b"p" + json.dumps({name: value for name, value in {**whole, **changes}.items() if value is not None}).encode())
    contents = (b'{"verifiableCredential":["eyJ.eyJ.e30"]}', b'{"resourceType":"Bundle","entry":[]}', b"\xef\xbb\xbf{}", b"text")
    for content, members in zip(contents, ({}, {"zip": "DEF"}, {"cty": "application/fhir+json"}, {"zip": "DEF", "cty": "text/plain"})):
        seed("link", b"e" + encrypted(content, **members))
    (build / "opened-files.txt").write_bytes(b"\n".join(content.hex().encode() for content in contents) + b"\n")
    for text in CODE_LISTS:
        seed("codes", text.encode(errors="surrogateescape"))
    for bundle in BUNDLES:
        seed("fhir", json.dumps(bundle, separators=(",", ":")).encode())
    for key in PUBLIC_KEYS:
        seed("signers", key)
    for text in SIGNER_IDS:
        seed("list-proof", text.encode())
    for file in sorted((vectors / "gdhcn/keys").iterdir()):
        seed("list-proof", file.read_bytes())
        seed("signers", file.read_bytes())
    for target, contents in (("scan", SCANS), ("fetch", FETCHES)):
        for content in contents:
            seed(target, content)
    answers = check_ins(vectors / "check-in", seed)
    (build / "signed-answers.txt").write_bytes(b"\n".join(sorted(answers)) + b"\n")
    lists = trust_lists(vectors / "gdhcn", seed)
    (build / "signed-lists.txt").write_bytes(b"\n".join(sorted(lists)) + b"\n")
    certified = certificates(vectors / "hcert", seed)
    assert len(certified) > 100, "the signers signed no certificate of the vectors"
    (build / "signed-hcert.txt").write_bytes(b"\n".join(sorted(certified)) + b"\n")
    assert attested, "the app attested nothing in the vectors"
    (build / "signed-attestations.txt").write_bytes(b"\n".join(sorted(attested)) + b"\n")
    (build / "signed.txt").write_bytes(b"\n".join(sorted(signed)) + b"\n")
    assert signed, "the key signed no card of the vectors"


sys.path.insert(0, sys.argv[1])
import texts  # noqa: E402

main(texts.unpacked(Path(sys.argv[1])), Path(sys.argv[2]))
