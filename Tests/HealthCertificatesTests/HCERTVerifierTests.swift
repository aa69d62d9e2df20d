import Credentials
import Cryptography
import Encodings
import FHIR
import TestSupport
import Testing

@testable import HealthCertificates

/// Verdicts: the order of the checks, and what each depends on.
@Suite struct HCERTVerifierTests {
    private static let altered = MadeHCERT.with { $0.record = ["dn": 9] }

    @Test(arguments: ["v", "t", "r"]) func passesWithAListedKey(_ group: String) throws {
        let keys = try TestKeys()
        for style in MadeCBOR.Style.allCases {
            let verdict = try keys.verdict(
                on: .with {
                    $0.group = group
                    $0.style = style
                })
            #expect(verdict.name == "pass" && verdict.warnings.isEmpty)
            #expect(verdict.checks.map(\.name) == Check.Name.allCases)
            #expect(verdict.issuerTrust == .jwks && verdict.keyOrigin == .jwksFile)
        }
    }

    /// S1: every bit of header and payload is signed.
    @Test func refusesEveryChangedByte() throws {
        let keys = try TestKeys()
        let octets = try MadeHCERT().octets(signedBy: keys.keys[0])
        #expect(try keys.verdict(on: octets).name == "pass")
        // Only the tag and the lengths of heads precede the signed bytes, so no change may pass, except where
        // the message means the same.
        for place in octets.indices {
            for bit in [0x01, 0x20, 0x80] as [UInt8] {
                var changed = octets
                changed[place] ^= bit
                #expect(try keys.verdict(on: changed).name != "pass", "byte \(place)")
            }
        }
    }

    /// S2, S3
    @Test func onlyR_SPairsInRangeAreSignatures() throws {
        let keys = try TestKeys()
        let made = MadeHCERT()
        let signature = try keys.keys[0].sign(made.signedText)
        let order = [UInt8](hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let (r, s) = (Array(signature.bytes.prefix(32)), Array(signature.bytes.suffix(32)))
        let other = difference(order, s)
        for (bytes, isGood) in [
            (r + s, true), (r + other, true), (s + r, false), (signature.der, false), (r + s.dropLast(), false),
            (r + s + [0], false), ([], false), ([0] + r + [0] + s, false),
            (r + [UInt8](repeating: 0, count: 32), false),
            ([UInt8](repeating: 0, count: 64), false), (r + order, false), (order + s, false),
        ] as [([UInt8], Bool)] {
            let verdict = try keys.verdict(on: made.octets(signature: bytes))
            #expect(verdict.reason?.code == (isGood ? nil : .signatureInvalid))
        }
    }

    /// n − s, with numbers of 32 bytes.
    private func difference(_ number: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var result = number
        var borrow = 0
        for place in result.indices.reversed() {
            let digit = Int(number[place]) - Int(other[place]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[place] = UInt8(digit & 255)
        }
        return result
    }

    // MARK: The order

    @Test func theFirstFaultDecides() throws {
        let keys = try TestKeys()
        var nobody = keys
        nobody.policy = HCERTPolicy(now: MadeHCERT.now)
        let expired = MadeHCERT.with { $0.claims = [4: .integer(MadeHCERT.issued + 1)] }
        let malformed = MadeHCERT.with { $0.content = ["ver": MadeHCERT.absent] }
        #expect(try nobody.code(of: malformed) == .malformedPayload)
        #expect(try nobody.code(of: expired) == .keysUnavailable)
        #expect(try nobody.verdict(on: expired).name == "undetermined")
        #expect(try keys.code(of: .with { $0.keyID = [9] }) == .keyNotFound)
        #expect(try keys.verdict(on: expired.octets()).reason?.code == .signatureInvalid)
        #expect(try keys.code(of: expired) == .expired)
        #expect(try keys.code(of: .with { $0.algorithm = -35 }) == .unsupportedAlgorithm)
        // An RSA algorithm with an EC key.
        #expect(try keys.code(of: .with { $0.algorithm = -37 }) == .keyInvalid)
        let onlyTests = try TestKeys(#","keyUsage":["t"]"#)
        #expect(try onlyTests.code(of: MadeHCERT()) == .certificateInvalid)
        #expect(try onlyTests.verdict(on: MadeHCERT().octets()).reason?.code == .signatureInvalid)
        #expect(try onlyTests.code(of: expired) == .expired)
        #expect(try onlyTests.code(of: .with { $0.group = "t" }) == nil)
    }

    /// A certificate has lapsed only if it was good before: its signer could sign it, and it was valid at some time.
    @Test func onlyWhatWasValidHasLapsed() throws {
        let keys = try TestKeys()
        let ending = { (seconds: Int64) in
            MadeHCERT.with { $0.claims = [4: .integer(MadeHCERT.issued + seconds)] }
        }
        for seconds in [0, 1] as [Int64] {
            let verdict = try keys.verdict(on: ending(seconds))
            let end = NumericDate(sinceEpoch: .seconds(MadeHCERT.issued + seconds))
            #expect(verdict.reason?.code == .expired && verdict.lapse == .expired(end))
        }
        let never = try keys.verdict(on: ending(-1))
        #expect(never.reason?.code == .expired && never.lapse == nil && never.objections == [.neverValid])
        let ofOther = try TestKeys(#","keyUsage":["t"]"#).verdict(on: ending(1))
        #expect(ofOther.reason?.code == .expired && ofOther.lapse == nil)
        #expect(ofOther.objections == [.signerMayNotSign])
    }

    @Test func theRevocationComesBeforeTheRecords() throws {
        var keys = try TestKeys()
        let hash = Base64.encode(SHA256.digest(Array(MadeHCERT.identifier.utf8)[...]).prefix(16))
        let batch = "{\"hashType\":\"UCI\",\"kid\":\"UNKNOWN_KID\",\"entries\":[{\"hash\":\"\(hash)\"}]}"
        keys.policy.recordQuery = try RecordQuery(recordTypes: ["recovery"])
        #expect(try keys.code(of: MadeHCERT()) == .recordsNotMatching)
        keys.policy.revocations = [try RevocationBatch(Array(batch.utf8))]
        #expect(try keys.code(of: MadeHCERT()) == .revoked)
        #expect(try keys.code(of: Self.altered) == .revoked)
        keys.policy.now = NumericDate(sinceEpoch: .seconds(MadeHCERT.expires + 1))
        #expect(try keys.code(of: MadeHCERT()) == .expired)
        #expect(try keys.verdict(on: MadeHCERT()).lapse == nil, "it is over twice")
        keys.policy.revocations = []
        #expect(try keys.verdict(on: MadeHCERT()).lapse == nil, "it lacks the record too")
        keys.policy.recordQuery = nil
        #expect(try keys.verdict(on: MadeHCERT()).lapse != nil)
    }

    // MARK: K1, K4: keys

    /// All keys of a key ID are tried, in any order.
    @Test func triesAllKeysOfAKeyID() throws {
        let keys = try TestKeys(count: 3, #","keyUsage":["v"]"#, "", #","d":"AQ""#)
        for (place, code) in [(0, nil), (1, nil), (2, .signatureInvalid)] as [(Int, ReasonCode?)] {
            #expect(try keys.verdict(on: MadeHCERT().octets(signedBy: keys.keys[place])).reason?.code == code)
        }
        // The key that verifies is asked for its usage, and no other.
        let test = MadeHCERT.with { $0.group = "t" }
        #expect(try keys.verdict(on: test.octets(signedBy: keys.keys[0])).reason?.code == .certificateInvalid)
        #expect(try keys.verdict(on: test.octets(signedBy: keys.keys[1])).reason == nil)
    }

    @Test func listsAddUp() throws {
        var (one, other) = (try TestKeys(), try TestKeys())
        let set = { (key: TestSupport.Signer) in
            try SignerList(
                keySet: Array(
                    "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"AQIDBAUGBwg=\",\"x\":\"\(Base64URL.encode(key.key.x))\",\"y\":\"\(Base64URL.encode(key.key.y))\"}"
                        .utf8))
        }
        #expect(
            try one.verdict(on: MadeHCERT().octets(signedBy: other.keys[0])).reason?.code == .signatureInvalid)
        one.policy.signers.add(try TrustListRules().admit(try set(other.keys[0])))
        other.policy.signers.add(try TrustListRules().admit(try set(one.keys[0])))
        for keys in [one, other] {
            for key in [one.keys[0], other.keys[0]] {
                #expect(try keys.verdict(on: MadeHCERT().octets(signedBy: key)).name == "pass")
            }
        }
    }

    /// A key ID is compared as a whole. Long ones in a key set are those of issuers of SMART Health Cards.
    @Test func comparesWholeKeyIDs() throws {
        let keys = try TestKeys()
        for keyID in [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8, 0], [8, 7, 6, 5, 4, 3, 2, 1]] as [[UInt8]] {
            #expect(try keys.code(of: .with { $0.keyID = keyID }) == .keyNotFound)
        }
        let long = [UInt8](repeating: 5, count: 2000)
        let keysOfLongID = try TestKeys(keyID: long)
        #expect(try keysOfLongID.code(of: .with { $0.keyID = long }) == .keyNotFound)
        let message = try keys.verdict(on: .with { $0.keyID = long }).reason?.message
        #expect(message.map { (1..<500).contains($0.count) } == true)
    }

    /// An authority with whose key everyone can sign vouches for nobody.
    @Test func refusesSignersOfAnAnchorWhosePrivateKeyIsListed() throws {
        var policy = HCERTPolicy(now: MadeHCERT.now)
        policy.signers.add(try TrustListRules().admit(try HealthCertificateVectors.list("signers.pem")))
        policy.anchors = try CertificateAnchors(pem: HealthCertificateVectors.bytes("trust/csca-xa.pem"))
        let presented = PresentedCredential(
            text: try HealthCertificateVectors.text("valid-vaccination"), kind: .healthCertificate, form: .hc1,
            source: "x")
        let verdict = { () throws in
            let verifier = try HCERTVerifier(policy: policy)
            return verifier.verify(verifier.examine(presented))
        }
        #expect(try verdict().issuerTrust == .certificate)
        // The private half of csca-xa.pem, which TestVectors/hcert makes from the name of the key.
        let half = [UInt8](hex: "141b521cc6f41447cd6b23710b119d3e6254828cb4b24dacdefe1ebed87e46e7")
        let entry = #"{"kty":"EC","crv":"P-256","kid":"AAAAAAAAAAE=","d":"\#(Base64URL.encode(half))"}"#
        policy.signers.add(try TrustListRules().admit(try SignerList(keySet: Array(entry.utf8))))
        #expect(try verdict().reason?.code == .certificateInvalid)
    }

    @Test func datedListsMustBeRecent() throws {
        var keys = try TestKeys()
        let key = keys.keys[0].key
        var list = try SignerList(
            keySet: Array(
                "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"AQIDBAUGBwg=\",\"x\":\"\(Base64URL.encode(key.x))\",\"y\":\"\(Base64URL.encode(key.y))\"}"
                    .utf8))
        list.retrieved = MadeHCERT.now
        keys.policy = HCERTPolicy(now: MadeHCERT.now)
        keys.policy.signers.add(try TrustListRules().admit(list))
        keys.policy.maximumListAge = .seconds(3600)
        let later = { (seconds: Int64) in NumericDate(sinceEpoch: MadeHCERT.now.sinceEpoch + .seconds(seconds)) }
        for (seconds, code) in [
            (0, nil), (3600, nil), (3601, .keysUnavailable), (-3600, nil), (-86_400, .keysUnavailable),
        ] as [(Int64, ReasonCode?)] {
            #expect(try keys.code(of: MadeHCERT(), at: later(seconds)) == code)
        }
        // A verifier that goes on for long stops to rely on the list.
        let verifier = try HCERTVerifier(policy: keys.policy)
        let octets = try MadeHCERT().octets(signedBy: keys.keys[0])
        let examined = verifier.examine(
            PresentedCredential(text: octets, kind: .healthCertificate, form: .cwt, source: "x"))
        for (seconds, name) in [(0, "pass"), (3601, "undetermined"), (10, "pass")] as [(Int64, String)] {
            verifier.now = later(seconds)
            #expect(verifier.verify(examined).name == name)
        }
    }

    // MARK: Several together

    @Test func verdictsAreTheSameAloneAndTogether() throws {
        let keys = try TestKeys(count: 2, #","keyUsage":["v"]"#)
        var octets: [[UInt8]] = []
        for place in 0..<24 {
            let made = MadeHCERT.with {
                $0.group = ["v", "t", "r"][place % 3]
                $0.record = ["ci": .text("\(place)")]
                if place % 7 == 0 { $0.claims = [4: 0] }
                if place % 11 == 0 { $0.keyID = [9] }
            }
            octets.append(place % 5 == 0 ? made.octets() : try made.octets(signedBy: keys.keys[place % 2]))
        }
        octets.append([0x84])
        let alone = try octets.map { try keys.verdict(on: $0) }
        #expect(Set(alone.map { $0.reason?.code }).count == 6)
        let lanes = try LaneLibrary.path.map { path in
            try SignatureLanes(path: path) { _ in Issue.record("lanes are wrong") }
        }
        let confirmers: [(any SignatureConfirmer)?] = [
            nil, TableConfirmer(tables: KeyTables()), lanes.flatMap { LaneConfirmer($0, rest: nil) },
        ]
        for confirmer in confirmers {
            let verifier = try HCERTVerifier(policy: keys.policy, confirmer: confirmer)
            let examined = octets.map {
                verifier.examine(PresentedCredential(text: $0, kind: .healthCertificate, form: .cwt, source: "x"))
            }
            // The first round reads the keys. Only the second can check the signatures of all together.
            for _ in 0..<3 {
                for (first, second) in zip(alone, verifier.verify(examined)) {
                    #expect(first.name == second.name && first.reason == second.reason)
                    #expect(first.checks.map(\.status) == second.checks.map(\.status))
                }
            }
        }
    }

    // MARK: Bounds

    /// More signers of one key ID than are tried: it is the limit that the verdict names, not the certificate.
    @Test func doesNotBlameTheCertificateForTheLimitOfSigners() throws {
        let limit = SignerCache.maximumSigners
        let certificate = MadeHCERT()
        let crowd = try TestKeys(count: limit + 1)
        #expect(try crowd.verdict(on: certificate.octets(signedBy: crowd.keys[limit - 1])).reason == nil)
        let verdict = try crowd.verdict(on: certificate.octets(signedBy: crowd.keys[limit]))
        #expect(verdict.reason?.code == .keysUnavailable)
        #expect(verdict.reason?.message.contains("\(limit)") == true)
        let stranger = try TestSupport.Signer()
        #expect(try crowd.verdict(on: certificate.octets(signedBy: stranger)).reason?.code == .keysUnavailable)
        let exact = try TestKeys(count: limit)
        #expect(try exact.verdict(on: certificate.octets(signedBy: stranger)).reason?.code == .signatureInvalid)
    }

    /// A signer that several lists have counts once.
    @Test func aSignerOfSeveralListsCountsOnce() throws {
        var keys = try TestKeys(count: SignerCache.maximumSigners)
        let stranger = try TestSupport.Signer()
        let text = keys.keys.map { key in
            let keyID = Base64.encode(MadeHCERT().keyID)
            return """
                {"kty":"EC","crv":"P-256","kid":"\(keyID)","x":"\(Base64URL.encode(key.key.x))",\
                "y":"\(Base64URL.encode(key.key.y))"}
                """
        }
        keys.policy.signers.add(
            try TrustListRules().admit(
                try SignerList(keySet: Array("{\"keys\":[\(text.joined(separator: ","))]}".utf8))))
        #expect(try keys.verdict(on: MadeHCERT().octets(signedBy: stranger)).reason?.code == .signatureInvalid)
    }

    @Test func aRunHasABudget() throws {
        let keys = try TestKeys()
        let octets = try MadeHCERT().octets(signedBy: keys.keys[0])
        let verifier = try HCERTVerifier(policy: keys.policy, totalPayloadSize: octets.count * 2 + 1)
        let names = (0..<4).map { _ in
            verifier.verify(
                verifier.examine(PresentedCredential(text: octets, kind: .healthCertificate, form: .cwt, source: "x")))
        }
        #expect(names.map { $0.reason?.code } == [nil, nil, nil, .unreadableInput])
    }

    /// The certificate around a link has no contents of its own. It passes only if the link is judged beside it.
    @Test(arguments: ["shlink", "vhlink"]) func aLinkThatNobodyOpensDoesNotPass(_ name: String) throws {
        var policy = HCERTPolicy(now: MadeHCERT.now)
        policy.signers.add(try TrustListRules().admit(try HealthCertificateVectors.list("who-domains.did.json")))
        let verifier = try HCERTVerifier(policy: policy)
        let presented = PresentedCredential(
            text: try HealthCertificateVectors.text("link-\(name)"), kind: .healthCertificate, form: .hc1, source: "x")
        #expect(verifier.verify(verifier.examine(presented)).reason?.code == .linkUnavailable)
        #expect(verifier.verify(verifier.examine(presented.followedByItsLink)).name == "pass")
    }

    @Test func inspectReadsWhatItCan() throws {
        let verifier = try HCERTVerifier(policy: HCERTPolicy(now: MadeHCERT.now))
        let inspect = { (octets: [UInt8]) in
            verifier.inspect(PresentedCredential(text: octets, kind: .healthCertificate, form: .cwt, source: "x"))
        }
        let good = inspect(MadeHCERT().octets())
        #expect(good.failure == nil && good.signatureLength == 64)
        #expect(good.payload?["1"]?.isString("XA") == true && good.header?["protected"]?["1"]?.number?.integer == -7)
        // The key ID is written as lists, reports and options write it.
        let keyID = good.header?["protected"]?["4"] ?? good.header?["unprotected"]?["4"]
        let shown = keyID?.string?.description ?? ""
        #expect(shown.hasSuffix("=") && !shown.contains("-") && !shown.contains("_") && shown.utf8.count == 12)
        let other = inspect(MadeHCERT.with { $0.algorithm = -35 }.octets(signature: [1]))
        #expect(other.failure?.code == .unsupportedAlgorithm && other.signatureLength == 1)
        #expect(other.payload?["1"]?.isString("XA") == true && other.header?["protected"]?["1"]?.number?.integer == -35)
        let broken = inspect([0x84, 0x00])
        #expect(broken.failure?.code == .malformedCOSE && broken.payload == nil && broken.signatureLength == nil)
    }
}
