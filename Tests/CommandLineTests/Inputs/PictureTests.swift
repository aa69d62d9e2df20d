import Foundation
import StrictJSON
import TestSupport
import Testing

/// What `make scanner` builds.
enum ScannerProducts {
    static let areBuilt = FileManager.default.fileExists(atPath: BuiltProduct.program("shcverify-scan"))
    static let cageProbe = Paths.root.appendingPathComponent("Scanner/.build/release/CageProbe").path
    static let hasCageProbe = FileManager.default.fileExists(atPath: cageProbe)
}

/// Pictures and PDF documents as inputs, with the real scanner.
@Suite(.enabled(if: ScannerProducts.areBuilt, "needs make scanner")) struct PictureTests {
    static let keys = OutputTests.keys

    static func picture(_ name: String) -> String { Paths.vector("pictures/\(name)") }

    static func run(_ arguments: [String], stdin: [UInt8] = []) async throws -> Shcverify.Result {
        try await Shcverify.run(arguments + keys, stdin: stdin)
    }

    private static func report(_ names: [String]) async throws -> (exitCode: Int32, document: JSONValue) {
        let result = try await run(names.map(picture) + ["--format", "json"])
        return (result.exitCode, try JSONDocument.parse(Array(result.stdout.utf8)))
    }

    private static func list(_ value: JSONValue?) -> [JSONValue] { value?.elements.map { Array($0) } ?? [] }

    /// The first place of the first card.
    private static func place(_ document: JSONValue) throws -> JSONValue {
        let places = list(list(document["cards"]).first?["places"])
        return try #require(places.first)
    }

    private static func integer(_ value: JSONValue?) -> Int? { value?.number?.integer.map { Int($0) } }

    @Test(
        arguments: [
            "card.png", "card.jpg", "card-grey.jpg", "card-cmyk.jpg", "card-progressive.jpg", "card.webp",
            "card-animated.webp",
            "card.gif", "card-animated.gif", "card.tiff", "card.bmp", "card.heic", "card.svg", "photo.jpg",
            "screenshot.png",
            "card.pdf", "card-attachment.pdf", "card-empty-password.pdf", "no-quiet-zone.png",
        ])
    func everyFormatIsRead(name: String) async throws {
        let (exitCode, document) = try await Self.report([name])
        #expect(exitCode == 0)
        let cards = Self.list(document["cards"])
        #expect(cards.count == 1)
        #expect(cards.first?["inputKind"]?.words == (name.hasSuffix(".pdf") ? "pdf" : "picture"))
        guard name != "card-attachment.pdf" else { return }
        let place = try Self.place(document)
        #expect(Self.integer(place["page"]) == (name == "card.tiff" ? 2 : 1))
        #expect(Self.list(place["corners"]).count == 4)
    }

    /// EXIF says that the picture is to be turned, so the corners are those of the turned picture.
    @Test func cornersAreThoseThatAViewerShows() async throws {
        let (_, document) = try await Self.report(["card.jpg"])
        let place = try Self.place(document)
        let width = try #require(Self.integer(place["width"]))
        let height = try #require(Self.integer(place["height"]))
        let corners = Self.list(place["corners"]).map { Self.list($0).compactMap { Self.integer($0) } }
        #expect(corners.allSatisfy { $0.count == 2 && (0...width).contains($0[0]) && (0...height).contains($0[1]) })
        // Upright, so the first corner is the top left one.
        #expect(corners[0][0] < corners[1][0] && corners[1][1] < corners[2][1])
    }

    @Test(
        arguments: [
            ("forged.png", 11, "signature-invalid"), ("malformed.png", 10, "malformed-qr"),
            ("nothing.png", 27, "no-code-found"),
            ("website.png", 10, "malformed-input"), ("chunk-1.png", 27, "qr-chunk-missing"),
            ("card-password.pdf", 27, "picture-unreadable"), ("card-and-refused-file.pdf", 10, "malformed-input"),
        ] as [(String, Int32, String)])
    func failuresHaveTheirReason(name: String, exitCode: Int32, reason: String) async throws {
        let (code, document) = try await Self.report([name])
        #expect(code == exitCode)
        #expect(Self.list(document["cards"]).last?["reason"]?["code"]?.words == reason)
    }

    /// A genuine card does not hide what stands beside it.
    @Test(arguments: ["card-and-forged-jws.png", "card-and-forged-jws.pdf", "card-and-forged-cwt.pdf"])
    func forgedCardBesideAGenuineOneFails(name: String) async throws {
        let options = ["--directory", Paths.vector("hcert/trust/signers.pem")]
        let result = try await Self.run([Self.picture(name), "--format", "json"] + options)
        #expect(result.exitCode == 11)
        let cards = Self.list(try JSONDocument.parse(Array(result.stdout.utf8))["cards"])
        #expect(cards.map { $0["verdict"]?.words }.sorted { $0 ?? "" > $1 ?? "" } == ["pass", "fail"])
        let lint = try await Shcverify.run(["lint", Self.picture(name)] + options + Self.keys)
        #expect(lint.exitCode == 10)
    }

    @Test func websiteIsNamedButNotShown() async throws {
        let result = try await Self.run([Self.picture("website.png")])
        #expect(result.stderr.contains("a web address"))
        #expect(!result.stderr.contains("http"))
    }

    @Test func allCardsOfAPictureAreVerified() async throws {
        let (code, document) = try await Self.report(["two-cards.png"])
        #expect(code == 0)
        #expect(Self.list(document["cards"]).count == 2)
        let (second, mixed) = try await Self.report(["card.png", "forged.png"])
        #expect(second == 11)
        #expect(Self.list(mixed["cards"]).count == 2)
    }

    /// A viewer shows more than the first frame of an animation, and more than the first picture of a HEIC.
    @Test(arguments: ["forged-frame.gif", "forged-frame.webp", "forged-frame.png", "forged-animation.png"])
    func everyFrameCounts(name: String) async throws {
        let (exitCode, document) = try await Self.report([name])
        #expect(exitCode == 11)
        let cards = Self.list(document["cards"])
        #expect(cards.map { $0["verdict"]?.words } == ["pass", "fail"])
        #expect(cards.last?["reason"]?["code"]?.words == "signature-invalid")
        #expect(Self.integer(Self.list(cards.last?["places"]).first?["page"]) == 2)
    }

    @Test(arguments: ["split-frames.gif", "split-frames.webp", "split-frames.png", "two-pictures.heic"])
    func framesAreReadAsAViewerShowsThem(name: String) async throws {
        let (exitCode, document) = try await Self.report([name])
        #expect(exitCode == 0)
        #expect(Self.list(document["cards"]).count == 1)
        #expect(Self.integer(try Self.place(document)["page"]) == 2)
    }

    @Test func framesThatWereNotLookedAtAreSaid() async throws {
        let (exitCode, document) = try await Self.report(["many-frames.gif"])
        #expect(exitCode == 0)
        let warnings = Self.list(Self.list(document["cards"]).first?["warnings"])
        #expect(warnings.compactMap { $0["code"]?.words } == ["codes-not-read"])
    }

    /// An animation that is cut off may have had more frames.
    @Test(arguments: ["forged-frame.gif", "forged-frame.webp", "forged-frame.png"])
    func anAnimationThatIsCutOffDoesNotPassSilently(name: String) async throws {
        let whole = try Paths.bytes(Self.picture(name))
        let result = try await Self.run(["-", "--format", "json"], stdin: Array(whole.dropLast(500)))
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        let cards = Self.list(document["cards"])
        let warnings = Self.list(cards.first?["warnings"]).compactMap { $0["code"]?.words }
        #expect(result.exitCode != 0 || warnings.contains("codes-not-read"))
        #expect(cards.first?["verdict"]?.words == "pass")
    }

    @Test func otherCodesAreSkippedWithAWarning() async throws {
        let (code, document) = try await Self.report(["card-and-website.png"])
        #expect(code == 0)
        let warnings = Self.list(Self.list(document["cards"]).first?["warnings"])
        #expect(warnings.contains { $0["code"]?.words == "other-codes-skipped" })
    }

    @Test(arguments: [
        ["chunks.png"], ["chunk-1.png", "chunk-2.png", "chunk-3.png"], ["chunk-3.png", "chunk-1.png", "chunk-2.png"],
    ])
    func partsMayBeOnSeveralPictures(names: [String]) async throws {
        let (code, document) = try await Self.report(names)
        #expect(code == 0)
        let cards = Self.list(document["cards"])
        #expect(cards.count == 1)
        #expect(Self.list(cards.first?["places"]).count == 3)
    }

    @Test func readsAPictureFromStandardInput() async throws {
        let result = try await Self.run(["-", "--quiet"], stdin: Paths.bytes(Self.picture("photo.jpg")))
        #expect(result.exitCode == 0)
    }

    @Test(arguments: ["verify", "records", "inspect"]) func everyCommandReadsPictures(command: String) async throws {
        let options = command == "inspect" ? [] : Self.keys
        let result = try await Shcverify.run([command, Self.picture("photo.jpg")] + options)
        #expect(result.exitCode == 0)
        #expect(result.stdout.contains(command == "inspect" ? "Immunization" : "COVID-19"))
    }

    @Test(arguments: [
        ("two-cards.png", 2), ("chunks.png", 3), ("card.pdf", 1), ("card-and-website.png", 2), ("photo.jpg", 1),
    ])
    func inspectPrintsTheTextsOfCodes(name: String, count: Int) async throws {
        let result = try await Shcverify.run(["inspect", "--format", "qr", Self.picture(name)])
        #expect(result.exitCode == 0)
        #expect(result.stderr == "shcverify: NOT VERIFIED: these are the texts of QR codes as they were read\n")
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == count && lines.contains { $0.hasPrefix("shc:/") })
        // What was printed says what the picture says.
        let (_, document) = try await Self.report([name])
        let codes = lines.flatMap { ["--qr", String($0)] }.filter { !$0.hasPrefix("https:") }
        let again = try await Self.run((codes.last == "--qr" ? codes.dropLast() : codes) + ["--format", "json"])
        #expect(again.exitCode == 0, "\(again.stderr)")
        let verdicts = Self.list(try JSONDocument.parse(Array(again.stdout.utf8))["cards"])
        #expect(verdicts.map { $0["issued"]?.words } == Self.list(document["cards"]).map { $0["issued"]?.words })
        guard name == "two-cards.png" else { return }
        let batch = try await Shcverify.run(["batch", "-"] + Self.keys, stdin: Array(result.stdout.utf8))
        #expect(batch.exitCode == 0)
    }

    @Test func inspectSaysWhereNoCodeWasRead() async throws {
        let result = try await Shcverify.run([
            "inspect", "--format", "qr", Self.picture("card.png"), Self.picture("nothing.png"), OutputTests.card,
            "--qr", "::error::x\n\u{1B}[2J##[x]",
        ])
        #expect(result.exitCode != 0)
        #expect(
            result.errorLines.count == 3 && result.errorLines.dropLast().allSatisfy { $0.contains(": no-code-found: ") }
        )
        // Text from strangers neither controls a terminal nor commands a build server.
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == "'::error::x\u{FFFD}\u{FFFD}[2J# #[x]", "\(lines)")
        let following = try await Shcverify.run(["inspect", "--format", "qr", "--follow", Self.picture("card.png")])
        #expect(following.exitCode == 64 && following.stdout.isEmpty)
    }

    @Test func aGlobOfManyPictures() async throws {
        let result = try await Self.run(Array(repeating: Self.picture("card.png"), count: 40) + ["--quiet"])
        #expect(result.exitCode == 0)
    }

    /// Whether the library that reads QR codes tells their version and segments. ZXing 2 does not.
    @Sendable private static func symbolsAreTold() async throws -> Bool {
        let result = try await Shcverify.run(["lint", "--offline", picture("card.png")])
        return !result.stdout.contains("the QR code itself was not checked")
    }

    @Test(
        .enabled("needs ZXing 1", symbolsAreTold),
        arguments: [
            ("version-23.png", "invalid-qr-version"), ("single-segment.png", "invalid-qr"),
            ("no-quiet-zone.png", "invalid-qr"),
        ])
    func lintChecksTheSymbol(name: String, code: String) async throws {
        try await lintFinds(code, on: name)
    }

    @Test(arguments: ["nothing.png", "website.png"]) func lintFindsNoCard(name: String) async throws {
        try await lintFinds("qr-decode-error", on: name)
    }

    private func lintFinds(_ code: String, on name: String) async throws {
        let result = try await Shcverify.run(["lint", "--offline", Self.picture(name), "--format", "json"])
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        #expect(Self.list(document["findings"]).contains { $0["code"]?.words == code })
    }

    @Test(.enabled("needs ZXing 1", symbolsAreTold)) func lintFindsNothingWrongWithAGoodSymbol() async throws {
        let result = try await Shcverify.run(["lint", "--offline", Self.picture("card.png"), "--format", "json"])
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        let codes = Self.list(document["findings"]).compactMap { $0["code"]?.words }
        #expect(!codes.contains { $0.contains("qr") })
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
    func picturesOfOthersAreJudgedAsExpected() async throws {
        let folder = "pictures/test-example-00-g-qr-code-0-"
        let code = { (name: String) in
            try await Shcverify.run([
                SharedData.path(folder + name), "--jwks", SharedData.path("spec-examples/issuer.jwks.json"), "--at",
                "2022-06-01T00:00:00Z", "--offline", "--quiet",
            ]).exitCode
        }
        #expect(try await code("scaled-85.jpg") == 0)
        let drawing = try await Shcverify.run([
            SharedData.path("spec-examples/example-00-g-qr-code-0.svg"), "--jwks",
            SharedData.path("spec-examples/issuer.jwks.json"), "--offline", "--quiet",
        ])
        #expect(drawing.exitCode == 0 || drawing.stderr.contains("revocation"))
        #expect(try await code("single_qr_segment.png") == 0)
        #expect(try await code("corrupted.png") == 27)
        let link = try await Shcverify.run([SharedData.path("pictures/shlink-qr.png"), "--offline"])
        #expect(link.exitCode == 10 && link.stderr.contains("malformed-link"))
    }
}

/// An installation without the scanner.
@Suite struct MissingScannerTests {
    @Test func withoutTheScannerAPictureCannotBeRead() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let alone = directory.appendingPathComponent("shcverify").path
            try FileManager.default.copyItem(atPath: Shcverify.path, toPath: alone)
            for name in ["photo.jpg", "card.pdf", "card.svg"] {
                let result = try await Shcverify.run(
                    [Paths.vector("pictures/\(name)"), "--offline"], executable: alone)
                #expect(result.exitCode == 66)
                #expect(result.stderr.contains("shcverify-scan") && result.stderr.contains("make install"))
            }
            let card = try await Shcverify.run([OutputTests.card, "--quiet"] + OutputTests.keys, executable: alone)
            #expect(card.exitCode == 0, "cards in other forms need no scanner")
        }
    }
}
