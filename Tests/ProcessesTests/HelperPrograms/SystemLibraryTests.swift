import Foundation
import Glibc
import Processes
import TestSupport
import Testing

/// Libraries are loaded only from where nobody but this user and root can put them.
@Suite struct SystemLibraryTests {
    private let folder: TemporaryDirectory
    private let path: String
    private static let name = "libexample.so.1"

    init() throws {
        folder = try TemporaryDirectory()
        path = try folder.write("", to: "lib/\(Self.name)", permissions: 0o644)
    }

    private func found(in folders: [String]? = nil) throws(SystemLibrary.Problem) -> String {
        try SystemLibrary.path(of: Self.name, in: folders ?? [folder.url.path, "\(folder.url.path)/lib"])
    }

    @Test func findsTheFirst() throws {
        #expect(try found() == path)
    }

    @Test func noOtherFolderIsSearched() {
        #expect(throws: SystemLibrary.Problem.missing) { try found(in: [folder.url.path]) }
        #expect(throws: SystemLibrary.Problem.missing) { try SystemLibrary.path(of: Self.name) }
    }

    @Test(arguments: [0o666, 0o664, 0o646]) func refusesAFileToWhichOthersMayWrite(_ permissions: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        // The group of a user who is not root may be of that user alone.
        guard permissions & 0o002 != 0 || geteuid() == 0 else { return }
        #expect {
            try found()
        } throws: { error in
            guard case .unsafe(let path, let objection)? = error as? SystemLibrary.Problem else { return false }
            return path == self.path && objection.contains("other users may write to it")
        }
    }

    @Test func refusesAFolderToWhichOthersMayWrite() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: "\(folder.url.path)/lib")
        #expect(throws: SystemLibrary.Problem.self) { try found() }
    }

    /// A link that leads to where others may write, as `libexample.so.1` usually leads to `libexample.so.1.2`.
    @Test func looksAtWhereALinkLeads() throws {
        let other = try folder.write("", to: "other/\(Self.name).2", permissions: 0o644)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        #expect(try found() == path)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: other)
        #expect(throws: SystemLibrary.Problem.self) { try found() }
    }
}
