import Credentials
import Encodings
import Foundation
import Testing

@testable import Containers

/// How shcverify treats the answers of shcverify-scan, with scripts in its place.
@Suite(.timeLimit(.minutes(30))) struct DocumentScannerTests {
    /// The beginning of a script that reads the picture that comes with the program, and leaves any other to the rest of the script.
    private static let readsKnownPicture = """
        if head -c 200 | grep -aq P5; then
            cat >/dev/null
            printf 'page 0 116 116 0\\ncode 0 1 2 3 4 5 6 7 8 - 534843564552494659\\nend\\n'
            exit 0
        fi

        """

    /// Scans a picture by a shell script in place of shcverify-scan.
    private func scan(_ script: String) async throws -> Result<ScannedDocument, VerificationFailure> {
        let directory = FileManager.default.temporaryDirectory.appending(path: "scan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "shcverify-scan")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return try await DocumentScanner(executable: file.path).scan(
            Array("\u{89}PNG".utf8), as: .picture, source: "picture.png")
    }

    @Test func takesTextsAndPlaces() async throws {
        let result = try await scan(
            "cat >/dev/null; printf 'page 0 30 40 2\\ncode 0 1 2 3 4 5 6 7 8 - 7368633a2f\\nend\\n'")
        let document = try result.get()
        #expect(document.codes.map(\.text) == [Array("shc:/".utf8)])
        #expect(document.codes[0].place.source == "picture.png")
        #expect(document.codes[0].place.page == 1)
        #expect(document.codes[0].place.width == 30)
        #expect(document.unreadCodes == 2)
    }

    /// A hostile picture may crash the scanner or take it over. Then nothing that it wrote counts.
    @Test(
        arguments: [
            "kill -SEGV $$", "kill -KILL $$", "exit 1", "exit 0", "cat >/dev/null; printf 'page 0 1 1 0\\n'",
            "cat >/dev/null; printf 'code 0 1 2 3 4 5 6 7 8 - 7368633a2f\\n'; kill -SYS $$",
            "head -c 10000000 /dev/zero",
            "cat >/dev/null; printf 'nonsense\\nend\\n'",
        ])
    func aScannerThatDoesNotFinishMakesThePictureUnreadable(script: String) async throws {
        guard case .failure(let failure) = try await scan(Self.readsKnownPicture + script) else {
            Issue.record("the answer was taken")
            return
        }
        #expect(failure.code == .pictureUnreadable)
        #expect(failure.code.isUndetermined)
    }

    @Test func aScannerThatHangsIsEnded() async throws {
        guard case .failure(let failure) = try await scan(Self.readsKnownPicture + "exec sleep 600") else {
            Issue.record("the answer was taken")
            return
        }
        #expect(failure.code == .pictureUnreadable)
        #expect(failure.message.contains("stopped after 9.5 s"))
    }

    /// The picture that comes with the program tells a broken scanner from a hostile picture.
    @Test(arguments: [
        "kill -SEGV $$", "exit 0", "exit 1", "cat >/dev/null; printf 'nonsense\\nend\\n'", "exec sleep 600",
    ]) func aScannerThatFailsOnTheKnownPictureIsAFaultOfTheInstallation(script: String) async throws {
        let error = await #expect(throws: ScanFailure.self) { try await scan(script) }
        guard case .broken(let message)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("fails twice"))
    }

    /// One failure on that picture may be due to load.
    @Test func aScannerThatFailsOnceOnTheKnownPictureWorks() async throws {
        let once = "if mkdir \"$0.once\" 2>/dev/null; then exit 1; fi\n"
        let afterFirst = "if mkdir \"$0.first\" 2>/dev/null; then exit 1; fi\n"
        let result = try await scan(afterFirst + once + Self.readsKnownPicture + "exit 1")
        #expect(throws: VerificationFailure.self) { try result.get() }
    }

    @Test(arguments: [
        ("exit 127", "library"), ("exit 64", "another version"), ("echo cannot limit memory; exit 70", "memory"),
    ])
    func aScannerThatCannotStartIsAFaultOfTheInstallation(script: String, words: String) async throws {
        let error = await #expect(throws: ScanFailure.self) { try await scan(script) }
        guard case .broken(let message)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains(words))
    }

    @Test(
        arguments: [
            ("tooLarge", "megapixels"), ("unsupported", "format"), ("morePages", "pages"), ("tooManyCodes", "64"),
            ("damaged", "damaged"),
        ])
    func problemsAreSaidInWords(problem: String, words: String) async throws {
        let code =
            ["tooLarge": "too-large", "morePages": "more-pages", "tooManyCodes": "too-many-codes"][problem] ?? problem
        guard case .failure(let failure) = try await scan("cat >/dev/null; printf 'problem \(code)\\nend\\n'") else {
            Issue.record("the answer was taken")
            return
        }
        #expect(failure.code == .pictureUnreadable)
        #expect(failure.message.contains(words))
    }

    @Test func aLargeFileIsNotGivenToTheScanner() async throws {
        let result = try await DocumentScanner(executable: "/nonexistent").scan(
            [UInt8](repeating: 0, count: Bounds.pictureSize + 1), as: .picture, source: "large")
        #expect(throws: VerificationFailure.self) { try result.get() }
    }
}

/// The output of pdfinfo.
@Suite struct PDFDescriptionTests {
    @Test func readsThePagesAndTheirSizes() throws {
        let text = """
            Producer:        Pages: 7 \u{1B}
            Pages:           2
            Page    1 size:  595.276 x 841.89 pts (A4)
            Page    1 rot:   0
            Page    2 size:  1e9 x 1e9 pts
            """
        let description = try #require(PDFDescription(Array(text.utf8)))
        #expect(description.pageCount == 2)
        #expect(description.pages.map(\.number) == [1, 2])
        #expect(description.pages[0].pixels(at: 200) == 3_866_951)
        #expect(description.pages[1].pixels(at: 300) == 1 << 40)
    }

    @Test(arguments: ["", "Pages: x", "Pages:", "Page 1 size: 1 x 1 pts"]) func refusesOtherOutput(text: String) {
        #expect(PDFDescription(Array(text.utf8)) == nil)
    }

    @Test(arguments: ["nan x 1 pts", "-1 x 1 pts", "inf x inf pts"]) func survivesOddSizes(size: String) throws {
        let description = try #require(PDFDescription(Array("Pages: 1\nPage 1 size: \(size)\n".utf8)))
        for page in description.pages { #expect(page.pixels(at: 200) >= 0) }
    }
}
