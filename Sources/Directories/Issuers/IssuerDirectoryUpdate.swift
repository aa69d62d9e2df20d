package import Credentials
package import Cryptography
package import Encodings
import SMARTHealthCards

/// The three files of a published directory: the list of issuers, the snapshot of their keys, and its signature.
package struct DirectoryFiles: Sendable {
    package let issuers: [UInt8]
    package let snapshot: [UInt8]
    package let signature: [UInt8]

    package init(issuers: [UInt8], snapshot: [UInt8], signature: [UInt8]) {
        self.issuers = issuers
        self.snapshot = snapshot
        self.signature = signature
    }

    /// Reads the files of a folder.
    package init(in folder: DirectoryFolder) throws(DirectoryFolder.Failure) {
        issuers = try folder.read(.issuers)
        snapshot = try folder.read(.snapshot)
        signature = try folder.read(.signature)
    }

    /// The files, if the signature is over the snapshot and verifies by a key (SHC-D3); else nil.
    ///
    /// VCI publishes the files one after the other. For a moment, snapshot and signature may not belong together.
    package func signed(by key: P521PublicKey) -> SignedDirectoryFiles? {
        (try? key.verify(signature, over: snapshot)).map { SignedDirectoryFiles(self) }
    }
}

/// The files of a directory whose signature was verified.
package struct SignedDirectoryFiles: Sendable {
    fileprivate let files: DirectoryFiles

    fileprivate init(_ files: DirectoryFiles) { self.files = files }
}

/// A copy of VCI's directory that is to be installed.
///
/// Only the snapshot is signed. The list, which is not, can only remove issuers.
package struct IssuerDirectoryUpdate: Sendable {
    private let files: DirectoryFiles
    /// The time of the snapshot.
    package let time: NumericDate
    /// The number of issuers that are trusted: they are in the list and in the snapshot.
    package let issuerCount: Int
    /// The number of issuers of the list that are not in the snapshot, and so are not trusted.
    package let unsignedCount: Int
    /// The number of keys in the snapshot.
    package let keyCount: Int
    /// The latest time that a snapshot may have.
    private let latest: NumericDate

    /// How far a snapshot may be ahead of this machine's clock.
    package static let clockTolerance = Duration.seconds(86_400)

    /// Reads the files.
    ///
    /// - Throws: `Malformed` if they are of no use, whatever is installed.
    package init(_ signed: SignedDirectoryFiles, now: NumericDate) throws(Malformed) {
        files = signed.files
        latest = NumericDate(sinceEpoch: now.sinceEpoch + Self.clockTolerance)
        let snapshot = try Self.parse(files.snapshot, .snapshot)
        let issuers = try Self.parse(files.issuers, .issuers)
        guard let source = try? DirectorySource(list: issuers, snapshot: snapshot), let time = snapshot.time else {
            throw Malformed(
                "the files have the wrong contents: a list of issuers is needed, and a snapshot with its time")
        }
        guard time <= latest else {
            throw Malformed(
                "the snapshot has the time \(time.toTheSecond), which this machine's clock has not reached; it was not installed"
            )
        }
        let count = source.entries.count
        guard count > 0 else {
            throw Malformed(
                "no issuer of the list is in the signed snapshot, so the directory would be empty; it was not installed"
            )
        }
        self.time = time
        issuerCount = count
        unsignedCount = issuers.entries.count - count
        keyCount = snapshot.keyCount
    }

    private static func parse(_ bytes: [UInt8], _ part: DirectoryFolder.Part) throws(Malformed) -> IssuerDirectory {
        do throws(Malformed) {
            return try IssuerDirectory(bytes)
        } catch {
            throw Malformed("\(part.rawValue): \(error)")
        }
    }

    /// Installs the directory, unless a newer one is installed.
    ///
    /// - Throws: `Malformed` if a newer one is, or `InstallationFailure`.
    package func install(in store: ListStore) throws {
        try store.install(as: .vci, time: time) {
            if let newer = timeOfNewer(in: store) {
                throw Malformed(
                    "the snapshot of \(time.toTheSecond) is older than the installed one of \(newer.toTheSecond); it was not installed"
                )
            }
            return [(.issuers, files.issuers), (.snapshot, files.snapshot), (.signature, files.signature)]
        }
    }

    /// The time of the installed directory, if it is newer than this one; else nil.
    private func timeOfNewer(in store: ListStore) -> NumericDate? {
        // A wrong clock may have let in a snapshot from the future. It must not block all later ones.
        store.time(of: .vci).flatMap { time < $0 && $0 <= latest ? $0 : nil }
    }
}
