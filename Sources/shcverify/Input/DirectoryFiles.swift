import Credentials
import SMARTHealthCards

/// The three files of a published directory: the list of issuers, the snapshot of their keys, and its signature.
struct DirectoryFiles {
    let issuers: [UInt8]
    let snapshot: [UInt8]
    let signature: [UInt8]

    /// Reads one of the files.
    static func parse(_ bytes: [UInt8], name: String) throws -> IssuerDirectory {
        do throws(IssuerDirectoryError) {
            return try IssuerDirectory(bytes)
        } catch {
            StandardStreams.warn("shcverify: \(name): \(error)")
            throw CommandExit.malformed
        }
    }

    /// A short description of a directory.
    static func describe(_ directory: IssuerDirectory) -> String {
        var text = "\(directory.entries.count) issuers"
        if directory.isSnapshot { text += ", \(directory.keyCount) keys" }
        if let time = directory.time { text += ", as of \(time.toTheSecond)" }
        return text
    }
}
