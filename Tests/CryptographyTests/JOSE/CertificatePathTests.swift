import Cryptography
import Encodings
import TestSupport
import Testing

/// Paths from a key's certificate to an anchor, in chains that are made at run time.
struct CertificatePathTests {
    @Test(arguments: [
        ("intermediate", 3), ("with root", 3), ("without intermediate", 2), ("one of several anchors", 3),
        ("an anchor twice", 3), ("shuffled", 5), ("leaf twice", 3), ("ten", 11), ("RSA authority", 2),
        ("P-384 authority", 2), ("P-521 authority", 2), ("Ed25519 authority", 2), ("no usage and no identifiers", 2),
        ("several names", 3), ("no subject", 3), ("other extension", 3), ("policy present", 3),
        ("path length kept to", 2),
        // Any certificate may be an anchor. The path ends there.
        ("anchored intermediate", 2), ("anchored intermediate in x5c", 2), ("anchored leaf", 1),
        ("anchored leaf, with others", 1), ("anchored leaf, with an expired one", 1),
        ("anchored self-signed leaf", 1),
        // An authority with two certificates, one of which does not lead to an anchor.
        ("cross-signed, other first", 3), ("cross-signed, other last", 3), ("renewed, old first", 3),
        ("renewed, old last", 3),
        ("constraints: permitted", 3), ("constraints: permitted below", 3), ("constraints: port", 3),
        ("constraints: other excluded", 3), ("constraints: hosts only", 3),
        ("constraints: unsupported and unused", 3),
    ])
    func accepts(_ name: String, count: Int) throws {
        let chain = try MadeChains.chain(name)
        let path = try chain.validate()
        #expect(path.count == count)
        #expect(path.leafNotAfter == 2_051_222_400)
        #expect(chain.problems().isEmpty)
    }

    @Test(arguments: [
        ("expired leaf", CertificateError.Reason.expired, 0 as Int?), ("expired intermediate", .expired, 1),
        ("expired root", .expired, 1), ("expired leaf, itself the anchor", .expired, 0),
        ("future leaf", .notYetValid, 0),
        ("other key", .otherKey, 0), ("RSA leaf", .otherKey, 0),
        ("broken signature", .badSignature, 0), ("namesake without identifiers", .badSignature, 0),
        ("namesake of the root", .issuerMissing, 0),
        ("SHA-1", .tooWeak, 0), ("RSA of 1024 bits", .tooWeak, 1),
        ("other root", .issuerMissing, 1), ("intermediate missing", .issuerMissing, 0),
        ("other root, with root", .unknownRoot, 2), ("self-signed leaf", .unknownRoot, 0),
        ("no authority", .notAuthority, 1), ("no authority, with keyCertSign", .notAuthority, 1),
        ("no basicConstraints", .notAuthority, 1), ("no authority as anchor", .notAuthority, 1),
        ("path length of the root", .pathLength, 2), ("path length of an intermediate", .pathLength, 2),
        ("leaf for agreement", .keyUsage, 0), ("authority for data", .keyUsage, 1),
        ("critical extension", .unsupported, 0), ("SAN twice", .malformed, 0), ("malformed usage", .malformed, 0),
        ("malformed constraints", .malformed, 1), ("policy required", .policy, nil),
        ("constraints: not permitted", .nameConstraint, 0), ("constraints: excluded", .nameConstraint, 0),
        ("constraints: host of another not permitted", .nameConstraint, 0),
        ("constraints: of the anchor", .nameConstraint, 0), ("constraints: no authority", .nameConstraint, 0),
        ("constraints: unsupported kind", .nameConstraint, 0),
        ("constraints: unsupported other name", .nameConstraint, 0),
        ("garbage", .malformed, 0), ("empty", .malformed, 0), ("cut", .malformed, 0), ("bytes behind", .malformed, 0),
        ("text", .malformed, 0), ("garbage behind the leaf", .malformed, 1), ("subject: not UTF-8", .malformed, 0),
        ("long", .tooLarge, 0), ("fifty", .tooLarge, nil), ("eleven", .tooLarge, nil),
    ])
    func rejects(_ name: String, because reason: CertificateError.Reason, depth: Int?) throws {
        let chain = try MadeChains.chain(name)
        let error = #expect(throws: CertificateError.self) { try chain.validate() }
        #expect(error?.reason == reason, "\(error as Any)")
        #expect(error?.depth == depth)
    }

    /// OpenSSL reads another host in each of these URLs.
    @Test(arguments: [
        "permitted for OpenSSL alone", "excluded, but for OpenSSL", "user", "query", "address",
    ])
    func rejectsIssuersWhoseHostCannotBeComparedWithNameConstraints(_ name: String) throws {
        let chain = try MadeChains.chain("constraints: \(name)")
        let error = #expect(throws: CertificateError.self) { try chain.validate() }
        #expect(error?.reason == .nameConstraint)
        #expect(error?.depth == 1)
        // The URI itself is the issuer's.
        #expect(chain.problems().isEmpty)
    }

    @Test(arguments: [
        "other URI", "no name", "only a host", "zero behind", "zero and more behind", "slash behind", "capitals",
        "issuer as host", "prefix", "empty URI", "many", "escapes",
    ])
    func rejectsCertificatesThatDoNotNameTheIssuer(_ name: String) throws {
        let chain = try MadeChains.chain("\(name) in SAN")
        let error = #expect(throws: CertificateError.self) { try chain.validate() }
        #expect(error?.reason == .otherName)
        #expect(error?.depth == 0)
        #expect(chain.problems() == [.otherName])
    }

    @Test func doesNotUseTheSubjectAsTheIssuersName() throws {
        #expect(try MadeChains.chain("issuer as subject").problems() == [.otherName])
        #expect(throws: CertificateError.self) { try MadeChains.chain("issuer as subject").validate() }
    }

    @Test func rejectsAnIssuerThatIsOnlyCanonicallyEquivalent() throws {
        let chain = try MadeChains.chain("intermediate")
        for issuer in [chain.issuer + "\u{0301}", chain.issuer.uppercased(), "", chain.issuer + " "] {
            let error = #expect(throws: CertificateError.self) {
                try CertificateAnchors(pem: chain.pem).validate(chain.jwk, for: issuer, at: MadeChains.moment)
            }
            #expect(error?.reason == .otherName)
        }
    }

    @Test func rejectsAllPathsWithoutAnchors() throws {
        let chain = try MadeChains.chain("with root")
        let error = #expect(throws: CertificateError.self) {
            try CertificateAnchors(merging: []).validate(chain.jwk, for: chain.issuer, at: MadeChains.moment)
        }
        #expect(error?.reason == .unknownRoot)
    }

    @Test func rejectsAKeyWithoutCertificates() throws {
        let chain = try MadeChains.chain("intermediate")
        let anchors = try CertificateAnchors(pem: chain.pem)
        let error = #expect(throws: CertificateError.self) {
            try anchors.validate(Samples.jwk(Samples.jwkText()), for: chain.issuer, at: MadeChains.moment)
        }
        #expect(error?.reason == .noCertificate)
        let none = #expect(throws: CertificateError.self) {
            try anchors.validate([], of: Samples.key(), for: chain.issuer, at: MadeChains.moment)
        }
        #expect(none?.reason == .noCertificate)
    }

    @Test(arguments: [#""x5c":[]"#, #""x5c":{}"#, #""x5c":[1]"#, #""x5c":["%%%%"]"#, #""x5c":["AA"]"#])
    func rejectsX5CThatIsNotAListOfCertificates(_ member: String) throws {
        let anchors = try CertificateAnchors(pem: MadeChains.chain("intermediate").pem)
        let jwk = try Samples.jwk(Samples.jwkText(member))
        let error = #expect(throws: CertificateError.self) {
            try anchors.validate(jwk, for: "https://a.example", at: 0)
        }
        #expect(error?.reason == .malformed)
        #expect(jwk.certificateProblems(for: "https://a.example", at: 0) == [error])
    }

    @Test func rejectsACertificateForAnUnusableKey() throws {
        let anchors = try CertificateAnchors(pem: MadeChains.chain("intermediate").pem)
        let jwk = try Samples.jwk(Samples.jwkText(#""x5c":["\#(Samples.certificate)"]"#, y: Samples.x))
        let error = #expect(throws: CertificateError.self) {
            try anchors.validate(jwk, for: "https://a.example", at: 0)
        }
        #expect(error?.reason == .unusableKey)
        #expect(jwk.certificateProblems(for: "https://a.example", at: 0).map(\.reason) == [.unusableKey])
    }

    /// No more certificates are decoded than a real key has, even if a key set contains more.
    @Test func readsNoMoreThanTheLimits() throws {
        let anchors = try CertificateAnchors(pem: MadeChains.chain("intermediate").pem)
        let many = Array(repeating: #""AAAA""#, count: 100_000).joined(separator: ",")
        let long = #""\#(String(repeating: "A", count: 1 << 20))""#
        for elements in [many, long] {
            let jwk = try Samples.jwk(Samples.jwkText(#""x5c":[\#(elements)]"#))
            let error = #expect(throws: CertificateError.self) {
                try anchors.validate(jwk, for: "https://a.example", at: 0)
            }
            #expect(error?.reason == .tooLarge)
            #expect(jwk.certificateProblems(for: "https://a.example", at: 0).map(\.reason) == [.tooLarge])
        }
    }

    // MARK: Time

    @Test func isValidFromTheFirstSecondToTheLast() throws {
        let chain = try MadeChains.chain("intermediate")
        #expect(throws: Never.self) { try chain.validate(at: 1_735_689_600) }
        #expect(throws: Never.self) { try chain.validate(at: 2_051_222_399) }
        let early = #expect(throws: CertificateError.self) { try chain.validate(at: 1_735_689_599) }
        #expect(early?.reason == .notYetValid)
        let late = #expect(throws: CertificateError.self) { try chain.validate(at: 2_051_222_401) }
        #expect(late?.reason == .expired)
        #expect(chain.problems(at: 1_735_689_599) == [.notYetValid])
        #expect(chain.problems(at: 2_051_222_399).isEmpty)
        #expect(chain.problems(at: 2_051_222_401) == [.expired])
        // Both agree about the last second.
        let last = #expect(throws: CertificateError.self) { try chain.validate(at: 2_051_222_400) }
        #expect(last?.reason == .expired && chain.problems(at: 2_051_222_400) == [.expired])
    }

    @Test(arguments: [Int64.min, -1, 0, 253_402_300_800, Int64.max])
    func isInvalidAtTheEndsOfTime(_ moment: Int64) throws {
        let chain = try MadeChains.chain("intermediate")
        #expect(throws: CertificateError.self) { try chain.validate(at: moment) }
        #expect(!chain.problems(at: moment).isEmpty)
    }

    // MARK: Published keys

    /// A path over a key that everyone can sign with proves nothing.
    @Test func rejectsAPathOverACompromisedKey() throws {
        let chain = try MadeChains.chain("intermediate")
        let anchors = try CertificateAnchors(pem: chain.pem)
        let x = String(decoding: chain.jwk.value["x"]?.rawBytes ?? [], as: UTF8.self)
        let y = String(decoding: chain.jwk.value["y"]?.rawBytes ?? [], as: UTF8.self)
        let burnt = try Samples.jwk(#"{"kty":"EC","crv":"P-256","x":\#(x),"y":\#(y),"d":"AQ"}"#)
        let error = #expect(throws: CertificateError.self) {
            try anchors.validate(
                chain.jwk, for: chain.issuer, at: MadeChains.moment, refusing: [CompromisedKeys([burnt])])
        }
        #expect(error?.reason == .tooWeak && error?.depth == 0)
        let other = CompromisedKeys([try Samples.jwk(#"{"kty":"EC","crv":"P-256","d":"AQ"}"#)])
        #expect(throws: Never.self) {
            try anchors.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment, refusing: [other])
        }
    }

    // MARK: Words

    @Test(arguments: [
        ("letters", #""CN=Clínica Ñandú 診療所""#), ("quotes", #""CN=A\"\, B\\C\+D=E\<F\>#\;""#),
        ("controls", #""CN=A\1B[31mB\0D\0AC\7F\C2\9B\00D""#), ("directions", #""CN=A\E2\80\AEB\E2\81\A6C\EF\BB\BFD""#),
        ("long", #""CN=\#(String(repeating: "L", count: 64)),OU=\#(String(repeating: "O", count: 57))…""#),
    ])
    func namesTheCertificateSafelyForATerminal(_ name: String, subject: String) throws {
        let chain = try MadeChains.chain("subject: \(name)")
        let error = #expect(throws: CertificateError.self) { try chain.validate() }
        #expect(error?.subject == subject)
        #expect(error?.message == "the certificate \(subject) (depth 0) expired at 2022-01-01T00:00:00Z")
    }

    @Test(arguments: [
        ("other URI", #"names the URI "https://other.example/issuer", not the issuer "https://clinic.example/issuer""#),
        ("only a host", #"names the host "clinic.example", not the issuer "https://clinic.example/issuer""#),
        ("no name", "names no issuer: it has no URI as Subject Alternative Name"),
        ("slash behind", "; the two differ only in case or in a slash at the end, and are different issuers"),
        ("many", #", the URI "https://2.example" and 6 more, not"#), ("escapes", #"\u001b[31m.example/\n""#),
        ("zero and more behind", #"https://clinic.example/issuer\u0000.attacker.example"#),
    ])
    func saysWhomTheCertificateNames(_ name: String, words: String) throws {
        let error = #expect(throws: CertificateError.self) { try MadeChains.chain("\(name) in SAN").validate() }
        #expect(error?.message.contains(words) == true, "\(error as Any)")
        #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    @Test(arguments: [
        (
            "intermediate missing",
            #"was issued by "CN=Test Intermediate", which is neither in "x5c" nor one of the anchors"#
        ),
        ("namesake of the root", #"was issued by "CN=Test Root", but not with the key of the anchor of that name"#),
        (
            "namesake of the intermediate",
            #"was issued by "CN=Test Intermediate", but not with the key of the certificate of that name in "x5c""#
        ),
        ("other root, with root", #""CN=Test Root" (depth 2) signed itself and is not one of the anchors"#),
        ("RSA of 1024 bits", #""CN=Weak Root" (depth 1) is too weak to be relied on: CA certificate key too weak"#),
        (
            "garbage behind the leaf",
            #"element 1 of "x5c" cannot be used: the 7 bytes are not one X.509 certificate in DER"#
        ),
    ])
    func saysWhereThePathEnds(_ name: String, words: String) throws {
        let error = #expect(throws: CertificateError.self) { try MadeChains.chain(name).validate() }
        #expect(error?.message.contains(words) == true, "\(error as Any)")
    }

    @Test func summarisesThePath() throws {
        let path = try MadeChains.chain("intermediate").validate()
        #expect(path.leafSubject == #""CN=Test Clinic""#)
        #expect(path.anchorSubject == #""CN=Test Root""#)
        #expect(try MadeChains.chain("no subject").validate().leafSubject == "(no name)")
    }

    // MARK: Warnings

    @Test func warnsOfAllProblemsOfTheLeaf() throws {
        let expired = try MadeChains.chain("expired leaf")
        #expect(
            expired.jwk.certificateProblems(for: "https://b.example", at: MadeChains.moment).map(\.reason) == [
                .otherName, .expired,
            ])
        #expect(try MadeChains.chain("other key").problems() == [.otherKey])
        #expect(try MadeChains.chain("leaf for agreement").problems() == [.keyUsage])
        #expect(try MadeChains.chain("future leaf").problems() == [.notYetValid])
        #expect(try MadeChains.chain("garbage").problems() == [.malformed])
        // The signature on the leaf is not checked.
        #expect(try MadeChains.chain("broken signature").problems().isEmpty)
        #expect(try MadeChains.chain("other root").problems().isEmpty)
        #expect(try Samples.jwk(Samples.jwkText()).certificateProblems(for: "https://a.example", at: 0).isEmpty)
    }

    // MARK: Reuse

    @Test func oneSetOfAnchorsServesManyThreads() async throws {
        let good = try MadeChains.chain("shuffled")
        let bad = try MadeChains.chain("broken signature")
        let anchors = try CertificateAnchors(pem: good.pem)
        let wrong = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<400 {
                let chain = index.isMultiple(of: 2) ? good : bad
                group.addTask {
                    let path = try? anchors.validate(chain.jwk, for: chain.issuer, at: MadeChains.moment)
                    return (path != nil) == index.isMultiple(of: 2)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
        #expect(wrong == 0)
    }
}
