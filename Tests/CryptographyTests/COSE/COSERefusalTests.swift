import Cryptography
import Encodings
import TestSupport
import Testing

/// Messages that are refused, with the reason (C1 to C11 of the specification).
@Suite struct COSERefusalTests {
    private func expectMalformed(_ message: MadeMessage, _ words: String, _ location: SourceLocation = #_sourceLocation)
    {
        expect(message.refusal, .malformed, words, location)
    }

    private func expect(
        _ error: COSEError?, _ reason: COSEError.Reason, _ words: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.reason == reason, sourceLocation: location)
        #expect(
            error?.description.contains(words) == true, "\(error?.description ?? "accepted")", sourceLocation: location)
    }

    // MARK: C1: the form

    @Test func aMessageIsAnArrayOfFour() {
        let message = MadeMessage()
        for (item, words) in [
            (MadeCBOR.array([]), "has 0"), (.array(Array(message.elements.prefix(3))), "has 3"),
            (.array(message.elements + [nil]), "has 5"), (.map([(1, 2)]), "type map"), (.bytes([1]), "byte string"),
            ("text", "type text"), (1, "unsigned"), (nil, "type null"), (.array([.array(message.elements)]), "has 1"),
        ] {
            for item in [item, .tag(18, item), .tag(61, .tag(18, item))] {
                expect(refusal(of: item.encoded()), .malformed, words)
            }
        }
    }

    @Test(arguments: [nil, "a", 1, [:], [], [1: -7], .tag(24, .bytes([0xA0]))] as [MadeCBOR])
    func theProtectedHeaderIsAByteString(_ header: MadeCBOR) {
        var elements = MadeMessage().elements
        elements[0] = header
        expect(refusal(of: MadeCBOR.array(elements).encoded()), .malformed, "protected header must be a byte string")
    }

    @Test(arguments: ["80", "01", "f6", "40", "60", "d8184 1a0", "c0a0", "8101"])
    func theProtectedHeaderHoldsAMap(_ hex: String) {
        expectMalformed(.with { $0.protectedBytes = [UInt8](hex: hex) }, "protected header must hold a map")
    }

    @Test(arguments: [nil, "a", 1, [], .bytes([]), .bytes([0xA0]), .tag(0, [:])] as [MadeCBOR])
    func theUnprotectedHeaderIsAMap(_ header: MadeCBOR) {
        expectMalformed(.with { $0.unprotected = header }, "unprotected header must be a map")
    }

    @Test func thePayloadIsInTheMessage() {
        expectMalformed(.with { $0.payload = nil }, "detached")
        for payload in ["text", 1, [:], [1: "XA"], [], .tag(24, .bytes([1])), .raw([0xF7])] as [MadeCBOR] {
            expectMalformed(.with { $0.payload = payload }, "payload must be a byte string")
        }
    }

    @Test(arguments: [nil, "text", 1, [:], [], [.bytes([1])], .tag(2, .bytes([1]))] as [MadeCBOR])
    func theSignatureIsAByteString(_ signature: MadeCBOR) {
        expectMalformed(.with { $0.signature = signature }, "signature must be a byte string")
    }

    // MARK: C2: tags

    @Test(
        arguments: [
            ([98], "COSE_Sign"), ([17], "COSE_Mac0"), ([16], "COSE_Encrypt0"), ([96], "COSE_Encrypt"),
            ([97], "COSE_Mac"),
            ([18, 18], "tag 18"), ([61, 61], "tag 61"), ([18, 61], "tag 61"), ([61, 18, 18], "tag 18"),
            ([61, 98], "tag 98"),
            ([55_799, 18], "tag 55799"), ([0], "tag 0"), ([61, 61, 18], "tag 61"),
            ([UInt64.max], "18446744073709551615"),
        ] as [([UInt64], String)])
    func refusesOtherTags(_ tags: [UInt64], _ words: String) {
        expectMalformed(.with { $0.tags = tags }, words)
    }

    // MARK: C3, C4: one item each, without duplicates

    @Test func messageAndHeaderAreOneItemEach() {
        let message = MadeMessage().item.encoded()
        expect(refusal(of: []), .malformed, "the message is not acceptable CBOR: there are no bytes")
        expect(refusal(of: message + [0]), .malformed, "the message is not acceptable CBOR: bytes follow")
        for end in 1..<message.count { #expect(refusal(of: Array(message[..<end]))?.reason == .malformed) }
        let header = MadeMessage().protected?.encoded() ?? []
        expectMalformed(
            .with { $0.protectedBytes = header + [0xF6] }, "the protected header is not acceptable CBOR: bytes follow")
        expectMalformed(
            .with { $0.protectedBytes = Array(header.dropLast()) }, "the protected header is not acceptable CBOR")
    }

    @Test(arguments: ["a3 01 26 04 4101 1801 26", "a3 01 26 04 4101 190004 4101", "a3 01 26 0441 01 0126"])
    func refusesDuplicateLabelsInTheProtectedHeader(_ hex: String) {
        expectMalformed(.with { $0.protectedBytes = [UInt8](hex: hex) }, "same key twice")
    }

    @Test func refusesDuplicateLabelsInTheUnprotectedHeader() {
        expectMalformed(.with { $0.unprotected = [99: 1, 99: 2] }, "same key twice")
        expectMalformed(.with { $0.unprotected = [99: [["a": 1, "a": 1]]] }, "same key twice")
    }

    // MARK: C6: the algorithm

    @Test(
        arguments: [-8, -35, -36, -38, -39, -257, -65_535, 7, 0, 5, "ES256", "-7", nil, -7.0, [-7], true] as [MadeCBOR])
    func refusesOtherAlgorithms(_ algorithm: MadeCBOR) {
        expect(
            MadeMessage.with { $0.protected = [1: algorithm, 4: .bytes([9])] }.refusal, .unsupportedAlgorithm,
            "must be ES256 (-7) or PS256 (-37)")
        let unprotected = MadeMessage.with {
            $0.protected = [4: .bytes([9])]
            $0.unprotected = [1: algorithm]
        }
        expect(unprotected.refusal, .unsupportedAlgorithm, "must be ES256 (-7) or PS256 (-37)")
    }

    @Test func refusesAMessageWithoutAlgorithm() {
        for header in [[4: .bytes([9])], [4: .bytes([9]), "1": -7], [4: .bytes([9]), 1.0: -7]] as [MadeCBOR] {
            expect(MadeMessage.with { $0.protected = header }.refusal, .unsupportedAlgorithm, "names no algorithm")
        }
    }

    @Test(arguments: [-37, -8, "ES256", nil, -7.0] as [MadeCBOR])
    func refusesTwoAlgorithms(_ other: MadeCBOR) {
        expectMalformed(.with { $0.unprotected = [1: other] }, "different algorithms")
    }

    // MARK: C7: the key ID

    @Test func refusesAMessageWithoutKeyID() {
        expectMalformed(.with { $0.protected = [1: -7] }, "names no key")
        expectMalformed(.with { $0.protected = [1: -7, "4": .bytes([9])] }, "names no key")
        expectMalformed(.with { $0.protected = [1: -7, 4: .bytes([])] }, "is empty")
    }

    @Test(arguments: ["AQID", nil, 1, [], [.bytes([1])], .tag(24, .bytes([1]))] as [MadeCBOR])
    func theKeyIDIsAByteString(_ keyID: MadeCBOR) {
        expectMalformed(.with { $0.protected = [1: -7, 4: keyID] }, "must be a byte string")
        // The one of the other header does not help.
        let both = MadeMessage.with {
            $0.protected = [1: -7, 4: keyID]
            $0.unprotected = [4: .bytes([9])]
        }
        expectMalformed(both, "must be a byte string")
    }

    // MARK: C8: critical headers

    @Test(arguments: [[1], [99], [], nil, 1, "crit"] as [MadeCBOR]) func refusesCriticalHeaders(_ critical: MadeCBOR) {
        expectMalformed(.with { $0.protected = [1: -7, 2: critical, 4: .bytes([9])] }, "crit")
        expectMalformed(.with { $0.unprotected = [2: critical] }, "crit")
    }

    // MARK: C10: bounds

    @Test func theLimitsHoldForMessageAndHeader() {
        let deep = { (depth: Int) in (0..<depth).reduce(MadeCBOR.null) { value, _ in [value] } }
        // The message's tag, its array and the unprotected map are three levels.
        #expect(MadeMessage.with { $0.unprotected = [99: deep(29)] }.refusal == nil)
        expectMalformed(.with { $0.unprotected = [99: deep(30)] }, "more than 32 levels")
        #expect(MadeMessage.with { $0.protected = [1: -7, 4: .bytes([9]), 99: deep(31)] }.refusal == nil)
        expectMalformed(
            .with { $0.protected = [1: -7, 4: .bytes([9]), 99: deep(32)] }, "the protected header is not acceptable")
        let many = MadeCBOR.array([MadeCBOR](repeating: 0, count: 20_000))
        expectMalformed(.with { $0.unprotected = [99: many] }, "more than 20000 items")
        expectMalformed(.with { $0.protected = [1: -7, 4: .bytes([9]), 99: many] }, "more than 20000 items")
    }

    // MARK: What inspect shows

    /// The parts are shown even if the headers name no algorithm, no key, or something critical.
    @Test func partsAreReadDespiteWrongHeaders() throws {
        for header in [[:], [1: -35], [1: -7, 2: [99]], [4: "x"]] as [MadeCBOR] {
            let made = MadeMessage.with { $0.protected = header }
            #expect(made.refusal != nil)
            let parts = try COSEParts(made.item.encoded())
            #expect(Array(parts.payload) == [0xA1, 0x01, 0x02])
            #expect(parts.signature.count == 64)
            #expect(parts.protected?.kind == .map)
        }
        #expect(throws: COSEError.self) { try COSEParts(MadeMessage.with { $0.payload = nil }.item.encoded()) }
    }
}
