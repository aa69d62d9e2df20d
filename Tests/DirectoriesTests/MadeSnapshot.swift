import Cryptography
import Directories
import Foundation
import TestSupport
import Testing

/// A directory of issuers that is signed for a test, with a key of its own.
struct MadeSnapshot {
    let folder: TemporaryDirectory
    /// The key that has signed the snapshots.
    let key: P521PublicKey

    /// - Parameter snapshots: the snapshots by name.
    init(_ snapshots: [String: String]) throws {
        folder = try TemporaryDirectory()
        for (name, snapshot) in snapshots { try folder.write(snapshot, to: "\(name).json") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TestSupport/sign_snapshot.py")
        process.arguments = ["-B", script.path, folder.url.path]
        try process.run()
        process.waitUntilExit()
        key = try P521PublicKey(certificate: Self.bytes("signer.pem", in: folder))
    }

    private static func bytes(_ name: String, in folder: TemporaryDirectory) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    /// The files of a directory.
    ///
    /// - Parameters:
    ///   - name: the name of the snapshot.
    ///   - signature: that of the snapshot whose signature is taken; nil for the same.
    func files(_ name: String, signature: String? = nil, issuers: String) throws -> DirectoryFiles {
        DirectoryFiles(
            issuers: Array(issuers.utf8), snapshot: try Self.bytes("\(name).json", in: folder),
            signature: try Self.bytes("\(signature ?? name).sig", in: folder))
    }
}
