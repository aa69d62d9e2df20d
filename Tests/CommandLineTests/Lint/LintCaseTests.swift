import Foundation
import StrictJSON
import TestSupport
import Testing

/// Runs the lint cases of other projects with the executable.
@Suite struct LintCaseTests {
    static let cases = Vector.all(
        SharedData.conformance.appendingPathComponent("cases/cases.json"), member: "cases",
        folder: SharedData.conformance
    ).filter { $0.mode == "lint" }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)")) func thereAreCases() {
        #expect(Self.cases.count > 40)
    }

    @Test(.enabled(if: SharedData.isPresent, "\(SharedData.absence)"), arguments: cases)
    func findsWhatOtherLintersFind(in vector: Vector) async throws {
        let result = try await vector.run()
        let document = try JSONDocument.parse(Array(result.stdout.utf8))
        let findings = document["findings"]?.elements.map { Array($0) } ?? []
        let codes = findings.compactMap { $0["code"]?.words }
        let all = findings.map {
            "\($0["rule"]?.words ?? "") \($0["path"]?.words ?? ""): \($0["message"]?.words ?? "")"
        }
        .joined(separator: "\n")
        #expect(vector.exitCodes.contains(Int(result.exitCode)), "\(all)")
        for alternatives in vector.mustFind {
            #expect(alternatives.contains { codes.contains($0) }, "\(alternatives), found: \(all)")
        }
        for code in vector.mustNotFind { #expect(!codes.contains(code), "\(code), found: \(all)") }
    }
}
