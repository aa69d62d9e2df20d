package import Foundation
import Synchronization

/// The files in TestVectors/. Independent scripts create them, without code of this package.
package enum VectorFiles {
    /// A folder with all of them, also those that are texts in an index (`TestVectors/texts.py`): the one that the environment names
    /// (`make test`), or one that is removed at the end of the process.
    package static let folder: URL = {
        if let made = ProcessInfo.processInfo.environment["SHCVERIFY_VECTORS"] { return URL(filePath: made) }
        do {
            let target = FileManager.default.temporaryDirectory.appending(path: "vectors-\(UUID().uuidString)")
            try unpack(to: target)
            removed.withLock { $0 = target }
            atexit { VectorFiles.removed.withLock { $0.map { try? FileManager.default.removeItem(at: $0) } } }
            return target
        } catch {
            fatalError("the vectors cannot be unpacked: \(error)")
        }
    }()

    /// The bytes of a file.
    ///
    /// - Parameter path: its path in the folder.
    package static func bytes(_ path: String) throws -> [UInt8] {
        if !indexes.contains(path), let content = try? Data(contentsOf: source.appending(path: path)) {
            return Array(content)
        }
        return Array(try Data(contentsOf: folder.appending(path: path)))
    }

    private static let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "TestVectors")
    private static let removed = Mutex<URL?>(nil)

    /// The indexes, and what each has before its texts.
    private static let indexes = [
        "vectors.json", "lint.json", "hcert/cases.json", "handover/cases.json", "check-in/cases.json",
    ]
    private static let table = Data(",\n \"texts\": {\n".utf8)

    private struct Index: Decodable {
        let texts: [String: Text]
    }

    /// A string, or an object with base64.
    private struct Text: Decodable {
        let content: Data

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                content = Data(text.utf8)
            } else {
                content = try decoder.singleValueContainer().decode([String: Data].self)["base64"] ?? Data()
            }
        }
    }

    /// Writes what `texts.py unpack` writes.
    private static func unpack(to target: URL) throws {
        try FileManager.default.copyItem(at: source, to: target)
        for name in indexes {
            let file = target.appending(path: name)
            let whole = try Data(contentsOf: file)
            guard let begin = whole.range(of: table) else { continue }
            try (whole[..<begin.lowerBound] + Data("\n}\n".utf8)).write(to: file)
            let texts = try JSONDecoder().decode(Index.self, from: whole).texts
            let base = file.deletingLastPathComponent()
            for folder in Set(texts.keys.map { $0.split(separator: "/").dropLast().joined(separator: "/") }) {
                try FileManager.default.createDirectory(
                    at: base.appending(path: folder), withIntermediateDirectories: true)
            }
            for (path, text) in texts { try text.content.write(to: base.appending(path: path)) }
        }
    }
}
