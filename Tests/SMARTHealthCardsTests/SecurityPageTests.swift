import Credentials
import Foundation
import SMARTHealthCards
import Testing

/// The tests that SECURITY.md names exist, and it lists all bounds. It names a test as `Suite.test`, and a section of a page in
/// Tests/Sessions as `page.md: heading`.
struct SecurityPageTests {
    private let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func page() throws -> String {
        try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
    }

    /// Each promise also has a test that runs in a clone, which has no data of other projects.
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
            let sessions = row.matches(of: /`([\w-]+\.md): ([^`]+)`/)
            for session in sessions {
                let page = try String(contentsOf: folder.appending(path: "Sessions/\(session.1)"), encoding: .utf8)
                #expect(page.contains("\n## \(session.2)\n"), "the section \(session.0) does not exist")
            }
            #expect(!tests.isEmpty || !sessions.isEmpty, "no test: \(row)")
            let conditions = tests.map { test in
                let found = files.lazy.compactMap { attributes(of: test.2, in: test.1, $0) }.first
                #expect(found != nil, "the test \(test.0) does not exist")
                return found ?? ""
            }
            #expect(
                !sessions.isEmpty || conditions.contains { !$0.contains("SharedData") },
                "no test of this promise runs without data of other projects: \(row)")
        }
    }

    /// The attributes of a test and of its suite; nil if a file does not have the test.
    private func attributes(of test: Substring, in suite: Substring, _ file: Data) -> String? {
        guard let name = file.range(of: Data("struct \(suite)".utf8)) else { return nil }
        // A suite ends where the next begins.
        let end = file.range(of: Data("\n}\n".utf8), in: name.upperBound..<file.endIndex)
        let body = name.upperBound..<(end?.lowerBound ?? file.endIndex)
        guard let function = file.range(of: Data("func \(test)(".utf8), in: body) else { return nil }
        let of = { (mark: String, place: Data.Index) in
            let before = file.startIndex..<place
            let begin = file.range(of: Data(mark.utf8), options: .backwards, in: before)?.lowerBound
            return String(decoding: file[(begin ?? place)..<place], as: UTF8.self)
        }
        return of("\n\n", name.lowerBound) + of("@Test", function.lowerBound)
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
