import Foundation
import Testing

/// SECURITY.md has promises, Tests/promises.txt has the tests of each, and docs/limits.md has all bounds. A test is named as `Suite.test`, or as
/// `page.md: heading` if it is a section of a page in Tests/Sessions.
struct SecurityPageTests {
    private let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The tests of a promise, or of a part of one.
    private struct Entry {
        let promise: String
        var tests: [Substring] = []
    }

    /// The entries of Tests/promises.txt. A promise begins a paragraph, and comments divide it into parts.
    private func entries() throws -> [Entry] {
        var entries: [Entry] = []
        for paragraph in try text("Tests/promises.txt").components(separatedBy: "\n\n") {
            let lines = paragraph.split(separator: "\n").filter { !$0.hasPrefix("#") }
            guard let name = lines.first else { continue }
            #expect(!name.hasPrefix(" "), "not the name of a promise: \(name)")
            entries.append(Entry(promise: String(name)))
            for line in lines.dropFirst() {
                #expect(line.hasPrefix("  "), "neither a test nor a comment: \(line)")
                let content = line.drop { $0 == " " }
                if !content.hasPrefix("#") {
                    entries[entries.count - 1].tests.append(content)
                } else if entries.last?.tests.isEmpty == false {
                    entries.append(Entry(promise: String(name)))
                }
            }
        }
        return entries
    }

    @Test func everyPromiseHasAnEntryAndEveryEntryAPromise() throws {
        let page = try text("SECURITY.md")
        let section = try #require(page.components(separatedBy: "\n## What is promised\n").dropFirst().first)
        let items = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("- ") }
        let promises = items.compactMap { $0.prefixMatch(of: #/- \*\*(.+?)\.\*\* /#).map { String($0.1) } }
        #expect(promises.count == items.count, "a promise has no name")
        #expect(promises.count > 30)
        #expect(Set(promises).count == promises.count, "two promises have the same name")
        var names: [String] = []
        for entry in try entries() where entry.promise != names.last { names.append(entry.promise) }
        #expect(names == promises)
    }

    /// Each promise, and each part of one, also has a test that runs in a clone, which has no data of other projects.
    @Test func everyTestOfAPromiseExists() throws {
        let folder = root.appending(path: "Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix("Tests.swift")
        }
        let files = try names.map { try Data(contentsOf: folder.appending(path: $0)) }
        for entry in try entries() {
            #expect(!entry.tests.isEmpty, "no test of a part of the promise: \(entry.promise)")
            var runsInAClone = false
            for test in entry.tests {
                if let session = test.wholeMatch(of: /([\w-]+\.md): (.+)/) {
                    let page = try text("Tests/Sessions/\(session.1)")
                    #expect(page.contains("\n## \(session.2)\n"), "the section \(test) does not exist")
                    runsInAClone = true
                } else if let function = test.wholeMatch(of: /(\w+Tests)\.(\w+)/) {
                    let found = files.lazy.compactMap { attributes(of: function.2, in: function.1, $0) }.first
                    #expect(found != nil, "the test \(test) does not exist")
                    if let found, !found.contains("SharedData") { runsInAClone = true }
                } else {
                    Issue.record("neither a test nor a section: \(test)")
                }
            }
            #expect(runsInAClone, "no test runs without data of other projects: \(entry)")
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

    @Test func pageOfLimitsListsEveryBound() throws {
        let page = try text("docs/limits.md")
        let names = try text("Sources/Credentials/Bounds.swift").matches(of: /static let (\w+)/)
        #expect(!names.isEmpty)
        for name in names { #expect(page.contains("`\(name.1)`"), "\(name.1) is not in the table of limits") }
    }
}
