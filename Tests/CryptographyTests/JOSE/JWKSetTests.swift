import Cryptography
import Encodings
import TestSupport
import Testing

@Suite struct JWKSetTests {
    @Test func readsTheKeySetOfTheRFC() throws {
        let set = try JWKSet(Array(Samples.rfc7517KeySet.utf8))
        #expect(set.keys.map(\.keyID) == [KeyID("1"), KeyID("2011-04-29")])
        #expect(reason(set.resolve(KeyID("1"))) == .wrongUse)
        #expect(reason(set.resolve(KeyID("2011-04-29"))) == .wrongKty)
        #expect(set.allUsable.isEmpty)
    }

    /// The same set with its first key marked for signing, which is all that prevents that key's use.
    @Test func usesTheEllipticKeyOfTheRFCAndNotItsRSAKey() throws {
        let text = Samples.rfc7517KeySet.replacing(#""use":"enc""#, with: #""use":"sig""#)
        let set = try JWKSet(Array(text.utf8))
        let key = try #require(keys(set.resolve(KeyID("1"))).first)
        #expect(key.thumbprint == KeyID("cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"))
        #expect(reason(set.resolve(KeyID("2011-04-29"))) == .wrongKty)
        #expect(set.allUsable.map(\.key) == [key])
    }

    @Test func readsASetWithoutKeys() throws {
        let set = try JWKSet(Array(#"{"keys":[]}"#.utf8))
        #expect(set.keys.isEmpty && set.skippedCount == 0)
    }

    @Test(arguments: [
        ("", "the key set is not acceptable JSON: there is no JSON value"),
        ("<!DOCTYPE html>", "the key set is not acceptable JSON: unexpected '<' at byte 0"),
        ("[]", #"a key set must be a JSON object with a member "keys", this is not an object"#),
        ("{}", #"a key set must be a JSON object with a member "keys", which is missing"#),
        (#"{"kty":"EC"}"#, #"a key set must be a JSON object with a member "keys", this is a single key"#),
        (#"{"keys":{}}"#, #"the key set's "keys" is not an array"#),
        (#"{"keys":null}"#, #"the key set's "keys" is not an array"#),
        (
            #"{"keys":[],"keys":[]}"#,
            #"the key set is not acceptable JSON: the member "keys" occurs twice in one object, at byte 11"#
        ),
    ])
    func rejectsJSONThatIsNotAKeySet(_ text: String, _ message: String) {
        let error = #expect(throws: JWKSetError.self) { try JWKSet(Array(text.utf8)) }
        #expect(error?.description == message)
    }

    @Test func skipsElementsThatAreNotObjects() throws {
        let set = try Samples.set("7", Samples.jwkText(), "null", "[]")
        #expect(set.keys.count == 1)
        #expect(set.skippedCount == 3)
        #expect(keys(set.resolve(KeyID("A3"))) == [try Samples.key()])
    }

    // MARK: Published private halves

    /// Beside a key of another issuer, anyone can write some `d`. Only a private half that fits counts for all issuers.
    @Test func provesAPrivateHalfBeforeItCountsForOthers() throws {
        let claimed = CompromisedKeys([try Samples.jwk(Samples.jwkText(#""d":"AQ""#))])
        let key = VerificationKey.es256(try Samples.key())
        #expect(claimed.contains(key) && !claimed.provenAlone.contains(key))
        // The private key 1 is that of the generator.
        let generator = try P256PublicKey(
            x: Base64URL.decode("axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY".utf8),
            y: Base64URL.decode("T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU".utf8))
        #expect(claimed.provenAlone.contains(.es256(generator)))
    }

    /// What is beside a modulus is its private half only if the numbers say so.
    @Test(arguments: [
        ("d", true), ("dp", true), ("factor", true), ("factors", true), ("oth", true), ("not-private", false),
        ("not-dp", false), ("trivial-factors", false), ("trivial-factors-reversed", false),
    ])
    func judgesPrivateHalvesOfRSAKeys(_ name: String, _ isCompromised: Bool) throws {
        let signer = try JWKSet(VectorFiles.bytes("hcert/trust/burns-rsa-d.jwks.json")).keys[0].value
        let modulus: [UInt8] = try Base64URL.decode(#require(signer["n"]?.stringBytes))
        let exponent: [UInt8] = try Base64URL.decode(#require(signer["e"]?.stringBytes))
        let key = VerificationKey.ps256(try PS256PublicKey(modulus: modulus, exponent: exponent))
        let set = try JWKSet(VectorFiles.bytes("hcert/trust/burns-rsa-\(name).jwks.json"))
        #expect(CompromisedKeys(given: set.keys).provenAlone.contains(key) == isCompromised)
    }

    // MARK: Resolving

    @Test func findsOnlyTheKeyThatIsNamed() throws {
        let set = try Samples.set(Samples.otherKey, Samples.jwkText())
        #expect(keys(set.resolve(KeyID("A3"))) == [try Samples.key()])
        #expect(isAbsent(set.resolve(KeyID("a3"))))
        #expect(isAbsent(set.resolve(KeyID(""))))
        #expect(isAbsent(set.resolve(KeyID(Samples.thumbprint))))
    }

    @Test func keysThatAreNotNamedMayBeMalformed() throws {
        let set = try Samples.set(
            #"{"kty":"RSA","kid":"r","n":7}"#, #"{"kid":["A3"]}"#, #"{"kty":"EC","crv":"P-256","x":"!","kid":"m"}"#,
            Samples.jwkText())
        #expect(keys(set.resolve(KeyID("A3"))) == [try Samples.key()])
        #expect(reason(set.resolve(KeyID("m"))) == .malformedCoordinate)
    }

    @Test func findsEveryDistinctKeyOfAnID() throws {
        let other = Samples.otherKey.replacing(#""kid":"other""#, with: #""kid":"A3""#)
        let set = try Samples.set(Samples.jwkText(), other, Samples.jwkText(#""x5c":[]"#))
        let found = keys(set.resolve(KeyID("A3")))
        #expect(found.count == 2)
        #expect(found.first == (try Samples.key()))
    }

    @Test func skipsUnusableKeysWithTheSameID() throws {
        let set = try Samples.set(#"{"kty":"RSA","kid":"A3"}"#, Samples.jwkText(), Samples.jwkText(x: "AA"))
        #expect(keys(set.resolve(KeyID("A3"))) == [try Samples.key()])
    }

    @Test func saysWhyTheFirstKeyIsUnusable() throws {
        let set = try Samples.set(#"{"kty":"RSA","kid":"A3"}"#, Samples.jwkText(#""use":"enc""#))
        #expect(reason(set.resolve(KeyID("A3"))) == .wrongKty)
    }

    // MARK: Published private halves

    /// A set may have thousands of private halves, and computing what belongs to each takes long. Those beyond the limit still make
    /// their own entries unusable, and entries of another set are not affected.
    @Test func provesTheFirstPrivateHalvesOfASet() throws {
        let others = (1...CompromisedKeys.maximumProofs).map { _ in #"{"kty":"EC","d":"AQ"}"# }
        let alone = #"{"kty":"EC","d":"\#(Samples.d)"}"#
        let isCompromised = { (entries: [String], before: [String]) in
            try JWKSet(merging: [
                Samples.set(before.joined(separator: ",")), Samples.set(entries.joined(separator: ",")),
            ])
            .compromiseObjection(to: JWK(JSONDocument.parse(Array(Samples.jwkText().utf8)))) != nil
        }
        #expect(
            try isCompromised([alone], []) && isCompromised(others.dropLast() + [alone], [])
                && isCompromised([alone] + others, []))
        #expect(try !isCompromised(others + [alone], []))
        #expect(try isCompromised(others + [Samples.jwkText(#""d":"\#(Samples.d)""#)], []))
        #expect(try isCompromised([alone], others), "one set does not use up the proofs of another")
    }

    static let compromised: [[String]] = [
        [Samples.jwkText(#""d":"\#(Samples.d)""#), Samples.jwkText()],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)""#)],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)""#, kid: "another")],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)""#, kid: nil)],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)","kty":"OKP""#, kid: nil)],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)""#, kid: nil, y: Samples.negativeY)],
        [Samples.jwkText(y: Samples.negativeY), Samples.jwkText(#""d":"\#(Samples.d)""#, kid: nil)],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)""#, kid: nil, y: "")],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)""#, x: "")],
        [Samples.jwkText(), Samples.jwkText(#""d":"\#(Samples.d)""#, x: Samples.x + "=", y: Samples.y)],
        [Samples.jwkText(), #"{"d":null,"kid":"A3"}"#],
    ]

    @Test(arguments: compromised)
    func refusesAKeyWhosePrivateHalfIsPublished(_ entries: [String]) throws {
        let set = try JWKSet(merging: entries.map { try Samples.set($0) })
        #expect(reason(set.resolve(KeyID("A3"))) == .privateKey)
        #expect(set.allUsable.isEmpty)
        let sameSet = try JWKSet(Array(#"{"keys":[\#(entries.joined(separator: ","))]}"#.utf8))
        #expect(reason(sameSet.resolve(KeyID("A3"))) == .privateKey)
        #expect(sameSet.allUsable.isEmpty)
    }

    /// The entries with `d` are in another set.
    @Test(arguments: compromised) func refusesAKeyThatAnotherSetShowsToBeBurnt(_ entries: [String]) throws {
        let sets = try entries.map { try Samples.set($0) }
        let clean = try #require(sets.first { $0.keys.allSatisfy { !$0.hasPrivatePart } })
        let set = clean.refusing(sets.map(\.compromised))
        #expect(reason(set.resolve(KeyID("A3"))) == .privateKey)
        // A set that is made from it knows this as well.
        #expect(set.limited(to: set.keys).allUsable.isEmpty)
        #expect(JWKSet(merging: [set, try Samples.set(Samples.otherKey)]).allUsable.map(\.keyID) == [KeyID("other")])
    }

    @Test func aKeyIDAppliesOnlyToItsIssuer() throws {
        let compromised = try Samples.set(#"{"d":"","kid":"A3"}"#).compromised
        let set = try Samples.set(Samples.jwkText())
        #expect(reason(set.refusing([compromised]).resolve(KeyID("A3"))) == .privateKey)
        #expect(keys(set.refusing([compromised.provenAlone]).resolve(KeyID("A3"))).count == 1)
    }

    @Test func recognisesABurntKeyWithoutItsLeadingZeros() throws {
        let set = try Samples.set(
            Samples.jwkText(x: Samples.strippedXFull, y: Samples.strippedY),
            Samples.jwkText(#""d":"AA""#, kid: "b", x: Samples.strippedX, y: Samples.strippedY))
        #expect(reason(set.resolve(KeyID("A3"))) == .privateKey)
    }

    @Test func aBurntKeyLeavesTheOthersUsable() throws {
        let set = try Samples.set(
            Samples.jwkText(#""d":"\#(Samples.d)""#, kid: "other"), Samples.otherKey, #"{"d":"","kid":"unknown"}"#)
        #expect(keys(set.resolve(KeyID("other"))).count == 1)
        #expect(set.allUsable.map(\.keyID) == [KeyID("other")])
    }

    // MARK: All keys

    @Test func listsAllUsableKeysWithTheirIDs() throws {
        let set = try Samples.set(
            Samples.jwkText(), Samples.jwkText(), Samples.jwkText(kid: "second"), Samples.jwkText(kid: nil),
            Samples.otherKey, #"{"kty":"RSA"}"#)
        #expect(set.allUsable.map(\.keyID) == [KeyID("A3"), KeyID("second"), nil, KeyID("other")])
        #expect(set.allUsable.first?.key == (try Samples.key()))
    }

    @Test func mergesSetsInTheirOrder() throws {
        let set = JWKSet(merging: [try Samples.set(Samples.otherKey, "7"), try Samples.set(Samples.jwkText(), "8")])
        #expect(set.keys.map(\.keyID) == [KeyID("other"), KeyID("A3")])
        #expect(set.skippedCount == 2)
        #expect(keys(set.resolve(KeyID("A3"))) == [try Samples.key()])
    }

    @Test func skipsAByteOrderMarkAndSaysSo() throws {
        let plain = Array(#"{"keys":[\#(Samples.jwkText())]}"#.utf8)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let clean = try JWKSet(plain)
        let marked = try JWKSet(mark + plain)
        #expect(!clean.hasByteOrderMark && marked.hasByteOrderMark)
        #expect(keys(marked.resolve(KeyID("A3"))) == keys(clean.resolve(KeyID("A3"))))
        #expect(JWKSet(merging: [clean, marked]).hasByteOrderMark)
        #expect(marked.limited(to: marked.keys).hasByteOrderMark && marked.refusing([]).hasByteOrderMark)
        var joined = clean
        joined.append(marked)
        #expect(joined.hasByteOrderMark)
        for malformed in [mark + mark + plain, [0x20] + mark + plain, plain + mark, mark] {
            #expect(throws: JWKSetError.self) { try JWKSet(malformed) }
        }
    }

    private func set(of keys: [String]) throws -> JWKSet {
        try JWKSet(Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
    }

    private func crowd(_ count: Int) throws -> [String] {
        try (0..<count).map { _ in
            let key = try TestSupport.Signer().key
            return Samples.jwkText(x: Base64URL.encode(key.x), y: Base64URL.encode(key.y))
        }
    }

    @Test func saysWhenKeysOfAnIDWereLeftOut() throws {
        let limit = JWKSet.maximumCandidates
        let others = try crowd(limit)
        // What is repeated, cannot be used, has another ID or is not admitted does not count.
        let exact = try set(
            of: others.dropLast() + others.dropLast() + [
                #"{"kty":"RSA","kid":"A3"}"#, Samples.jwkText(kid: "b"), others[limit - 1],
            ])
        guard case .found(let all, areAll: true) = exact.resolve(KeyID("A3")) else {
            Issue.record("keys were left out")
            return
        }
        #expect(all.count == limit)
        let more = try set(of: others + [Samples.jwkText()])
        guard case .found(let some, areAll: false) = more.resolve(KeyID("A3")) else {
            Issue.record("no key was left out")
            return
        }
        #expect(some == all)
        let last = try Samples.key()
        guard case .found(let admitted, areAll: true) = more.resolve(KeyID("A3"), among: [last]) else {
            Issue.record("the admitted key was left out")
            return
        }
        #expect(admitted == [last])
    }

    @Test func unusableKeysDoNotCountTowardsTheLimit() throws {
        let decoys = (0..<JWKSet.maximumCandidates).map { number in
            Samples.jwkText(x: Base64URL.encode([1, UInt8(number >> 8), UInt8(number & 0xFF)]))
        }
        let last = Samples.jwkText(kid: "last")
        let set = try JWKSet(
            Array(#"{"keys":[\#((decoys + [Samples.jwkText(), last]).joined(separator: ","))]}"#.utf8))
        #expect(keys(set.resolve(KeyID("A3"))) == [try Samples.key()])
        #expect(keys(set.resolve(KeyID("last"))).count == 1)
        #expect(set.allUsable.isEmpty)
        let fewer = try JWKSet(
            Array(#"{"keys":[\#((decoys.dropFirst() + [Samples.jwkText()]).joined(separator: ","))]}"#.utf8))
        #expect(keys(fewer.resolve(KeyID("A3"))).count == 1)
        #expect(fewer.allUsable.count == 1)
    }

    private func keys(_ resolution: KeyResolution) -> [P256PublicKey] {
        if case .found(let keys, _) = resolution { keys } else { [] }
    }

    private func reason(_ resolution: KeyResolution) -> JWKError.Reason? {
        if case .unusable(let error) = resolution { error.reason } else { nil }
    }

    private func isAbsent(_ resolution: KeyResolution) -> Bool {
        if case .absent = resolution { true } else { false }
    }
}
