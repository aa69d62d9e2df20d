package import Credentials
import FoundationEssentials
import Glibc
package import Processes
import SMARTHealthCards

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
