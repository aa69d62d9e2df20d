import Credentials
import Cryptography
import Encodings
import TestSupport
import Testing

@testable import Containers

private let encryption = "wycheproof/json_web_encryption_test.json"

/// Files of links whose JWE has one mistake: those of Project Wycheproof, and our own of the same classes.
@Suite struct JWEEdgeTests {
    @Test(.enabled(if: SharedData.isPresent(file: encryption), "\(SharedData.absence(of: encryption))"))
    func opensEveryJWE() throws {
        #expect(try judge(WycheproofFile(shared: encryption)) > 100)
    }

    @Test func opensOurJWE() throws {
        #expect(try judge(WycheproofFile(edges: "json_web_encryption")) > 120)
    }

    private static let rulings: [WycheproofFile.Ruling] = [
        .refuses("The files of links are encrypted with dir and A256GCM, and with nothing else.") { !isOfLinks($0) },
        .accepts("Header", "A null is as good as no member."),
        .accepts("WhiteSpace", "Servers and editors add line breaks. They are no part of the JWE."),
    ]

    /// Whether the header names the algorithms of links.
    private static func isOfLinks(_ test: WycheproofFile.Case) -> Bool {
        let head = test.text("jwe")[...].trimmingWhiteSpace().prefix { $0 != UInt8(ascii: ".") }
        guard let bytes = try? Base64URL.decode(head), let header = try? JSONDocument.parse(bytes) else { return false }
        return header["alg"]?.isString("dir") == true && header["enc"]?.isString("A256GCM") == true
    }

    private func judge(_ file: WycheproofFile) throws -> Int {
        for test in file.cases {
            let size = test.value["size"]?.number?.integer.map { Int($0) }
            let opened = try? open(test)
            #expect(try (opened != nil) == test.isToBeAccepted(Self.rulings), "\(test)")
            if let opened, let size {
                #expect(opened.count == size, "\(test)")
                let failure = #expect(throws: VerificationFailure.self) { try open(test, left: size - 1) }
                #expect(failure?.code == .payloadTooLarge, "\(test)")
            } else if let opened {
                #expect(try opened == test.bytes("pt"), "\(test)")
            }
        }
        return file.cases.count
    }

    private func open(_ test: WycheproofFile.Case, left: Int = Bounds.containerSize) throws -> [UInt8] {
        // A key that is no sequence of bytes opens nothing. Zeros stand for it.
        let text = test.group["private"]?["k"]?.stringBytes
        var key = try text.map { try Base64URL.decode($0[...]) } ?? [UInt8](repeating: 0, count: 32)
        let opener = FileOpener(key: SecretBytes(&key), inflater: try Inflater())
        var budget = ContainerBudget()
        budget.size = left
        return try opener.open(test.text("jwe"), within: &budget).plaintext
    }
}
