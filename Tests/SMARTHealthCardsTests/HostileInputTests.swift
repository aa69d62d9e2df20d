import Credentials
import Cryptography
import Encodings
import Inputs
import SMARTHealthCards
import TestSupport
import Testing

/// For any input there is a verdict for each card, and a card that was changed never passes.
@Suite struct HostileInputTests {
    private let inflater: Inflater
    private let card: [UInt8]
    private let verifier: ReferenceVerifier

    init() throws {
        inflater = try Inflater()
        card = try TestVectors.card()
        verifier = ReferenceVerifier(policy: .test(keys: try TestVectors.keys(), trusted: [TestVectors.issuer]))
    }

    /// Verifies the cards in an input.
    ///
    /// - Returns: the number of cards that passed. Each of them must be the unchanged card.
    private func judge(_ input: [UInt8]) throws -> Int {
        var reader = CredentialReader()
        reader.add(input, source: "in")
        let cards = reader.cards()
        #expect(!cards.isEmpty)
        var passed = 0
        for presented in cards {
            let verdict = try verifier.verify(ExaminedCard(presented, inflater: inflater), with: EvidenceAnswers())
                .verdict()
            guard verdict.verified != nil else { continue }
            passed += 1
            #expect(try presented.text.get() == card)
        }
        return passed
    }

    // MARK: One JWS

    @Test func rejectsJWSWithAnyCharacterChanged() throws {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        #expect(try judge(card) == 1)
        for place in card.indices {
            // The next character of the alphabet differs in the lowest bit, or in many bits.
            let other = (alphabet.firstIndex(of: card[place]) ?? 0) + 1
            var changed = card
            changed[place] = alphabet[other % alphabet.count]
            #expect(try judge(changed) == 0, "a change at \(place)")
        }
    }

    @Test func rejectsJWSWithAnyCharacterRemovedOrAdded() throws {
        for place in card.indices {
            var shorter = card
            shorter.remove(at: place)
            #expect(try judge(shorter) == 0, "one character less at \(place)")
            var longer = card
            longer.insert(card[place], at: place)
            #expect(try judge(longer) == 0, "one character more at \(place)")
        }
        for end in [".", "A", "AA", "AAA", "AAAA", "=", "==", ".AAAA"] {
            #expect(try judge(card + Array(end.utf8)) == 0)
        }
    }

    @Test func rejectsUnusedBitsInTheSignaturesLastCharacter() throws {
        // 64 bytes take 86 characters, and four bits of the last character are unused.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let last = try #require(card.last)
        for character in alphabet where character != last { #expect(try judge(card.dropLast() + [character]) == 0) }
    }

    @Test func rejectsJWSMadeOfPartsOfTwoCards() throws {
        let other = try TestVectors.revocableCard()
        let (ours, theirs) = (card.split(separator: UInt8(ascii: ".")), other.split(separator: UInt8(ascii: ".")))
        for choice in 1..<7 {
            let parts = (0..<3).map { choice >> $0 & 1 == 1 ? ours[$0] : theirs[$0] }
            let jws = Array(parts.joined(separator: [UInt8(ascii: ".")]))
            guard jws != card, jws != other else { continue }
            #expect(try judge(jws) == 0)
        }
    }

    // MARK: Whole inputs

    private var inputs: [[UInt8]] {
        let file = Carrier.file([card, card])
        return [
            card, Array(file.utf8), Array(Carrier.parameters([card]).utf8), Array(Carrier.qr(card).utf8),
            Array(Carrier.chunks(card, count: 3).joined(separator: "\n").utf8),
            Array("https://app.example/#\(file)".utf8),
            Array("https://app.example/#\(Carrier.percentEncoded(file))".utf8),
        ]
    }

    @Test func everyFormOfACardPasses() throws {
        for input in inputs { #expect(try judge(input) >= 1) }
    }

    @Test(arguments: 0..<7)
    func damagedInputsNeverCrashAndNeverPassChanged(_ form: Int) throws {
        let input = inputs[form]
        var mutation = Mutation(seed: UInt64(100 + form))
        var passed = 0
        for _ in 0..<700 { passed += try judge(mutation.mutate(input)) > 0 ? 1 : 0 }
        // A change around a card may leave the card itself unchanged, but not often.
        #expect(passed < 500)
    }

    @Test func damagedPayloadsAndHeadersNeverCrashAndNeverPass() throws {
        var mutation = Mutation(seed: 200)
        let payload = Array(Payload.text(["exp": "1850000000", "vc.rid": #""a""#]).utf8)
        for _ in 0..<2000 {
            let text = String(decoding: mutation.mutate(payload), as: UTF8.self)
            #expect(try judge(Payload.jws(text)) == 0)
            let header = String(decoding: mutation.mutate(Array(Payload.header.utf8)), as: UTF8.self)
            #expect(try judge(Payload.jws(Payload.text(), header: header)) == 0)
        }
    }

    @Test func randomBytesNeverCrash() throws {
        var random = SeededGenerator(seed: 300)
        let alphabet = Array("shc:/0123456789.eyJ{}[]\",%7B#\\ \n".utf8) + [0xEF, 0xBB, 0xBF, 0x00, 0xFF]
        let starts = [
            "", "", "shc:/", "shc:/1/2/", "eyJ", "{", "https://x#", "\u{FEFF}", #"{"verifiableCredential":["#,
        ]
        for _ in 0..<5000 {
            let start = Array(starts.randomElement(using: &random)!.utf8)
            let isText = Bool.random(using: &random)
            let rest = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                isText ? alphabet.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
            }
            #expect(try judge(start + rest) == 0)
        }
    }

    @Test func damagedRevocationListsNeverCrash() throws {
        var mutation = Mutation(seed: 400)
        let text = #"{"kid":"k","method":"rid","ctr":"7","rids":["a","b.1750000000","c"]}"#
        for _ in 0..<3000 {
            guard let list = try? RevocationList(mutation.mutate(Array(text.utf8))) else { continue }
            _ = list.lists("b", issued: TestVectors.issued)
            #expect(list.defect?.isFitToPrint != false)
        }
    }
}
