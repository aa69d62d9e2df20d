import Credentials
import Directories
import Foundation
import TestSupport
import Testing

/// Folders of dated snapshots.
@Suite struct SnapshotArchiveTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func write(_ time: String, to name: String) throws {
        try folder.write(#"{"time":"\#(time)","issuerInfo":[]}"#, to: name)
    }

    private func archive() throws -> SnapshotArchive { try SnapshotArchive(folder.url.path) }

    private func names(_ snapshots: [SnapshotArchive.Dated]?) -> [String]? {
        snapshots?.map { URL(fileURLWithPath: $0.path).lastPathComponent }
    }

    @Test func theTimeInTheFileDecides() throws {
        try write("2026-05-01T00:00:00Z", to: "a.json")
        try write("2026-04-01T00:00:00Z", to: "b.JSON")
        try write("2026-03-01T00:00:00Z", to: "c.txt")
        let archive = try archive()
        #expect(names(archive.snapshots) == ["b.JSON", "a.json"] && archive.otherCount == 0)
        let time = try MadePlaces.time("2026-04-15T00:00:00Z")
        let found = try #require(archive.latest(by: time))
        #expect(names(found.snapshots) == ["b.JSON"] && found.next?.path.hasSuffix("/a.json") == true)
        #expect(try archive.latest(by: MadePlaces.time("2026-03-31T00:00:00Z")) == nil)
        let last = try #require(try archive.latest(by: MadePlaces.time("2026-05-01T00:00:00Z")))
        #expect(names(last.snapshots) == ["a.json"] && last.next == nil)
    }

    /// Two directories may be kept in one folder.
    @Test func allSnapshotsOfATimeCount() throws {
        for name in ["b.json", "a.json"] { try write("2026-05-01T00:00:00Z", to: name) }
        let found = try #require(try archive().latest(by: MadePlaces.time("2026-05-02T00:00:00Z")))
        #expect(names(found.snapshots) == ["a.json", "b.json"])
    }

    @Test func otherFilesAreCounted() throws {
        try folder.write("{}", to: "other.json")
        try folder.write(#"{"participating_issuers":[]}"#, to: "list.json")
        try folder.write("x", to: "folder.json/x")
        // A pipe would never end.
        #expect(mkfifo("\(folder.url.path)/pipe.json", 0o600) == 0)
        let archive = try archive()
        #expect(archive.snapshots.isEmpty && archive.otherCount == 4)
    }

    @Test func saysWhyAFolderCannotBeUsed() throws {
        do throws(SnapshotArchive.Failure) {
            _ = try SnapshotArchive(folder.url.path + "/none")
            Issue.record("there is no folder")
        } catch {
            guard case .noFolder = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
