package import CredentialReports
package import Credentials
import Cryptography
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
            // Only a sink throws, and this one never does.
            try? page.write(changes.isEmpty ? [] : [.article(nil, ChangeText.issuers(changes, level: 2))]) {
                bytes += $0
            }
            return bytes
        }
    }
}

/// Differences between two states of a directory, for people. A published private key comes first.
enum ChangeText {
    /// Text on the differences: each issuer, then what changed at it.
    static func blocks(_ changes: [DirectoryChange]) -> [Block] {
        changes.isEmpty ? [.line("no differences")] : issuers(changes, level: 2)
    }

    /// The issuers, each with what changed at it.
    ///
    /// - Parameter level: the level of their headings.
    static func issuers(_ changes: [DirectoryChange], level: Int) -> [Block] {
        var groups: [[DirectoryChange]] = []
        for change in changes {
            if groups.last?.first?.issuer != change.issuer { groups.append([]) }
            groups[groups.count - 1].append(change)
        }
        let worst = groups.filter { $0.contains { isWorst($0) } }
        let rest = groups.filter { !$0.contains { isWorst($0) } }
        return (worst + rest).map { changes in
            .issuer(
                "\(issuer: changes[0].name, at: changes[0].issuer.url, .note)", level: level,
                (changes.filter { isWorst($0) } + changes.filter { !isWorst($0) }).map { "\(from: words($0))" })
        }
    }

    /// Whether everybody can now sign as the issuer.
    private static func isWorst(_ change: DirectoryChange) -> Bool { change.kind == .privateKeyPublished }

    private static func words(_ change: DirectoryChange) -> String {
        let key = change.keyID.map { TerminalText.beginning(of: $0.description, upTo: 100) } ?? ""
        let before = change.before.map { TerminalText.beginning(of: $0.description, upTo: 200) } ?? "none"
        let after = change.after.map { TerminalText.beginning(of: $0.description, upTo: 200) } ?? "none"
        let reason = change.after == nil ? "" : " (\(after))"
        return switch change.kind {
        case .issuerAdded: "+ issuer\(reason)"
        case .issuerRemoved: "- issuer" + (change.before == nil ? "" : " (\(before))")
        case .websiteChanged: "~ website: \(before) -> \(after)"
        case .aliasChanged: "~ alias of: \(before) -> \(after)"
        case .nameChanged: "~ name: \(before) -> \(after)"
        case .gone: "! no longer publishes keys\(reason)"
        case .back: "! publishes keys again"
        case .unreached: "! could not be reached this time\(reason)"
        case .reached: "~ could be reached again"
        case .privateKeyPublished:
            "! PRIVATE KEY PUBLISHED: key \(key) stands there with its private half, so everybody can sign as this issuer"
        case .keyAdded: "+ key \(key)"
        case .keyRemoved: "- key \(key)"
        case .keyChanged: "! another key with the same ID \(key): thumbprint \(before) -> \(after)"
        case .keyDetailsChanged: "~ other members of key \(key), or how often it is listed"
        case .listAdded: "+ revocation list of key \(key)"
        case .listRemoved: "- revocation list of key \(key)"
        case .listChanged: "~ revocation list of key \(key): \(before) -> \(after)"
        }
    }
}
