import SystemPackage
import TestSupport
import Testing

import struct Foundation.Data
import class Foundation.FileManager
import struct Foundation.URL

@testable import Processes

/// A file appears as a whole or not at all, whether or not the file system has files without a name.
@Suite struct DraftTests {
    private func names(in folder: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test(arguments: [true, false]) func takesItsNameWhenItIsFinished(mayBeUnnamed: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("the old content", to: "file")
        let draft = try Draft(replacing: path, permissions: .ownerReadWrite, mayBeUnnamed: mayBeUnnamed)
        let others = try names(in: folder).filter { $0 != "file" }
        if !mayBeUnnamed {
            #expect(others.count == 1)
            #expect(others.allSatisfy { $0.hasPrefix(".shcverify-") && $0.hasSuffix(".part") })
        }
        try draft.file.writeAllWaiting(Array("new".utf8))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("the old content".utf8))
        try draft.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("new".utf8))
        #expect(try names(in: folder) == ["file"])
    }

    @Test(arguments: [true, false]) func leavesNothingIfItIsNotFinished(mayBeUnnamed: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("the old content", to: "file")
        do {
            let draft = try Draft(replacing: path, permissions: .ownerReadWrite, mayBeUnnamed: mayBeUnnamed)
            try draft.file.writeAllWaiting(Array("new".utf8))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("the old content".utf8))
        #expect(try names(in: folder) == ["file"])
    }
}
