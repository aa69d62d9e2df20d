import Cryptography
import Encodings
import TestSupport
import Testing

private let keySets = "wycheproof/json_web_key_test.json"
private let signatures = "wycheproof/json_web_signature_test.json"

/// Key sets and JWS of Project Wycheproof, and our own key sets of the same classes.
///
/// Its JWS are no cards, so they are judged without the header of a card: with the key set, the algorithm and the signature.
@Suite struct WycheproofJOSETests {
    @Test(.enabled(if: SharedData.isPresent(file: keySets), "\(SharedData.absence(of: keySets))"))
    func agreesOnEveryKeySet() throws {
        #expect(try judge(WycheproofFile(shared: keySets)) > 20)
    }

    @Test func agreesOnOurKeySets() throws {
        #expect(try judge(WycheproofFile(edges: "json_web_key")) > 120)
    }

    @Test(.enabled(if: SharedData.isPresent(file: signatures), "\(SharedData.absence(of: signatures))"))
    func agreesOnEveryJWS() throws {
        #expect(try judge(WycheproofFile(shared: signatures)) > 300)
    }

    private static let rulings: [WycheproofFile.Ruling] = [
        .refuses("Cards are signed with ES256, and with nothing else.") { !isES256($0) },
        .refuses("A JWS that names no key is not verified with any.") { header(of: $0)?["kid"] == nil },
        .accepts(
            "Optional", "A null is as good as no member. Members that ES256 does not have say nothing about the key."),
        .accepts("LeadingZeros", "Some issuers leave out leading zeros. The number is the same."),
        .accepts("CoordinateForm", "Some issuers write padding. The number is the same, and lint reports it."),
        .accepts("PrivateMember", "A key whose private half is published spoils no other key of the set."),
        .accepts("DuplicateKid", "An issuer may use one ID for several keys. Each usable one is tried."),
        .accepts("MixedKeySet", "What is no EC key is not used, and does not make the others unusable."),
    ]

    private static func header(of test: WycheproofFile.Case) -> JSONValue? {
        (try? CompactJWS(test.text("jws"))).flatMap { try? JSONDocument.parse($0.headerBytes) }
    }

    private static func isES256(_ test: WycheproofFile.Case) -> Bool {
        header(of: test)?["alg"]?.isString("ES256") == true
    }

    private func judge(_ file: WycheproofFile) throws -> Int {
        for group in file.groups {
            let keys = Self.keySet(of: group.value)
            for test in group.cases {
                let isAccepted = keys.map { Self.isAccepted(test.text("jws"), by: $0) } ?? false
                #expect(try isAccepted == test.isToBeAccepted(Self.rulings), "\(test)")
            }
        }
        return file.cases.count
    }

    /// The key set of a group; nil if it is refused. It may be a string, or a single key.
    private static func keySet(of group: JSONValue) -> JWKSet? {
        guard let value = group["public"] ?? group["private"] else { return nil }
        if let text = value.stringBytes { return try? JWKSet(text) }
        return value["kty"] == nil || value["keys"] != nil ? try? JWKSet(Array(value.rawBytes)) : JWKSet([JWK(value)])
    }

    private static func isAccepted(_ text: [UInt8], by keys: JWKSet) -> Bool {
        guard let jws = try? CompactJWS(text), let header = try? JSONDocument.parse(jws.headerBytes),
            header["alg"]?.isString("ES256") == true, let keyID = header["kid"].flatMap({ KeyID($0) }),
            case .found(let keys, areAll: _) = keys.resolve(keyID),
            let signature = try? ES256Signature(jws.signature)
        else { return false }
        return keys.contains { $0.isValid(signature, for: jws.signingInput) }
    }
}
