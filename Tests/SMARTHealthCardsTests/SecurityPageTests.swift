import Credentials
import Foundation
import SMARTHealthCards
import Testing

/// The tests that SECURITY.md names exist, and it lists all bounds.
struct SecurityPageTests {
    private let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func page() throws -> String {
        try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
    }

    @Test func everyPromiseNamesExistingTests() throws {
        let folder = root.appending(path: "Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix("Tests.swift")
        }
        let files = try names.map { try Data(contentsOf: folder.appending(path: $0)) }
        let section = try #require(try page().components(separatedBy: "\n## What is promised").dropFirst().first)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(rows.count > 30)
        // The first row is the table's header.
        for row in rows.dropFirst() {
            let tests = row.matches(of: /`(\w+Tests)\.(\w+)`/)
            #expect(!tests.isEmpty, "no test: \(row)")
            for test in tests {
                let isThere = files.contains { file in
                    guard let suite = file.range(of: Data("struct \(test.1)".utf8)) else { return false }
                    // A suite ends where the next begins.
                    let end = file.range(of: Data("\n}\n".utf8), in: suite.upperBound..<file.endIndex)
                    let body = suite.upperBound..<(end?.lowerBound ?? file.endIndex)
                    return file.range(of: Data("func \(test.2)(".utf8), in: body) != nil
                }
                #expect(isThere, "the test \(test.0) does not exist")
            }
        }
    }

    @Test func pageListsEveryBound() throws {
        let page = try page()
        let bounds = try String(
            contentsOf: root.appending(path: "Sources/Credentials/Bounds.swift"), encoding: .utf8)
        let names = bounds.matches(of: /static let (\w+)/)
        #expect(!names.isEmpty)
        for name in names { #expect(page.contains("`\(name.1)`"), "\(name.1) is not in the table of bounds") }
    }
}
