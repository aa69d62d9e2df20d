/// A numbered fact of the specification: what a rule that cites this number relies on.
///
/// The numbers are this project's own, since the specification has none. `docs/specification.md` has the same texts.
public struct SpecificationFact: Sendable {
    /// `SHC-K3`
    public let number: String
    /// What the specification says, in our words.
    public let text: String
    /// The section of the specification.
    public let url: String

    private init(_ citation: Citation, _ text: String) {
        number = citation.number
        url = citation.url
        self.text = text
    }

    /// The fact of a number, in upper or lower case; nil if there is none.
    public static func of(_ number: String) -> SpecificationFact? {
        guard number.utf8.count <= 16 else { return nil }
        let upperCase = number.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        return all.first { $0.number.utf8.elementsEqual(upperCase) }
    }

    /// Every fact, in the order of their numbers.
    public static let all: [SpecificationFact] =
        keys + revocation + jws + payload + bundle + carriers + directory + hcertText + certificateMessage
        + hcertSignature + certificateClaims + dcc + certificateSigners + trustLists

    private static let keys = [
        SpecificationFact(
            .k1,
            """
            A signing key is a JSON Web Key (JWK) with `kty` `EC`, `use` `sig`, `alg` `ES256` and `crv` `P-256`. `x` \
            and `y` are the coordinates of the public key in base64url. All of these members are required.
            """),
        SpecificationFact(
            .k2,
            """
            A key's `kid` must be the key's JWK thumbprint (RFC 7638) with SHA-256, in base64url. The thumbprint is \
            computed over the members `crv`, `kty`, `x` and `y`, in this order and without white space.
            """),
        SpecificationFact(
            .k3,
            """
            A published key must not have the private member `d`. Anyone who reads a key set with `d` can sign cards \
            in the issuer's name, so such a key can no longer be trusted.
            """),
        SpecificationFact(
            .k4,
            """
            An issuer publishes its key set at its `iss` followed by `/.well-known/jwks.json`. The server must allow \
            web pages of other origins to read it (CORS, the header field `Access-Control-Allow-Origin`). It must use \
            TLS 1.3, or TLS 1.2 as recommended by BCP 195.
            """),
        SpecificationFact(
            .k5, "`iss` is the address of the issuer, an `https` URL. It must not end with a slash."),
        SpecificationFact(
            .k6,
            """
            A key set may also hold keys for other purposes. The keys that sign cards are found by `kty`, `use` and \
            `alg`, and the key of one card by its `kid`.
            """),
        SpecificationFact(
            .k7,
            """
            If the issuer has a certificate for a key, the key must have the member `x5c`. It is an array of \
            certificates, each as DER in base64 (not base64url), and the first one is the issuer's own. The public \
            key of the first certificate must be the key with these `x` and `y`. If a key has several certificates, \
            the key set has an entry for each of them, and the entries differ only in `x5c`.
            """),
        SpecificationFact(
            .k8,
            """
            A verifier may trust issuers by their certificates. Then the first certificate must name the card's `iss` \
            as a URI in its Subject Alternative Name, and its public key must verify the card's signature. A valid \
            path must lead from it to a certificate that the verifier trusts, and no certificate on the path may be \
            expired or revoked. A verifier that has no certificate to trust learns nothing from `x5c`.
            """),
    ]

    private static let revocation = [
        SpecificationFact(
            .r1,
            """
            A card may have a revocation identifier, `vc.rid`. It has at most 24 characters, all of them from the \
            base64url alphabet.
            """),
        SpecificationFact(
            .r2,
            """
            The revocation list of a key is published at the issuer's `iss` followed by `/.well-known/crl/`, the \
            `kid` of the key and `.json`. It is a JSON object with the members `kid`, `method`, `ctr` and `rids`. \
            `method` is `rid`, `ctr` counts the versions of the list from 1 on, and `rids` is an array of the revoked \
            identifiers. Issuers write `ctr` and `crlVersion` either as a number or as a string of digits; both mean \
            the same number.
            """),
        SpecificationFact(
            .r3,
            """
            An entry of a revocation list is a revocation identifier, which may be followed by a dot and a time in \
            seconds since 1970. Without a time, all cards with this identifier are revoked. With a time, only those \
            issued (`nbf`) before this time are revoked.
            """),
        SpecificationFact(
            .r4,
            """
            The member `crlVersion` of a key says that the key has a revocation list, and which `ctr` the list has \
            now. A verifier must fetch the list, or use its copy if the copy has this `ctr`. It must reject a card \
            that is on the list.
            """),
        SpecificationFact(
            .r5,
            """
            A card without `rid` cannot be found in a revocation list of the method `rid`. Other methods exist for \
            such cards, which compute an identifier from the card. A verifier need not support them.
            """),
        SpecificationFact(
            .r6,
            """
            If somebody else gets hold of a private key, the issuer must remove the public key from its key set at \
            once. From then on verifiers reject all cards that were signed with it, so a verifier must not keep using \
            an old copy of the key set. Keys that are no longer used for signing stay in the set as long as their \
            cards are needed.
            """),
    ]

    private static let jws = [
        SpecificationFact(
            .j1,
            """
            A card is a JSON Web Signature (JWS) in compact serialization (RFC 7515 §7.1). Its header must have `alg` \
            `ES256`, `zip` `DEF`, and the signing key's thumbprint as `kid`.
            """),
        SpecificationFact(
            .j2,
            """
            Before the issuer signs the payload, it must remove the optional white space and compress the payload \
            with raw DEFLATE (RFC 1951), that is, without a zlib or gzip header. No other compression is allowed.
            """),
        SpecificationFact(
            .j3,
            """
            The signature has 64 bytes: the numbers r and s with 32 bytes each (RFC 7518 §3.4), in base64url. The DER \
            form that many cryptographic libraries return has to be converted.
            """),
    ]

    private static let payload = [
        SpecificationFact(
            .p1,
            """
            The payload has the members `iss` (the issuer), `nbf` (the time of issue) and `vc`, and may have `exp` \
            (the time of expiry). Times are numbers of seconds since 1970 and may have a fraction. `vc.type` must \
            contain `https://smarthealth.cards#health-card`. Other types are optional and deprecated, and a verifier \
            must ignore the types that it does not know.
            """),
        SpecificationFact(
            .p2,
            """
            `vc.credentialSubject` has the members `fhirVersion` and `fhirBundle`. `fhirVersion` is `4.0.x` for FHIR \
            R4 or `1.0.x` for FHIR DSTU2. `fhirBundle` is a Bundle. Since version 1.3.0 of the specification the \
            Bundle may be of any type.
            """),
        SpecificationFact(
            .p3,
            """
            A verifier must reject a card if its `exp` is in the past. A card whose `nbf` is in the future is not \
            valid yet.
            """),
        SpecificationFact(
            .p4,
            """
            `nbf` and `exp` count seconds. Some issuers write milliseconds by mistake, which gives a date tens of \
            thousands of years in the future.
            """),
    ]

    private static let bundle = [
        SpecificationFact(
            .b1, "If a card is to be shown as a QR code, the resources in its Bundle must not have an `id`."),
        SpecificationFact(
            .b2,
            """
            If a card is to be shown as a QR code, the resources in its Bundle must not have `meta`, unless \
            `security` is the only member of `meta`.
            """),
        SpecificationFact(
            .b3,
            """
            If a card is to be shown as a QR code, the resources in its Bundle must not have a narrative \
            (`DomainResource.text`).
            """),
        SpecificationFact(
            .b4,
            "If a card is to be shown as a QR code, a CodeableConcept in its Bundle must not have `text`."),
        SpecificationFact(
            .b5, "If a card is to be shown as a QR code, a Coding in its Bundle must not have `display`."),
        SpecificationFact(
            .b6,
            """
            If a card is to be shown as a QR code, the `fullUrl` of each entry in its Bundle must be short: \
            `resource:` and a number, for example `resource:0`.
            """),
        SpecificationFact(
            .b7,
            """
            If a card is to be shown as a QR code, each `Reference.reference` in its Bundle must be short: \
            `resource:` and a number, for example `resource:0`. It must be the `fullUrl` of an entry in the same \
            Bundle.
            """),
    ]

    private static let carriers = [
        SpecificationFact(
            .c1,
            """
            The name of a card file must end with `.smart-health-card`, and a server must send the file with the type \
            `application/smart-health-card`. The file holds a JSON object, and its member `verifiableCredential` is \
            an array of cards, each of them a JWS.
            """),
        SpecificationFact(
            .c2,
            """
            The QR code of a card has two segments. The first is in byte mode and holds `shc:/`. The second is in \
            numeric mode and holds two digits for each character of the JWS: the character's ASCII code minus 45. The \
            QR code is of version 22 (105 by 105 modules) or lower.
            """),
        SpecificationFact(
            .c3,
            """
            A JWS of more than 1195 characters must be split into parts of at most 1191 characters, and the parts \
            should be of about the same length. Each part is a QR code of its own. Its text begins with `shc:/C/N/`, \
            for part C of N, and the parts may be scanned in any order. Splitting is deprecated since version 1.3.0 \
            of the specification, but such QR codes are still in use.
            """),
        SpecificationFact(
            .c4,
            """
            A deep link is an `https` URL that opens cards in an app. Its fragment, the part after `#`, is the JSON \
            of a card file in percent-encoding. A browser does not send the fragment to a server. The address before \
            `#` should end with `/SMARTHealthCard/`.
            """),
        SpecificationFact(
            .c5,
            """
            The FHIR operation `$health-cards-issue` answers with a `Parameters` resource. Each parameter with the \
            name `verifiableCredential` has a card as its `valueString`, a JWS. Parameters with the name \
            `resourceLink` are optional and say which resource of the server an entry of a card was made from.
            """),
    ]

    private static let directory = [
        SpecificationFact(
            .d1,
            """
            The VCI directory lists issuers in `vci-issuers.json`, in the array `participating_issuers`. Each has an \
            `iss` and a `name`, and may have a `website` and a `canonical_iss`. `canonical_iss` is the main issuer if \
            this one is an alias of it. Keys are fetched from the `iss` that the card names, not from \
            `canonical_iss`.
            """),
        SpecificationFact(
            .d2,
            """
            `vci_snapshot.json` holds the keys of the issuers in the VCI directory. It has the members `directory`, \
            `time` and `issuerInfo`. Each element of `issuerInfo` has an `issuer`, its `keys`, the time \
            `lastRetrieved` and, if there are any, its revocation lists as `crls`. The same `kid` occurs at several \
            issuers, so a key is identified by `iss` and `kid` together.
            """),
        SpecificationFact(
            .d3,
            """
            The snapshot of the VCI directory is signed with ECDSA on the curve P-521 and SHA-512. The signature is \
            over the bytes of the file, in DER form. The public key is in the certificate `vci_snapshot.crt`.
            """),
    ]

    // MARK: EU Digital COVID Certificates

    private static let hcertText = [
        SpecificationFact(
            .hcertH1,
            """
            The text of an EU Digital COVID Certificate is `HC1:`, in upper case, followed by the compressed \
            certificate in base45 (RFC 9285). Base45 has digits, upper-case letters and nine other characters, one of \
            which is the space. So no space may be added or removed.
            """),
        SpecificationFact(
            .hcertH2,
            """
            The certificate is compressed with zlib (RFC 1950), that is, with zlib's header and its checksum, before it \
            is encoded in base45.
            """),
    ]

    private static let certificateMessage = [
        SpecificationFact(
            .hcertC1,
            """
            The certificate is a CBOR Web Token (RFC 8392): a COSE_Sign1 message (RFC 9052) with a protected header, an \
            unprotected header, the payload and the signature. It may have the tag 18, and the tag 61 around it. The \
            message, the protected header and the payload are each one item of CBOR, with nothing after it.
            """),
        SpecificationFact(
            .hcertC2,
            """
            The protected header names the algorithm of the signature (`alg`, label 1): ES256 (-7), or PS256 (-37) \
            where ES256 is not acceptable. Nobody has signed what the unprotected header says.
            """),
        SpecificationFact(
            .hcertC3,
            """
            The header names the key that made the signature (`kid`, label 4), in a byte string. It should be in the \
            protected header, and may be in the unprotected one if that is required. If both have one, that of the \
            protected header counts.
            """),
    ]

    private static let hcertSignature = [
        SpecificationFact(
            .hcertS1,
            """
            The issuer must sign the certificate with the key of its signer certificate (DSC). The signature is over \
            the protected header and the payload, byte for byte. With ES256 it has 64 bytes: the numbers r and s with \
            32 bytes each, and not in DER.
            """)
    ]

    private static let certificateClaims = [
        SpecificationFact(
            .hcertP1,
            """
            The payload is a map of claims, whose keys are integers: `iat` (6), `exp` (4) and `hcert` (-260), and \
            optionally `iss` (1), which is the country of the issuer as two letters (ISO 3166-1).
            """),
        SpecificationFact(
            .hcertP2,
            """
            `iat` is the time of issue and `exp` the time of expiry. Both are required, and are integers that count \
            seconds since 1970.
            """),
        SpecificationFact(
            .hcertP3,
            """
            The claim `hcert` is a map whose keys are kinds of content. The EU Digital COVID Certificate is under the \
            key 1. Other kinds, such as those of WHO, have other keys.
            """),
        SpecificationFact(
            .hcertT1,
            """
            A certificate is valid from `iat` on, and through `exp`. After that, verifiers must reject it. Only the \
            signature expires, and not what it says about the person.
            """),
    ]

    private static let dcc = [
        SpecificationFact(
            .hcertP4,
            """
            The content has the members `ver` (the version of the schema), `nam` (the name), `dob` (the date of birth) \
            and exactly one of `v`, `t` and `r`: a vaccination, a test or a recovery. This is an array with exactly one \
            record.
            """),
        SpecificationFact(
            .hcertP5,
            """
            `nam` has the family name as `fn` and the given name as `gn`, and both transliterated for machines as `fnt` \
            and `gnt`, with the letters A to Z and `<` only (ICAO 9303). At least one of `fnt` and `gnt` is required. \
            Each has at most 80 characters.
            """),
        SpecificationFact(
            .hcertP6,
            """
            A vaccination has `tg`, `vp`, `mp`, `ma`, `dn`, `sd`, `dt`, `co`, `is` and `ci`. A test has `tg`, `tt`, \
            `sc`, `tr`, `co`, `is` and `ci`, and may have `nm`, `ma` and `tc`. A recovery has `tg`, `fr`, `df`, `du`, \
            `co`, `is` and `ci`. `dn` and `sd` are whole numbers from 1 on, and all others are texts.
            """),
        SpecificationFact(
            .hcertP7,
            """
            `dt`, `fr`, `df` and `du` are dates (`YYYY-MM-DD`). `sc` is a date and a time with a zone. `dob` is a date \
            up to the day, the month or the year, or an empty text.
            """),
        SpecificationFact(
            .hcertP8,
            """
            `ci` identifies the certificate (UVCI). It may end with `#` and a check character, which follows from the \
            characters before `#` by the Luhn algorithm modulo 38. The values 0 to 37 stand for A to Z, 0 to 9, `/` and \
            `:`.
            """),
    ]

    private static let certificateSigners = [
        SpecificationFact(
            .hcertK1,
            """
            Verifiers look for the key in a list of signers that they trust. The key ID of a signer is the first eight \
            bytes of the SHA-256 of its certificate in DER. Several signers may have the same key ID, and verifiers try \
            all of them.
            """),
        SpecificationFact(
            .hcertK2,
            """
            A signer has a key on the curve P-256, for ES256, or an RSA key of at least 2048 bits, for PS256.
            """),
        SpecificationFact(
            .hcertK3,
            """
            A signer certificate may name what it may sign in its extended key usage: 1.3.6.1.4.1.1847.2021.1.1 for \
            tests, .2 for vaccinations and .3 for recoveries. With one of them, it may sign only what it names. Without \
            any, it may sign all.
            """),
        SpecificationFact(
            .hcertK4,
            """
            A certificate must not be issued before its signer certificate is valid, and must not expire after it. \
            Verifiers require that the signer certificate is valid when they verify.
            """),
        SpecificationFact(
            .hcertK5,
            """
            A signer certificate must be signed by the authority of its country (CSCA), whose certificate the country \
            has published.
            """),
        SpecificationFact(
            .hcertR1,
            """
            Countries exchange batches with hashes of revoked certificates: of the identifier `ci`, of the country and \
            the identifier, or of the signature. A verifier must reject a certificate whose hash is in a batch.
            """),
    ]

    private static let trustLists = [
        SpecificationFact(
            .whoP1,
            """
            A list of version 2 is an object of exactly `@context`, `id`, `controller`, `verificationMethod` and \
            `proof`. An entry of `verificationMethod` has exactly `id`, `type`, `controller`, `publicKeyJwk`, \
            `domain`, `participant` and `keyusage`, the last three with a `code` alone. A text there is a reference \
            to another list, and nothing signs with it.
            """),
        SpecificationFact(
            .whoP2,
            """
            The contexts of a list of version 2 are `https://www.w3.org/ns/did/v1`, \
            `https://w3id.org/security/suites/jws-2020/v1`, and \
            `https://smart.who.int/trust/tng-context/v1.jsonld`, or `v1-UAT.jsonld` or `v1-DEV.jsonld`, in this \
            order.
            """),
        SpecificationFact(
            .whoP3,
            """
            An ID is a DID, with the key ID in base64 behind a number sign if it is that of an entry. A code is a \
            number sign, followed by letters, digits and hyphens. The members of a key are texts in printable \
            ASCII, or arrays of them. A list with other values means other sentences, and it is not known which \
            were signed.
            """),
        SpecificationFact(
            .whoP6,
            """
            The contexts turn a list and its proof into sentences (RDF). They are written one a line, sorted, and \
            each different one once. The signature is over the first part of `jws`, a dot, the SHA-256 of the \
            sentences of the proof, and that of the sentences of the list.
            """),
        SpecificationFact(
            .whoP7,
            """
            `jws` is a header, two dots and a signature. The header says `b64` false, `crit` with `b64` alone, and \
            `alg` `ES256`. WHO writes the signature in DER. 64 bytes are read as the two numbers, as a JWS has \
            them.
            """),
        SpecificationFact(
            .whoP8,
            """
            `proof` has exactly `type` `JsonWebSignature2020`, `created`, `nonce`, `proofPurpose` \
            `assertionMethod`, `verificationMethod` and `jws`. `created` is when the list was signed. Nothing ends \
            a proof: an older list verifies for ever.
            """),
        SpecificationFact(
            .whoP10,
            """
            Two different entries of one ID have one set of sentences, so that their keys and domains could be \
            exchanged under a good signature. Such a list cannot be checked.
            """),
        SpecificationFact(
            .whoK1,
            """
            WHO publishes a DID document for each environment, with the key that signs its lists. A key moves with \
            a new document.
            """),
        SpecificationFact(
            .whoK2,
            """
            A key of a DID document counts for a proof if the ID of its method, without the fragment, is the DID \
            that `verificationMethod` of the proof names. A document of the network for tests does not vouch for a \
            list of production.
            """),
        SpecificationFact(
            .whoE2,
            """
            Production, UAT and DEV are separate networks with separate signers. The third context, the hosts in \
            the IDs of the list and its entries, and the DID of the proof say of which one a list is.
            """),
    ]
}
