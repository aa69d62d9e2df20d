import Credentials
import JOSE
import JSON
package import SMARTHealthCards

/// The formats of the report on the differences between two states of a directory.
package enum ChangeFormat: String, ReportFormat {
    case text, json

    package var summary: String {
        switch self {
        case .text: "a line for each difference"
        case .json: "one JSON document"
        }
    }

    /// The report.
    ///
    /// - Parameters:
    ///   - changes: the differences.
    ///   - destination: the output that the report is written to.
    package func report(_ changes: [DirectoryChange], to destination: Destination) -> [UInt8] {
        switch self {
        case .text: return TerminalText.log(ChangeText.lines(changes).map { $0 + "\n" }.joined())
        case .json:
            var writer = JSONWriter(layout: .indented, escapesUnprintable: destination.isTerminal)
            writer.object { writer in
                writer.member("schemaVersion", 1)
                writer.name("changes")
                DirectoryChange.write(changes, to: &writer)
            }
            return writer.bytes + [UInt8(ascii: "\n")]
        }
    }
}

extension DirectoryChange {
    /// Writes differences as an array.
    static func write(_ changes: [DirectoryChange], to writer: inout JSONWriter) {
        writer.array { writer in
            for change in changes {
                writer.object { writer in
                    writer.member("kind", change.kind.rawValue)
                    writer.member("iss", change.issuer.url)
                    writer.member("kid", change.keyID?.description)
                    writer.member("before", change.before)
                    writer.member("after", change.after)
                }
            }
        }
    }
}
