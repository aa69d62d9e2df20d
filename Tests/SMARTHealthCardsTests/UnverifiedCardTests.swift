import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import Testing

/// The checks of a card's form.
@Suite struct UnverifiedCardTests {
    private func card(_ changes: [String: String?] = [:], header: String = Payload.header) throws -> UnverifiedCard {
        try ExaminedCard(jws: Payload.jws(Payload.text(changes), header: header)).card.get()
    }

    private func failure(_ changes: [String: String?]) throws -> VerificationFailure {
        try #require(try SMARTHealthCardsTests.failure(ofForm: Payload.jws(Payload.text(changes))))
    }

    @Test func readsTheMembersOfACard() throws {
        let card = try card(["exp": "1750000000.5", "vc.rid": #""TestRid-1""#])
        #expect(card.issuer == TestVectors.issuer)
        #expect(card.issued == TestVectors.issued)
        #expect(card.expires == NumericDate(decimal: "1750000000.5"))
        #expect(card.revocationID == "TestRid-1")
        #expect(card.fhirVersion == "4.0.1")
        #expect(card.fhirBundle["resourceType"]?.string == "Bundle")
        #expect(card.header.keyID == TestVectors.keyID)
        #expect(card.warnings.isEmpty)
    }

    @Test func doesNotExpireWithoutExp() throws {
        let card = try card()
        #expect(card.expires == nil)
        #expect(card.revocationID == nil)
    }

    // MARK: Members

    private static let members: [(path: String, type: String)] = [
        ("iss", "string"), ("nbf", "number"), ("vc", "object"), ("vc.type", "array"),
        ("vc.credentialSubject", "object"),
        ("vc.credentialSubject.fhirVersion", "string"), ("vc.credentialSubject.fhirBundle", "object"),
    ]

    @Test(arguments: members)
    func requiresEachMember(_ path: String, _ type: String) throws {
        let failure = try failure([path: nil])
        #expect(failure.code == .malformedPayload)
        #expect(failure.message.contains("\(path) is missing"), "\(failure.message)")
    }

    @Test(arguments: members)
    func requiresTheTypeOfEachMember(_ path: String, _ type: String) throws {
        let values = [
            "string": #""x""#, "number": "7", "object": "{}", "array": #"["https://smarthealth.cards#health-card"]"#,
            "boolean": "true", "null": "null",
        ]
        for (other, json) in values where other != type {
            let failure = try failure([path: json])
            #expect(failure.code == .malformedPayload)
            #expect(failure.message.contains(path), "\(failure.message)")
        }
    }

    @Test(arguments: [#""1750000000""#, "true", "{}", "[1750000000]"])
    func requiresExpToBeANumberIfPresent(_ json: String) throws {
        let failure = try failure(["exp": json])
        #expect(failure.code == .malformedPayload)
        #expect(failure.message.contains("exp"))
    }

    @Test(arguments: [
        "[]", "[null]", #"["https://smarthealth.cards#Health-card"]"#, #"["https://smarthealth.cards#health-card "]"#,
        #"["https://smarthealth.cards#health-card\u0000"]"#, #"["https://smarthealth.cards#health-car"]"#,
        #"["https://smarthealth.cards\u0023health-car\u0064\u0301"]"#, #"[["https://smarthealth.cards#health-card"]]"#,
        #"["https://smarthealth.cards#immunization"]"#,
    ])
    func requiresTheHealthCardType(_ types: String) throws {
        let failure = try failure(["vc.type": types])
        #expect(failure.code == .malformedPayload)
        #expect(failure.message.contains("vc.type"))
    }

    @Test func findsTheHealthCardTypeAtAnyPositionAndWithEscapes() throws {
        _ = try card(["vc.type": #"[1,null,{},"VerifiableCredential","https:\/\/smarthealth.cards\u0023health-card"]"#])
    }

    @Test(arguments: [
        "{}", #"{"resourceType":"Patient"}"#, #"{"resourceType":"bundle"}"#, #"{"resourceType":null}"#,
        #"{"resourceType":["Bundle"]}"#, #"{"ResourceType":"Bundle"}"#,
    ])
    func requiresTheResourceTypeBundle(_ bundle: String) throws {
        #expect(try failure(["vc.credentialSubject.fhirBundle": bundle]).code == .malformedPayload)
    }

    @Test(arguments: ["[]", "null", "7", #""{}""#, "true"])
    func requiresThePayloadToBeAnObject(_ payload: String) throws {
        let failure = try SMARTHealthCardsTests.failure(ofForm: Payload.jws(payload))
        #expect(failure?.code == .malformedPayload)
    }

    @Test(arguments: [#""http://issuer.example""#, #""""#, #""https://issuer.example//""#])
    func requiresAValidIssuerURL(_ issuer: String) throws {
        #expect(try failure(["iss": issuer]).code == .invalidIssuerURL)
    }

    @Test(arguments: [
        #""""#, #""1234567890123456789012345""#, #""a b""#, #""a.b""#, #""a+b""#, #""a=""#, #""é""#, "7",
        #"["a"]"#,
    ])
    func rejectsMalformedRevocationIdentifiers(_ rid: String) throws {
        let failure = try failure(["vc.rid": rid])
        #expect(failure.code == .malformedPayload)
        #expect(failure.message.contains("vc.rid"))
    }

    @Test(arguments: ["exp", "vc.rid"]) func readsNullMemberAsAbsentWithAWarning(_ path: String) throws {
        let card = try card([path: "null"])
        #expect(card.expires == nil && card.revocationID == nil)
        #expect(card.warnings.map(\.code) == [.nullMember])
        #expect(card.warnings.first?.path == path)
    }

    @Test(arguments: ["a", "123456789012345678901234", "-_AZaz09", #"\u0041B"#])
    func acceptsRevocationIdentifiersOf1To24Characters(_ rid: String) throws {
        #expect(try card(["vc.rid": "\"\(rid)\""]).revocationID?.description == rid.replacing(#"\u0041"#, with: "A"))
    }

    // MARK: Dates

    @Test(arguments: ["nbf", "exp"])
    func acceptsDatesInAnyNumberNotation(_ member: String) throws {
        for text in ["0", "-0", "1.75e9", "1750000000.123456789", "253402300799.9", "17500000000e-1"] {
            let card = try card([member: text])
            #expect((member == "nbf" ? card.issued : card.expires) == NumericDate(decimal: text))
        }
    }

    @Test(arguments: ["-1", "-0.1", "1e300", "1e400", "1750000000000000", "253402300800000", "18446744073709551616"])
    func rejectsADateOutsideTheYears1970To9999(_ text: String) throws {
        for member in ["nbf", "exp"] {
            let failure = try failure([member: text])
            #expect(failure.code == .malformedPayload)
            #expect(failure.message.contains("\(member) is \(text)"))
            #expect(failure.message.contains("1970 to 9999"))
        }
    }

    @Test func leavesNbfInMillisecondsToTheCheckOfValidity() throws {
        #expect(try card(["nbf": "1750000000000"]).issued.isPlausiblyMilliseconds)
    }

    @Test func rejectsExpInMillisecondsAndSaysWhy() throws {
        let failure = try failure(["exp": "1750000000000"])
        #expect(failure.code == .malformedPayload)
        #expect(failure.message.contains("milliseconds"))
    }

    @Test(arguments: ["nbf", "exp"])
    func shortensDatesOfManyDigitsInTheMessage(_ member: String) throws {
        for text in [String(repeating: "9", count: 50_000), "253402300800." + String(repeating: "1", count: 50_000)] {
            guard member == "exp" || !text.contains(".") else { continue }
            #expect(try failure([member: text]).message.utf8.count < 300)
        }
    }

    // MARK: Warnings

    @Test(arguments: [" ", "\n", "\t", "\r"])
    func warnsOfAPayloadThatIsNotMinified(_ space: String) throws {
        let payload = Payload.text()
        for text in [payload + space, space + payload, payload.replacing(":", with: ":" + space, maxReplacements: 1)] {
            let card = try ExaminedCard(jws: Payload.jws(text)).card.get()
            #expect(card.warnings.map(\.code) == [.payloadNotMinified])
        }
    }

    @Test func ignoresWhiteSpaceInStrings() throws {
        let bundle = #"{"resourceType":"Bundle","x":" \" \\","y z":"\t\\\" "}"#
        #expect(try card(["vc.credentialSubject.fhirBundle": bundle]).warnings.isEmpty)
    }

    @Test func warnsOnceOfEachUnknownType() throws {
        let known = ["health-card", "immunization", "laboratory", "covid19", "recovery"].map {
            "\"https://smarthealth.cards#\($0)\""
        }
        #expect(
            try card(["vc.type": "[\((known + [#""VerifiableCredential""#]).joined(separator: ","))]"]).warnings.isEmpty
        )
        let types = known + [#""b""#, #""a""#, #""b""#, "7", #""\u001b[2J""#]
        let warnings = try card(["vc.type": "[\(types.joined(separator: ","))]"]).warnings
        #expect(warnings.map(\.code) == [.unknownCardType, .unknownCardType, .unknownCardType])
        #expect(warnings.map(\.path) == ["vc.type", "vc.type", "vc.type"])
        #expect(warnings[0].message.contains(#""b""#))
        #expect(warnings[2].message.contains(#""\u001b[2J""#))
    }

    @Test func limitsWarningsOfUnknownTypes() throws {
        let types = (0..<50_000).map { "\"\($0)\"" }.joined(separator: ",")
        let card = try card(["vc.type": #"["https://smarthealth.cards#health-card",\#(types)]"#])
        #expect(card.warnings.count == 8)
    }

    @Test(arguments: [
        ("4.0.1", false), ("4.0.0", false), ("1.0.2", false), ("4.3.0", true), ("5.0.0", true), ("", true),
    ])
    func warnsOfAFHIRVersionOtherThanR4AndDSTU2(_ version: String, _ isWarned: Bool) throws {
        let card = try card(["vc.credentialSubject.fhirVersion": "\"\(version)\""])
        #expect(card.warnings.map(\.code) == (isWarned ? [.unknownFHIRVersion] : []))
    }

    @Test(arguments: ["jwk", "jku", "x5u", "x5c"])
    func warnsOfKeysInTheHeader(_ member: String) throws {
        let header = #"{"\#(member)":{},"zip":"DEF","alg":"ES256","kid":"x"}"#
        let card = try card(header: header)
        #expect(card.warnings.map(\.code) == [.keyInHeader])
        #expect(card.warnings[0].message.contains(member))
    }

    // MARK: Claims and inspection

    @Test func readsClaimsOfAMalformedCardLeniently() throws {
        let examined = try ExaminedCard(
            jws: Payload.jws(#"{"iss":7,"nbf":"x","exp":1e3,"vc":{"type":["a",1],"rid":"!"}}"#))
        #expect(examined.failure?.code == .malformedPayload)
        let claims = try #require(examined.decoded?.claims)
        #expect(claims.issuer == nil)
        #expect(claims.issued == nil)
        #expect(claims.expires == NumericDate(decimal: "1000"))
        #expect(claims.types == ["a"])
        #expect(claims.revocationID == "!")
        #expect(claims.fhirVersion == nil)
        #expect(claims.fhirBundle == nil)
    }

    @Test func inspectsMalformedCardsAsFarAsPossible() throws {
        let inflater = try Inflater()
        func inspection(_ jws: [UInt8]) -> CredentialInspection {
            CredentialInspection(
                ExaminedCard(PresentedCredential(jws: jws, source: "test"), inflater: inflater), inflater: inflater)
        }
        let good = inspection(Payload.jws(Payload.text()))
        #expect(good.failure == nil)
        #expect(good.signatureLength == 64)
        #expect(good.payload?["iss"]?.string?.description == TestVectors.issuer.url)
        let none = inspection(Payload.jws(Payload.text(), header: #"{"alg":"none"}"#))
        #expect(none.failure?.code == .unsupportedAlgorithm)
        #expect(none.header?["alg"]?.string == "none")
        #expect(none.payload != nil)
        let noJWS = inspection(Array("a.b".utf8))
        #expect(noJWS.failure?.code == .malformedJWS)
        #expect(noJWS.header == nil && noJWS.payload == nil && noJWS.signatureLength == nil)
    }
}
