public import Foundation

/// The files in TestVectors/. Independent scripts create them, without code of this package.
public enum VectorFiles {
    /// The folder.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "TestVectors")

    /// The bytes of a file.
    ///
    /// - Parameter path: its path in the folder.
    public static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }
}
