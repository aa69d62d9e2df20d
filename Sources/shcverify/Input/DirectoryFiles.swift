import ArgumentParser
import SMARTHealthCards

/// The three files that make up a published directory: who takes part, what they published, and the signature over that.
struct DirectoryFiles {
    let issuers: [UInt8]
    let snapshot: [UInt8]
    let signature: [UInt8]

    /// Reads a directory's file.
    static func parse(_ bytes: [UInt8], name: String) throws -> IssuerDirectory {
        do throws(IssuerDirectoryError) {
            return try IssuerDirectory(bytes)
        } catch {
            StandardStreams.warn("shcverify: \(name): \(error)")
            throw CommandExit.malformed
        }
    }

    /// A directory in a few words.
    static func describe(_ directory: IssuerDirectory) -> String {
        var text = "\(directory.entries.count) issuers"
        if directory.isSnapshot { text += ", \(directory.keyCount) keys" }
        if let time = directory.time { text += ", as of \(time)" }
        return text
    }
}
