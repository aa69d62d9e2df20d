import ArgumentParser
import Credentials
import Foundation
import Glibc
import SMARTHealthCards

/// A folder of snapshots that were taken at different times.
struct SnapshotArchive {
    /// A snapshot in the folder.
    struct Dated {
        /// The path of the file.
        let path: String
        /// The time of the snapshot.
        let time: NumericDate
    }

    /// The snapshots by time, the oldest first.
    let snapshots: [Dated]
    /// The number of files that are not snapshots with a time.
    let otherCount: Int

    /// The most files that are read.
    private static let maximumFiles = 10_000

    /// Reads the times of all snapshots in a folder: the files whose names end in `.json`.
    init(_ folder: String) throws {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter(Self.isJSON)
        } catch {
            StandardStreams.warn("shcverify: --directory \(folder): cannot be read as a folder")
            throw CommandExit.unreadable
        }
        guard names.count <= Self.maximumFiles else {
            throw OptionFile.unusable(
                folder, option: "--directory", "it has more than \(Self.maximumFiles) files whose names end in .json")
        }
        var snapshots: [Dated] = []
        for name in names where Self.isFile("\(folder)/\(name)") {
            let path = "\(folder)/\(name)"
            let bytes = try OptionFile.read(path, option: "--directory", limit: Bounds.directorySize)
            guard let directory = try? IssuerDirectory(bytes), let time = directory.time else { continue }
            snapshots.append(Dated(path: path, time: time))
        }
        otherCount = names.count - snapshots.count
        self.snapshots = snapshots.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
    }

    /// The latest snapshots that were taken by a time, and the one after them; nil if all were taken later. Several snapshots may have
    /// the same time.
    func latest(by time: NumericDate) -> (snapshots: [Dated], next: Dated?)? {
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
