import Foundation

/// The logs of build servers, which treat some lines that programs print as commands.
package enum BuildLog {
    /// Whether no line of an output is a command, with any kind of line break.
    package static func isInert(_ output: String) -> Bool {
        guard !["##[", "##vso[", "##teamcity["].contains(where: { output.contains($0) }) else { return false }
        return output.unicodeScalars.split { "\n\r\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
            .allSatisfy { line in
                let text = String(line).replacing(/\u{1B}\[[0-9;]*m/, with: "")
                return !text.unicodeScalars.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars)
            }
    }
}
