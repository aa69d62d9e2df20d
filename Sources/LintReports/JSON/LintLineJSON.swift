package import Conformance
package import CredentialReports
import Encodings

/// Findings as NDJSON: a JSON object on a line for each finding, with the number of the input's line.
package struct LintLineJSON {
    private var writer: JSONWriter

    package init(escapesUnprintable: Bool) {
        writer = JSONWriter(escapesUnprintable: escapesUnprintable)
    }

    /// Writes a finding.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - line: the number of the line, from 1; nil for a file that an option named.
    ///   - id: the sender's ID of the line.
    ///   - output: the bytes to which the object and a line feed are added.
    package mutating func write(_ finding: Finding, line: Int?, id: LineID? = nil, to output: inout [UInt8]) {
        writer.clear()
        writer.object { writer in
            writer.member("line", line)
            id?.writeMember(to: &writer)
            finding.write(to: &writer, isOfLine: true)
            writer.member("schemaVersion", 1)
        }
        output += writer.bytes
        output.append(UInt8(ascii: "\n"))
    }
}
