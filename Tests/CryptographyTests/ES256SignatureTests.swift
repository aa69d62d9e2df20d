import Encodings
import TestSupport
import Testing

@testable import Cryptography

@Suite struct ES256SignatureTests {
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    static let one = [UInt8](repeating: 0, count: 31) + [1]
    static let zero = [UInt8](repeating: 0, count: 32)
    static let largest = order.dropLast() + [0x50]
    static let most = [UInt8](repeating: 255, count: 32)

    @Test(arguments: [0, 1, 32, 63, 65, 96, 128, 132])
    func rejectsAnyOtherLength(_ count: Int) {
        let error = #expect(throws: ES256SignatureError.self) {
            try ES256Signature([UInt8](repeating: 1, count: count))
        }
        #expect(error == .wrongLength(count: count, looksLikeDER: false))
    }

    @Test func acceptsNumbersFromOneToTheOrder() throws {
        for r in [Self.one, Array(Self.largest)] {
            for s in [Self.one, Array(Self.largest)] { #expect(try ES256Signature(r + s).bytes == r + s) }
        }
    }

    @Test func rejectsNumbersOutOfRange() {
        for bad in [Self.zero, Self.order, Self.order.dropLast() + [0x52], Self.most] {
            for bytes in [bad + Self.one, Self.one + bad, bad + bad] {
                let error = #expect(throws: ES256SignatureError.self) { try ES256Signature(bytes) }
                #expect(error == .outOfRange)
            }
        }
    }

    // MARK: DER

    @Test func rejectsSignatureInDEREncoding() throws {
        let der = try Base64URL.decode(Samples.signatureInDER.utf8)
        let error = #expect(throws: ES256SignatureError.self) { try ES256Signature(der) }
        #expect(error == .wrongLength(count: 71, looksLikeDER: true))
    }

    @Test(arguments: [
        "MEUCIQCvejwlbwIaRmlL8NH-0kRnW_xOwmk8zFErIYJoAy_NMgIgJ4J1zgy58iWycFJc_oojUURr7SRzyCcA2Gpib2IOTfg",
        "MEQCIDKJ8bCwdn8ZVhy1ZbWqGbuHjx12agrxX_gjzxBnRtvmAiARrudEoblB8xMXXma2zmP_1gh7Oo3MDxJHWk36WnFiCA",
        "MAYCAQACAQA", "MAQCAAIA", "MAYCAf8CAf8",
    ])
    func recognisesDERByItsStructure(_ text: String) throws {
        #expect(ES256Signature.looksLikeDER(try Base64URL.decode(text.utf8)))
    }

    @Test func recognisesNothingElseAsDER() throws {
        let der = try Base64URL.decode(Samples.signatureInDER.utf8)
        for count in der.indices { #expect(!ES256Signature.looksLikeDER(Array(der[..<count]))) }
        #expect(!ES256Signature.looksLikeDER(der + [0]))
        #expect(!ES256Signature.looksLikeDER([0x30, 0x03, 0x02, 0x01, 0x01]))
        #expect(!ES256Signature.looksLikeDER([0x30, 0x09, 2, 1, 1, 2, 1, 1, 2, 1, 1]))
        #expect(!ES256Signature.looksLikeDER([0x30, 0x81, 0x06, 2, 1, 1, 2, 1, 1]))
        #expect(!ES256Signature.looksLikeDER([0x31, 0x06, 2, 1, 1, 2, 1, 1]))
    }

    @Test func writesTheSameDERAsAnotherImplementation() throws {
        #expect(Base64URL.encode(try Samples.signature().der) == Samples.signatureInDER)
        #expect(try ES256Signature(der: Base64URL.decode(Samples.signatureInDER.utf8)) == Samples.signature())
    }

    @Test func writesTheShortestDER() throws {
        #expect(try ES256Signature(Self.one + Self.one).der == [0x30, 6, 2, 1, 1, 2, 1, 1])
        let high: [UInt8] = [UInt8](repeating: 0, count: 31) + [0x80]
        #expect(try ES256Signature(high + Self.one).der == [0x30, 7, 2, 2, 0, 0x80, 2, 1, 1])
        #expect(try ES256Signature(Array(Self.largest + Self.largest)).der.count == 72)
        for signature in [Self.one + high, high + Array(Self.largest)] {
            #expect(try ES256Signature(der: ES256Signature(signature).der).bytes == signature)
        }
    }

    @Test(arguments: [
        [], [0x30], [0x30, 0x00], [0x30, 6, 2, 1, 1, 2, 1, 1, 0], [0x30, 5, 2, 0, 2, 1, 1],
        [0x30, 7, 2, 2, 0, 1, 2, 1, 1],
        [0x30, 6, 2, 1, 0x81, 2, 1, 1], [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1], [0x30, 7, 2, 0x81, 1, 1, 2, 1, 1],
        [0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0],
    ])
    func rejectsDERThatIsNotStrict(_ bytes: [UInt8]) {
        let error = #expect(throws: ES256SignatureError.self) { try ES256Signature(der: bytes) }
        #expect(error == .malformedDER)
    }

    @Test func rejectsNumbersOutOfRangeInDER() {
        let tooLong: [UInt8] = [0x30, 38, 2, 33, 1] + [UInt8](repeating: 0, count: 32) + [2, 1, 1]
        for bytes in [tooLong, [0x30, 6, 2, 1, 0, 2, 1, 1]] {
            let error = #expect(throws: ES256SignatureError.self) { try ES256Signature(der: bytes) }
            #expect(error == .outOfRange)
        }
    }

    @Test func describesErrorsInPlainWords() {
        #expect(
            ES256SignatureError.wrongLength(count: 71, looksLikeDER: true).description
                .contains("this has 71 and is built like DER"))
    }
}
