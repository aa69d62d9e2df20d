"""Lint vectors: EU Digital COVID Certificates. The certificates and lists are those of hcert/, which has a generator of its own."""

from lint_base import LintVectors

VECTORS = LintVectors()
SIGNERS = ("--directory", "{hcert/trust/signers.pem}")


def add(rule, card, *, departs=True, also=(), options=SIGNERS, at="2022-06-01T00:00:00Z", name=None):
    """One vector with certificates that exist: their names without folder and ending, separated by spaces."""
    files = [f"hcert/cards/{each}" + ("" if "." in each else ".hc1") for each in card.split()]
    VECTORS.vectors.append({"id": f"{rule}/{name or card.split()[-1].split('.')[0]}", "rule": rule, "departs": departs, "files": files,
                            "args": ["--offline", "--at", at, *options], "findings": sorted([rule, *also] if departs else also)})


def right(rule, card, **options):
    """A certificate that just follows a rule."""
    add(rule, card, departs=False, **options)


def crl(name):
    return (*SIGNERS, "--crl", "{hcert/revocation/" + name + ".json}")


def directory(name):
    return ("--directory", "{hcert/trust/" + name + "}")


def jwks(name):
    return ("--jwks", "{hcert/trust/" + name + ".jwks.json}")


# What else is found in a certificate.
BESIDE = {"icvp-shape-2024": ["icvp-schema-error/product"]}

# The text.
for card in "text-hc2 text-no1 text-dk3 input-cwt-gzip.cwt".split():
    add("unknown-file-data/unrecognised", card)
right("unknown-file-data/unrecognised", "valid-cwt.cwt")
add("base45-error/prefix", "text-lower-case-prefix")
add("base45-error/prefix", "text-no-prefix")
right("base45-error/prefix", "text-white-space-around")
for card in "text-group-65536 text-group-colons text-lower-case-body text-one-lower-case text-length text-last-pair text-tab text-space-removed".split():
    add("base45-error/text", card)
right("base45-error/text", "text-two-spaces")
add("base45-error/line-breaks", "text-wrapped")
add("base45-error/line-breaks", "text-wrapped-crlf")
right("base45-error/line-breaks", "text-two-lines")
for card in "zlib-none zlib-raw-deflate zlib-gzip zlib-adler zlib-dictionary zlib-trailing zlib-half zlib-bomb input-cwt-zlib-trailing.cwt".split():
    add("zlib-error/stream", card)
for card in "zlib-level-0 zlib-window-9 valid-cwt.cwt valid-cwt-zlib.cwt".split():
    right("zlib-error/stream", card)

# The message.
RULE = "cose-header-error/structure"
for card in ("cose-three-elements cose-map cose-detached cose-bare-payload cose-tag-98 cose-tag-18-18 cose-trailing cose-trailing-protected cose-protected-not-cbor "
             "duplicate-alg duplicate-wide-label cbor-not-utf8-header bounds-nesting-100000 bounds-items-25000 bounds-length-largest input-cwt-mac0.cwt").split():
    add(RULE, card)
for card in "cose-no-tag cose-tag-61-18 cbor-indefinite cbor-wide-8 bounds-items-15000 bounds-nesting-20".split():
    right(RULE, card)
for card in "alg-es384 alg-none alg-text alg-both-differ alg-hs256".split():
    add("cose-header-error/alg", card)
right("cose-header-error/alg", "alg-both-same")
right("cose-header-error/alg", "valid-ps256")
add("cose-header-error/alg-protected", "alg-unprotected")
add("cose-header-error/alg-protected", "alg-unprotected-empty-protected", also=["cose-header-error/kid-protected"])
right("cose-header-error/alg-protected", "alg-both-same")
for card in "kid-none kid-empty kid-text kid-null kid-protected-text".split():
    add("cose-header-error/kid", card)
right("cose-header-error/kid", "kid-protected-counts")
add("cose-header-error/kid-protected", "kid-unprotected")
right("cose-header-error/kid-protected", "kid-protected-counts")
for card in "crit-protected crit-unprotected crit-empty lint-crit".split():
    add("cose-header-error/crit", card)
right("cose-header-error/crit", "header-strange-labels")

# The claims.
for card in "cose-trailing-payload cose-empty-payload duplicate-exp duplicate-deep cbor-no-break claims-array claims-json bounds-items-claims".split():
    add("hcert-claim-error/payload", card)
right("hcert-claim-error/payload", "cbor-chunked-payload")
for card in "claims-iss-number claims-iss-long lint-iss-long claims-iss-lower-case".split():
    add("hcert-claim-error/iss", card)
right("hcert-claim-error/iss", "claims-iss-missing")
for card in "claims-iss-null claims-nbf-null claims-nbf-text-key claims-text-number-key-besides link-beside-dcc-in-texts link-content-text-and-dcc".split():
    add("hcert-claim-error/form", card, also=BESIDE.get(card, ()))
right("hcert-claim-error/form", "claims-text-key-besides")
for claim in "iat exp".split():
    for card in "missing null text nan bignum tag-1 thousandfold".split():
        add(f"hcert-claim-error/{claim}", f"claims-{claim}-{card}")
    right(f"hcert-claim-error/{claim}", "claims-text-key-besides")
add("hcert-claim-error/nbf", "claims-nbf-text")
right("hcert-claim-error/nbf", "claims-nbf-past")
add("hcert-claim-error/order", "time-exp-before-iat", also=["expiration-error/certificate"])
right("hcert-claim-error/order", "valid-vaccination")
add("hcert-claim-error/integer", "claims-floats")
right("hcert-claim-error/integer", "cbor-wide-8")
for card in "missing null array empty dcc-null dcc-array".split():
    add("hcert-claim-error/hcert", f"hcert-{card}")
right("hcert-claim-error/hcert", "hcert-others-beside")
for card in "hcert-key-2 hcert-key-3 lint-unsupported lint-unsupported-ddcc".split():
    add("unsupported-credential/content", card)
right("unsupported-credential/content", "hcert-unknown-beside")
add("unsupported-credential/kind", "lint-unsupported-nzcp")
right("unsupported-credential/kind", "valid-vaccination")
add("not-yet-valid/certificate", "claims-nbf-future")
add("not-yet-valid/certificate", "valid-vaccination", at="2022-01-10T11:59:59Z", name="a-second-before")
right("not-yet-valid/certificate", "valid-vaccination", at="2022-01-10T12:00:00Z", name="issued-now")
add("expiration-error/certificate", "valid-vaccination", at="2023-01-10T12:00:01Z", name="a-second-after")
right("expiration-error/certificate", "valid-vaccination", at="2023-01-10T12:00:00Z", name="expires-now")

# The content.
add("dcc-schema-error/version", "dcc-ver-2")
add("dcc-schema-error/version", "dcc-ver-words")
right("dcc-schema-error/version", "dcc-ver-1.99.0.hc1", name="version-1")
for card in "dcc-no-group dcc-null-group dcc-empty-group dcc-two-groups dcc-three-groups dcc-two-entries".split():
    add("dcc-schema-error/record", card)
add("dcc-schema-error/record", "dcc-entry-and-null", also=["dcc-schema-error/type"])
right("dcc-schema-error/record", "dcc-null-groups-beside")
for card in "dcc-ver-missing dcc-nam-missing dcc-dob-missing name-no-transliterated record-v-mp-missing record-t-sc-missing record-r-du-missing".split():
    add("dcc-schema-error/required", card)
for card in "name-only-fnt name-only-gnt record-t-optional-absent".split():
    right("dcc-schema-error/required", card)
for card in "dcc-nam-array dcc-group-map dcc-entry-text name-fn-number record-v-mp-null record-v-text-dose record-v-fraction-dose record-v-date-number".split():
    add("dcc-schema-error/type", card)
for card in "record-v-float-doses record-t-optional-null record-t-time-tag dcc-unknown-members".split():
    right("dcc-schema-error/type", card)
add("dcc-schema-error/name", "name-fnt-lower-case")
right("dcc-schema-error/name", "name-decomposed")
for card in "dcc-dob-words dcc-dob-february-30 record-v-date-time record-v-date-short record-v-date-empty record-t-time-no-zone record-r-df-no-date".split():
    add("dcc-schema-error/date", card)
for card in "dcc-dob-month dcc-dob-empty record-v-dates-tag record-t-time-fraction-6 record-t-time-offset".split():
    right("dcc-schema-error/date", card)
for card in "name-fn-81 record-v-dose-zero record-v-country-lower-case record-v-ci-81".split():
    add("dcc-schema-error/value", card)
for card in "name-fn-80 record-v-3-of-1".split():
    right("dcc-schema-error/value", card)
add("code-unknown/certificate", "record-v-unknown-codes")
right("code-unknown/certificate", "valid-vaccination")
add("uvci-check-character/luhn", "record-v-ci-wrong-check")
add("uvci-check-character/luhn", "record-v-ci-lower-case")
for card in "record-v-ci-no-check record-v-ci-no-prefix record-v-ci-words".split():
    right("uvci-check-character/luhn", card)

# WHO's vaccination certificates.
WHO = directory("who-domains.did.json")
for name, cards in {"required": "icvp-without-n icvp-empty-dob icvp-second-without-bo icvp-none icvp-hundred-and-one icvp-v-null",
                    "type": "icvp-number-s icvp-bytes-vle icvp-v-text icvp-v-of-texts icvp-array icvp-null-s",
                    "date": "lint-icvp-date icvp-birth-words icvp-date-31-feb", "product": "icvp-vaccine-icd-11 icvp-unknown-product", "issuer": "lint-icvp-issuer",
                    "array": "lint-icvp-array", "member": "lint-icvp-member icvp-unknown-member", "shape": "lint-icvp-shape icvp-shape-2024"}.items():
    for card in cards.split():
        add(f"icvp-schema-error/{name}", card, options=WHO, also=BESIDE.get(card, ()))
    for card in "icvp-clinician lint-icvp-just-inside".split():
        right(f"icvp-schema-error/{name}", card, options=WHO)
right("icvp-schema-error/date", "icvp-date-time", options=WHO)
right("icvp-schema-error/type", "icvp-date-tag", options=WHO)
right("hcert-claim-error/exp", "icvp-valid", options=WHO)
add("hcert-claim-error/form", "icvp-exp-null", options=WHO)
add("hcert-claim-error/form", "icvp-exp-text-key", options=WHO)
right("hcert-claim-error/form", "link-vhlink", options=WHO)
right("hcert-claim-error/iss", "icvp-issuer-words", options=WHO)

# Health links in certificates.
for name, cards in {"claim-key": "link-claim-key-text link-claim-key-mixed", "kid": "link-kid-text link-kid-text-url", "time": "link-milliseconds lint-link-time",
                    "array": "link-array", "scheme": "link-two-slashes link-upper-case link-other-https link-other-number", "encoding": "link-padding link-white-space",
                    "kind": "link-shlink"}.items():
    for card in cards.split():
        add(f"hcert-link-error/{name}", card, options=WHO, also=BESIDE.get(card, ()))
    right(f"hcert-link-error/{name}", "link-vhlink", options=WHO)
add("shlink-not-https-url/url", "link-vhlink-http", options=WHO, name="in-certificate")
add("shlink-payload-error/payload", "link-vhlink-short-key", options=WHO, name="in-certificate")

# The signer.
for card in "signature-der signature-63-octets signature-65-octets signature-r-zero signature-s-is-order".split():
    add("signature-format-error/certificate", card)
right("signature-format-error/certificate", "signature-low-s")
RULE = "jws-verification-error/signer-missing"
add(RULE, "key-not-listed")
add(RULE, "valid-vaccination", options=(), name="no-list")
add(RULE, "list-gdhcn-csca", options=directory("gdhcn-v2.did.json"))
right(RULE, "list-gdhcn-ddcc", options=directory("gdhcn-v2.did.json"))
right(RULE, "valid-vaccination", options=directory("german.json"), name="german")
right(RULE, "valid-vaccination", options=directory("gateway.json"), name="gateway")
right(RULE, "valid-ps256", options=jwks("url"), name="jwks")
RULE = "jws-verification-error/certificate"
for card in ("signature-one-bit signature-one-bit-of-payload signature-other-key signature-re-encoded-payload signature-ps256-salt-0 signature-ps256-pkcs1 "
             "header-x5chain-own-key").split():
    add(RULE, card)
add(RULE, "key-twin-other", options=directory("gateway-twins.json"))
right(RULE, "header-x5chain")
right(RULE, "cbor-many-orders")
add("hcert-claim-error/iss-country", "claims-iss-other-country")
right("hcert-claim-error/iss-country", "claims-iss-missing")
add("issuer-kid-mismatch/signer", "kid-seven-octets")
add("issuer-kid-mismatch/signer", "key-label-gdhcn", options=directory("gdhcn-label.did.json"))
add("issuer-kid-mismatch/signer", "key-twin-2", options=directory("gateway-twins.json"))
right("issuer-kid-mismatch/signer", "valid-vaccination", options=directory("gdhcn-v1.did.json"))
RULE = "dsc-validity-error/key"
for card in "signature-ps256-es256-key signature-es256-rsa-key".split():
    add(RULE, card, also=["issuer-kid-mismatch/signer"])
for card in "key-p-384-64-octets key-rsa-1024".split():
    add(RULE, card)
add(RULE, "valid-vaccination", options=jwks("private"), name="private")
add(RULE, "valid-vaccination", options=jwks("mismatch"), name="mismatch")
add(RULE, "valid-vaccination", options=jwks("off-curve"), name="off-curve")
right(RULE, "valid-ps256-3072")
add("dsc-validity-error/usage", "usage-v-for-t")
add("dsc-validity-error/usage", "usage-t-and-r-for-v")
add("dsc-validity-error/usage", "valid-test", options=jwks("usage-v"), name="of-the-list")
for card in "usage-t-and-r-for-r usage-client-auth-for-v usage-v-arc-0-for-v".split():
    right("dsc-validity-error/usage", card)
add("dsc-validity-error/outlives", "lint-outlives")
add("dsc-validity-error/outlives", "time-signer-ended", at="2022-05-01T00:00:00Z")
right("dsc-validity-error/outlives", "valid-vaccination")
add("dsc-validity-error/issued-before", "lint-issued-before")
right("dsc-validity-error/issued-before", "valid-vaccination")
add("dsc-validity-error/dates", "time-signer-ended", also=["dsc-validity-error/outlives"])
add("dsc-validity-error/dates", "time-signer-to-come", also=["dsc-validity-error/issued-before"])
right("dsc-validity-error/dates", "valid-recovery")
ANCHOR = ("--anchor", "{hcert/trust/csca-xa.pem}")
OTHER = ("--anchor", "{hcert/trust/csca-xb.pem}")
RULE = "csca-chain-error/anchor"
add(RULE, "anchor-stranger", options=(*directory("not-of-its-country.pem"), *ANCHOR))
add(RULE, "valid-vaccination", options=(*SIGNERS, *OTHER), name="other")
add(RULE, "valid-vaccination", options=(*directory("gateway.json"), *OTHER), name="of-a-list")
add(RULE, "valid-vaccination", options=(*jwks("plain"), *ANCHOR), name="no-certificate")
right(RULE, "valid-vaccination", options=(*SIGNERS, *ANCHOR), name="signed")
right(RULE, "valid-vaccination", options=(*SIGNERS, *OTHER, *ANCHOR), name="one-of-two")
RULE = "revocation-error/batch"
add(RULE, "valid-vaccination", options=crl("uci"), name="identifier")
add(RULE, "valid-vaccination", options=crl("country-iss"), name="country")
add(RULE, "signature-low-s", options=crl("signature-r"))
right(RULE, "valid-vaccination", options=crl("uci-other"), name="others")
right(RULE, "valid-vaccination", options=crl("uci-other-kid"), name="other-key")
