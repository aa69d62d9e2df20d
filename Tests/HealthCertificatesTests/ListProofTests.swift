import Credentials
import Cryptography
import Encodings
import Foundation
import TestSupport
import Testing

@testable import HealthCertificates

/// The proof of WHO's list (WHO-P1 to WHO-P12). The cases are made by another implementation (TestVectors/gdhcn).
@Suite struct ListProofTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let id: String
        let text: [UInt8]
        let keys: String?
        let outcome: String
        let kind: String?
        var testDescription: String { id }
    }

    static let cases: [Case] = {
        guard let index = try? JSONDocument.parse(VectorFiles.bytes("gdhcn/cases.json")) else { return [] }
        let words = { (value: JSONValue?) in value?.string?.description }
        return index["cases"]?.elements?.compactMap { one in
            guard let id = words(one["id"]), let text = one["text"]?.stringBytes, let outcome = words(one["outcome"])
            else { return nil }
            return Case(id: id, text: text, keys: words(one["keys"]), outcome: outcome, kind: words(one["kind"]))
        } ?? []
    }()

    static func keys(_ name: String) throws -> ListKeys { try ListKeys(VectorFiles.bytes("gdhcn/keys/\(name)")) }

    @Test func thereAreCases() { #expect(Self.cases.count > 350) }

    @Test(arguments: cases) func agreesWithAnotherImplementation(_ one: Case) throws {
        let list: SignerList
        do throws(Malformed) {
            list = try SignerList(one.text)
        } catch {
            // What is no WHO's list at all has no proof.
            #expect(one.outcome == "refused" || one.id.hasSuffix("/verificationMethod"), "\(error)")
            return
        }
        let outcome = try #require(list.proof).outcome(by: try one.keys.map(Self.keys))
        let (name, problem) = Self.words(of: outcome)
        #expect(name == one.outcome, "\(outcome.words)")
        #expect(problem == one.kind, "\(outcome.words)")
        guard name == "uncheckable" else { return }
        // What cannot be checked is not good with any key, and with none either.
        for keys in ["prod.jwk.json", "prod.did.json"] {
            let outcome = try #require(list.proof).outcome(by: try Self.keys(keys))
            #expect(Self.words(of: outcome).name == "uncheckable")
        }
    }

    static func words(of outcome: ListProof.Outcome) -> (name: String, kind: String?) {
        switch outcome {
        case .verified: ("verified", nil)
        case .unchecked: ("unchecked", nil)
        case .uncheckable(let problem, _): ("uncheckable", problem.kind.rawValue)
        case .absent: ("absent", nil)
        case .noKey: ("noKey", nil)
        case .invalid: ("invalid", nil)
        }
    }

    @Test func saysWhoSignedAndWhen() throws {
        let list = try SignerList(VectorFiles.bytes("gdhcn/lists/good.json"))
        let key = try Self.keys("prod.did.json")
        guard case .verified(let verified)? = list.proof?.outcome(by: key) else {
            Issue.record("the list verifies")
            return
        }
        #expect(verified.statement.signer == UTF8Text(TrustEnvironment.production.signer))
        #expect(verified.statement.created == NumericDate(text: "2026-05-20T12:00:01Z"))
        #expect(verified.thumbprint == verified.key.thumbprint)
        #expect(list.environment == .production && list.id == "did:web:tng-cdn.who.int:v2:trustlist")
    }

    /// WHO-P11: the sentences, hashes and octets of the worked example.
    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func followsTheWorkedExample() throws {
        let file = { (name: String) in try SharedData.bytes("who/worked/\(name)") }
        let reader = ListReader(try JSONDocument.parse(file("list.json")))
        let signed = try #require(reader.signed)
        #expect(signed.document == (try file("document.nq")))
        #expect(signed.proof == (try file("proof.nq")))
        let values = try JSONDocument.parse(file("values.json"))
        let expect = { (name: String, bytes: [UInt8]) in
            #expect(values[name]?.isString(bytes.map { String(format: "%02x", $0) }.joined()) == true, "\(name)")
        }
        expect("documentHash", SHA256.digest(signed.document))
        expect("proofHash", SHA256.digest(signed.proof))
        expect("signedOctets", signed.signedOctets)
    }

    /// A copy of the example of this project, so that the promise is tested without the folder of others.
    @Test func writesSentencesInTheirOrder() throws {
        let reader = ListReader(try JSONDocument.parse(VectorFiles.bytes("gdhcn/lists/good.json")))
        let lines = String(decoding: try #require(reader.signed).document, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 16)
        #expect(lines == lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    // MARK: Keys

    @Test(arguments: [
        ("private.jwk.json", "private"), ("private.pem", "private"), ("certificate.pem", "something else"),
        ("none.jwks.json", "no key"),
    ])
    func refusesFilesWithoutAUsableKey(_ name: String, _ words: String) throws {
        let bytes = try VectorFiles.bytes("gdhcn/keys/\(name)")
        let error = #expect(throws: Malformed.self) { try ListKeys(bytes) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        "", "x", "{}", "[]", "{\"keys\":{}}", "{\"kty\":\"EC\",\"crv\":\"P-384\"}", "{\"verificationMethod\":7}",
    ])
    func refusesWhatHasNoKey(_ text: String) {
        #expect(throws: Malformed.self) { try ListKeys(Array(text.utf8)) }
    }

    /// WHO-K2: the keys of a document count only for proofs that name its DID, also when they are written again.
    @Test func writesTheKeysOfADID() throws {
        let signer = UTF8Text(TrustEnvironment.production.signer)
        let keys = try #require(ListKeys(merging: [Self.keys("prod.jwk.json"), Self.keys("uat.did.json")]))
        let written = try ListKeys(keys.didDocument(of: signer))
        #expect(written.candidates(for: signer) == keys.candidates(for: signer))
        #expect(written.candidates(for: nil).isEmpty)
        #expect(written.candidates(for: UTF8Text(TrustEnvironment.uat.signer)).isEmpty)
    }

    // MARK: Rules

    private func list(_ name: String) throws -> SignerList { try SignerList(VectorFiles.bytes("gdhcn/lists/\(name)")) }

    @Test func takesOnlyListsThatTheRulesPermit() throws {
        let signed = TrustListRules(keys: try Self.keys("prod.did.json"))
        #expect(try signed.admit(list("good.json")).list.retrieved == NumericDate(text: "2026-05-20T12:00:01Z"))
        for (name, rules, rule) in [
            ("changed.json", signed, TrustListRule.proof), ("stripped.json", signed, .proof),
            ("version-1.json", signed, .proof), ("dev.json", TrustListRules(), .testList),
            ("uat.json", signed, .testList),
        ] {
            let error = #expect(throws: TrustListRefusal.self) { try rules.admit(list(name)) }
            #expect(error?.reason == rule, "\(name)")
        }
        // Without keys, a list is taken whatever its proof is, and is of unknown age.
        #expect(try TrustListRules().admit(list("changed.json")).list.retrieved == nil)
        #expect(try TrustListRules(allowsTestLists: true).admit(list("dev.json")).list.environment == .dev)
        let two = try SignerList(VectorFiles.bytes("gdhcn/lint/environment.json"))
        let error = #expect(throws: TrustListRefusal.self) { try TrustListRules(allowsTestLists: true).admit(two) }
        #expect(error?.reason == .contradiction)
    }

    /// With a key whose private half is published, anybody could have signed the list. Another key still counts.
    @Test func aKeyWhosePrivateHalfIsPublishedChecksNoList() throws {
        let burnt = CompromisedKeys(given: try JWKSet(VectorFiles.bytes("gdhcn/keys/burnt.jwks.json")).keys)
        var rules = TrustListRules(keys: try Self.keys("prod.did.json"))
        _ = try rules.admit(list("good.json"))
        rules.compromisedKeys = burnt
        let error = #expect(throws: TrustListRefusal.self) { try rules.admit(list("good.json")) }
        #expect(error?.reason == .proof && error?.description.contains("private half") == true)
        rules.keys = ListKeys(merging: [try Self.keys("prod.did.json"), try Self.keys("other.did.json")])
        #expect(throws: TrustListRefusal.self) { try rules.admit(list("good.json")) }
        #expect(try rules.admit(list("rotated.json")).proof != nil)
        // The list itself may publish it.
        let jwk = String(decoding: try VectorFiles.bytes("gdhcn/keys/private.jwk.json"), as: UTF8.self)
        let text = String(decoding: try VectorFiles.bytes("gdhcn/lists/good.json"), as: UTF8.self)
        let published = try SignerList(
            Array((#"{"assertionMethod":[{"publicKeyJwk":\#(jwk)}],"# + text.drop { $0 != "{" }.dropFirst()).utf8))
        let own = #expect(throws: TrustListRefusal.self) {
            try TrustListRules(keys: try Self.keys("prod.did.json")).admit(published)
        }
        #expect(own?.description.contains("private half") == true)
        // The library's door, with what another list has published.
        var signers = TrustedSigners()
        try signers.add(list: VectorFiles.bytes("gdhcn/keys/burnt.jwks.json"))
        #expect(throws: Malformed.self) {
            try signers.add(
                list: VectorFiles.bytes("gdhcn/lists/good.json"),
                rules: TrustListRules(keys: try Self.keys("prod.did.json")))
        }
    }

    @Test(arguments: ["hcert/trust/gateway.json", "hcert/trust/dsc-xa.pem", "hcert/trust/german-no-signature.json"])
    func withKeysAListOfAnotherFormIsNotTaken(_ path: String) throws {
        let list = try SignerList(VectorFiles.bytes(path))
        let rules = TrustListRules(keys: try Self.keys("prod.jwk.json"))
        #expect(throws: TrustListRefusal.self) { try rules.admit(list) }
    }

    @Test func theGermanListIsSignedByItsKey() throws {
        let list = try SignerList(VectorFiles.bytes("hcert/trust/german.json"))
        let outcome = { (keys: ListKeys) in Self.words(of: try #require(list.proof).outcome(by: keys)).name }
        #expect(try outcome(ListKeys(VectorFiles.bytes("hcert/trust/german-key.pem"))) == "verified")
        #expect(try outcome(ListKeys(VectorFiles.bytes("hcert/trust/german-other-key.pem"))) == "invalid")
        // A DID document is for lists that name it.
        #expect(try outcome(Self.keys("prod.did.json")) == "noKey")
        let changed = try SignerList(VectorFiles.bytes("hcert/trust/german-changed.json"))
        let key = try ListKeys(VectorFiles.bytes("hcert/trust/german-key.pem"))
        #expect(Self.words(of: try #require(changed.proof).outcome(by: key)).name == "invalid")
    }
}
