import Credentials
import Foundation
import Inputs
import TestSupport
import Testing

/// Attachments and codes of documents are judged as inputs of their own are.
@Suite struct DocumentTests {
    private static let genuine = "shc:/5676"

    /// The cards that a reader finds, without the names of their inputs.
    private static func cards(_ add: (inout CredentialReader) -> Void) -> [String] {
        var reader = CredentialReader()
        add(&reader)
        return reader.cards().map { card in
            switch card.text {
            case .success(let text): "\(String(describing: card.kind)) \(String(decoding: text, as: UTF8.self))"
            case .failure(let failure): "\(String(describing: card.kind)) \(failure.code.rawValue) \(failure.message)"
            }
        } + reader.containers(.link).map { String(decoding: $0.text, as: UTF8.self) }
    }

    private static func document(code: [UInt8]?, attachment: [UInt8]? = nil) -> ScannedDocument {
        let place = CodePlace(source: "in", page: 1, width: 9, height: 9, corners: [])
        let codes = [Array(genuine.utf8)] + (code.map { [$0] } ?? [])
        return ScannedDocument(
            form: .pdf, codes: codes.map { ScannedCode(text: $0, place: place) },
            attachments: attachment.map { [$0] } ?? [])
    }

    /// What is found beside a genuine card.
    private static func found(_ document: ScannedDocument) -> [String] {
        let all = cards { $0.add(document, source: "in") }
        return Array(all.dropFirst())
    }

    private static func files(_ folders: [String]) throws -> [(name: String, bytes: [UInt8])] {
        try folders.flatMap { folder in
            let url = VectorFiles.folder.appending(path: folder)
            return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().compactMap { name in
                let bytes = try VectorFiles.bytes("\(folder)/\(name)")
                return bytes.count <= 100_000 ? ("\(folder)/\(name)", bytes) : nil
            }
        }
    }

    /// Nothing that is a card in a file, or is refused in one, is skipped because a genuine card is beside it.
    @Test func whatIsACardInAFileIsOneInADocument() throws {
        let folders = ["inputs", "files", "json", "jws", "header", "signature", "qr"].map { "cards/\($0)" }
        var count = 0
        for (name, bytes) in try Self.files(folders + ["hcert/cards"]) {
            let alone = Self.cards { $0.add(bytes, source: "in") }
            // Content that nobody means as a card, and damaged JSON that does not even name one.
            let text = String(decoding: bytes, as: UTF8.self)
            let isOther = alone.allSatisfy { $0.contains(" malformed-input ") || $0.contains(" empty-input ") }
            if isOther, !text.contains("verifiableCredential"), !text.contains("HC1:") { continue }
            // Parts of a card belong together with the first code.
            if text.contains("shc:/1/1") { continue }
            count += 1
            #expect(Self.found(Self.document(code: nil, attachment: bytes)) == alone, "\(name)")
            let code = Self.found(Self.document(code: bytes))
            // One code has one card.
            let isSeveral = code != alone && code.count == 1 && code[0].contains(" malformed-qr ")
            #expect(code == alone || isSeveral && name.contains("inputs/chunks"), "\(name)")
        }
        #expect(count > 700)
    }

    @Test func otherContentIsSkipped() {
        for text in ["www.example.com", "https://www.example.com/a.b.c", "hello", "{}", "BEGIN:VCARD\nFN:x"] {
            #expect(Self.found(Self.document(code: Array(text.utf8))).isEmpty)
            #expect(Self.found(Self.document(code: nil, attachment: Array(text.utf8))).isEmpty)
        }
    }
}
