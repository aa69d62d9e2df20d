import ArgumentParser
import Credentials
import Foundation
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
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                $0.utf8.suffix(5).elementsEqual(".json".utf8)
            }
        } catch {
            StandardStreams.warn("shcverify: --directory \(folder): cannot be read as a folder")
            throw CommandExit.unreadable
        }
        guard names.count <= Self.maximumFiles else {
            throw OptionFile.unusable(
                folder, option: "--directory", "it has more than \(Self.maximumFiles) files whose names end in .json")
        }
        var snapshots: [Dated] = []
        for name in names {
            let path = "\(folder)/\(name)"
            let bytes = try OptionFile.read(path, option: "--directory", limit: Bounds.directorySize)
            guard let directory = try? IssuerDirectory(bytes), let time = directory.time else { continue }
            snapshots.append(Dated(path: path, time: time))
        }
        otherCount = names.count - snapshots.count
        self.snapshots = snapshots.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
    }

    /// The latest snapshot that was taken by a time, and the one after it; nil if all were taken later.
    func latest(by time: NumericDate) -> (snapshot: Dated, next: Dated?)? {
        guard let place = snapshots.lastIndex(where: { $0.time <= time }) else { return nil }
        return (snapshots[place], snapshots.dropFirst(place + 1).first)
    }
}
