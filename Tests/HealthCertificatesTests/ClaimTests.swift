import Credentials
import Encodings
import FHIR
import TestSupport
import Testing

@testable import HealthCertificates

/// The claims of the CBOR Web Token (P1 to P3), and the time in which it is valid (T1, T2).
@Suite struct ClaimTests {
    private func expectMalformed(
        _ certificate: MadeHCERT, _ words: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let failure = try certificate.failure()
        #expect(failure?.code == .malformedPayload, sourceLocation: location)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "accepted")", sourceLocation: location)
    }

    @Test(arguments: ["v", "t", "r"], MadeCBOR.Style.allCases)
    func readsTheClaims(_ group: String, _ style: MadeCBOR.Style) throws {
        let examined = try MadeHCERT.with {
            $0.group = group
            $0.style = style
        }.examined()
        let form = try examined.form.get()
        #expect(form.warnings.isEmpty)
        #expect(form.content.group?.rawValue == group)
        #expect(form.claims.issuer == "XA" && form.claims.notBefore == nil)
        #expect(examined.issuer == "XA" && examined.issuerName == "Ministerium Muster")
        #expect(examined.issued?.description == "2022-01-10T12:00:00Z")
        #expect(examined.expires?.description == "2023-01-10T12:00:00Z")
        #expect(examined.keyID == "AQIDBAUGBwg=")
        #expect(examined.sourceType == "eu-digital-covid-certificate")
    }

    // MARK: P1

    @Test(arguments: ["80", "40", "60", "01", "f6", "81a0", "c0a0"]) func thePayloadIsAMap(_ hex: String) throws {
        try expectMalformed(.with { $0.payload = [UInt8](hex: hex) }, "must be a map")
    }

    @Test func thePayloadIsOneItemWithoutDuplicates() throws {
        let payload = MadeHCERT().madePayload
        try expectMalformed(.with { $0.payload = [] }, "no bytes")
        try expectMalformed(.with { $0.payload = payload + [0] }, "bytes follow")
        try expectMalformed(.with { $0.payload = Array(payload.dropLast()) }, "end in the middle")
        var again = payload
        #expect(again[0] == 0xA4)
        again[0] = 0xA5
        try expectMalformed(.with { $0.payload = again + [0x18, 0x04, 0x00] }, "same key twice")
        try expectMalformed(.with { $0.record = ["xx": [["a": 1, "a": 2]]] }, "same key twice")
    }

    /// If a claim may also have a text as its key, it must not be there under both.
    @Test(arguments: ["iat", "exp", "iss", "hcert", "content"]) func aClaimStandsOnce(_ name: String) throws {
        let examined = try ExaminedHCERT(octets: HealthCertificateVectors.text("link-claim-twice-\(name)"))
        #expect(examined.failure?.code == .malformedPayload)
        #expect(examined.failure?.message.contains("twice") == true, "\(examined.failure?.message ?? "accepted")")
    }

    /// `lint` reads each claim by itself, and names what is wrong with it.
    @Test func aClaimThatStandsTwiceIsNotRead() throws {
        let payload = try CBORDocument.parse([UInt8](hex: "a4 04 01 6134 02 06 03 390103 a1 05 80"))
        let claims = try CWTPayload(payload, with: FoundContent(in: payload))
        #expect(claims.isLenient)
        #expect(try claims.issued() == NumericDate(sinceEpoch: .seconds(3)))
        let failure = #expect(throws: VerificationFailure.self) { try claims.expires() }
        #expect(failure?.code == .malformedPayload && failure?.message.contains("claim 4 is there twice") == true)
    }

    /// The number of a content is no claim's, so a claim under a text is not there twice.
    @Test func anEUCertificateHasNoClaimsUnderTexts() throws {
        let payload = MadeCBOR.map([
            ("1", "XA"), (4, .integer(MadeHCERT.expires)), (6, .integer(MadeHCERT.issued)),
            (-260, [1: MadeHCERT().madeContent]),
        ])
        try expectMalformed(
            .with { $0.payload = payload.encoded() },
            "the claim or content 1 stands under a text, and 4 under a number, so two readers could differ")
    }

    @Test func theIssuerIsAText() throws {
        #expect(try MadeHCERT.with { $0.claims = [1: MadeHCERT.absent] }.failure() == nil)
        for issuer in [1, .raw([0xF7]), .bytes([1]), [], .tag(0, "XA")] as [MadeCBOR] {
            try expectMalformed(.with { $0.claims = [1: issuer] }, "issuer (claim 1)")
        }
    }

    @Test(arguments: [4, 6, -260] as [Int64]) func keysOfOtherTypesAreNoClaims(_ claim: Int64) throws {
        let value: MadeCBOR = claim == -260 ? [1: MadeHCERT().madeContent] : .integer(MadeHCERT.expires)
        let others: [MadeCBOR] = [
            .text("\(claim)"), .float(Double(claim)), .bytes([UInt8(truncatingIfNeeded: claim)]),
            .array([.integer(claim)]),
            .tag(1, .integer(claim)), .integer(-1 - claim),
        ]
        for key in others {
            let claims: [(MadeCBOR, MadeCBOR)] = [
                (1, "XA"), (4, .integer(MadeHCERT.expires)), (6, .integer(MadeHCERT.issued)),
                (-260, [1: MadeHCERT().madeContent]),
            ].filter { member in
                if case .integer(claim) = member.0 { false } else { true }
            }
            let payload = MadeCBOR.map(claims + [(key, value)]).encoded()
            #expect(try MadeHCERT.with { $0.payload = payload }.failure()?.code == .malformedPayload)
        }
    }

    @Test func otherClaimsAreIgnored() throws {
        let certificate = MadeHCERT.with { $0.claims = [2: "subject", 3: 7, 7: nil, -1: [:]] }
        #expect(try certificate.warnings().isEmpty)
    }

    // MARK: P2, P3

    @Test(arguments: [(4, "expiry"), (6, "time of issue"), (-260, "no health certificate")] as [(Int64, String)])
    func refusesAMissingClaim(_ claim: Int64, _ words: String) throws {
        try expectMalformed(.with { $0.claims = [claim: MadeHCERT.absent] }, words)
        try expectMalformed(.with { $0.claims = [claim: nil] }, claim == -260 ? "must be a map" : words)
    }

    private static let noDates: [MadeCBOR] = [
        true, "1673352000", "2023-01-10", .bytes([1]), [], [:], .tag(1, 1_673_352_000),
        .tag(0, "2023-01-10T00:00:00Z"),
        .tag(2, .bytes([0x63, 0xBD, 0x5F, 0xC0])), .float(.nan), .float(.infinity), .float(-.infinity),
        .raw([0xF9, 0x7C, 0x00]), .raw([0xF9, 0x7E, 0x00]), -1, -0.5, 253_402_300_800, .float(253_402_300_800),
        .raw([0x1B] + [UInt8](repeating: 0xFF, count: 8)), .raw([0x3B] + [UInt8](repeating: 0xFF, count: 8)), 1e300,
        .raw([0xF7]), .raw([0xF0]),
    ]

    @Test(arguments: noDates.indices, [4, 5, 6] as [Int64]) func refusesWhatIsNoDate(_ place: Int, _ claim: Int64)
        throws
    {
        #expect(
            try MadeHCERT.with { $0.claims = [claim: Self.noDates[place]] }.failure()?.code == .malformedPayload)
    }

    /// Null is no claim. Those that are required are missing then (`refusesAMissingClaim`).
    @Test(arguments: [1, 5] as [Int64]) func anOptionalClaimThatIsNullIsAbsent(_ claim: Int64) throws {
        let certificate = MadeHCERT.with { $0.claims = [claim: nil] }
        #expect(try certificate.failure() == nil)
        #expect(try certificate.warnings() == ["null-member"])
    }

    @Test func explainsMilliseconds() throws {
        try expectMalformed(.with { $0.claims = [4: 1_673_352_000_000] }, "milliseconds")
        try expectMalformed(.with { $0.claims = [6: 1_641_816_000_000.0] }, "milliseconds")
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-0.0, "1970-01-01T00:00:00Z"), (1_673_352_000.0, "2023-01-10T12:00:00Z"),
            (1_673_352_000.25, "2023-01-10T12:00:00.25Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (.raw([0xFA, 0x4E, 0xC7, 0x7A, 0xBF]), nil), (.raw([0xF9, 0x3E, 0x00]), "1970-01-01T00:00:01.5Z"),
            (1.6e9, "2020-09-13T12:26:40Z"), (1e-7, "1970-01-01T00:00:00.0000001Z"),
        ] as [(MadeCBOR, String?)])
    func readsDatesOfAllKinds(_ date: MadeCBOR, _ text: String?) throws {
        let examined = try MadeHCERT.with { $0.claims = [4: date] }.examined()
        #expect(examined.failure == nil)
        if let text { #expect(examined.expires?.description == text) }
    }

    /// Reports show claims also if the form has an error.
    @Test func readsClaimsDespiteErrors() throws {
        let examined = try MadeHCERT.with { $0.claims = [6: MadeHCERT.absent] }.examined()
        #expect(examined.failure != nil)
        #expect(examined.issuer == "XA" && examined.issued == nil)
        #expect(examined.expires?.description == "2023-01-10T12:00:00Z")
        #expect(examined.contents(names: .builtIn, at: .now) == nil)
    }

    // MARK: T1, T2

    @Test func isValidFromItsIssueThroughItsExpiry() throws {
        let keys = try TestKeys()
        let (first, last) = (MadeHCERT.issued, MadeHCERT.expires)
        for (second, code) in [
            (first - 1, .notYetValid), (first, nil), (last - 1, nil), (last, nil), (last + 1, .expired),
        ] as [(Int64, ReasonCode?)] {
            #expect(try keys.code(of: MadeHCERT(), at: NumericDate(sinceEpoch: .seconds(second))) == code)
        }
        let fraction = MadeHCERT.with {
            $0.claims = [4: .float(Double(last) + 0.5), 6: .float(Double(first) + 0.5)]
        }
        for (milliseconds, code) in [
            (first * 1000 + 499, .notYetValid), (first * 1000 + 500, nil), (last * 1000 + 500, nil),
            (last * 1000 + 501, .expired),
        ] as [(Int64, ReasonCode?)] {
            #expect(try keys.code(of: fraction, at: NumericDate(sinceEpoch: .milliseconds(milliseconds))) == code)
        }
    }

    @Test func isNotValidBeforeClaim5() throws {
        let keys = try TestKeys()
        let now = MadeHCERT.now.sinceEpoch.components.seconds
        for (date, code) in [(now, nil), (now + 1, .notYetValid), (0, nil)] as [(Int64, ReasonCode?)] {
            #expect(try keys.code(of: .with { $0.claims = [5: .integer(date)] }) == code)
        }
        // An early claim 5 does not make it valid before its issue.
        let early = MadeHCERT.with { $0.claims = [5: 0] }
        #expect(try keys.code(of: early, at: NumericDate(sinceEpoch: .seconds(1))) == .notYetValid)
    }
}
