import Credentials
import Directories
import Encodings
import FHIR
import Foundation
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

    // MARK: Updates

    private static let now = "2026-06-01T00:00:00Z"

    private static func list(_ codes: Range<Int>, date: String) throws -> CodeList {
        try CodeList(Array(codes.map { "\($0)|Shot|Shot||Active|False|\(date)\n" }.joined().utf8))
    }

    /// What speaks against a list, if another one is installed.
    private static func objection(
        _ list: CodeList, installed: CodeList, on day: String = "2026-05-01"
    ) throws -> CodeListObjection? {
        var archive = CodeArchive()
        archive.install(installed, from: "cvx.txt", on: day)
        return try CodeListObjection(to: list, in: archive, now: MadePlaces.time(now))
    }

    @Test(
        arguments: [
            ("2026/05/01", nil), ("2026/05/02", nil), ("2026/04/30", "older"), ("2026/06/03", nil),
            ("2026/06/04", "future"),
        ] as [(String, String?)])
    func olderListsAndThoseFromTheFutureAreRefused(_ date: String, _ objection: String?) throws {
        let found = try Self.objection(
            Self.list(300..<310, date: date), installed: Self.list(300..<310, date: "2026/05/01"))
        switch found {
        case nil: #expect(objection == nil)
        case .older(let date, let installed):
            #expect(objection == "older" && date == "2026-04-30" && installed.date == "2026-05-01")
        case .future(let date): #expect(objection == "future" && date == "2026-06-04")
        case .fewerCodes: Issue.record("it has as many codes")
        }
    }

    /// A wrong clock may have let it in.
    @Test func anInstalledListFromTheFutureBlocksNothing() throws {
        let list = try Self.list(300..<310, date: "2026/05/01")
        #expect(try Self.objection(list, installed: Self.list(300..<310, date: "2030/01/01")) == nil)
    }

    @Test(arguments: [(5, true), (4, false)]) func aListThatLostHalfOfItsCodesIsRefused(
        _ count: Int, _ isAccepted: Bool
    ) throws {
        let list = try Self.list(300..<300 + count, date: "2026/05/02")
        let found = try Self.objection(list, installed: Self.list(300..<310, date: "2026/05/01"))
        guard case .fewerCodes(count, let installed)? = found else {
            #expect(found == nil && isAccepted)
            return
        }
        #expect(!isAccepted && installed.count == 10)
    }

    @Test func listsOfAnotherKindAreNotCompared() throws {
        let other = try CodeList(Array("PFR|Pfizer, Inc||Active|2020/01/01\n".utf8))
        #expect(try Self.objection(other, installed: Self.list(300..<310, date: "2026/05/01")) == nil)
    }
}
