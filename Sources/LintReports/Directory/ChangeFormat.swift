package import CredentialReports
package import Credentials
package import Directories
import Encodings

/// The formats of the report on the differences between two states of a directory.
package enum ChangeFormat: String, ReportFormat {
    case text, json, html

    package var summary: String {
        switch self {
        case .text: "a line for each difference"
        case .json: "one JSON document"
        case .html: "a page to look at"
        }
    }

    /// The report.
    ///
    /// - Parameters:
    ///   - changes: the differences.
    ///   - names: the names of the earlier and the later state.
    ///   - now: the time of the comparison.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    package func report(
        _ changes: [DirectoryChange], between names: (earlier: String, later: String), at now: NumericDate,
        to destination: Destination, by tool: Tool
    ) -> [UInt8] {
        switch self {
        case .text: return TextRenderer.bytes(ChangeText.blocks(changes))
        case .json: return DirectoryChange.json(changes, to: destination)
        case .html:
            let page = HTMLPage(
                headline: changes.isEmpty ? "No differences" : changes.count.counted("difference"), style: .heading,
                lead: [Words("Compared at \(now.toTheSecond)", lists: [names.earlier, names.later])],
                foot: "Compared at \(now.toTheSecond) by \(tool.name) \(tool.version).")
            var bytes: [UInt8] = []
            // Only a sink throws, and this one throws nothing.
            try? page.write(changes.isEmpty ? [] : [.article(nil, ChangeText.issuers(changes, level: 2))]) {
                bytes += $0
            }
            return bytes
        }
    }
}
