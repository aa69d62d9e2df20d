import Credentials
import Cryptography
import Encodings
import TestSupport
import Testing

@testable import HealthCertificates

/// Batches of revoked certificates (R1 to R3).
@Suite struct RevocationBatchTests {
    private static let kid = "AQIDBAUGBwg="

    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        Base64.encode(SHA256.digest(Array(bytes)[...]).prefix(16))
    }

    private static func batch(_ type: String, _ hashes: String..., kid: String = kid) throws -> RevocationBatch {
        let entries = hashes.map { "{\"hash\":\"\($0)\"}" }.joined(separator: ",")
        return try RevocationBatch(
            Array("{\"country\":\"XA\",\"kid\":\"\(kid)\",\"hashType\":\"\(type)\",\"entries\":[\(entries)]}".utf8))
    }

    /// The gateway's texts have an offset. The moment of the end is included, and a text that is no time says that the batch has ended.
    @Test func endsWhenItSays() throws {
        let end = try #require(NumericDate(text: "2022-05-31T22:00:00Z"))
        let later = NumericDate(sinceEpoch: end.sinceEpoch + .seconds(1))
        let batch = { (expires: String) in
            try RevocationBatch(Array("{\(expires)\"kid\":\"UNKNOWN_KID\",\"hashType\":\"UCI\",\"entries\":[]}".utf8))
        }
        let ending = try batch("\"expires\":\"2022-06-01T00:00:00+02:00\",")
        #expect(!ending.hasEnded(at: end) && ending.hasEnded(at: later))
        for endless in ["", "\"expires\":null,"] { #expect(try !batch(endless).hasEnded(at: later)) }
        for unreadable in ["\"soon\"", "5"] { #expect(try batch("\"expires\":\(unreadable),").hasEnded(at: end)) }
    }

    /// Each certificate is judged as of its issue, but a list of revoked ones has to be in force now.
    @Test func theClockEndsItIfCertificatesAreJudgedAsOfTheirIssue() {
        let (then, now) = (NumericDate(sinceEpoch: .seconds(1)), NumericDate(sinceEpoch: .seconds(2)))
        var policy = HCERTPolicy(now: then)
        policy.listsAreJudgedAt = now
        #expect(policy.revocationsAreJudgedAt == then)
        policy.isAsOfIssue = true
        #expect(policy.revocationsAreJudgedAt == now)
    }

    private func certificate(_ made: MadeHCERT = MadeHCERT(), signature: [UInt8]? = nil) throws
        -> UnverifiedHCERT
    {
        let octets = signature.map { made.octets(signature: $0) } ?? made.octets()
        return try ExaminedHCERT(octets: octets).form.get()
    }

    @Test func knowsCertificatesByTheirIdentifier() throws {
        let hash = Self.hash(MadeHCERT.identifier.utf8)
        for group in ["v", "t", "r"] {
            #expect(
                try Self.batch("UCI", "AAAAAAAAAAAAAAAAAAAAAA==", hash).revokes(certificate(.with { $0.group = group }))
            )
        }
        #expect(try !Self.batch("UCI", Self.hash(MadeHCERT.identifier.lowercased().utf8)).revokes(certificate()))
        #expect(try !Self.batch("UCI", Self.hash(MadeHCERT.identifier.dropLast(2).utf8)).revokes(certificate()))
        #expect(try !Self.batch("SIGNATURE", hash).revokes(certificate()))
        #expect(try !Self.batch("COUNTRYCODEUCI", hash).revokes(certificate()))
        #expect(try !Self.batch("UCI").revokes(certificate()))
    }

    /// Who makes the list may have removed white space from the identifier, or not.
    @Test func knowsIdentifiersWithWhiteSpaceAround() throws {
        let text = " \(MadeHCERT.identifier)\n"
        let spaced = MadeHCERT.with { $0.record = ["ci": .text(text)] }
        for (listed, isRevoked) in [(text, true), (MadeHCERT.identifier, true), (" " + MadeHCERT.identifier, false)] {
            #expect(try Self.batch("UCI", Self.hash(listed.utf8)).revokes(certificate(spaced)) == isRevoked)
        }
        #expect(try !Self.batch("UCI", Self.hash(text.utf8)).revokes(certificate()))
    }

    @Test func knowsCertificatesByCountryAndIdentifier() throws {
        let hash = { (country: String) in Self.hash((country + MadeHCERT.identifier).utf8) }
        #expect(try Self.batch("COUNTRYCODEUCI", hash("XA")).revokes(certificate()))
        // The country of the record is tried too.
        #expect(try Self.batch("COUNTRYCODEUCI", hash("AT")).revokes(certificate()))
        #expect(try !Self.batch("COUNTRYCODEUCI", hash("XB")).revokes(certificate()))
        let noIssuer = MadeHCERT.with { $0.claims = [1: MadeHCERT.absent] }
        #expect(try Self.batch("COUNTRYCODEUCI", hash("AT")).revokes(certificate(noIssuer)))
        #expect(try !Self.batch("COUNTRYCODEUCI", hash("XA")).revokes(certificate(noIssuer)))
    }

    /// R2: of an ECDSA signature only r, since anyone can change s.
    @Test func knowsCertificatesBySignature() throws {
        let (r, s) = ([UInt8](repeating: 3, count: 32), [UInt8](repeating: 4, count: 32))
        #expect(try Self.batch("SIGNATURE", Self.hash(r)).revokes(certificate(signature: r + s)))
        #expect(try Self.batch("SIGNATURE", Self.hash(r)).revokes(certificate(signature: r + r)))
        #expect(try !Self.batch("SIGNATURE", Self.hash(r + s)).revokes(certificate(signature: r + s)))
        #expect(try !Self.batch("SIGNATURE", Self.hash(s)).revokes(certificate(signature: r + s)))
        let rsa = MadeHCERT.with { $0.algorithm = -37 }
        #expect(try Self.batch("SIGNATURE", Self.hash(r + s)).revokes(certificate(rsa, signature: r + s)))
        #expect(try !Self.batch("SIGNATURE", Self.hash(r)).revokes(certificate(rsa, signature: r + s)))
    }

    @Test func isForOneKeyOrAll() throws {
        let hash = Self.hash(MadeHCERT.identifier.utf8)
        for (kid, isRevoked) in [
            (Self.kid, true), ("AQIDBAUGBwg", true), ("UNKNOWN_KID", true), ("AAAAAAAAAAA=", false),
        ] {
            #expect(try Self.batch("UCI", hash, kid: kid).revokes(certificate()) == isRevoked)
        }
    }

    /// A key ID that is not signed can be changed, so it does not keep a certificate off the list.
    @Test func isForAllKeysIfTheKeyIDIsNotSigned() throws {
        let batch = try Self.batch("UCI", Self.hash(MadeHCERT.identifier.utf8), kid: "AAAAAAAAAAA=")
        let record = try CBORDocument.parse(
            [0xA1, 0x62] + Array("ci".utf8) + [0x78, UInt8(MadeHCERT.identifier.utf8.count)]
                + Array(MadeHCERT.identifier.utf8))
        let revokes = { (keyID: [UInt8]?) in
            batch.revokes(keyID: keyID, algorithm: .es256, signature: [], issuer: nil, record: record)
        }
        #expect(revokes(nil))
        #expect(!revokes([1, 2, 3, 4, 5, 6, 7, 8]))
    }

    @Test(arguments: [
        ("", "JSON"), ("[]", "hashType"), ("{}", "hashType"),
        (#"{"hashType":null,"kid":"AAAAAAAAAAE=","entries":[]}"#, "hashType"),
        (#"{"hashType":"BLOOM","kid":"AAAAAAAAAAE=","entries":[]}"#, "unknown"),
        (#"{"hashType":"uci","kid":"AAAAAAAAAAE=","entries":[]}"#, "unknown"),
        (#"{"hashType":"UCI","hashType":"UCI","kid":"AAAAAAAAAAE=","entries":[]}"#, "JSON"),
        (#"{"hashType":"UCI","entries":[]}"#, "kid"), (#"{"hashType":"UCI","kid":7,"entries":[]}"#, "kid"),
        (#"{"hashType":"UCI","kid":"","entries":[]}"#, "kid"), (#"{"hashType":"UCI","kid":"*","entries":[]}"#, "kid"),
        (#"{"hashType":"UCI","kid":"daa57ea8afe2c7b3","entries":[]}"#, "kid"),
        (#"{"hashType":"UCI","kid":"AAAAAAAAAAE="}"#, "entries"),
        (#"{"hashType":"UCI","kid":"AAAAAAAAAAE=","entries":{}}"#, "entries"),
        (#"{"hashType":"UCI","kid":"AAAAAAAAAAE=","entries":[{}]}"#, "entry 0"),
        (#"{"hashType":"UCI","kid":"AAAAAAAAAAE=","entries":["AAAAAAAAAAAAAAAAAAAAAA=="]}"#, "entry 0"),
        (
            #"{"hashType":"UCI","kid":"AAAAAAAAAAE=","entries":[{"hash":"AAAAAAAAAAAAAAAAAAAAAA=="},{"hash":"AA=="}]}"#,
            "entry 1"
        ),
        (#"{"hashType":"UCI","kid":"AAAAAAAAAAE=","entries":[{"hash":"AAAAAAAAAAAAAAAAAAAAAAA="}]}"#, "entry 0"),
        (#"{"hashType":"UCI","kid":"AAAAAAAAAAE=","entries":[{"hash":null}]}"#, "entry 0"),
    ])
    func refusesWhatItCannotRead(_ text: String, _ words: String) {
        let error = #expect(throws: Malformed.self) { try RevocationBatch(Array(text.utf8)) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
