import Credentials
import Cryptography
import Encodings
import TestSupport
import Testing

@testable import HealthCertificates

/// The text of a QR code and the raw octets (H1 to H5).
@Suite struct HCERTTextTests {
    private func message(_ bytes: [UInt8], maximumSize: Int = Bounds.payloadSize) throws -> Result<
        [UInt8], VerificationFailure
    > {
        let inflater = try Inflater(.zlib)
        return Result { () throws(VerificationFailure) in
            try HCERTText(bytes, inflater: inflater, maximumSize: maximumSize).strictOctets()
        }
    }

    private func text(_ compressed: [UInt8]) -> [UInt8] { Array(("HC1:" + Base45.encode(compressed)).utf8) }

    private func code(_ bytes: [UInt8], maximumSize: Int = Bounds.payloadSize) throws -> ReasonCode? {
        guard case .failure(let failure) = try message(bytes, maximumSize: maximumSize) else { return nil }
        return failure.code
    }

    @Test(arguments: [0, 1, 70_000]) func readsTextsAndOctets(_ filler: Int) throws {
        let octets = MadeHCERT.with { $0.unprotected = [99: .bytes([UInt8](repeating: 1, count: filler))] }
            .octets()
        #expect(try message(octets).get() == octets)
        #expect(try message(storedZlib(octets)).get() == octets)
        #expect(try message(text(storedZlib(octets))).get() == octets)
        #expect(try message(Array("hc1:".utf8) + text(storedZlib(octets)).dropFirst(4)).get() == octets)
    }

    /// Headers take memory as the payload does.
    @Test func countsAllOctetsAfterInflating() throws {
        let octets = MadeHCERT.with { $0.unprotected = [99: .bytes([UInt8](repeating: 1, count: 70_000))] }.octets()
        #expect(try ExaminedHCERT(octets: octets).size == octets.count)
        #expect(try ExaminedHCERT(octets: text(storedZlib(octets))).size == octets.count)
        #expect(try ExaminedHCERT(octets: [0xD2]).size == 0)
    }

    @Test func readsWhatAnotherProgramWrote() throws {
        let text = try HealthCertificateVectors.text("valid-vaccination")
        let examined = try ExaminedHCERT(octets: text)
        #expect(examined.failure == nil)
        // The octets inside, presented raw and compressed.
        let compressed = try Base45.decode(text.dropFirst(4))
        let octets = try message(text).get()
        for form in [compressed, octets, storedZlib(octets)] {
            #expect(
                try ExaminedHCERT(octets: form).decoded?.message.parts.signedBytes
                    == examined.decoded?.message.parts.signedBytes)
        }
    }

    /// H2: nothing is trimmed or repaired.
    @Test(arguments: ["GGW", ":::", "A", "AAAA", "AA:", "aaa", "AA\u{A0}", "AAA\n", "AA\t", "AA=", "AA_"])
    func refusesWhatIsNotBase45(_ text: String) throws {
        #expect(try code(Array(("HC1:" + text).utf8)) == .malformedQR)
    }

    /// H3
    @Test func refusesOtherCompressions() throws {
        let octets = MadeHCERT().octets()
        let stream = storedZlib(octets)
        var sum = stream
        sum[sum.count - 1] ^= 1
        for wrong in [
            [], octets, Array(stream.dropLast()), Array(stream.dropLast(4)), stream + [0], sum,
            Array(stream.dropFirst(2)),
            [0x1F, 0x8B, 0x08] + stream, [0x78, 0x20] + stream.dropFirst(2),
        ] {
            #expect(try code(text(wrong)) == .inflateFailed)
        }
        #expect(try code(Array("HC1:".utf8)) == .inflateFailed)
    }

    /// H4
    @Test func refusesWhatIsTooLarge() throws {
        let octets = MadeHCERT().octets()
        for form in [octets, storedZlib(octets), text(storedZlib(octets))] {
            #expect(try code(form, maximumSize: octets.count) == nil)
            #expect(try code(form, maximumSize: octets.count - 1) == .payloadTooLarge)
        }
        #expect(try code([0x5A] + [UInt8](repeating: 0, count: Bounds.payloadSize)) == .payloadTooLarge)
    }
}
