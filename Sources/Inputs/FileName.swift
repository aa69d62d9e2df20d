import Credentials
import Encodings

/// Names of files that were given in the place of their content.
package enum FileName {
    /// The longest path that a file can have, in bytes.
    package static let longest = 4095

    /// The most lines that are looked at.
    private static let maximumLines = 1000

    /// Whether a line looks like the name of a file with a card.
    package static func isOne(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count <= longest, line.allSatisfy({ $0 >= 0x20 }), InputForm.unread(line) == nil else {
            return false
        }
        switch InputForm(line) {
        case .jws?, nil: break
        default: return false
        }
        let ends = [
            ".smart-health-card", ".pkpass", ".txt", ".json", ".jws", ".hc1", ".png", ".jpg", ".jpeg", ".webp", ".gif",
            ".tif", ".tiff", ".heic", ".svg", ".pdf", ".bmp",
        ]
        if ends.contains(where: { InputForm.begins(line.suffix($0.utf8.count), with: $0) }) { return true }
        return ["/", "./", "../", "~/"].contains { line.starts(with: $0.utf8) } && !line.contains(0x20)
    }

    /// Whether each line of a text looks like the name of a file.
    package static func areAll(in content: ArraySlice<UInt8>) -> Bool {
        guard content.count <= longest * maximumLines else { return false }
        let lines = content.split(maxSplits: maximumLines) { $0 == 0x0A || $0 == 0x0D }.prefix(maximumLines)
            .map { $0.trimmingWhiteSpace() }.filter { !$0.isEmpty }
        return !lines.isEmpty && lines.allSatisfy { isOne($0) }
    }

    /// What such a text is, and what to do.
    package static let words =
        "this looks like names of files, and only what an input holds is read: give the names themselves, as in \"shcverify -- FILES\""
}
