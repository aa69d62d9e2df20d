import Foundation
import StrictJSON
import TestSupport
import Testing

/// Attachments of PDF documents: none may hide behind another one, wherever in the document it is named.
@Suite(.enabled(if: ScannerProducts.areBuilt, "needs make scanner")) struct AttachmentTests {
    private static let genuine = (try? Paths.bytes(Paths.vector("cards/inputs/file.smart-health-card"))) ?? []

    /// The genuine card with one character of its signature changed.
    private static var forged: [UInt8] {
        var file = genuine
        if let end = file.lastIndex(of: UInt8(ascii: "\"")), end > 20 {
            file[end - 20] = file[end - 20] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        }
        return file
    }

    // MARK: Documents

    /// A PDF of these objects, numbered from 1. The first is the catalog.
    private static func document(_ objects: [[UInt8]]) -> [UInt8] {
        var file = Array("%PDF-1.7\n".utf8)
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            let digits = String(file.count)
            table += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
            file += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
        }
        let start = file.count
        let end = "trailer << /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return file + Array((table + end).utf8)
    }

    private static func stream(_ content: [UInt8], _ entries: String = "") -> [UInt8] {
        Array("<< /Type /EmbeddedFile \(entries) /Length \(content.count) >>\nstream\n".utf8) + content
            + Array("\nendstream".utf8)
    }

    /// A PDF with an empty page, a genuine card in object 4, and another attachment in object 5. Its object 6 specifies the first
    /// file, its object 7 the second.
    private static func document(
        names: String = "<< /Names [(a) 6 0 R (b) 7 0 R] >>", catalog: String = "", page: String = "",
        second: String = "<< /Type /Filespec /F (b) /EF << /F 5 0 R >> >>", attached: [UInt8]? = nil,
        more: [String] = []
    ) -> [UInt8] {
        let texts = [
            second, "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles \(names) >> \(catalog) >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] \(page) >>",
            "<< /Type /Filespec /F (a) /EF << /F 4 0 R >> >>",
        ].map { Array($0.utf8) }
        return document(
            [texts[1], texts[2], texts[3], stream(genuine), attached ?? stream(forged), texts[4], texts[0]]
                + more.map { Array($0.utf8) })
    }

    private static let nothing = Array("null".utf8)
    private static let onlyFirst = "<< /Names [(a) 6 0 R] >>"

    private static func annotations(_ count: Int, _ file: String) -> String {
        let others = String(repeating: "<< /Type /Annot /Subtype /Text /Rect [0 0 1 1] >> ", count: count)
        return "/Annots [\(others)<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS \(file) >>]"
    }

    /// Documents with a genuine card and a forged one, by the way in which the forged one is attached.
    private static let hidden: [String: [UInt8]] = [
        "another name": document(),
        "the same name": document(names: "<< /Names [(a) 6 0 R (a) 7 0 R] >>"),
        "the same name before": document(names: "<< /Names [(a) 7 0 R (a) 6 0 R] >>"),
        "names out of order": document(names: "<< /Names [(z) 6 0 R (b) 7 0 R] >>"),
        "a name that is no text": document(names: "<< /Names [(a) 6 0 R 5 7 0 R] >>"),
        "names after null": document(names: "<< /Names [null null (a) 6 0 R (b) 7 0 R] >>"),
        "an odd number of names": document(names: "<< /Names [(x) (a) 6 0 R (b) 7 0 R] >>"),
        "names in a list": document(names: "[(a) 6 0 R (b) 7 0 R]"),
        "a name of the stream itself": document(names: "<< /Names [(a) 6 0 R (b) 5 0 R] >>", second: "null"),
        "a tree with a loop": document(
            names: "8 0 R", more: ["<< /Kids [8 0 R 9 0 R] >>", "<< /Limits [(a)(b)] /Names [(a) 6 0 R (b) 7 0 R] >>"]),
        "a tree with a missing branch": document(
            names: "<< /Kids [99 0 R 8 0 R] >>", more: ["<< /Limits [(a)(b)] /Names [(a) 6 0 R (b) 7 0 R] >>"]),
        "a tree with branches and names": document(
            names: "<< /Names [(a) 6 0 R] /Kids [8 0 R] >>", more: ["<< /Limits [(b)(b)] /Names [(b) 7 0 R] >>"]),
        "two files of one specification": document(
            names: "<< /Names [(b) 7 0 R] >>", second: "<< /Type /Filespec /F (b) /EF << /F 5 0 R /UF 4 0 R >> >>"),
        "two files of one specification, reversed": document(
            names: "<< /Names [(b) 7 0 R] >>", second: "<< /Type /Filespec /F (b) /EF << /F 4 0 R /UF 5 0 R >> >>"),
        "another platform": document(second: "<< /Type /Filespec /F (b) /EF << /Mac 5 0 R >> >>"),
        "a related file": document(
            second: "<< /Type /Filespec /F (b) /EF << /F 4 0 R >> /RF << /F [(b) 5 0 R] >> >>"),
        "an annotation": document(names: onlyFirst, page: annotations(0, "7 0 R")),
        "the 1,001st annotation": document(names: onlyFirst, page: annotations(1000, "7 0 R")),
        "an annotation with another entry": document(
            names: onlyFirst, page: annotations(0, "<< /Type /Filespec /UF (b) /EF << /UF 5 0 R >> >>"), second: "null"),
        "a file of the document": document(names: onlyFirst, catalog: "/AF [7 0 R]"),
        "a filter of pictures": document(attached: stream(forged, "/Filter /DCTDecode")),
        "a filter that changes nothing": document(attached: stream(forged, "/Filter /Crypt")),
        "a key that is not there": document(
            attached: stream(forged, "/Filter /Crypt /DecodeParms << /Type /CryptFilterDecodeParms /Name /Other >>")),
        "run lengths": document(attached: stream(runLengths(forged), "/Filter [/RunLengthDecode /JPXDecode]")),
    ]

    /// Content in the form of the filter RunLengthDecode.
    private static func runLengths(_ content: [UInt8]) -> [UInt8] {
        stride(from: 0, to: content.count, by: 128).flatMap { start -> [UInt8] in
            let part = content[start..<min(start + 128, content.count)]
            return [UInt8(part.count - 1)] + part
        } + [128]
    }

    private static func judge(_ document: [UInt8]) async throws -> (exitCode: Int32, cards: [JSONValue]) {
        let result = try await PictureTests.run(["-", "--format", "json"], stdin: document)
        let report = try JSONDocument.parse(Array(result.stdout.utf8))
        return (result.exitCode, report["cards"]?.elements.map { Array($0) } ?? [])
    }

    private static func reasons(_ cards: [JSONValue]) -> [String] {
        cards.map { $0["reason"]?["code"]?.words ?? $0["verdict"]?.words ?? "" }.sorted()
    }

    private static func warnings(_ cards: [JSONValue]) -> [String] {
        cards.flatMap { ($0["warnings"]?.elements.map { Array($0) } ?? []).compactMap { $0["code"]?.words } }
    }

    // MARK: Tests

    @Test(arguments: hidden.keys.sorted()) func everyAttachmentIsJudged(way: String) async throws {
        let (exitCode, cards) = try await Self.judge(try #require(Self.hidden[way]))
        #expect(exitCode == 11)
        #expect(Self.reasons(cards) == ["pass", "signature-invalid"])
    }

    /// What was seen and cannot be read may be a forged card, so the document does not pass.
    @Test(
        arguments: [
            "an unknown filter": document(attached: stream(forged, "/Filter /Unknown")),
            "damaged data": document(attached: stream([0x78, 0x9C] + forged, "/Filter /FlateDecode")),
            "an object that is not there": document(
                second: "<< /Type /Filespec /F (b) /EF << /F 99 0 R >> >>", attached: nothing),
            "an object that is no stream": document(attached: Array("(text)".utf8)),
        ])
    func anAttachmentThatCannotBeReadFailsTheDocument(way: String, document: [UInt8]) async throws {
        let (exitCode, cards) = try await Self.judge(document)
        #expect(exitCode == 27, "\(way)")
        #expect(Self.reasons(cards) == ["pass", "picture-unreadable"], "\(way)")
    }

    /// A reader that goes on after damage says so.
    @Test func aDamagedPartOfADocumentIsSaid() async throws {
        let (exitCode, cards) = try await Self.judge(
            Self.document(names: Self.onlyFirst, second: "<< /EF << /F", attached: Self.nothing))
        #expect(exitCode == 0)
        #expect(Self.warnings(cards) == ["codes-not-read"])
        let sound = try await Self.judge(Self.document(attached: Self.stream(Self.genuine)))
        #expect(sound.exitCode == 0 && Self.warnings(sound.cards).isEmpty)
    }

    /// Pictures and PDFs that are attached are inputs as others are.
    @Test func aPictureAsAnAttachmentIsSearched() async throws {
        let picture = try Paths.bytes(PictureTests.picture("card-grey.jpg"))
        let (exitCode, cards) = try await Self.judge(
            Self.document(attached: Self.stream(picture, "/Filter /DCTDecode")))
        #expect(exitCode == 0)
        #expect(Self.reasons(cards) == ["pass", "pass"])
        #expect(Self.warnings(cards).isEmpty)
    }
}
