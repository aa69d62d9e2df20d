"""What the kit says about the vectors of TestVectors/: which of them it has, the rule that each of them is about, and which are opinions.

The first row whose pattern fits a vector's ID counts. A rule is the number of a fact in docs/specification.md, a number of LINKS below,
or an RFC with its section. The rows are by hand, because no vector says all of this.
"""

from fnmatch import fnmatchcase


def first(rows, name):
    """The value of the first row that fits."""
    for pattern, value in rows:
        if any(fnmatchcase(name, part) for part in pattern.split()):
            return value
    raise KeyError(f"Scripts/kit/rules.py has no row for {name}")


def fits(patterns, name):
    return any(fnmatchcase(name, part) for part in patterns.split())


# ---- Cards

# Not in the kit: several cards at once, two defects at once, questions that only options of shcverify ask, files that are not there.
CARDS_LEFT_OUT = """
    order/* usage/* files/svg records/* kinds/* qr/option-* qr/second-of-two files/png files/missing* files/folder files/*second* files/first-bad
    files/both-bad* files/malformed-* files/undetermined-* files/last-of-* files/two-jws-* scanned/mail-two inputs/two-inputs
    inputs/file-three-cards inputs/file-same-card-twice inputs/qr-two-cards inputs/file-hundred-cards inputs/parameters-two-cards
    inputs/deep-link-two-cards inputs/*-stdin files/*-stdin inputs/chunks-on-stdin qr/chunk-missing-in-lines time/at-* base64url/payload-newline-bare
    trust/second-card trust/required-* trust/keys-* trust/key-of-nobody-* trust/*-of-a-signer* trust/keys-of-signers-*
    trust/unpadded-* trust/key-of-another-ward trust/not-listed-bad-* trust/not-listed-malformed trust/not-listed-no-keys
    trust/listed-bad-signature keys/*-required keys/scoped-near-miss keys/scoped-with-slash directory/keys-of-nobody*
    directory/keys-later-* directory/old-keys-* directory/jwks-directory revocation/why-* revocation/listed-and-expired
    revocation/missing-file directory/folder* against/*in-folder against/list-that-is-no-answer against/defective-for-card-without-rid
    time/exp-before-nbf certificates/anchored-scoped files/parameters-bundle-in-parameter files/parameters-part
    files/parameters-deep-part files/parameters-resource files/parameters-part-good files/parameters-contained
    files/parameters-contained-good files/parameters-bundle files/link-second-bad revocation/key-set revocation/directory
"""

CARD_RULES = [
    ("inputs/qr* inputs/recent-qr", ["SHC-C2"]),
    ("inputs/chunks*", ["SHC-C3"]),
    ("inputs/parameters*", ["SHC-C5"]),
    ("inputs/deep-link*", ["SHC-C4"]),
    ("inputs/jws-header-*", ["SHC-J1", "RFC 7515 §4"]),
    ("inputs/jws*", ["SHC-J1", "RFC 7515 §7.1"]),
    ("inputs/*", ["SHC-C1"]),
    ("valid/fhir-version-* valid/bundle* valid/dstu2 valid/unknown-fhir-version valid/no-* valid/empty-entry", ["SHC-P2"]),
    ("valid/rid-*", ["SHC-R1"]),
    ("valid/issuer-*", ["SHC-K5"]),
    ("valid/unminified valid/white-space-*", ["SHC-J2"]),
    ("valid/types-* valid/context valid/other-claims", ["SHC-P1"]),
    ("valid/escape* valid/control-* valid/non-ascii valid/numbers valid/number-* valid/null-* valid/member-order valid/same-* "
     "valid/brackets-* valid/twenty-* valid/bidirectional-* valid/markup valid/right-to-left valid/bundle-member-order",
     ["RFC 8259 §2"]),
    ("valid/*", ["SHC-P2"]),
    ("jws/json-*", ["SHC-J1", "RFC 7515 §7.2"]),
    ("jws/*", ["SHC-J1", "RFC 7515 §7.1"]),
    ("base64url/*-trailing-bits", ["RFC 4648 §3.5"]),
    ("base64url/*", ["RFC 7515 §2"]),
    ("header/alg-*", ["SHC-J1", "RFC 7515 §4.1.1"]),
    ("header/zip-*", ["SHC-J1", "SHC-J2"]),
    ("header/kid-*", ["SHC-J1", "RFC 7515 §4.1.4"]),
    ("header/crit*", ["RFC 7515 §4.1.11"]),
    ("header/duplicate-*", ["RFC 7515 §4"]),
    ("header/jku*", ["SHC-K4", "RFC 7515 §4.1.2"]),
    ("header/jwk*", ["SHC-K4", "RFC 7515 §4.1.3"]),
    ("header/x5u*", ["SHC-K4", "RFC 7515 §4.1.5"]),
    ("header/x5c*", ["SHC-K4", "RFC 7515 §4.1.6"]),
    ("header/byte-order-mark header/invalid-utf-8", ["RFC 7515 §4", "RFC 8259 §8.1"]),
    ("header/lone-surrogate", ["RFC 8259 §8.2"]),
    ("header/deep", ["RFC 8259 §9"]),
    ("header/*", ["RFC 7515 §4", "RFC 8259 §2"]),
    ("signature/*", ["SHC-J3", "RFC 7518 §3.4"]),
    ("deflate/4-mib* deflate/bomb", ["RFC 1951 §6"]),
    ("deflate/*", ["SHC-J2", "RFC 1951 §3.2"]),
    ("json/duplicate-*", ["RFC 7519 §4", "RFC 8259 §4"]),
    ("json/*utf* json/beyond-unicode json/latin-1 json/byte-order-mark", ["RFC 8259 §8.1"]),
    ("json/*surrogate*", ["RFC 8259 §8.2"]),
    ("json/number-*", ["RFC 8259 §6"]),
    ("json/control-character json/nul json/bad-escape json/short-escape json/single-quotes json/unclosed-string", ["RFC 8259 §7"]),
    ("json/nested-*", ["RFC 8259 §9"]),
    ("json/array json/string json/null json/empty-object", ["SHC-P1"]),
    ("json/*", ["RFC 8259 §2"]),
    ("payload/rid-*", ["SHC-R1"]),
    ("payload/iss-* payload/nbf-* payload/exp-* payload/vc-* payload/type-*", ["SHC-P1"]),
    ("payload/*", ["SHC-P2"]),
    ("issuer-url/*", ["SHC-K5", "RFC 3986 §3"]),
    ("time/*-milliseconds", ["SHC-P4", "SHC-P3"]),
    ("time/*string time/*null time/*boolean time/*array time/nbf-exponent time/*fraction", ["SHC-P1", "RFC 7519 §2"]),
    ("time/nbf*", ["SHC-P3", "RFC 7519 §4.1.5"]),
    ("time/*", ["SHC-P3", "RFC 7519 §4.1.4"]),
    ("keys/*private*", ["SHC-K3"]),
    ("keys/shared-* keys/scoped* keys/none keys/empty-set", ["SHC-K4", "SHC-D2"]),
    ("keys/kid-not-*", ["SHC-K2"]),
    ("keys/kid-* keys/junk-* keys/two-sets keys/other-key-* keys/markup keys/member-order keys/other-members keys/*one-kid*",
     ["SHC-K6", "RFC 7517 §4"]),
    ("keys/*padd* keys/x-plus keys/x-space keys/*-trailing-bits", ["SHC-K1", "RFC 7518 §6.2.1"]),
    ("keys/off-curve keys/zero-point keys/x-* keys/y-* keys/short-* keys/full-* keys/p-384-*", ["SHC-K1", "RFC 7518 §6.2.1"]),
    ("keys/*", ["SHC-K1", "RFC 7517 §4"]),
    ("certificates/anchored*", ["SHC-K8", "RFC 5280 §6"]),
    ("certificates/*", ["SHC-K7"]),
    ("trust/*", ["SHC-D1", "SHC-K5"]),
    ("directory/snapshot* directory/two-snapshots directory/twice-* directory/keys-*", ["SHC-D2"]),
    ("directory/jwks-*", ["RFC 7517 §5"]),
    ("directory/*", ["SHC-D1"]),
    ("against/*revoked* against/*list* against/*defective*", ["SHC-R4"]),
    ("against/*", ["SHC-K3"]),
    ("revocation/issued-* revocation/with* revocation/two-timestamps* revocation/*timestamp* revocation/fraction-* revocation/*rid "
     "revocation/two-dots revocation/prefix revocation/other-case revocation/twice revocation/among-many", ["SHC-R3"]),
    ("revocation/string*", ["SHC-R2", "SHC-R4"]),
    ("revocation/counter-* revocation/string* revocation/no-list revocation/old-* revocation/ctr-* revocation/key-without-*",
     ["SHC-R4"]),
    ("revocation/*method*", ["SHC-R5"]),
    ("revocation/*", ["SHC-R2", "SHC-R4"]),
    ("qr/*chunk* qr/*part* qr/*count* qr/index-* qr/negative qr/letters-* qr/three-* qr/*-index qr/split-* qr/two-* qr/leading-*",
     ["SHC-C3"]),
    ("qr/*", ["SHC-C2"]),
    ("files/link-*", ["SHC-C4"]),
    ("files/parameters-* files/operation-outcome", ["SHC-C5"]),
    ("files/*", ["SHC-C1"]),
    ("scanned/*", ["SHC-C2"]),
]

# Here the specification leaves the verdict open, or asks it of issuers only, or it is about a limit.
CARD_OPINIONS = """
    scanned/* against/* directory/two-kinds* directory/list-and-snapshot directory/*-like-names* directory/none directory/nested
    directory/key-set directory/crl directory/not-json directory/escaped-name directory/snapshot-private-half directory/twice-*
    directory/*snapshot-beside* directory/list-before-* directory/two-snapshots directory/lists-add-up
    header/duplicate-* header/byte-order-mark header/lone-surrogate header/deep
    base64url/*-trailing-bits deflate/zero-appended deflate/line-break-appended deflate/two-streams deflate/4-mib* deflate/bomb
    deflate/thousand-* json/duplicate-* json/byte-order-mark json/*surrogate json/*surrogates json/nested-128 json/nested-129
    json/nested-100000 valid/number-of-* valid/twenty-* valid/bundle-type-absent valid/unknown-fhir-version valid/no-* valid/empty-entry
    valid/unminified valid/white-space-* valid/name-text valid/null-* payload/rid-* payload/exp-null
    issuer-url/query issuer-url/empty-query issuer-url/fragment issuer-url/user* issuer-url/trailing-space issuer-url/leading-space
    time/nbf-in-a-second time/nbf-in-half-a-second time/exp-now time/exp-fraction-past time/exp-1e300 time/exp-year-* time/nbf-negative*
    time/exp-milliseconds time/nbf-zero time/nbf-long-fraction time/nbf-exponent
    keys/*private* keys/*one-kid* keys/short-* keys/*-padded keys/padded-beside keys/*-trailing-bits keys/kid-not-* keys/alg-and-*
    keys/byte-order-* keys/kid-missing-in-set certificates/garbage certificates/not-base64 certificates/empty certificates/string
    certificates/numbers certificates/other-* certificates/expired certificates/anchored-*-before* certificates/anchored-*-after*
    certificates/anchored-no-usable-key certificates/anchored-private-* certificates/anchored-other-key-of-kid
    revocation/bad-* revocation/empty-timestamp revocation/empty-rid revocation/negative-* revocation/two-dots revocation/number-as-*
    revocation/fraction-* revocation/beside-* revocation/required-* revocation/listed-without-* revocation/old-* revocation/ctr-*
    revocation/two-kinds revocation/two-halves revocation/no-kind revocation/array revocation/not-json revocation/escaped-names
    revocation/rids-* revocation/no-rids revocation/other-kid revocation/counter-ahead revocation/counter-missing revocation/counter-not-*
    qr/count-1001 qr/1001-parts qr/two-texts-* qr/two-cards-mixed qr/split-* qr/bad-signature-in-chunks qr/no-slash qr/digits-only
    inputs/qr-upper-* inputs/qr-1-of-1 inputs/qr-oversized inputs/chunks-* inputs/*-white-space inputs/*-crlf inputs/*-byte-order-mark
    inputs/deep-link-raw inputs/deep-link-mixed inputs/file-other-members files/deep files/nested-129 files/file-and-* files/parameters-*
    files/empty files/white-space files/byte-order-mark files/nul files/duplicate-list files/link-and-bundle files/element-* files/no-cards
    files/two-objects issuer-url/scheme-only trust/longer trust/prefix
"""

# ---- Certificates

# Besides what is left out of cards: an ICVP whose signature a list has, since the kit's are signed again.
CERTIFICATES_LEFT_OUT = """
    icvp/revoked icvp/not-revoked domain/named content/key-2 content/core-data-set* content/link-beside-icvp
    link/vhlink--* link/filters link/two link/beside-another link/behind-another link/text-report link/html link/fhir link/field
    ask/* order/* format/* mixed/* batch/* lint/* country/text-* country/html-* country/trace text/two-* text/second-* text/stdin-qr
    text/wrapped-before-* text/wrapped-after-* key/trust-option-alone key/require-trusted key/anchor-alone list/jwks-pem* list/jwks-der
    list/csca-twice burnt/issuers-set burnt/*-beside-gateway burnt/*-beside-pem burnt/*-beside-gdhcn revocation/missing revocation/expired
    revocation/beside-good time/zone time/exp-before-* time/nbf-after-* time/expired-and-* time/not-yet-and-* time/all-* usage/signature-first
    hcert/key-* list/jwks-did list/key-set claims/iss-null undated/* country/list-says-fr-text country/list-says-fr-json country/list-says-fr-html
"""

CERTIFICATE_RULES = [
    ("valid/cwt* input/cwt-line-break input/cwt-trailing input/cwt-mac0", ["HCERT-C1"]),
    ("valid/ps256*", ["HCERT-C2", "HCERT-K2"]),
    ("valid/*", ["HCERT-P4"]),
    ("input/cwt-forged", ["HCERT-S1"]),
    ("input/*", ["HCERT-H2", "RFC 1950 §2.2"]),
    ("text/*prefix* text/hc* text/at1 text/dk3 text/lt1 text/no1", ["HCERT-H1"]),
    ("text/*", ["HCERT-H1", "RFC 9285 §4"]),
    ("zlib/*", ["HCERT-H2", "RFC 1950 §2.2"]),
    ("cose/*tag-61* cose/*wide", ["HCERT-C1", "RFC 8392 §6"]),
    ("cose/tag-* cose/no-tag", ["HCERT-C1", "RFC 9052 §2"]),
    ("cose/*", ["HCERT-C1", "RFC 9052 §4.2"]),
    ("cbor/*", ["HCERT-C1", "RFC 8949 §3"]),
    ("duplicate/alg duplicate/kid-* duplicate/*label* ", ["RFC 9052 §3"]),
    ("duplicate/*", ["RFC 8949 §5.6"]),
    ("bounds/*", ["RFC 8949 §10"]),
    ("alg/*", ["HCERT-C2", "RFC 9052 §3.1"]),
    ("kid/none kid/protected-* kid/unprotected* kid/text kid/integer kid/null kid/array kid/empty", ["HCERT-C3", "RFC 9052 §3.1"]),
    ("kid/*", ["HCERT-K1"]),
    ("crit/*", ["RFC 9052 §3.1"]),
    ("header/x5chain*", ["HCERT-K1", "RFC 9360 §2"]),
    ("header/*", ["HCERT-K1", "RFC 9052 §3"]),
    ("signature/ps256-es256-key signature/es256-rsa-key", ["HCERT-K2", "RFC 9053 §2.1"]),
    ("signature/ps256-*", ["HCERT-S1", "RFC 8230 §2"]),
    ("signature/context signature/external signature/*header* signature/*payload*", ["HCERT-S1", "RFC 9052 §4.4"]),
    ("signature/*", ["HCERT-S1", "RFC 9053 §2.1"]),
    ("claims/exp-* claims/iat-* claims/float* claims/nbf-*", ["HCERT-P2", "RFC 8392 §3.1"]),
    ("claims/*", ["HCERT-P1", "RFC 8392 §3"]),
    ("hcert/*", ["HCERT-P3"]),
    ("dcc/dob-*", ["HCERT-P7"]),
    ("dcc/*", ["HCERT-P4"]),
    ("name/*", ["HCERT-P5"]),
    ("record/*-date* record/*-time* record/r-d* record/t-old", ["HCERT-P7"]),
    ("record/*-ci-*", ["HCERT-P6", "HCERT-P8"]),
    ("record/*", ["HCERT-P6"]),
    ("time/signer-*", ["HCERT-K4"]),
    ("time/*", ["HCERT-T1"]),
    ("key/p-384* key/rsa-1024", ["HCERT-K2"]),
    ("key/ended-* key/future-* key/renewed*", ["HCERT-K4"]),
    ("key/bad-usage key/twin-usage*", ["HCERT-K3"]),
    ("key/*", ["HCERT-K1"]),
    ("usage/*", ["HCERT-K3"]),
    ("list/gdhcn-v2-usage*", ["HCERT-K3"]),
    ("list/gdhcn-wrong-root", ["HCERT-K5"]),
    ("list/gdhcn-csca list/gdhcn-deca list/gdhcn-root-key list/gdhcn-*root list/gdhcn-*usage*", ["WHO-D2"]),
    ("list/gdhcn-*domain* list/gdhcn-ddcc list/gdhcn-pilgrimage list/gdhcn-purpose-*", ["WHO-D1"]),
    ("list/gdhcn-reference list/gdhcn-v1-reference", ["WHO-P1"]),
    ("list/gdhcn-*id* list/gdhcn-*host* list/gdhcn-*word* list/gdhcn-other-* list/gdhcn-relative list/gdhcn-*list* list/gdhcn-lower-case*", ["WHO-P3"]),
    ("list/*-usage*", ["HCERT-K3", "HCERT-K1"]),
    ("list/*csca* list/*root* list/intermediate-* list/*deca", ["HCERT-K5", "HCERT-K1"]),
    ("list/*", ["HCERT-K1"]),
    ("burnt/*", ["HCERT-K1"]),
    ("country/*", ["HCERT-P1"]),
    ("anchor/*", ["HCERT-K5", "RFC 5280 §6"]),
    ("icvp/re*-by-identifier icvp/revocation-* revocation/*", ["HCERT-R1"]),
    ("icvp/expired icvp/future link/wrapper-expired", ["HCERT-T1"]),
    ("icvp/not-expired icvp/without-exp icvp/exp-text icvp/without-iat link/without-*", ["HCERT-P2"]),
    ("icvp/text-keys icvp/text-container icvp/issuer-words icvp/without-iss", ["HCERT-P1"]),
    ("icvp/kid-text link/kid-text* link/not-for-dcc", ["HCERT-C3", "RFC 9052 §3.1"]),
    ("icvp/signer-ended", ["HCERT-K4"]),
    ("icvp/rsa", ["HCERT-C2", "HCERT-K2"]),
    ("icvp/changed link/forged", ["HCERT-S1", "RFC 9053 §2.1"]),
    ("icvp/date-* icvp/birth-* icvp/record-*", ["HCERT-V2"]),
    ("icvp/shape-2024 icvp/vaccine-icd-11 icvp/snomed icvp/*-dn icvp/*-tg icvp/*-ma icvp/*-mp icvp/*-mid", ["HCERT-V4"]),
    ("icvp/unknown-product icvp/no-system icvp/clinician", ["HCERT-V3"]),
    ("icvp/*", ["HCERT-V1"]),
    ("content/* link/content-*", ["HCERT-P3"]),
    ("domain/csca", ["WHO-D2"]),
    ("domain/* link/by-*", ["WHO-D1", "HCERT-K1"]),
    ("link/vhlink-expired", ["HCERT-L2", "SHL-P3"]),
    ("link/vhlink-http", ["HCERT-L2", "SHL-P1"]),
    ("link/vhlink-short-key", ["HCERT-L2", "SHL-P2"]),
    ("link/vhlink-version", ["HCERT-L2", "SHL-P5"]),
    ("link/vhlink-passcode", ["HCERT-L2", "SHL-P4"]),
    ("link/claim-* link/milliseconds*", ["HCERT-L1", "HCERT-P1"]),
    ("link/*", ["HCERT-L2"]),
]

# Who of WHO's network signs what is nowhere written down, and so an opinion; and so is what to say of a certificate around a link
# that nobody answers.
CERTIFICATE_OPINIONS = """
    bounds/* zlib/four-* zlib/above-* zlib/bomb zlib/trailing zlib/two-streams input/cwt-bomb input/cwt-too-large input/cwt-zlib-trailing
    input/cwt-line-break input/cwt-mac0 text/lower-case-prefix text/white-space-around text/byte-order-mark text/wrapped* text/empty
    text/prefix-twice cose/tag-55799-18 cose/tag-24 cose/tag-61-alone cose/tag-61-61 cbor/simple-255 cbor/undefined
    duplicate/exp* duplicate/hcert duplicate/dcc duplicate/group duplicate/member duplicate/chunked duplicate/name duplicate/deep
    duplicate/bytes duplicate/array duplicate/same-* alg/unprotected* alg/both-* alg/esp256 kid/none kid/empty kid/protected-text
    kid/protected-empty kid/whole-hash kid/seven-* kid/nine-* crit/unprotected crit/known
    claims/exp-null claims/iat-null claims/exp-thousandfold claims/iat-thousandfold claims/exp-year-* claims/exp-float-huge
    claims/iat-float-huge claims/float* claims/iat-zero claims/iss-* claims/nbf-* claims/iat-negative claims/exp-largest
    claims/*-tag-1 claims/exp-bignum claims/iat-bignum claims/tag-61 claims/text-key-besides
    hcert/others-* hcert/unknown-* dcc/ver-2 dcc/ver-words dcc/ver-1.99.0 dcc/dob-words dcc/dob-german dcc/dob-february-30 dcc/dob-short
    dcc/dob-time* dcc/entry-and-null dcc/null-groups-* name/only-* name/gn-* name/fn-81 name/fnt-lower-case name/white-space name/line-*
    record/v-float-doses record/v-half-* record/v-dose-* record/v-dates-tag record/v-date-* record/t-time-* record/t-dr-tag
    record/r-dates-time record/r-df-* record/r-du-* record/v-*-null record/t-optional-null record/v-code-white-* record/v-empty-codes
    record/v-country-lower-case record/v-ci-* record/v-unknown-* time/expires-now time/expired-half-* time/issued-in-a-second time/exp-fraction
    time/signer-a-second-* time/signer-last-second time/signer-first-second time/expired-a-second-ago
    key/is-ca key/cert-sign key/serial-0 key/version-1 key/no-identifiers key/odd-extensions key/bad-usage key/of-two-* key/*one-kid
    key/twin-by-hash key/label-* key/no-list usage/jwks-* usage/*arc-0* usage/like-* usage/empty-* usage/client-auth-* usage/v-and-client-*
    list/gdhcn-* list/csca-* list/*root* list/intermediate-* list/pem-* list/german-* list/gateway-wrapped* list/country-*
    list/jwks-* list/keys-in-pem list/signed-did list/two-kinds list/unknown-* burnt/* country/* anchor/* revocation/required* revocation/no-* revocation/other-* revocation/ended-*
    revocation/unknown-* revocation/lower-* revocation/not-json revocation/empty revocation/hash-* revocation/kid-missing
    revocation/entries-missing revocation/two-kinds revocation/beside-* revocation/escaped-* revocation/uci-label
    revocation/country-co revocation/uci-hash-of-label revocation/uci-without-check revocation/uci-utf8
    icvp/hundred-and-one icvp/empty-* icvp/null-s icvp/null-ntl icvp/null-nid icvp/null-ndt icvp/null-gn icvp/null-vls icvp/null-vle icvp/null-cn
    icvp/null-is icvp/null-dn icvp/null-tg icvp/null-ma icvp/null-mp icvp/null-mid icvp/map icvp/shape-2024 icvp/vaccine-icd-11 icvp/snomed
    icvp/unknown-product icvp/no-system icvp/date-* icvp/birth-words icvp/unknown-member icvp/record-expired icvp/record-begins-tomorrow
    icvp/issuer-words icvp/without-exp icvp/without-optional icvp/re*-by-identifier icvp/revocation-required
    content/* domain/icvp-* domain/dcc-by-ddcc domain/dcc-by-icvp domain/dcc-by-ph4h domain/twin-* domain/version-1* domain/gateway domain/german
    domain/both-lists domain/certificates-of-dcc
    link/vhlink link/vhlink-passcode link/vhlink-http link/shlink link/by-* link/claim-* link/kid-text link/kid-text-url link/milliseconds*
    link/array link/two-slashes link/upper-case link/padding link/white-space link/other-https link/other-space link/content-text-and-dcc
"""

# Plain lists, which the patterns above also fit
CERTIFICATE_NO_OPINIONS = "list/gdhcn-v1 list/gdhcn-v1-rsa list/gdhcn-v2* list/gdhcn-reference list/gdhcn-v1-reference list/gdhcn-csca list/gdhcn-leaf-alone"

# ---- Reasons that lean on the vector before them, or on the name of theirs, in full.

REASONS = {
    "inputs/recent-file": "A recent vaccine, in a file.",
    "inputs/recent-qr": "A recent vaccine, as a QR code.",
    "keys/byte-order-mark-scoped": "A byte order mark before the key set of the card's issuer.",
    "revocation/without-and-with": "The rid without and with a time: any match revokes.",
    "revocation/two-timestamps-reversed": "Two times, the later one first: the later one matches.",
    "directory/list-before-snapshot": "A list of issuers, and a snapshot behind it.",
    "files/file-and-one-parameter": "A parameter beside the list of a card file, in another case and without a list around it.",
    "files/link-and-bundle": "A second list of cards in another member of a deep link, which another program could read.",
    "text/wrapped-crlf": "A text over several lines, with CR LF, is joined.",
    "key/of-two-countries-no-claim": "The certificates of two countries have one key, and the claim names none.",
    "key/of-two-countries-no-claim-reversed": "The certificates of two countries, in the other order, have one key, and the claim names none.",
    "key/twin-1-two-lists": "Two certificates of one kid in two lists: all are tried.",
    "key/twin-1-two-lists-reversed": "Two certificates of one kid in two lists, in the other order: all are tried.",
    "key/twin-2-two-lists": "Two certificates of one kid in two lists: all are tried.",
    "key/twin-2-two-lists-reversed": "Two certificates of one kid in two lists, in the other order: all are tried.",
    "key/twin-unreadable-did": "In WHO's list, a certificate that cannot be read, one on P-384 and one that has ended have the kid of a good one.",
    "key/label-jwks": "The kid of a key set counts, though it is not the hash of the certificate.",
    "list/gateway-wrapped-unlabelled": "The base64 of a certificate is wrapped over lines, and its kid has to be computed.",
    "list/gdhcn-v1": "WHO's list of version 1.",
    "list/gdhcn-v1-rsa": "An RSA key in WHO's list of version 1.",
    "list/gdhcn-v2": "WHO's list of version 2.",
    "list/gdhcn-v2-rsa": "An RSA key in WHO's list of version 2.",
    "list/gdhcn-v1-reference": "In a list of version 1, an entry that is a text is a reference, no key.",
    "list/gdhcn-mismatch-point": "x and y are not those of the certificate, and sign.",
    "list/german-escaped": "The name of the one member of the German list is written with an escape.",
    "country/none-no-iss": "Neither certificate nor list name a country, and there is no iss.",
    "country/twice": "The certificate of the signer has its country twice, once in lower case.",
    "country/in-both-other": "Certificate and list have two codes of one country, and iss is another.",
    "anchor/stranger-without": "The CSCA of the country has not signed the signer, and the verifier was given no CSCA.",
    "anchor/stranger-jwks-without": "The CSCA of the country has not signed the signer of a key set, and the verifier was given no CSCA.",
    "revocation/signature-low-s": "For ECDSA r is hashed: s is turned round to the low one.",
    "revocation/signature-high-s": "For ECDSA r is hashed: s is turned round to the high one.",
}

# ---- Links. docs/specification.md has no facts about them, so the kit has its own numbers. The text behind the address decides.

LINKS_PAGE = "https://hl7.org/fhir/uv/smart-health-cards-and-links/links-specification.html"
LINKS = {
    "SHL-P1": "The payload of a link is a JSON object with `url` and `key`, and may have `exp`, `flag`, `label` and `v`.",
    "SHL-P2": "`key` is 32 random bytes in base64url, which are 43 characters.",
    "SHL-P3": "`exp` is the time, in seconds since 1970, after which the link is of no use.",
    "SHL-P4": "`flag` has the letters `L` (long-term), `P` (passcode) and `U` (one file, without a manifest). `U` is never combined with "
              "`P`. Flags and members that are not known are ignored.",
    "SHL-P5": "`label` has at most 80 characters. `v` is the version of the protocol, 1 if it is absent. A receiver does not open a link of "
              "a newer version.",
    "SHL-P6": "The payload is written in base64url behind `shlink:/`. An address of a viewer that ends with `#` may stand before it.",
    "SHL-M1": "The manifest is requested with POST and a JSON body with the member `recipient`, and `passcode` if the link has the flag `P`.",
    "SHL-M2": "404 means that the link is no longer active, 401 that the passcode is wrong, and 429 that the client must wait.",
    "SHL-M3": "The manifest is a JSON object with the array `files`. Each file has a `contentType`, and `embedded` or `location`.",
    "SHL-M4": "A link with the flag `U` has one file, which is requested with GET and the query parameter `recipient`.",
    "SHL-F1": "A file is a JWE in compact form with `alg` `dir` and `enc` `A256GCM`, encrypted with the link's `key`.",
    "SHL-F2": "A file may be compressed before it is encrypted: then `zip` is `DEF`, which is raw DEFLATE (RFC 1951).",
    "SHL-F3": "A file of the type `application/smart-health-card` is the JSON object of a card file. Other files are signed by nobody.",
}

# ---- WHO. docs/specification.md has no facts about domains either.

WHO = {
    "WHO-D1": ("An entry of WHO's list names a domain (`DCC`, `DDCC`, `PH4H`, `ICVP` and others): the use for which its participant has published the key. Which "
               "domain signs which content is not written down.",
               "https://github.com/WorldHealthOrganization/smart-trust/blob/main/input/pagecontent/concepts_did_gdhcn.md"),
    "WHO-D2": ("An entry of WHO's list names what its key is for. Only keys for `DSC` sign certificates, and those for `CSCA`, `SCA`, `TLS` or `UP` do not. All "
               "of them stand in one array.",
               "https://github.com/WorldHealthOrganization/smart-trust/blob/main/input/pagecontent/concepts_did_gdhcn.md"),
}
