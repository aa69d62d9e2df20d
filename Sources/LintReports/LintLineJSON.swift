public import Conformance
import CredentialReports
public import StrictJSON

/// Findings as NDJSON: a JSON object on a line for each finding, with the number of the input's line.
public struct LintLineJSON {
    private var writer: JSONWriter

    public init(escapesUnprintable: Bool) {
        writer = JSONWriter(escapesUnprintable: escapesUnprintable)
    }

    /// Writes a finding.
    ///
    /// - Parameters:
    ///   - finding: the finding.
    ///   - line: the number of the line, from 1; nil for a file that an option named.
    ///   - output: the bytes to which the object and a line feed are added.
    ///   - addMembers: writes members after the number of the line.
    public mutating func write(
        _ finding: Finding, line: Int?, to output: inout [UInt8], addMembers: (inout JSONWriter) -> Void
    ) {
        writer.clear()
        writer.object { writer in
            writer.member("line", line)
            addMembers(&writer)
            finding.write(to: &writer, isOfLine: true)
            writer.member("schemaVersion", 1)
        }
        output += writer.bytes
        output.append(UInt8(ascii: "\n"))
    }
}
