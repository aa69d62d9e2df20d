import ArgumentParser
import Credentials
import JOSE
import JSON
import Reports
import SMARTHealthCards

/// `shcverify directory show [ISS|NAME]`: lists the issuers of a directory, or finds some of them.
struct DirectoryShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "List the issuers of a directory, or look some up.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: "An issuer's URL, or a part of its name.")
    var wanted: String?

    @Option(
        name: .customLong("directory"),
        help: ArgumentHelp(
            "A directory of issuers, or a folder with a list and a snapshot. By default, the installed directory. Repeatable.",
            valueName: "file"))
    var directory: [String] = []

    @Option(name: .customLong("format"), help: "text: one issuer per line; json: one JSON document.")
    var format = Format.text

    func validate() throws {
        // No URL of an issuer is longer.
        guard (wanted?.utf8.count ?? 0) <= 2048 else { throw ValidationError("No issuer has a name that long.") }
    }

    func run() throws {
        var trusted = TrustedIssuers()
        for name in directory.isEmpty ? [DirectoryStore.name] : directory {
            trusted.add(try OptionFile.directory(name))
        }
        let rows = trusted.entries.filter(isWanted).map { entry in
            Row(entry: entry, snapshots: trusted.snapshots(of: entry.issuer))
        }
        try StandardStreams.write(format == .text ? text(rows) : json(rows))
        if rows.isEmpty {
            StandardStreams.warn("shcverify: the directory lists no such issuer")
            throw CommandExit.notListed
        }
    }

    private struct Row {
        let entry: DirectoryEntry
        /// The issuer's keys in the directories; empty if the directories have none.
        let snapshots: [IssuerDirectory.Snapshot]

        var keys: [JWK] { snapshots.flatMap(\.keySet.keys) }
        /// When the oldest of the keys were retrieved.
        var retrieved: NumericDate? { snapshots.compactMap(\.retrieved).min() }
    }

    private func isWanted(_ entry: DirectoryEntry) -> Bool {
        guard let wanted else { return true }
        return entry.issuer == Issuer(unchecked: wanted)
            || entry.name.map { Array($0.description.lowercased().utf8).contains(Array(wanted.lowercased().utf8)) }
                == true
    }

    private func text(_ rows: [Row]) -> [UInt8] {
        let lines = rows.map { row in
            var parts = [row.entry.issuer.url, row.entry.name?.description ?? ""]
            if let website = row.entry.website { parts.append(website.description) }
            if let canonical = row.entry.canonicalIssuer { parts.append("alias of \(canonical)") }
            if !row.snapshots.isEmpty {
                let count = row.keys.count
                parts.append(count == 1 ? "1 key" : "\(count) keys")
                if let retrieved = row.retrieved { parts.append("retrieved \(retrieved)") }
            }
            return TerminalText.printable(parts.joined(separator: "\t").replacing("\n", with: " "), keeping: "\t")
        }
        return TerminalText.log(lines.map { $0 + "\n" }.joined())
    }

    private func json(_ rows: [Row]) -> [UInt8] {
        var writer = JSONWriter(layout: .indented, escapesUnprintable: StandardStreams.isTerminal)
        writer.object { writer in
            writer.member("schemaVersion", 1)
            writer.name("issuers")
            writer.array { writer in
                for row in rows {
                    writer.object { writer in
                        writer.member("iss", row.entry.issuer.url)
                        writer.member("name", row.entry.name)
                        writer.member("website", row.entry.website)
                        writer.member("canonicalIss", row.entry.canonicalIssuer?.url)
                        writer.name("kids")
                        writer.array { writer in
                            for key in row.keys { writer.value(key.keyID?.description) }
                        }
                        writer.member("retrieved", row.retrieved?.description)
                    }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
