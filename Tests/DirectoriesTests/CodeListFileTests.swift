import Credentials
import Directories
import FHIR
import Foundation
import StrictJSON
import TestSupport
import Testing

/// The file of the installed lists of codes.
@Suite struct CodeListFileTests {
    private let made: MadePlaces
    private let user: ListStore

    init() throws {
        made = try MadePlaces()
        user = try made.user
    }

    private static func archive(_ name: String, date: String) throws -> CodeArchive {
        var archive = CodeArchive()
        archive.install(
            try CodeList(Array("308|\(name)|\(name)||Active|False|\(date)\n".utf8)), from: "cvx.txt", on: "2026-01-01")
        return archive
    }

    private func install(_ archive: CodeArchive, in store: ListStore) throws {
        let file = try #require(CodeListFile.file(of: archive))
        try made.install([(.codes, file)], as: .codes, in: store, at: "2026-05-01T00:00:00Z")
    }

    private func dates() -> [String] { CodeListFile.newest(in: made.places).archive.lists.map(\.date) }

    @Test func theNewerOfTwoEditionsCounts() throws {
        #expect(dates().isEmpty)
        try install(Self.archive("one", date: "2026/05/01"), in: user)
        try install(Self.archive("two", date: "2026/06/01"), in: made.system)
        #expect(dates() == ["2026-06-01"])
        #expect(CodeListFile.newest(in: made.places).leftOut.isEmpty)
    }

    @Test func aChangedByteIsFound() throws {
        let archive = try Self.archive("one", date: "2026/05/01")
        try install(archive, in: user)
        let path = "\(user.parent)/codes/code-lists"
        var file = try #require(CodeListFile.file(of: archive))
        let place = try #require(file.lastIndex(of: UInt8(ascii: "o")))
        file[place] = UInt8(ascii: "u")
        try Data(file).write(to: URL(fileURLWithPath: path))
        let failures = CodeListFile.newest(in: made.places).leftOut
        #expect(failures.map { $0.path.hasSuffix("/code-lists") && $0.isLasting && !$0.isUnsafe } == [true])
        #expect(dates().isEmpty)
        #expect(CodeListFile.names(inUnusable: user) == ["CVX"])
    }

    @Test func anOutlineHasTheListsWithoutTheirCodes() throws {
        try install(Self.archive("one", date: "2026/05/01"), in: user)
        let outline = try CodeListFile.outline(in: user)
        #expect(outline.unreadSize == nil && outline.lists?.map(\.count) == [1])
    }
}
