import CredentialReports
import Foundation
import StrictJSON
import TestSupport
import Testing

/// Runs every vector with the executable.
@Suite struct VectorTests {
    static let vectors = Vector.all(
        Paths.vectors.appendingPathComponent("vectors.json"), member: "vectors", folder: Paths.vectors
    )

    @Test func thereAreVectors() {
        #expect(Self.vectors.count > 700)
    }

    @Test(arguments: vectors) func agrees(with vector: Vector) async throws {
        try await Self.check(vector)
    }

    static let cases = Vector.all(
        SharedData.conformance.appendingPathComponent("cases/cases.json"), member: "cases",
        folder: SharedData.conformance
    ).filter { $0.mode == "verify" && $0.id != drawing }

    /// A case from the time when drawings were not read. `PictureTests` reads the drawing.
    private static let drawing = "spec/examples/00-svg"

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"), arguments: cases)
    func agreesWithConformanceData(_ vector: Vector) async throws {
        try await Self.check(vector)
    }

    /// The report is a `VerdictReport`, which is encoded as the same JSON, and decoded by Foundation too.
    private static func checkReport(_ text: String) throws {
        let encoded = try JSONEncoder().encode(VerdictReport(reading: Array(text.utf8)))
        // Foundation reads no number that is too large for it. Large reports take it long.
        guard text.utf8.count < 100_000,
            let printed = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        else { return }
        #expect(try JSONSerialization.jsonObject(with: encoded) as? NSDictionary == printed)
        let again = try JSONEncoder().encode(JSONDecoder().decode(VerdictReport.self, from: encoded))
        #expect(try JSONSerialization.jsonObject(with: again) as? NSDictionary == printed)
    }

    private static func check(_ vector: Vector) async throws {
        let result = try await vector.run()
        #expect(vector.exitCodes.contains(Int(result.exitCode)), "\(result.stderr)")
        for words in vector.stderrContains { #expect(result.stderr.lowercased().contains(words)) }
        guard let document = try? JSONDocument.parse(Array(result.stdout.utf8)) else {
            #expect(result.stdout.isEmpty)
            #expect([64, 66].contains(result.exitCode))
            return
        }
        #expect(document["exitCode"]?.number?.integer == Int64(result.exitCode))
        if vector.mode == "verify" { try checkReport(result.stdout) }
        let failed = document["cards"]?.elements?.filter { $0["verdict"]?.words != "pass" } ?? []
        #expect((failed.isEmpty) == (result.exitCode == 0))
        #expect(result.errorLines.count == failed.count, "one line for each card that did not verify")
        if result.exitCode != 0 {
            #expect(vector.reasons.contains(failed.first?["reason"]?["code"]?.words), "\(result.stderr)")
        }
        for (pointer, value) in vector.pointers {
            #expect((document.at(pointer)?.compact ?? "null") == value.compact, "\(pointer)")
        }
        if let bundle = vector.bundle {
            let parts = bundle.split(separator: "#")
            let folder = vector.id.contains("/examples/") ? SharedData.conformance : Paths.vectors
            let file = try JSONDocument.parse(Paths.bytes(folder.appendingPathComponent(String(parts[0])).path))
            let expected = parts.count > 1 ? file.at(String(parts[1])) : file
            #expect(document.at("/cards/0/fhirBundle")?.compact == expected?.compact)
        }
    }
}
