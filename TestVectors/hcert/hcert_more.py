"""The cases about trust lists, keys, usages, revocation, the order of checks, and the other commands."""

import hashlib
import json

from hcert_blocks import b64, compressed, hc1, seconds
from hcert_card import ABSENT, RAPID, UVCI, card, case, directory, jwks, passes, record
from hcert_cases import GOOD, GOOD_TEXT, high, low
from hcert_trust import (
    ALL, AND_WORDS, BAD_POINT, BAD_USAGE, BARE, BURNT, BURNT_HERE_ONLY, CERT_SIGN, CLIENT, DDCC, DECA, ENDED, ENDED_V, FORGED, FOR_SIGNERS, FUTURE,
    GERMAN, INTERMEDIATE, IN_BOTH, IN_THREE, IN_WORDS, IS_CA, LATER, LIKE_V, MANY, NOT_FOR_SIGNERS, NO_CERTIFICATE, NO_COUNTRY, NO_PURPOSE, ODD, OF_DEU, OF_XXA, OTHER, RSA_TRIVIAL,
    PILGRIM, P_384, R, REFERENCED, RSA_1024, RSA_2048, R_0, Root, SAME_TWICE, SERIAL_0, STRANGER, T, TWIN_1, TWIN_2, TWO_COUNTRIES, T_0, T_AND_R,
    UNLISTED, V, VERSION_1, V_0, V_AND_T_0, V_CLIENT, XA, XB, json_text)

LABEL = bytes(8)                          # the kid that lists state for the twins
OTHER_LABEL = bytes(range(8))             # a kid that is not the hash of XA's certificate
INVALID = "certificate-invalid"
V2, V1 = directory("gdhcn-v2.did.json"), directory("gdhcn-v1.did.json")


# Keys (K1 to K4, K8, K9)

case("key/no-list", GOOD, "keys-unavailable", "No list at all (K9).", trust=[], json={"/verdict": "undetermined"})
case("key/trust-option-alone", GOOD, "keys-unavailable", "--trust neither helps nor hinders (CLI).", trust=["--trust", "https://issuer.example"])
case("key/anchor-alone", GOOD, "keys-unavailable", "A CSCA without a list is no list (K9, K10).", trust=["--anchor", "{trust/csca-xa.pem}"], unsure=True)
passes("key/require-trusted", GOOD, "--require-trusted with a list that vouches (CLI).", args=["--require-trusted"])
case("key/not-listed", card(signer=UNLISTED), "key-not-found", "A kid that no list has (K2).", stderrContains=["xa"])
case("key/not-listed-other-iss", card(signer=UNLISTED, change={1: "XB"}), "key-not-found", "The message names the country that iss claims (K2).",
     stderrContains=["xb"])
case("key/not-listed-no-iss", card(signer=UNLISTED, change={1: ABSENT}), "key-not-found", "A kid that no list has, and no iss (K2, P1).")
case("key/p-384", card(signer=P_384), "key-invalid", "ES256 with a key on P-384 and a signature of 96 octets (K3; ES).")
case("key/p-384-64-octets", card(signer=P_384, spell=lambda s: s[:64]), "key-invalid", "ES256 with a key on P-384 and a signature of 64 octets (K3).")
case("key/rsa-1024", card(signer=RSA_1024), "key-invalid", "RSA with 1024 bits (K3; MK).")
passes("key/is-ca", card(signer=IS_CA), "CA:TRUE on a listed signer (K8).")
passes("key/cert-sign", card(signer=CERT_SIGN), "A key usage without digitalSignature (K8).")
passes("key/serial-0", card(signer=SERIAL_0), "Serial number 0 (K8).")
passes("key/version-1", card(signer=VERSION_1), "A certificate of X.509 version 1 (K8).")
passes("key/no-identifiers", card(signer=BARE), "No extensions, so neither SKI nor AKI (K8).", warnings=[])
passes("key/odd-extensions", card(signer=ODD), "A private key usage period that has ended, a list of revoked certificates, an unknown extension (K8).", warnings=[])
case("key/bad-usage", card(signer=BAD_USAGE), INVALID, "An extended key usage that cannot be read: what the key is for is not known, so it is for nothing (CLI).")
for form in ("renewed", "renewed-first"):
    passes(f"key/{form}", card(signer=ENDED), "One kid, one key, two certificates, and only one has ended: all entries are tried (K4, K6).",
           trust=directory(f"gateway-{form}.json"))
for label, signer in (("ended", ENDED), ("future", FUTURE)):
    for form, trust in (("gdhcn", directory("gdhcn-ended.did.json")), ("gateway", directory("gateway-ended.json")), ("jwks", jwks("ended.jwks.json"))):
        case(f"key/{label}-{form}", card(signer=signer), INVALID, "Real lists keep certificates that have ended (K6).", trust=trust)
for order in ("", "-reversed"):
    passes(f"key/of-two-countries{order}", card(kid=LABEL), "An authority of XB certifies the public key of XA's signer: that of the claim counts (P1).",
           trust=directory(f"gateway-key-of-two-countries{order}.json"), json={"/cards/0/issuer/country": "XA"}, warnings=["issuer-mismatch", "kid-label"])
    passes(f"key/of-two-countries-no-claim{order}", card(kid=LABEL, change={1: ABSENT}), "The same without a claim: the order makes no difference (P1).",
           trust=directory(f"gateway-key-of-two-countries{order}.json"), json={"/cards/0/issuer/country": "XA"}, warnings=["issuer-mismatch", "kid-label"])
twin_1, twin_2 = card(signer=TWIN_1, kid=LABEL), card(signer=TWIN_2, kid=LABEL)
for number, twin in ((1, twin_1), (2, twin_2)):
    passes(f"key/twin-{number}", twin, "Two certificates of one kid: all are tried (K4).", trust=directory("gateway-twins.json"), warnings=["kid-label"])
    passes(f"key/twin-{number}-two-lists", twin, "The same over two lists (K4).", trust=directory("gateway-twin-1.json", "gateway-twin-2.json"))
    passes(f"key/twin-{number}-two-lists-reversed", twin, "The same, the lists in another order (K4).", trust=directory("gateway-twin-2.json", "gateway-twin-1.json"))
for name in ("fifth", "last"):
    passes(f"key/{name}-of-one-kid", twin_1, "Other signers of the kid come first: all are tried (K4).", trust=directory(f"gateway-{name}-of-one-kid.json"))
case("key/beyond-the-last-of-one-kid", twin_1, "keys-unavailable", "32 usable signers of the kid come first, which is the limit (CLI of shcverify): that is no fault of the certificate.",
     trust=directory("gateway-beyond-of-one-kid.json"))
passes("key/unusable-of-one-kid", twin_1, "40 keys that cannot be used come first, and do not count (K4).", trust=directory("gateway-unusable-of-one-kid.json"))
for label, signer in (("line-feed", XA), ("carriage-return", XB), ("space", RSA_2048)):
    passes(f"list/gateway-wrapped-{label}", card(signer=signer), "The base64 of a certificate is wrapped over lines (CLI of shcverify).",
           trust=directory("gateway-wrapped.json"))
passes("list/gateway-wrapped-unlabelled", card(signer=XA), "The same, and the kid has to be computed (L4).", trust=directory("gateway-wrapped-unlabelled.json"))
case("key/twin-other", card(signer=OTHER, kid=LABEL), "signature-invalid", "None of the certificates of this kid fits (K4).", trust=directory("gateway-twins.json"))
case("key/twin-by-hash", card(signer=TWIN_1), "key-not-found", "The list states another kid than the hash: the list's counts (K1).",
     trust=directory("gateway-twins.json"), unsure=True)
passes("key/twin-unreadable", twin_2, "An unreadable certificate and one on P-384 of the same kid do not stand in the way (K4).",
       trust=directory("gateway-twin-unreadable.json"))
passes("key/twin-unreadable-did", GOOD, "The same in a list of GDHCN, and one that has ended (K4).", trust=directory("gdhcn-unreadable-twin.did.json"))
passes("key/twin-usage", card("t", signer=TWIN_2, kid=LABEL), "The other certificate of this kid is for vaccinations only (K4, K5).",
       trust=directory("gateway-twin-usage.json"))
case("key/twin-usage-wrong", card("t", signer=V, kid=LABEL), INVALID, "Only the certificate that verifies is asked for its usage (K4, K5).",
     trust=directory("gateway-twin-usage.json"))
label = card(kid=OTHER_LABEL)
for form in ("gdhcn-label.did.json", "gateway-label.json"):
    passes(f"key/label-{form.split('-')[0]}", label, "The list's kid counts, though it is not the hash: a warning (K1, CLI).", trust=directory(form),
           warnings=["kid-label"])
passes("key/label-jwks", label, "The same in a JWK set with a certificate (K1, CLI).", trust=jwks("label.jwks.json"), warnings=["kid-label"])


# Usages (K5)

SIGNERS = {"tvr": ALL, "v": V, "t": T, "r": R, "v-arc-0": V_0, "t-arc-0": T_0, "r-arc-0": R_0, "v-and-t-arc-0": V_AND_T_0, "t-and-r": T_AND_R,
           "v-and-client": V_CLIENT, "client-auth": CLIENT, "empty": NO_PURPOSE, "like-v": LIKE_V}
MAY = {"tvr": "vtr", "v": "v", "t": "t", "r": "r", "v-arc-0": "v", "t-arc-0": "t", "r-arc-0": "r", "v-and-t-arc-0": "vt", "t-and-r": "tr",
       "v-and-client": "v", "client-auth": "vtr", "empty": "vtr", "like-v": "vtr"}
for label, signer in SIGNERS.items():
    for group in "vtr":
        may = group in MAY[label]
        case(f"usage/{label}-for-{group}", card(group, signer=signer), None if may else INVALID,
             f"The signer's extended key usage ({label}) {'allows' if may else 'does not allow'} {group} (K5).")
case("usage/signature-first", card("t", signer=V, spell=lambda s: s[:-1] + bytes([s[-1] ^ 1])), "signature-invalid",
     "The usage is judged once the signature verified (K5).")
for name, groups in (("usage-v", "v"), ("usage-tr", "tr"), ("use-v", "v"), ("use-tr", "tr"), ("use-sig", "vtr")):
    for group in "vt":
        case(f"usage/jwks-{name}-for-{group}", card(group), None if group in groups else INVALID,
             "keyUsage or use of a list without certificates counts likewise (K5).", trust=jwks(f"{name}.jwks.json"), unsure="-tr" in name or name == "use-v")


# Lists (L1 to L5, K10)

FORMS = {"gdhcn-v2": V2, "gdhcn-v1": V1, "gateway": directory("gateway.json"), "german": directory("german.json"), "german-zero": directory("german-zero.json"),
         "pem-words": directory("some-words.pem"), "pem-one": directory("dsc-xa.pem"), "der": directory("dsc-xa.der"), "jwks": jwks("set.jwks.json"),
         "jwks-plain": jwks("plain.jwks.json"), "jwks-url": jwks("url.jwks.json"), "jwks-pem": jwks("signers.pem"), "jwks-der": jwks("dsc-xa.der")}
for form, trust in FORMS.items():
    source = {"/cards/0/issuer/trust": "jwks" if form.startswith("jwks") else "directory", "/cards/0/key/kid": b64(XA.kid)}
    passes(f"list/{form}", GOOD, f"A list of the form {form} (L).", trust=trust, json=source)
for form in ("gdhcn-v2", "gdhcn-v1", "gateway", "german", "jwks", "jwks-plain", "jwks-url"):
    passes(f"list/{form}-rsa", card(signer=RSA_2048), f"An RSA key in a list of the form {form} (L, S4).", trust=FORMS[form])
for form in ("gdhcn-v2", "gateway", "german", "jwks"):
    passes(f"list/{form}-usage", card("v", signer=V), "A signer for vaccinations, and a vaccination (L, K5).", trust=FORMS[form])
    case(f"list/{form}-usage-wrong", card("t", signer=V), INVALID, "A signer for vaccinations, and a test (L, K5).", trust=FORMS[form])
passes("list/country", card(signer=XB, change={1: "XB"}), "The country of the signer (L5).", trust=V1, json={"/cards/0/issuer/country": "XB"}, warnings=[])
passes("list/country-of-list-differs", GOOD, "The list says XB, the certificate XA: the certificate's is shown (L5).",
       trust=directory("gateway-wrong-country.json"), json={"/cards/0/issuer/country": "XA"})
passes("list/two-lists", [GOOD, card(signer=OTHER)], "Lists add up (CLI).", trust=directory("dsc-xa.pem", "dsc-other.pem"))
passes("list/directory-and-jwks", card(signer=LATER), "A directory and a JWK set add up (CLI).", trust=directory("dsc-xa.pem") + jwks("set.jwks.json"))
NOT_FOUND = "key-not-found"
case("list/gdhcn-csca", card(signer=Root), NOT_FOUND, "A root of the list signs a certificate: it counts for nothing (L1).", trust=V2)
case("list/gdhcn-deca", card(signer=DECA), NOT_FOUND, "A DECA of the list signs a certificate (L1).", trust=V2)
case("list/gdhcn-reference", card(signer=REFERENCED), NOT_FOUND, "An entry that is a text is a reference, no key (L1).", trust=V2)
case("list/gdhcn-v1-reference", card(signer=REFERENCED), NOT_FOUND, "The same in version 1 (L1).", trust=V1)
passes("list/gdhcn-ddcc", card(signer=DDCC), "An entry of domain DDCC counts (L1).", trust=V2)
case("list/gdhcn-pilgrimage", card(signer=PILGRIM), NOT_FOUND, "An entry of another domain vouches for nothing (L1, CLI).", trust=V2)
case("list/gdhcn-mismatch", card(signer=BAD_POINT), "key-invalid", "x and y are not the leaf's: the entry is unusable, signed with the leaf's key (L3).",
     trust=V2)
case("list/gdhcn-mismatch-point", card(signer=OTHER, kid=BAD_POINT.kid), "key-invalid", "The same, signed with the key of x and y (L3).", trust=V2)
case("list/gdhcn-unreadable", card(kid=bytes(8)), NOT_FOUND, "The entry of this kid cannot be read: skipped (L4).", trust=V2, unsure=True)
case("list/gdhcn-usage-csca", GOOD, NOT_FOUND, "The certificate of a signer, listed as CSCA (L1).", trust=directory("gdhcn-usage-case.did.json"))
passes("list/gdhcn-wrong-root", GOOD, "The CSCA beside the signer has not signed it: never fatal (K10).", trust=directory("gdhcn-wrong-root.did.json"))
passes("list/gdhcn-leaf-alone", GOOD, "x5c with the signer alone (L).", trust=directory("gdhcn-leaf-alone.did.json"))
passes("list/gdhcn-no-x5c", card(signer=NO_CERTIFICATE), "An entry without a certificate.", trust=directory("gdhcn-no-x5c.did.json"), unsure=True)
case("list/gdhcn-private", GOOD, "key-invalid", "An entry that publishes the private half (CLI of shcverify).",
     trust=directory("gdhcn-private.did.json"))
case("list/gdhcn-nothing", GOOD, [NOT_FOUND, None], "A list with no entry at all.", trust=directory("gdhcn-nothing.did.json"), exits=[12, 64], unsure=True)
case("list/gdhcn-csca-alone", card(signer=Root), [NOT_FOUND, None], "A list of a root only.", trust=directory("gdhcn-csca-alone.did.json"), exits=[12, 64])
passes("list/csca-alone", card(signer=Root), "A root that is given alone is named as a signer (CLI of shcverify).", trust=directory("csca-xb.pem"))
case("list/csca-twice", card(signer=Root), NOT_FOUND, "A root in two files is no signer (L1).", trust=directory("csca-xb.pem", "csca-xb.pem"))
case("list/intermediate-alone", card(signer=INTERMEDIATE), NOT_FOUND, "An authority that is not self-signed is none, even alone (L1).",
     trust=directory("dsc-intermediate.pem"))
case("list/gateway-csca", card(signer=Root), NOT_FOUND, "certificateType CSCA (L2).", trust=FORMS["gateway"])
passes("list/gateway-root-as-signer", card(signer=Root), "A root with certificateType DSC: some countries have signed with their root.",
       trust=directory("gateway-root-as-signer.json"))
passes("list/gateway-beside-root-as-signer", GOOD, "The signer beside it.", trust=directory("gateway-root-as-signer.json"))
case("list/gdhcn-root-key", card(signer=Root), NOT_FOUND, "The key of a root without its certificate, which another entry has (L1).", trust=directory("gdhcn-root-key.did.json"))
case("list/jwks-root-key-beside-list", card(signer=Root), NOT_FOUND, "The key of a root without its certificate, which another file has.",
     trust=jwks("root-key.jwks.json") + directory("gateway.json"))
case("list/jwks-root-key-behind-signer", card(signer=Root), NOT_FOUND, "The key of a root, whose certificate stands behind that of a signer (L1).",
     trust=jwks("root-key-behind.jwks.json"))
passes("list/jwks-beside-root-key-behind", GOOD, "The signer before it.", trust=jwks("root-key-behind.jwks.json"))
passes("list/jwks-beside-root-key", GOOD, "The signer beside it.", trust=jwks("root-key.jwks.json") + directory("gateway.json"))
case("list/gateway-upload", card(signer=OTHER), NOT_FOUND, "certificateType UPLOAD; the DSC entry of this kid cannot be read (L2, L4).", trust=FORMS["gateway"])
case("list/gateway-authentication", card(signer=DECA), NOT_FOUND, "certificateType AUTHENTICATION (L2).", trust=FORMS["gateway"])
case("list/german-csca", card(signer=Root), NOT_FOUND, "certificateType CSCA in the German list (L2).", trust=FORMS["german"])
passes("list/german-no-signature", GOOD, "The German list without its signature line, as the conformance data have it.", trust=directory("german-no-signature.json"))
case("list/german-changed", GOOD, None, "The German list with one octet changed: its signature is checked by directory verify only.",
     trust=directory("german-changed.json"), unsure=True)
passes("list/pem-one-broken", GOOD, "A certificate that cannot be read is skipped (L4).", trust=directory("one-broken.pem"))
case("list/pem-all-broken", GOOD, [NOT_FOUND, None], "No certificate that can be read.", trust=directory("all-broken.pem"), exits=[12, 64], unsure=True)
for form, trust in {"pem": directory("with-root.pem"), "jwks-pem": jwks("with-root.pem"), "jwks": jwks("with-root.jwks.json")}.items():
    case(f"list/{form}-root", card(signer=Root), NOT_FOUND, "A CSCA beside the signers that it has certified verifies nothing (L1).", trust=trust)
    passes(f"list/{form}-beside-root", GOOD, "The signer beside its CSCA does (L1).", trust=trust)
case("list/pem-root-anchored", card(signer=Root), ["certificate-invalid", NOT_FOUND], "A CSCA that is given as a signer and as an anchor has signed no signer.",
     trust=jwks("csca-xb.pem"), args=["--anchor", "{trust/csca-xb.pem}"])
passes("list/pem-is-ca", card(signer=IS_CA), "A signer whose certificate claims to be an authority, among others (K8).", trust=directory("signers.pem"))

# What an entry of WHO's list is for: its ID and its members must agree (L1)

for label, why in NOT_FOR_SIGNERS.items():
    case(f"list/gdhcn-{label}", GOOD, NOT_FOUND, f"{why}: no signer of EU certificates (L1, CLI).", trust=directory(f"gdhcn-{label}.did.json"))
for label, why in FOR_SIGNERS.items():
    passes(f"list/gdhcn-{label}", GOOD, f"{why} (L1).", trust=directory(f"gdhcn-{label}.did.json"))

# Published private keys count from every file, for every list and for both kinds of credential

for label, why in BURNT.items():
    signer = RSA_2048 if label.startswith("rsa") else XA
    case(f"burnt/{label}", card(signer=signer), None if label in RSA_TRIVIAL else "key-invalid", f"In one set with the key: {why}.", trust=jwks(f"burnt-{label}.jwks.json"))
    alone = jwks("plain.jwks.json"), directory("gateway.json"), directory("signers.pem"), V2
    for name, trust in zip(("jwks", "gateway", "pem", "gdhcn"), alone):
        reason = None if label in BURNT_HERE_ONLY else "key-invalid"
        case(f"burnt/{label}-beside-{name}", card(signer=signer), reason, f"In another file than the key: {why}.", trust=trust + jwks(f"burns-{label}.jwks.json"))
case("burnt/gdhcn", GOOD, "key-invalid", "The private half stands in another entry of WHO's list, of another usage.", trust=directory("gdhcn-burnt.did.json"))
case("burnt/gdhcn-beside-jwks", GOOD, "key-invalid", "The private half stands in WHO's list, the key in a set.",
     trust=jwks("plain.jwks.json") + directory("gdhcn-burns.did.json"))
case("burnt/gdhcn-relation-beside-jwks", GOOD, "key-invalid", "The private half stands in WHO's list, in a relation that is one key and no array.",
     trust=jwks("plain.jwks.json") + directory("gdhcn-burns-relation.did.json"))
case("burnt/issuers-set", GOOD, "key-invalid", "The private half stands in the key set of an issuer of cards.",
     trust=jwks("plain.jwks.json"), args=["--trust", "https://issuer.example/a", "--jwks", "https://issuer.example/a={trust/burns-same-kid.jwks.json}"])
passes("burnt/other", GOOD, "The private half of another key.", trust=jwks("burnt-other.jwks.json"))
for label in ("no-list.json", "no-list.txt", "empty.txt"):
    case(f"list/unknown-{label.replace('.', '-')}", GOOD, None, "A document of no known form (L4).", trust=directory(label), exits=64)
    case(f"list/unknown-jwks-{label.replace('.', '-')}", GOOD, None, "A key set of no known form (L4).", trust=jwks(label), exits=64)
case("list/unknown-beside-good", GOOD, None, "A document of no known form beside a good list (L4).", trust=directory("dsc-xa.pem", "no-list.json"), exits=64)
for form in ("did", "gateway", "german"):
    passes(f"list/{form}-like-names", GOOD, "Values that are the names of members of other lists (L).", trust=directory(f"{form}-like-names.json"))
    passes(f"list/{form}-armour", GOOD, "A string with a certificate's first line in PEM (L).", trust=directory(f"{form}-armour.json"))
passes("list/did-escaped", GOOD, "The name of the one member is written with an escape (L).", trust=directory("did-escaped.json"))
passes("list/german-escaped", GOOD, "The same in the German list (L).", trust=directory("german-escaped.json"))
case("list/two-kinds", GOOD, None, "A list of WHO and a German one at once (L4).", trust=directory("two-kinds.json"), exits=64, stderrContains=["--directory"])
case("list/signed-did", GOOD, None, "A line with a signature, and then no German list (L4).", trust=directory("signed-did.json"), exits=64,
     stderrContains=["--directory"])
case("list/key-set", GOOD, None, "A key set is given with --jwks (L4).", trust=directory("set.jwks.json"), exits=64, stderrContains=["--directory", "--jwks"])
case("list/jwks-did", GOOD, None, "A list of WHO is given with --directory (L4).", trust=jwks("gdhcn-v2.did.json"), exits=64, stderrContains=["--jwks"])
case("list/keys-in-pem", GOOD, None, "PEM with a key and no certificate (L4).", trust=directory("german-key.pem"), exits=64, stderrContains=["no certificate"])
case("list/missing", GOOD, None, "A list that is not there.", trust=directory("missing.json"), exits=66)
case("list/jwks-mismatch", GOOD, "key-invalid", "x and y are not the leaf's (CLI).", trust=jwks("mismatch.jwks.json"))
case("list/jwks-mismatch-rsa", card(signer=RSA_2048), "key-invalid", "n is not the leaf's (CLI).", trust=jwks("mismatch-rsa.jwks.json"))
case("list/jwks-private", GOOD, "key-invalid", "A key whose private half is published (CLI of shcverify).", trust=jwks("private.jwks.json"))
case("list/jwks-unpadded", GOOD, [NOT_FOUND, "keys-unavailable"], "A key ID without padding and without a certificate is that of a key of cards (CLI of shcverify).",
     trust=jwks("url-plain.jwks.json"))
case("list/jwks-no-kid", GOOD, [NOT_FOUND, "keys-unavailable"], "A certificate without a key ID (CLI of shcverify).", trust=jwks("no-kid.jwks.json"))
case("list/jwks-rsa-1024", card(signer=RSA_1024), "key-invalid", "RSA with 1024 bits, without a certificate (K3).", trust=jwks("weak.jwks.json"))
case("list/jwks-p-384", card(signer=P_384), "key-invalid", "P-384 without a certificate (K3).", trust=jwks("weak.jwks.json"))
case("list/jwks-off-curve", GOOD, "key-invalid", "A point that is not on the curve (K3).", trust=jwks("off-curve.jwks.json"))
case("list/jwks-empty", GOOD, [NOT_FOUND, "keys-unavailable"], "A key set without keys (K2, K9).", trust=jwks("empty.jwks.json"), unsure=True)
passes("list/jwks-no-country", GOOD, "Without a certificate the country is not known: no issuer-mismatch (L5).", trust=jwks("plain.jwks.json"), warnings=[],
       unsure=True)


# The country of the signer, and the one that iss claims (L5)

MISMATCH = ["issuer-mismatch"]
OF_XB, CLAIMS_XB = card(signer=XB), card(change={1: "XB"})
PEM, GATEWAY_XA, GATEWAY_XB = (directory(name) for name in ("countries.pem", "gateway-countries-xa.json", "gateway-countries-xb.json"))
PARTICIPANTS = directory("gdhcn-participants.did.json")
no_country, two = card(signer=NO_COUNTRY), card(signer=TWO_COUNTRIES)


def country(name, what, shown, warnings, why, trust=PEM):
    passes(f"country/{name}", what, why, trust=trust, warnings=warnings, json={"/cards/0/issuer/country": shown})


country("other", OF_XB, "XB", MISMATCH, "A signer of XB, and iss is XA (L5).", trust=directory("signers.pem"))
country("none", no_country, None, MISMATCH, "The signer's certificate names no country, and PEM states none: nothing confirms iss (L5).")
country("none-no-iss", card(signer=NO_COUNTRY, change={1: ABSENT}), None, [], "The same, and no iss (P1).")
country("none-listed", no_country, "XA", [], "No country in the certificate, and the list's is that of iss (CLI).", trust=GATEWAY_XA)
country("none-listed-other", no_country, "XB", MISMATCH, "No country in the certificate, and the list's is not that of iss (CLI).", trust=GATEWAY_XB)
country("two", two, "XA, XB", MISMATCH, "The certificate names two countries, one of which is that of iss (L5).")
country("two-second", card(signer=TWO_COUNTRIES, change={1: "XB"}), "XA, XB", MISMATCH, "The other one is that of iss (L5).")
country("two-listed", two, "XA, XB", MISMATCH, "Two countries, and the list's is that of iss: the certificate's count (CLI).", trust=GATEWAY_XA)
country("twice", card(signer=SAME_TWICE), "XA", [], "The same country twice, once in lower case (L5).")
country("words", card(signer=IN_WORDS), '"Xanadu"', MISMATCH, "The country of the certificate is no code (L5).")
country("and-words", card(signer=AND_WORDS), 'XA, "Xanadu"', MISMATCH, "A code, and a country that is none (L5).")
country("many", card(signer=MANY), "XA, XB, XC, XD", MISMATCH, "More countries than are shown.")
country("forged", card(signer=FORGED), '"XA, XB"', MISMATCH, "One country that looks like two.")
country("in-three-letters", card(signer=IN_THREE, change={1: "DE"}), "DEU", [], "The certificate's code has three letters and is of the same country.")
country("in-both", card(signer=IN_BOTH, change={1: "DE"}), "DE, DEU", [], "Two codes of one country, which is that of iss.")
country("in-both-other", card(signer=IN_BOTH, change={1: "FR"}), "DE, DEU", MISMATCH, "The same, and another country.")
country("three-letters", card(signer=OF_DEU, change={1: "DE"}), "DEU", [], "The list's code has three letters and is of the same country (CLI).", trust=PARTICIPANTS)
country("three-letters-other", card(signer=OF_DEU, change={1: "FR"}), "DEU", MISMATCH, "The list's code has three letters and is of another country.",
        trust=PARTICIPANTS)
country("three-letters-test", card(signer=OF_XXA, change={1: "DE"}), "XXA", MISMATCH, "XXA is no country, so it is not DE.", trust=PARTICIPANTS)
country("three-letters-both-test", card(signer=OF_XXA), "XXA", [], "Neither XXA nor XA is a country: they cannot be compared.", trust=PARTICIPANTS)

for form in ("text", "html"):
    def shown(name, what, wanted, never, why, **options):
        passes(f"country/{form}-{name}", what, why, args=["--format", form], stdoutContains=wanted, stdoutLacks=never, **options)

    def written(text, words, before=""):
        return f"{before}{text} {words}" if form == "text" else f"{before}<bdi>{text}</bdi><span class=\"note\"> {words}</span>"

    # A page names no options.
    listed, given = "(trusted: listed in a directory)", f"(trusted: its keys were given{' with --jwks' if form == 'text' else ''})"
    name = "the record says" + (" Ministerium Muster" if form == "text" else " <bdi>Ministerium Muster</bdi>")
    shown("same", GOOD, [written("XA", listed), name], [", says"], "Signer and iss agree: the report is simple (L5).")
    shown("other-case", card(change={1: "xa"}), [written("XA", listed)], [", says"], "The same in lower case (L5).")
    shown("other", OF_XB, [written("XB", listed + ", says XA"), "issuer-mismatch", name], [written("XA", listed)],
          "The words of trust stand on the signer's country, and the claim is one (L5).")
    shown("none", no_country, [written("CN=DSC no-country of XA (test only)", listed + ", says XA", "the signer ")], [written("XA", listed)],
          "Without a country, the signer is named by its subject.", trust=PEM)
    shown("two", two, [written("XA, XB", listed + ", says XA")], [written("XA", listed)], "Both countries of the signer are shown.", trust=PEM)
    shown("no-iss", card(change={1: ABSENT}), [written("XA", listed)], [", says"], "No iss: the signer's country is shown (P1).")
    shown("no-certificate", GOOD, [written(b64(XA.kid), given + ", says XA", "the signer with the key ID ")], [written("XA", given)],
          "Nothing is known but the key: its ID is shown.", trust=jwks("plain.jwks.json"))
    shown("no-certificate-no-iss", card(change={1: ABSENT}), [written(b64(XA.kid), given, "the signer with the key ID ")], [", says"],
          "The same without iss (P1).", trust=jwks("plain.jwks.json"))
    shown("hostile", card(signer=XB, change={1: 'XA (trusted: listed in a directory)'}),
          [written("XB", listed + ', says ' + ('"XA ' + listed + '"' if form == "text" else '&quot;XA ' + listed + '&quot;'))], [],
          "A claim with the words of trust in it stands between quotation marks.")
    shown("three-letters", card(signer=OF_DEU, change={1: "DE"}), [written("DEU", listed)], [", says"], "Two codes of one country.", trust=PARTICIPANTS)
# Lists that do not say when they were made
for name, list_name in (("gateway", "gateway.json"), ("german", "german.json"), ("pem", "signers.pem"), ("der", "dsc-xa.der"), ("gdhcn", "gdhcn-v2.did.json")):
    passes(f"undated/{name}", GOOD, "The age of the list is limited, and it has none.", trust=directory(list_name), args=["--max-directory-age", "1"],
           warnings=["directory-undated"], stderrContains=["directory-undated"])
passes("undated/no-limit", GOOD, "The age of the list is not limited.", trust=directory("gateway.json"), warnings=[])
passes("undated/jwks", GOOD, "A key set is no directory.", trust=jwks("set.jwks.json"), args=["--max-directory-age", "1"], warnings=[])

# What the list says, and the certificate of the signer says otherwise
of_germany = card(signer=GERMAN, change={1: "DE"})
for listed, differs in (("fr", True), ("fra", True), ("de", False), ("eu", False), ("un", False), ("xa", False)):
    for form in ("gateway-german-of-{}.json", "gdhcn-german-of-{}.did.json"):
        country(f"list-says-{listed}-{form[:5]}", of_germany, "DE", MISMATCH if differs else [],
                "The list names another country for the signer than its certificate (CLI)." if differs else "No certain contradiction.",
                trust=directory(form.format(listed)))
for first, second in (("fr", "de"), ("de", "fr")):
    country(f"list-says-{first}-and-{second}", of_germany, "DE", [], "One of two lists confirms the country, in either order.",
            trust=directory(f"gateway-german-of-{first}.json") + directory(f"gateway-german-of-{second}.json"))
for form in ("text", "json", "html"):
    passes(f"country/list-says-fr-{form}", of_germany, "Every report shows the contradiction.", trust=directory("gateway-german-of-fr.json"),
           args=["--format", form], stdoutContains=["issuer-mismatch", "attributes the signer to"])


def recorded(name, what, form, why, **options):
    passes(f"country/records-{name}-{form}", what, why, mode="records", args=["--format", form], **options)


for name, what, shown, mismatch, options in (
        ("same", GOOD, "XA", False, {}), ("other", OF_XB, "XB", True, {}), ("two", two, "XA, XB", True, {"trust": PEM}),
        ("none", no_country, None, True, {"trust": PEM}), ("no-iss", card(change={1: ABSENT}), "XA", False, {})):
    why = "The country of the signer stands beside iss, and whether the two differ (L5)."
    iss = "" if name == "no-iss" else "XA"
    text = json.dumps(shown)
    recorded(name, what, "json", why, **options, json={
        "/records/0/iss": iss, "/records/0/signerCountry": shown, "/records/0/issuerMismatch": mismatch or None})
    recorded(name, what, "ndjson", why, **options, stdoutContains=[
        f'"iss":"{iss}"', f'"signerCountry":{text}' + ',"issuerMismatch":' + ("true" if mismatch else "null")])
    cell = "" if shown is None else f'"{shown}"' if "," in shown else shown
    recorded(name, what, "csv", why, **options, stdoutContains=[
        ",validUntil,signerCountry,issuerMismatch,transliterated,", f",{cell},{'true' if mismatch else ''},JANE MUSTER,Ministerium Muster,"])
    says = [] if name in ("same", "no-iss") else [", says XA"]
    warned = ["issuer-mismatch: the certificate names the issuer "] if mismatch else []
    subject = "the signer CN=DSC no-country of XA (test only)"
    recorded(name, what, "text", why, **options, stdoutContains=[f"issuer   {shown or subject}{''.join(says)}\n"] + warned,
             stdoutLacks=[] if warned else ["issuer-mismatch"])
    if mismatch:
        warned = ["<code>issuer-mismatch</code>: the certificate names the issuer "]
    recorded(name, what, "html", why, **options,
             stdoutContains=[f"issuer {'' if shown else 'the signer '}<bdi>{shown or subject[11:]}</bdi> (trusted: listed in a directory){''.join(says)}"] + warned,
             stdoutLacks=[] if warned else ["issuer-mismatch"])
for name, what, warned in (("same", GOOD, False), ("other", OF_XB, True), ("none-listed-other", no_country, True), ("two", two, True), ("none", no_country, True)):
    found = dict(findings=["hcert-claim-error"]) if warned else dict(noFindings=["hcert-claim-error"])
    trust = {"same": directory("signers.pem"), "other": directory("signers.pem"), "none-listed-other": GATEWAY_XB}.get(name, PEM)
    case(f"country/lint-{name}", what, None, "iss is not the country of the signer: a warning of lint (L5).", mode="lint", trust=trust, exits=0, **found)
case("country/batch", hc1(OF_XB) + "\n", None, "A line of batch has both countries and the warning (L5).", mode="batch", args=["--records"],
     json={"/0/issuer/iss": "XA", "/0/issuer/country": "XB"}, warnings=MISMATCH)
case("country/directory-show", [], None, "The list shows both countries of a signer.", mode="directory-show", trust=PEM, at=None, exits=0,
     stdoutContains=["\tXA, XB\t"])
case("country/trace", OF_XB, None, "The trace names the signer's country before why it is trusted, and then the claim (L5).", args=["-v"],
     stderrContains=['issuer "XB": trusted, because a list of --directory has it; the certificate says "XA"'])


# Signers that must chain to a CSCA (K10)

anchored = lambda *countries: [part for country in countries for part in ("--anchor", f"{{trust/csca-{country}.pem}}")]
NOT_ANCHORED = ["key-not-found", "certificate-invalid", "issuer-not-trusted"]
passes("anchor/pem", GOOD, "Certificates, and the CSCA that has signed them (K10).", args=anchored("xa"))
passes("anchor/jwks", GOOD, "A JWK set with certificates, and the CSCA (K10).", trust=jwks("set.jwks.json"), args=anchored("xa"))
case("anchor/other-pem", GOOD, NOT_ANCHORED, "Another CSCA (K10).", args=anchored("xb"), unsure=True)
case("anchor/other-jwks", GOOD, NOT_ANCHORED, "Another CSCA, and a JWK set (K10).", trust=jwks("set.jwks.json"), args=anchored("xb"), unsure=True)
passes("anchor/both", GOOD, "One of two CSCA has signed (K10).", args=anchored("xb", "xa"))
case("anchor/stranger", card(signer=STRANGER), NOT_ANCHORED, "The signer says XA, but XA's CSCA has not signed it (K10).",
     trust=directory("not-of-its-country.pem"), args=anchored("xa"), unsure=True)
passes("anchor/stranger-without", card(signer=STRANGER), "The same without --anchor: the list is trust itself (K10).", trust=directory("not-of-its-country.pem"))
passes("anchor/stranger-jwks-without", card(signer=STRANGER), "The same in a JWK set (K10).", trust=jwks("stranger.jwks.json"))
case("anchor/stranger-other-country", card(signer=STRANGER), NOT_ANCHORED + [None],
     "XB's CSCA has signed a signer who says XA: K10 wants a CSCA of the country.", trust=directory("not-of-its-country.pem"), args=anchored("xb"), unsure=True)
case("anchor/no-certificate", GOOD, NOT_ANCHORED, "A key without a certificate cannot chain to anything (K10).", trust=jwks("plain.jwks.json"),
     args=anchored("xa"), unsure=True)


# Revocation (R1 to R3)

REVOCATION = {}
SIGNATURE, RSA_CARD = GOOD[-64:], card(signer=RSA_2048)
ISS = "XA"


def short(data):
    return b64(hashlib.sha256(data).digest()[:16])


def batch(name, kind, *hashes, kid=XA.kid, country="XA", **changes):
    """Writes a batch as the gateway gives it."""
    value = {"country": country, "expires": "2023-06-01T00:00:00Z", "kid": b64(kid) if isinstance(kid, bytes) else kid, "hashType": kind,
             "entries": [{"hash": each} for each in hashes]} | changes
    REVOCATION[f"revocation/{name}.json"] = json_text(value).encode()
    return ["--crl", f"{{revocation/{name}.json}}"]


def raw(name, octets):
    REVOCATION[f"revocation/{name}.json"] = octets
    return ["--crl", f"{{revocation/{name}.json}}"]


filler = [short(f"filler {i}".encode()) for i in range(999)]
by_uci = batch("uci", "UCI", filler[0], short(UVCI.encode()))
revoked = lambda name, args, why, what=GOOD, **options: case(f"revocation/{name}", what, "revoked", why, args=args, **options)
stays = lambda name, args, why, what=GOOD, **options: passes(f"revocation/{name}", what, why, args=args, **options)
unusable = lambda name, args, why, **options: case(f"revocation/{name}", GOOD, None, why, args=args, exits=64, **options)
revoked("uci", by_uci, "The hash of the identifier (R1).")
by_uci_other = batch("uci-other", "UCI", *filler[:3])
stays("uci-other", by_uci_other, "Hashes of others (R1).")
stays("uci-other-kid", batch("uci-other-kid", "UCI", short(UVCI.encode()), kid=XB.kid), "The batch is for another kid (R1).")
revoked("uci-unknown-kid", batch("uci-unknown-kid", "UCI", short(UVCI.encode()), kid="UNKNOWN_KID"), "UNKNOWN_KID stands for any (R1).")
stays("uci-upper-case", batch("uci-upper-case", "UCI", short(UVCI.lower().encode())), "The identifier as it stands, not in lower case (R1).")
stays("uci-without-check", batch("uci-without-check", "UCI", short(UVCI.split("#")[0].encode())), "The identifier with its check character (R1).", unsure=True)
revoked("uci-test", by_uci, "The identifier of a test (R1).", card("t"))
revoked("uci-recovery", by_uci, "The identifier of a recovery (R1).", card("r"))
revoked("uci-label", batch("uci-label", "UCI", short(UVCI.encode()), kid=OTHER_LABEL), "The kid is the one that list and certificate state (R1, K1).",
        card(kid=OTHER_LABEL), trust=directory("gateway-label.json"))
by_hash = batch("uci-hash-of-label", "UCI", short(UVCI.encode()))
revoked("uci-hash-of-label", by_hash, "The list has another label for the signer, and the batch names the hash of its certificate (R1, K1).",
        card(kid=OTHER_LABEL), trust=directory("gateway-label.json"))
stays("uci-other-of-label", batch("uci-other-of-label", "UCI", short(UVCI.encode()), kid=XB.kid), "The batch names neither label nor hash (R1, K1).",
      card(kid=OTHER_LABEL), trust=directory("gateway-label.json"))
odd_identifier = "URN:UVCI:01:XA:M\u00dcSTER"
revoked("uci-utf8", batch("uci-utf8", "UCI", short(odd_identifier.encode())), "The identifier as UTF-8 (R1).", card(record={"ci": odd_identifier}))
revoked("country-iss", batch("country-iss", "COUNTRYCODEUCI", short((ISS + UVCI).encode())), "The country of iss and the identifier (R1).")
revoked("country-co", batch("country-co", "COUNTRYCODEUCI", short(("AT" + UVCI).encode())), "The record's country and the identifier (R1).")
revoked("country-no-iss", batch("country-no-iss", "COUNTRYCODEUCI", short(("AT" + UVCI).encode())), "No iss: the record's country (R1).", card(change={1: ABSENT}))
stays("country-other", batch("country-other", "COUNTRYCODEUCI", short(("XB" + UVCI).encode())), "Another country and the identifier (R1).")
stays("country-uci-alone", batch("country-uci-alone", "COUNTRYCODEUCI", short(UVCI.encode())), "The identifier without a country, in a batch of the other kind (R1).")
required = ["--require-revocation"]
revocation_why = lambda word: {"/cards/0/checks/5/name": "revocation", "/cards/0/checks/5/status": "skipped", "/cards/0/checks/5/why": word}
stays("no-list", [], "No list of revoked certificates: nobody asked (CLI of shcverify).", json=revocation_why("not-asked"))
stays("required", required + by_uci_other, "Required, and looked up (CLI of shcverify).")
revoked("required-revoked", required + by_uci, "Required, looked up and found (CLI of shcverify).")
case("revocation/required-no-list", GOOD, "revocation-unavailable", "Required, and no list was given (CLI of shcverify).", args=required)
other_signer = batch("required-other-signer", "UCI", *filler[:3], kid=XB.kid, country="XB")
stays("other-signer", other_signer, "A batch for another signer of another country: not looked up.", json=revocation_why("not-asked"))
case("revocation/required-other-signer", GOOD, "revocation-unavailable", "Required, and the batch is for another signer of another country.",
     args=required + other_signer)
stays("required-other-kid", required + batch("required-other-kid", "UCI", *filler[:3], kid=XB.kid), "Required, and the batch is for another key of the country.")
stays("required-unknown-kid", required + batch("required-unknown-kid", "UCI", *filler[:3], kid="UNKNOWN_KID", country="XB"), "Required, and the batch is for any key.")
case("revocation/required-no-country", GOOD, "revocation-unavailable", "Required, and the batch for another key names no country.",
     args=required + batch("required-no-country", "UCI", *filler[:3], kid=XB.kid, country=None))
revoked("required-other-country", required + batch("required-other-country", "UCI", short(UVCI.encode()), country="XB"), "The key counts, whatever the country.")
case("revocation/expired", GOOD, "expired", "Expired, and on the list: the validity comes first.", args=by_uci, at="2024-01-01T00:00:00Z")
by_r = batch("signature-r", "SIGNATURE", short(SIGNATURE[:32]))
revoked("signature-r", by_r, "For ECDSA r is hashed (R2).")
revoked("signature-low-s", by_r, "The same with s turned round to the low one (R2, S3).", card(spell=low))
revoked("signature-high-s", by_r, "The same with s turned round to the high one (R2, S3).", card(spell=high))
stays("signature-whole", batch("signature-whole", "SIGNATURE", short(SIGNATURE)), "The whole signature of ECDSA is not what is hashed (R2).")
stays("signature-s", batch("signature-s", "SIGNATURE", short(SIGNATURE[32:])), "s is not what is hashed (R2).")
revoked("signature-rsa", batch("signature-rsa", "SIGNATURE", short(RSA_CARD[-256:]), kid=RSA_2048.kid), "For RSA the whole signature is hashed (R2).", RSA_CARD)
stays("signature-rsa-half", batch("signature-rsa-half", "SIGNATURE", short(RSA_CARD[-256:-128]), kid=RSA_2048.kid), "Half of an RSA signature is not (R2).", RSA_CARD)
stays("signature-rsa-32", batch("signature-rsa-32", "SIGNATURE", short(RSA_CARD[-256:-224]), kid=RSA_2048.kid), "Nor are 32 octets of it (R2).", RSA_CARD)
revoked("thousand", batch("thousand", "UCI", *filler[:500], short(UVCI.encode()), *filler[500:]), "A batch of 1000 entries (R1).")
revoked("two-batches", by_uci + batch("signature-unrelated", "SIGNATURE", filler[1]), "Batches add up (R1).")
revoked("two-batches-reversed", ["--crl", "{revocation/signature-unrelated.json}"] + by_uci, "Batches add up, in any order (R1).")
stays("other-country", batch("other-country", "UCI", filler[2], country="XB"), "A batch of another country and kid (R1).")
revoked("ended-batch", batch("ended-batch", "UCI", short(UVCI.encode()), expires="2022-05-01T00:00:00Z"), "The batch has ended: R1 does not say what follows.", unsure=True)
ended = batch("ended-batch-other", "UCI", *filler[:3], expires="2022-05-01T00:00:00Z")
stays("ended-batch-other", ended, "The batch has ended and does not have it: not looked up.", json=revocation_why("not-asked"), unsure=True)
revoked("required-ended-batch", required + ["--crl", "{revocation/ended-batch.json}"], "Required, and in a batch that has ended: it revokes all the same.", unsure=True)
case("revocation/required-ended-batch-other", GOOD, "revocation-unavailable", "Required, and the only batch for the signer has ended.", args=required + ended, unsure=True)
stays("required-ended-and-newer", required + ended + by_uci_other, "Required, and a newer batch is given too.")
revoked("unknown-members", batch("unknown-members", "UCI", short(UVCI.encode()), batchId="x"), "A member that nobody knows (R1).")
unusable("unknown-kind", batch("unknown-kind", "BLOOM", filler[3]), "A kind of hash that nobody knows (R3).")
unusable("lower-case-kind", batch("lower-case-kind", "uci", filler[3]), "A kind in lower case (R3).", unsure=True)
unusable("unknown-kind-other-kid", batch("unknown-kind-other-kid", "BLOOM", filler[3], kid=XB.kid), "A kind that nobody knows, for another kid (R3).", unsure=True)
unusable("no-kind", batch("no-kind", None, filler[3]), "hashType is null (R3).")
unusable("not-json", raw("not-json", b"not JSON\n"), "A batch that cannot be read (R3).")
unusable("empty", raw("empty", b""), "An empty file (R3).")
unusable("other-object", raw("other-object", b'{"hello":"world"}\n'), "An object that is no batch (R3).")
unusable("hash-no-base64", batch("hash-no-base64", "UCI", "***"), "A hash that is no base64 (R3).")
unusable("hash-short", batch("hash-short", "UCI", b64(b"short")), "A hash of five octets (R1, R3).")
unusable("hash-whole", batch("hash-whole", "UCI", b64(hashlib.sha256(UVCI.encode()).digest())), "A hash of 32 octets (R1, R3).")
unusable("hash-missing", batch("hash-missing", "UCI", entries=[{}]), "An entry without a hash (R1, R3).")
unusable("kid-missing", batch("kid-missing", "UCI", filler[3], kid=None), "kid is null (R1, R3).")
unusable("entries-missing", batch("entries-missing", "UCI", entries=None), "entries is null (R1, R3).")
stays("no-entries", batch("no-entries", "UCI"), "No entries: R1 allows 1 to 1000, but a batch without any can be read, and revokes nothing.")
escaped = raw("escaped-names", json_text({"country": "XA", "kid": b64(XA.kid), "hashType": "UCI", "entries": [{"hash": short(UVCI.encode())}]}).encode()
              .replace(b'"hashType"', b'"hash\\u0054ype"').replace(b'"entries"', b'"entri\\u0065s"'))
revoked("escaped-names", escaped, "The two names that tell a batch from a list of cards are written with escapes: the same JSON (R3).")
revoked("beside-card-members", batch("beside-card-members", "UCI", short(UVCI.encode()), method="rid", ctr=1), "A whole batch with members of a list of cards (R1).")
unusable("two-kinds", batch("two-kinds", "UCI", short(UVCI.encode()), method="rid", ctr=1, rids=[]), "A batch and a list of cards at once (R3).",
         stderrContains=["--crl"])
unusable("other-names", raw("other-names", json_text({"country": "XA", "kid": b64(XA.kid), "hashtype": "UCI", "Entries": []}).encode()),
         "Names in another case: not a batch, and not taken for a list of cards either (R3).", stderrContains=["--crl"])
unusable("beside-good", by_uci + ["--crl", "{revocation/not-json.json}"], "An unreadable batch beside one that revokes: usage goes first (R3).")
case("revocation/missing", GOOD, None, "A batch that is not there.", args=["--crl", "{revocation/missing.json}"], exits=66)


# The order of checks

broken = lambda signature: signature[:-1] + bytes([signature[-1] ^ 1])
order = lambda name, what, reason, why, **options: case(f"order/{name}", what, reason, why + " (CLI, order).", **options)
order("format-before-key", card(signer=UNLISTED, dcc={"ver": ABSENT}), "malformed-payload", "Malformed, and a kid that no list has")
order("format-before-no-list", card(dcc={"ver": ABSENT}), "malformed-payload", "Malformed, and no list", trust=[])
order("format-before-signature", card(dcc={"v": ABSENT}, spell=broken), "malformed-payload", "Malformed, and a bad signature")
order("algorithm-before-key", card(signer=UNLISTED, alg=-35), "unsupported-algorithm", "Another algorithm, and a kid that no list has")
order("no-list-before-validity", card(change={4: seconds("2022-02-01")}), "keys-unavailable", "Expired, and no list", trust=[])
order("key-before-validity", card(signer=UNLISTED, change={4: seconds("2022-02-01")}), "key-not-found", "Expired, and a kid that no list has")
order("key-before-signature", card(signer=P_384, spell=broken), "key-invalid", "P-384, and a bad signature")
order("signature-before-validity", card(change={4: seconds("2022-02-01")}, spell=broken), "signature-invalid", "Expired, and a bad signature")
order("signature-before-signer-ended", card(signer=ENDED, spell=broken), "signature-invalid", "The signer's certificate has ended, and a bad signature")
order("validity-before-usage", card("t", signer=V, change={4: seconds("2022-02-01")}), "expired", "Expired, and a usage that does not fit")
order("signer-ended-and-usage", card("t", signer=ENDED_V), INVALID, "The signer's certificate has ended, and its usage does not fit")
order("usage-before-revocation", card("t", signer=V), INVALID, "A usage that does not fit, and revoked",
      args=batch("order", "UCI", short(UVCI.encode()), kid="UNKNOWN_KID"))
order("validity-before-revocation", card(change={4: seconds("2022-02-01")}), "expired", "Expired, and revoked", args=by_uci)
order("revocation-before-records", GOOD, "revoked", "Revoked, and of another kind than asked for", args=by_uci + ["--record-type", "recovery"])
order("signature-before-revocation", card(spell=broken), "signature-invalid", "A bad signature, and revoked", args=by_uci)


# Beside SMART Health Cards

both = jwks("set.jwks.json") + ["--jwks", "{../keys/issuer-a.jwks.json}"]
later = card(signer=LATER, change={4: seconds("2030-01-01")})
passes("mixed/both-kinds", [later, "@../cards/inputs/file.smart-health-card"], "A certificate and a SMART Health Card in one run (CLI).", trust=both,
       at="2026-06-01T00:00:00Z", json={"/cards/0/sourceType": "eu-digital-covid-certificate", "/cards/1/sourceType": "smart-health-card"}, unsure=True)


# batch: the pointers are those of the list of all lines

def lines(name, texts, reason, why, **options):
    case(f"batch/{name}", "".join(text + "\n" for text in texts), reason, why, mode="batch", **options)


test, bad, unknown = (hc1(each) for each in (card("t"), card(spell=broken), card(signer=UNLISTED)))
lines("all-good", [GOOD_TEXT, test], None, "Two lines that verify (CLI).", args=["--records"],
      json={"/0/verdict": "pass", "/0/line": 1, "/1/verdict": "pass", "/1/line": 2, "/1/records/0/type": "laboratory", "/0/certificate": None})
lines("first-bad-counts", [GOOD_TEXT, bad, unknown], "signature-invalid", "The exit code is that of the first line that failed (CLI).",
      json={"/0/verdict": "pass", "/1/reason/code": "signature-invalid", "/2/reason/code": "key-not-found"})
lines("with-bundle", [GOOD_TEXT], None, "--bundle prints the certificate (CLI).", args=["--bundle"], json={"/0/certificate/ver": "1.3.0"})
lines("other-text", [GOOD_TEXT, "HC2:ABC"], "malformed-input", "A line that is something else (H1).", json={"/1/reason/code": "malformed-input"})
lines("space-at-end", [GOOD_TEXT + "  ", test], None, "White space around a line goes (H2).", json={"/0/verdict": "pass", "/1/verdict": "pass"})


# directory verify and directory show: the file is the argument

def listed(name, mode, path, codes, why, args=(), **options):
    case(f"directory/{name}", "@" + path, None, why, mode=mode, trust=[], at=None, args=list(args), exits=codes, **options)


signed_by = lambda name: ["--certificate", f"{{trust/{name}}}"]
listed("german", "directory-verify", "trust/german.json", 0, "The German list's own signature (CLI, L).", signed_by("german-key.pem"))
listed("german-zero", "directory-verify", "trust/german-zero.json", 0, "A signature line that begins with 0 (L2).", signed_by("german-key.pem"))
listed("german-changed", "directory-verify", "trust/german-changed.json", 11, "One octet of the list is changed.", signed_by("german-key.pem"))
listed("german-other-key", "directory-verify", "trust/german.json", 11, "Another key.", signed_by("german-other-key.pem"))
listed("german-no-signature", "directory-verify", "trust/german-no-signature.json", [11, 64], "The signature line is missing.", signed_by("german-key.pem"),
       unsure=True)
listed("german-empty-signature", "directory-verify", "trust/german-empty-signature.json", [11, 64], "The signature line is empty.", signed_by("german-key.pem"),
       unsure=True)
listed("gateway-has-none", "directory-verify", "trust/gateway.json", [11, 64], "The gateway's list has no signature of its own that could be checked.",
       signed_by("german-key.pem"), unsure=True)
for form in ("gdhcn-v2.did.json", "gdhcn-v1.did.json", "gateway.json", "german.json", "signers.pem", "dsc-xa.der"):
    case(f"directory/show-{form.split('.')[0]}", [], None, "Signers with country, validity and usages (CLI).", mode="directory-show", trust=directory(form),
         at=None, stdoutContains=["xa"])


# lint: `findings` must be among those reported, `noFindings` must not

def lint(name, what, codes, findings, why, **options):
    case(f"lint/{name}", what, None, why, mode="lint", exits=codes, **({"findings": findings} if findings else {}), **options)


NONE = ["dcc-schema-error", "hcert-claim-error", "cose-header-error", "base45-error", "zlib-error", "dsc-validity-error", "csca-chain-error",
        "uvci-check-character"]
for group in "vtr":
    lint(f"good-{group}", card(group), 0, [], "Nothing to find.", noFindings=NONE)
lint("base45", GOOD_TEXT[:10] + "GGW" + GOOD_TEXT[13:], 10, ["base45-error"], "A group of 65536 (H2).")
lint("lower-case-body", "HC1:" + GOOD_TEXT[4:].lower(), 10, ["base45-error"], "Lower case (H2).")
lint("uncompressed", hc1(GOOD, lambda data: data), 10, ["zlib-error"], "Not compressed (H3).")
lint("zlib-trailing", hc1(GOOD, lambda data: compressed(data) + b"\0"), 10, ["zlib-error"], "Data behind the stream (H3).")
lint("alg-unprotected", card(protected={4: XA.kid}, unprotected={1: -7}), 10, ["cose-header-error"], "alg belongs in the protected header (C6).")
lint("no-kid", card(protected={1: -7}), 10, ["cose-header-error"], "kid is a duty (C7).")
lint("crit", card(protected={1: -7, 4: XA.kid, 2: [99]}), 10, ["cose-header-error"], "crit (C8).", unsure=True)
lint("exp-missing", card(change={4: ABSENT}), 10, ["hcert-claim-error"], "exp is a duty (P3).")
lint("iat-missing", card(change={6: ABSENT}), 10, ["hcert-claim-error"], "iat is a duty (P3).")
lint("hcert-missing", card(change={-260: ABSENT}), 10, ["hcert-claim-error"], "hcert is a duty (P4).")
lint("iss-long", card(change={1: "Ministerium Muster"}), 10, ["hcert-claim-error"], "iss is a country of two letters (P1).", unsure=True)
lint("two-records", card(dcc={"t": [record("t")]}), 10, ["dcc-schema-error"], "Two groups (P7).")
lint("two-entries", card(dcc={"v": [record(), record(dn=1)]}), 10, ["dcc-schema-error"], "Two entries (P7).")
lint("member-missing", card(record={"mp": ABSENT}), 10, ["dcc-schema-error"], "A required member (P8).")
lint("name-missing", card(name={"fnt": ABSENT, "gnt": ABSENT}), 10, ["dcc-schema-error"], "Neither fnt nor gnt (P6).")
lint("name-lower-case", card(name={"fnt": "Muster"}), 10, ["dcc-schema-error"], "fnt is not what the schema wants (P6).")
lint("date", card(record={"dt": "2022-1-5"}), 10, ["dcc-schema-error"], "No date (P11).")
lint("float-dose", card(record={"dn": 2.0}), [0, 10], [], "A whole float: accepted by verify; JSON Schema calls 2.0 an integer (P8).", unsure=True)
lint("identifier", card(record={"ci": UVCI[:-1] + ("A" if UVCI[-1] != "A" else "B")}), 0, ["uvci-check-character"], "The check character is wrong: a warning (P10).")
lint("identifier-without", card(record={"ci": "URN:UVCI:01:XA:INVENTED0003"}), 0, [], "Without a check character nothing is wrong (P10).", noFindings=NONE)
lint("outlives", card(change={4: seconds("2025-01-01")}), 10, ["dsc-validity-error"], "exp after the certificate's end (K7).")
lint("issued-before", card(change={6: seconds("2021-05-01")}), 10, ["dsc-validity-error"], "iat before the certificate's beginning (K7).")
lint("chain", card(signer=STRANGER), 10, ["csca-chain-error"], "The signer is not signed by the CSCA given (K10).",
     trust=directory("not-of-its-country.pem"), args=anchored("xa"))
lint("chain-good", GOOD, 0, [], "The signer is signed by the CSCA given (K10).", args=anchored("xa"), noFindings=NONE)
lint("expired", card(change={4: seconds("2022-02-01")}), 0, ["expiration-error"], "What depends on the day is a warning (CLI of shcverify).", unsure=True)
lint("signature", card(spell=broken), 10, ["jws-verification-error"], "A bad signature: hcert/CLI.md names no code of its own.", unsure=True)


# Other outputs

case("format/inspect", card(spell=broken), None, "inspect decodes and says that nothing is verified (CLI of shcverify).", mode="inspect", trust=[], at=None,
     stdoutContains=["not verified", "muster"])
case("format/records-csv", GOOD, None, "records as CSV has the new columns (CLI, report).", mode="records", args=["--format", "csv"],
     stdoutContains=["country", "identifier", "dose", "validuntil", "comirnaty"])
GREEK = card(name={"fn": "ΜΕΝΕΞΕΣ", "gn": "ΜΑΡΙΟΣ", "fnt": "MENEXES", "gnt": "MARIOS<ADAM"})
case("name/transliterated", GREEK, None, "The name as a passport has it, beside the name (P6).",
     json={"/cards/0/subject/name": "ΜΑΡΙΟΣ ΜΕΝΕΞΕΣ", "/cards/0/subject/transliterated": "MARIOS ADAM MENEXES",
           "/cards/0/subjects/0/transliterated": "MARIOS ADAM MENEXES"})
case("name/not-transliterated", card(name={"gnt": ABSENT}), None, "Only the family name is transliterated (P6).",
     json={"/cards/0/subject/transliterated": "MUSTER"})
case("format/text-transliterated", GREEK, None, "A person reads both names.", args=["--format", "text"],
     stdoutContains=["\n         transliterated: marios adam menexes\nborn"])
case("format/text-same-letters", card(), None, "The same name in capitals helps nobody.", args=["--format", "text"],
     stdoutLacks=["transliterated"])
for made in ["text", "html", "csv", "json", "ndjson"]:
    case(f"format/records-transliterated-{made}", GREEK, None, "Records have it in every format, and maker, disease and issuer.",
         mode="records", args=["--format", made],
         stdoutContains=["marios adam menexes", "covid-19", "ministerium muster"] + (["biontech"] if made not in ["text", "html"] else []))
case("format/records-of-a-test", card("t", record=RAPID), None, "The maker of a test is named with the test.", mode="records",
     args=["--format", "ndjson"], stdoutContains=['"manufacturer":"abbott rapid diagnostics, panbio'])
case("format/records-without-maker", card("r"), None, "Members are null if there is nothing.", mode="records", args=["--format", "ndjson"],
     stdoutContains=['"manufacturer":null', '"dose":null', '"disease":"covid-19"', '"notdone":null', '"issuermismatch":null'])
case("format/records-csv-failing", card(spell=broken), "signature-invalid", "No records of a certificate that does not verify (CLI of shcverify).", mode="records",
     args=["--format", "csv"], stdoutLacks=["comirnaty"])

case("format/fhir", GOOD, None, "--format fhir prints nothing for a certificate and says so (CLI).", args=["--format", "fhir"], stdout="", unsure=True)
case("format/quiet", card(spell=broken), "signature-invalid", "--quiet: the reason stands on standard error (CLI of shcverify).", args=["--quiet"],
     stdout="", stderrContains=["signature-invalid"])
