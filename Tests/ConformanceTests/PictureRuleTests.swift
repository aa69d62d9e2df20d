import Credentials
import Encodings
import Testing

@testable import Conformance

/// The rules of QR codes on pictures.
@Suite struct PictureRuleTests {
    private static let text = Array("shc:/".utf8) + [UInt8](repeating: 0x35, count: 600)

    private static func symbol(
        version: Int = 10, level: String = "L",
        _ segments: [QRSegment] = [QRSegment(.byte, count: 5), QRSegment(.numeric, count: 600)],
        hasQuietZone: Bool? = true
    ) -> QRSymbol {
        QRSymbol(
            version: version, errorCorrection: level.utf8.first ?? 0, segments: segments, hasQuietZone: hasQuietZone)
    }

    /// The rules of symbols that a picture violates.
    private static func violations(_ document: ScannedDocument) throws -> [String] {
        var linter = try Linter(policy: LintPolicy(now: NumericDate(sinceEpoch: .zero)))
        linter.add(document, source: "picture.png")
        linter.finishReading()
        _ = linter.judge(with: EvidenceAnswers())
        let names: Set = ["version", "needless-size", "segments", "error-correction", "quiet-zone", "picture"]
        return linter.findings.filter { names.contains($0.rule.name) && $0.rule.code.contains("qr") }.map(\.rule.id)
            .sorted()
    }

    private static func violations(of symbol: QRSymbol) throws -> [String] {
        let place = CodePlace(source: "picture.png", page: 1, width: 9, height: 9, corners: [])
        return try violations(
            ScannedDocument(form: .picture, codes: [ScannedCode(text: text, place: place, symbol: symbol)]))
    }

    @Test func aGoodSymbolHasNoFinding() throws {
        #expect(try Self.violations(of: Self.symbol()) == [])
        #expect(try Self.violations(of: Self.symbol(hasQuietZone: nil)) == [], "what was not measured is not reported")
    }

    @Test func everyRuleOfASymbolIsChecked() throws {
        let large = [QRSegment(.byte, count: 5), QRSegment(.numeric, count: 2500)]
        #expect(try Self.violations(of: Self.symbol(version: 23, large)) == ["invalid-qr-version/version"])
        #expect(try Self.violations(of: Self.symbol(version: 11)) == ["invalid-qr-version/needless-size"])
        let one = [QRSegment(.byte, count: 605)]
        #expect(try Self.violations(of: Self.symbol(version: 17, one)) == ["invalid-qr/segments"])
        #expect(try Self.violations(of: Self.symbol(level: "M")).contains("invalid-qr/error-correction"))
        #expect(try Self.violations(of: Self.symbol(hasQuietZone: false)) == ["invalid-qr/quiet-zone"])
    }

    /// What was not checked is not passed over in silence.
    @Test func anUnknownSymbolIsSaidToBeUnchecked() throws {
        let place = CodePlace(source: "picture.png", page: 1, width: 9, height: 9, corners: [])
        var linter = try Linter(policy: LintPolicy(now: NumericDate(sinceEpoch: .zero)))
        let code = ScannedCode(text: Self.text, place: place, symbol: nil)
        linter.add(ScannedDocument(form: .picture, codes: [code]), source: "picture.png")
        let findings = linter.findings.filter { $0.rule.id == "invalid-qr/segments" }
        #expect(findings.map(\.severity) == [.unchecked])
    }

    @Test func aPictureWithoutACardIsAFinding() throws {
        #expect(try Self.violations(ScannedDocument(form: .picture)) == ["qr-decode-error/picture"])
    }
}
