import Credentials
import Cryptography
import Encodings
import Inputs
import SMARTHealthCards
import TestSupport
import Testing

/// Inputs that are larger than any real card are rejected before they cost much time or memory.
@Suite struct BoundsTests {
    @Test func acceptsInputOfUpTo16MiB() throws {
        let bytes = Array("eyJ".utf8) + [UInt8](repeating: 0x41, count: Bounds.inputSize - 3)
        var reader = CredentialReader()
        reader.add(bytes, source: "in")
        reader.add(bytes + [0x41], source: "in")
        reader.add(ArraySlice<UInt8>.byteOrderMark + bytes, source: "in")
        let cards = reader.cards()
        #expect(cards.map { $0.failure?.code } == [nil, .malformedInput, nil])
        #expect(cards[1].failure?.message.contains("16 MiB") == true)
        #expect(cards[1].source == "in#1")
        // The input may be that large, but a JWS may not.
        #expect(ExaminedCard(cards[0], inflater: try Inflater()).failure?.code == .malformedJWS)
    }

    @Test func limitsCardsInAFile() {
        let card = Array("a.b.c".utf8)
        for carrier in [Carrier.file, Carrier.parameters] {
            let most = CredentialReader.cards(in: carrier(Array(repeating: card, count: Bounds.cards)))
            #expect(most.count == Bounds.cards)
            #expect(most.allSatisfy { $0.failure == nil })
            let more = CredentialReader.cards(in: carrier(Array(repeating: card, count: Bounds.cards + 1)))
            #expect(more.map { $0.failure?.code } == [.malformedInput])
        }
    }

    @Test func reportsCardsBeyondTheLimitOfQRCodes() {
        let line = Carrier.qr("a.b.c".utf8)
        let most = CredentialReader.cards(in: Array(repeating: line, count: Bounds.cards).joined(separator: "\n"))
        #expect(most.count == Bounds.cards)
        #expect(most.allSatisfy { $0.failure == nil })
        let more = CredentialReader.cards(in: Array(repeating: line, count: Bounds.cards + 5).joined(separator: "\n"))
        #expect(more.last?.failure?.code == .malformedInput)
        #expect(more.count == Bounds.cards + 1)
        // The limit is for one input, not for the run.
        #expect(
            CredentialReader.cards(in: Array(repeating: line, count: Bounds.cards + 5)).allSatisfy { $0.failure == nil }
        )
    }

    @Test func readsSplitCardInAnInputFullOfCards() {
        let parts = Carrier.chunks(Array("a.b.c".utf8), count: 3)
        let lines = Array(repeating: Carrier.qr("d.e.f".utf8), count: Bounds.cards - 1)
        let cards = CredentialReader.cards(in: ([parts[2]] + lines + [parts[0], parts[1]]).joined(separator: "\n"))
        #expect(cards.count == Bounds.cards)
        #expect(cards.first?.words == "a.b.c")
    }

    @Test func acceptsRepeatedPartsUpToTheLimitOfLines() {
        let parts = Carrier.chunks(Array("a.b.c".utf8), count: 2)
        let lines = Array(repeating: parts[0], count: Bounds.lines - 1) + [parts[1]]
        #expect(CredentialReader.cards(in: lines.joined(separator: "\n")).map(\.words) == ["a.b.c"])
        #expect(
            CredentialReader.cards(in: (lines + [parts[1]]).joined(separator: "\n")).map { $0.failure?.code }
                == [.malformedQR])
    }

    @Test(arguments: [(",1", 1), (#","""#, 1), (",[]", 2), (",{}", 2)])
    func limitsJSONValuesInAnInput(_ value: String, _ weight: Int) throws {
        let card = #"{"verifiableCredential":["a.b.c"],"x":[1"#
        let most = card + String(repeating: value, count: Bounds.inputValues / weight - 10) + "]}"
        #expect(CredentialReader.cards(in: most).map(\.words) == ["a.b.c"])
        let more = card + String(repeating: value, count: Bounds.inputValues) + "]}"
        for text in [more, "https://app.example/#" + more, "https://app.example/#%7B" + more.dropFirst()] {
            let failure = try #require(CredentialReader.cards(in: text).first?.failure)
            #expect(failure.code == .malformedInput)
            #expect(failure.message.contains("values"))
        }
    }

    @Test func doesNotCountValuesInsideStrings() {
        let text = String(repeating: #",:[{\"\\"#, count: Bounds.inputValues / 2)
        #expect(
            CredentialReader.cards(in: #"{"verifiableCredential":["a.b.c"],"x":"\#(text)"}"#).map(\.words) == ["a.b.c"])
    }

    // MARK: JWS

    @Test func acceptsHeaderOfUpTo64KiB() throws {
        func header(_ size: Int) -> String {
            let start = #"{"alg":"ES256","zip":"DEF","kid":"x","y":""#
            return start + String(repeating: "y", count: size - start.utf8.count - 2) + "\"}"
        }
        let payload = Payload.text()
        #expect(try failure(ofForm: Payload.jws(payload, header: header(Bounds.headerSize))) == nil)
        let failure = try failure(ofForm: Payload.jws(payload, header: header(Bounds.headerSize + 1)))
        #expect(failure?.code == .malformedJWS)
    }

    @Test func acceptsJWSOfUpTo8MiB() throws {
        func jws(_ size: Int) -> [UInt8] {
            let header = Base64URL.encode(Array(Payload.header.utf8))
            let signature = Base64URL.encode([UInt8](repeating: 1, count: 64))
            let content = Payload.deflated(Array(Payload.text().utf8))
            // A block of spaces and empty blocks of DEFLATE make the payload as long as it has to be.
            let missing = (size - header.count - signature.count - 2) * 3 / 4 - content.count
            let spaces = UInt8(missing % 5)
            var payload = [0, spaces, 0, ~spaces, 0xFF] + [UInt8](repeating: 0x20, count: Int(spaces))
            for _ in 1..<(missing / 5) { payload += [0, 0, 0, 0xFF, 0xFF] }
            return Array("\(header).\(Base64URL.encode(payload + content)).\(signature)".utf8)
        }
        let longest = jws(Bounds.jwsSize)
        #expect(longest.count == 8 << 20)
        #expect(try failure(ofForm: longest) == nil)
        let tooLong = jws(Bounds.jwsSize + 1)
        #expect(tooLong.count == longest.count + 1)
        #expect(try failure(ofForm: tooLong)?.code == .malformedJWS)
    }

    // MARK: All cards of a run

    private func payload(_ size: Int, start: String = Payload.text()) -> String {
        start + String(repeating: " ", count: size - start.utf8.count)
    }

    /// Examines cards with these payloads one after the other, within a limit in bytes, and returns their reason codes.
    private func codes(_ payloads: [String], within total: Int) throws -> [ReasonCode?] {
        let verifier = try CardVerifier(policy: .test(), totalPayloadSize: total)
        let cards = CredentialReader.cards(in: Carrier.file(payloads.map { Payload.jws($0) }))
        return cards.map { verifier.examine($0).failure?.code }
    }

    @Test func limitsThePayloadsOfARunTogether() throws {
        // What is begun may be as large as any. What is not begun is not judged, and is no fault of the card.
        let sizes = [4000, 4000, 2001, 1000, 1000].map { payload($0) }
        #expect(try codes(sizes, within: 10_000) == [nil, nil, nil, .unreadableInput, .unreadableInput])
        #expect(try codes([payload(10_000)], within: 10_000) == [nil])
        #expect(try codes([payload(10_001)], within: 10_000) == [nil])
        #expect(try codes([Payload.text()], within: 0) == [.unreadableInput])
    }

    @Test(arguments: ["[", "{}", #"{"iss":7}"#])
    func countsInvalidPayloadsTowardsTheLimit(_ start: String) throws {
        let payloads = Array(repeating: payload(4000, start: start), count: 3)
        #expect(try codes(payloads, within: 10_000) == [.malformedPayload, .malformedPayload, .malformedPayload])
    }

    @Test func countsStreamsThatDoNotInflateTowardsTheLimit() throws {
        let stream = Payload.deflated(Array(payload(4000).utf8)) + [0]
        let parts = [Array(Payload.header.utf8), stream, [UInt8](repeating: 1, count: 64)]
        let text = parts.map { Base64URL.encode($0) }.joined(separator: ".")
        let broken = PresentedCredential(jws: Array(text.utf8), source: "test")
        let good = PresentedCredential(jws: Payload.jws(payload(4000)), source: "test")
        let verifier = try CardVerifier(policy: .test(), totalPayloadSize: Bounds.payloadSize + 20_000)
        #expect(verifier.examine(broken).failure?.code == .inflateFailed)
        #expect(verifier.examine(good).failure == nil)
        for _ in 0..<100 { #expect(verifier.examine(broken).failure != nil) }
        #expect(verifier.examine(good).failure?.code == .unreadableInput)
    }
}

extension ExaminedCard {
    /// The first error in the card's form; nil if the form is correct.
    var failure: VerificationFailure? {
        guard case .failure(let failure) = card else { return nil }
        return failure
    }
}

extension ArraySlice<UInt8> {
    fileprivate static var byteOrderMark: [UInt8] { [0xEF, 0xBB, 0xBF] }
}
