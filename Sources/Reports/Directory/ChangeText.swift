import Credentials
import JOSE
import SMARTHealthCards

/// Differences between two states of a directory, as lines of text.
enum ChangeText {
    /// The lines: each issuer, then what changed at it.
    static func lines(_ changes: [DirectoryChange]) -> [String] {
        guard !changes.isEmpty else { return ["no differences"] }
        return byIssuer(changes).flatMap { issuer, changes in [issuer] + changes.map { "  \($0)" } }
    }

    /// The issuers, each with what changed at it.
    static func byIssuer(_ changes: [DirectoryChange]) -> [(issuer: String, changes: [String])] {
        var groups: [(issuer: String, changes: [String])] = []
        var issuer: Issuer?
        for change in changes {
            if change.issuer != issuer {
                issuer = change.issuer
                groups.append((TerminalText.printable(change.issuer.url, upTo: 300), []))
            }
            groups[groups.count - 1].changes.append(words(change))
        }
        return groups
    }

    private static func words(_ change: DirectoryChange) -> String {
        let key = change.keyID.map { TerminalText.printable($0.description, upTo: 100) } ?? ""
        let before = change.before.map { TerminalText.printable($0, upTo: 200) } ?? "none"
        let after = change.after.map { TerminalText.printable($0, upTo: 200) } ?? "none"
        return switch change.kind {
        case .issuerAdded: "+ issuer" + (change.after == nil ? "" : " (\(after))")
        case .issuerRemoved: "- issuer" + (change.before == nil ? "" : " (\(before))")
        case .websiteChanged: "~ website: \(before) -> \(after)"
        case .aliasChanged: "~ alias of: \(before) -> \(after)"
        case .nameChanged: "~ name: \(before) -> \(after)"
        case .gone: "! no longer publishes keys" + (change.after == nil ? "" : " (\(after))")
        case .back: "! publishes keys again"
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
