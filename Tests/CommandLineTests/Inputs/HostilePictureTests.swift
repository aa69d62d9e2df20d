import Encodings
import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Pictures and documents that are made to crash, stall or flood the programs that read them.
/// `TestVectors/pictures/hostile.py` makes them.
@Suite(.enabled(if: ScannerProducts.areBuilt, "needs make scanner"), .timeLimit(.minutes(30)))
struct HostilePictureTests {
    /// One file in so many is tried, and all those that are named below. A run over all takes a quarter of an hour:
    /// HOSTILE_PICTURES=all
    private static let step = ProcessInfo.processInfo.environment["HOSTILE_PICTURES"] == "all" ? 1 : 40

    /// Files of each kind that crash a decoder, or use up its time or memory.
    private static let worst: Set = [
        "code-finders-12100.png", "heic-derived-pair.heic", "pdf-function-deep.pdf", "pdf-forms-exponential.pdf",
        "pdf-content-once.pdf", "pdf-names-deep.pdf", "pdf-pages-10000.pdf", "svg-entities.svg",
        "svg-filter-convolve.svg",
        "svg-filter-turbulence.svg", "png-50000-bilevel.png", "code-noise-49.png", "webp-code-groups.webp",
    ]

    @Test func everyHostilePictureEndsInAVerdict() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let made = try await Shcverify.run(
                ["-B", Paths.vector("pictures/hostile.py"), "--output", directory.path], executable: "/usr/bin/python3")
            try #require(made.exitCode == 0, "\(made.stderr)")
            let list = try JSONDocument.parse(Paths.bytes(directory.appendingPathComponent("hostile.json").path))
            let files = list.elements.map { Array($0) } ?? []
            #expect(files.count > 500)
            for (index, entry) in files.enumerated() {
                let name = entry["file"]?.words ?? ""
                let expected = entry["expect"]?.words ?? ""
                guard index.isMultiple(of: Self.step) || Self.worst.contains(name) else { continue }
                let file = directory.appendingPathComponent(name).path
                let result = try await Shcverify.run([file, "--quiet"] + OutputTests.keys)
                // A file with a card that verifies may pass. Nothing else may.
                #expect(
                    expected == "card" || expected == "either"
                        ? [0, 27].contains(result.exitCode) : result.exitCode == 27,
                    "\(name): \(result.exitCode) \(result.stderr.prefix(300))")
                #expect(result.exitCode == 0 || !result.errorLines.isEmpty, "\(name): no line says why")
            }
        }
    }
}

/// Pictures as people take them, from easy to hard. `TestVectors/pictures/generate.py` makes them.
@Suite(.enabled(if: ScannerProducts.areBuilt, "needs make scanner"), .timeLimit(.minutes(30)))
struct GeneratedPictureTests {
    private static let classes = [
        "inverted", "screenshot-dark", "photo-perspective-strong", "photo-curved", "photo-fold", "photo-crumpled",
        "photo-defocus", "photo-dark", "photo-everything", "nine-cards",
    ]

    /// The hardest ones are beyond any decoder, and differ in details with the version of Pillow. So a fifth may be
    /// missed. But no code may be read wrongly: then a card would not verify.
    @Test func photographsAreRead() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let selected = ["--class"] + Self.classes
            let made = try await Shcverify.run(
                ["-B", Paths.vector("pictures/generate.py"), "--output", directory.path, "--per-class", "3"] + selected,
                executable: "/usr/bin/python3")
            try #require(made.exitCode == 0, "\(made.stderr)")
            let list = try JSONDocument.parse(Paths.bytes(directory.appendingPathComponent("manifest.json").path))
            let entries = list.elements.map { Array($0) } ?? []
            #expect(entries.count == 3 * Self.classes.count)
            var missed: [String] = []
            for entry in entries {
                let name = entry["file"]?.words ?? ""
                let file = directory.appendingPathComponent(name).path
                let result = try await Shcverify.run([file, "--format", "json"] + OutputTests.keys)
                let document = try JSONDocument.parse(Array(result.stdout.utf8))
                let cards = document["cards"]?.elements.map { Array($0) } ?? []
                let wanted = entry["texts"]?.elements.map { Array($0) } ?? []
                let codes = cards.compactMap { $0["reason"]?["code"]?.words }
                #expect(codes.allSatisfy { ["no-code-found", "picture-unreadable"].contains($0) }, "\(name): \(codes)")
                if codes.isEmpty == false || cards.count < wanted.count { missed.append(name) }
            }
            #expect(missed.count <= entries.count / 5, "\(missed)")
        }
    }
}
