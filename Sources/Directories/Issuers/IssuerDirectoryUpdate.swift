package import Credentials
package import Cryptography
package import Encodings
import FoundationEssentials
import Glibc
package import Processes
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

/// A folder of snapshots that were taken at different times.
package struct SnapshotArchive: Sendable {
    /// A snapshot in the folder.
    package struct Dated: Sendable {
        /// The path of the file.
        package let path: String
        /// The time of the snapshot.
        package let time: NumericDate
    }

    /// Why a folder cannot be used.
    package enum Failure: Error, Sendable {
        /// It cannot be read as a folder.
        case noFolder
        /// It has more files whose names end in `.json` than are read.
        case tooManyFiles
        /// A file cannot be read.
        case unreadable(path: String, InputReader.Failure)
        /// A file is larger than a directory may be.
        case tooLarge(path: String)
    }

    /// The snapshots by time, the oldest first.
    package let snapshots: [Dated]
    /// The number of files that are not snapshots with a time.
    package let otherCount: Int

    /// The most files that are read.
    package static let maximumFiles = 10_000

    /// Reads the times of all snapshots in a folder: the files whose names end in `.json`.
    package init(_ folder: String) throws(Failure) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder).filter(Self.isJSON) else {
            throw .noFolder
        }
        guard names.count <= Self.maximumFiles else { throw .tooManyFiles }
        var snapshots: [Dated] = []
        for name in names where Self.isFile("\(folder)/\(name)") {
            let path = "\(folder)/\(name)"
            let bytes: [UInt8]
            do throws(InputReader.Failure) {
                bytes = try InputReader.read(path, limit: Bounds.directorySize)
            } catch {
                throw .unreadable(path: path, error)
            }
            guard bytes.count <= Bounds.directorySize else { throw .tooLarge(path: path) }
            guard let directory = try? IssuerDirectory(bytes), let time = directory.time else { continue }
            snapshots.append(Dated(path: path, time: time))
        }
        otherCount = names.count - snapshots.count
        self.snapshots = snapshots.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
    }

    /// The latest snapshots that were taken by a time, and the one after them; nil if all were taken later. Several snapshots may have
    /// the same time.
    package func latest(by time: NumericDate) -> (snapshots: [Dated], next: Dated?)? {
        guard let last = snapshots.last(where: { $0.time <= time }) else { return nil }
        return (snapshots.filter { $0.time == last.time }, snapshots.first { $0.time > last.time })
    }

    private static func isJSON(_ name: String) -> Bool {
        let ending = name.utf8.suffix(5)
        return ending.elementsEqual(".json".utf8) || ending.elementsEqual(".JSON".utf8)
    }

    /// Whether a path leads to a regular file. A pipe would never end.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
