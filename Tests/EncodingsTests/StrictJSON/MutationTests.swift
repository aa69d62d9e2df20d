import Encodings
import Foundation
import TestSupport
import Testing

/// Damaged texts. The parser must not trap, and Foundation's parser must read each accepted text the same way.
@Suite struct MutationTests {
    private func damagedTexts(seed: UInt64, count: Int, depth: Int) -> [[UInt8]] {
        var texts = RandomText(seed: seed, isMinified: false)
        var mutation = Mutation(seed: seed &+ 1)
        return (0..<count).map { _ in mutation.mutate(Array(texts.text(depth: depth).utf8)) }
    }

    @Test func everythingAcceptedCanBeReadAndPrinted() throws {
        var accepted = 0
        for text in damagedTexts(seed: 10, count: 12_000, depth: 3) {
            guard let value = try? JSONDocument.parse(text) else {
                let error = try #require(rejection(of: text))
                #expect((0...text.count).contains(error.offset))
                #expect(!error.description.isEmpty)
                continue
            }
            accepted += 1
            #expect(JSONTree(try parse(printed(value, .indented))) == JSONTree(value))
        }
        #expect((1000..<11_000).contains(accepted))
    }

    @Test func bytesAtRandomNeverTrap() {
        var random = SeededGenerator(seed: 20)
        let alphabet = Array("[]{},:\"\\u0dDcC8eE+-.tfn \u{1}".utf8) + [0xC3, 0xA9, 0xED, 0xA0, 0xF0, 0x80, 0xFF]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
            if let error = rejection(of: text) { #expect((0...text.count).contains(error.offset)) }
        }
    }

    @Test func foundationReadsAcceptedTextsAlike() throws {
        var compared = 0
        for text in damagedTexts(seed: 30, count: 9000, depth: 3) {
            guard let value = try? JSONDocument.parse(text), FoundationReading.isComparable(value) else { continue }
            compared += 1
            let read = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
            #expect(FoundationReading.isSame(read, value), "\(String(decoding: text, as: UTF8.self).debugDescription)")
        }
        #expect(compared > 500)
    }

    /// All texts of up to four of these characters.
    @Test func foundationAcceptsEveryShortTextThatIsAccepted() throws {
        let alphabet = Array("[]{}\",:0-.e1\\ ".utf8)
        var compared = 0
        var texts: [[UInt8]] = [[]]
        for _ in 0..<4 {
            texts = texts.flatMap { text in alphabet.map { text + [$0] } }
            for text in texts {
                guard let value = try? JSONDocument.parse(text) else { continue }
                compared += 1
                let read = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
                #expect(
                    FoundationReading.isSame(read, value), "\(String(decoding: text, as: UTF8.self).debugDescription)")
            }
        }
        #expect(compared > 300)
    }
}
