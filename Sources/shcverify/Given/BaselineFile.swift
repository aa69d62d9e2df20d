import Bulk
import CredentialReports
import Credentials
import Encodings
import LintReports
import Processes
import SystemPackage

/// Reads the file of `--baseline`: what an earlier run of `lint` printed as JSON, as SARIF or as JSON lines.
enum BaselineFile {
    private static let option = "--baseline"

    /// - Throws: `CommandFailure` if the file cannot be read or is something else.
    static func read(_ path: String) throws -> LintBaseline {
        var baseline = LintBaseline()
        // A report of JSON lines can be far larger than memory. Any other report is one document, which begins with a line
        // that is not JSON.
        let isLines: Bool
        do throws(InputReader.Failure) {
            let file = try InputReader.open(path)
            defer { try? file.close() }
            isLines = try addLines(of: file, to: &baseline)
        } catch {
            throw OptionFile.unreadable(path, option: option, error)
        }
        if isLines { return baseline }
        let bytes = try OptionFile.read(path, option: option, limit: Bounds.directorySize)
        var whole = LintBaseline()
        guard let document = try? JSONDocument.parse(bytes, maximumDepth: Bounds.nesting), whole.add(document) else {
            throw OptionFile.unusable(
                path, option: option,
                "it is not what \"lint --format json\", \"lint --format sarif\" or \"lint --lines\" prints")
        }
        return whole
    }

    /// - Returns: whether each line is a finding.
    private static func addLines(
        of file: FileDescriptor, to baseline: inout LintBaseline
    ) throws(InputReader.Failure) -> Bool {
        var reader = LineReader(file, endsAtLongLine: true)
        while let block = try reader.next() {
            for line in block.lines {
                guard let range = line.range else { return false }
                let text = block.bytes[range].trimmingWhiteSpace()
                guard !text.isEmpty else { continue }
                guard let finding = try? JSONDocument.parse(Array(text), maximumDepth: Bounds.nesting),
                    baseline.add(finding)
                else { return false }
            }
        }
        return true
    }
}
