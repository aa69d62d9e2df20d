import ArgumentParser
import JOSE
import JSON
import SMARTHealthCards

/// `shcverify directory show [ISS|NAME]`: lists the issuers of a directory, or looks some up.
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
        help: ArgumentHelp("A directory of issuers; without it, the installed one. Repeatable.", valueName: "file"))
    var directory: [String] = []

    @Option(name: .customLong("format"), help: "text: an issuer a line; json: one JSON document.")
    var format = Format.text

    func validate() throws {
        // Of an issuer's URL, or less.
        guard (wanted?.utf8.count ?? 0) <= 2048 else { throw ValidationError("No issuer has a name that long.") }
    }

    func run() throws {
        let names = directory.isEmpty ? [DirectoryStore.name] : directory
        let directories = try names.flatMap { try OptionFile.directories($0) }
        // A list of issuers says who takes part; snapshots beside it say what these published.
        let lists = directories.filter { !$0.isSnapshot }
        let snapshots = directories.filter(\.isSnapshot)
        let entries = (lists.isEmpty ? snapshots : lists).flatMap(\.entries).filter(isWanted)
        let rows = entries.map { entry in
            Row(entry: entry, snapshot: snapshots.lazy.compactMap { $0.snapshot(of: entry.issuer) }.first)
        }
        try StandardStreams.write(format == .text ? text(rows) : json(rows))
        if rows.isEmpty {
            StandardStreams.warn("shcverify: the directory lists no such issuer")
            throw CommandExit.notListed
        }
    }

    private struct Row {
        let entry: DirectoryEntry
        let snapshot: IssuerDirectory.Snapshot?
    }

    private func isWanted(_ entry: DirectoryEntry) -> Bool {
        guard let wanted else { return true }
        return entry.issuer == Issuer(unchecked: wanted)
            || entry.name?.lowercased().contains(wanted.lowercased()) == true
    }

    private func text(_ rows: [Row]) -> [UInt8] {
        let lines = rows.map { row in
            var parts = [row.entry.issuer.url, row.entry.name ?? ""]
            if let website = row.entry.website { parts.append(website) }
            if let canonical = row.entry.canonicalIssuer { parts.append("alias of \(canonical)") }
            if let snapshot = row.snapshot {
                let count = snapshot.keySet.keys.count
                parts.append(count == 1 ? "1 key" : "\(count) keys")
                if let retrieved = snapshot.retrieved { parts.append("retrieved \(retrieved)") }
            }
            return TerminalText.printable(parts.joined(separator: "\t").replacing("\n", with: " "), keeping: "\t")
        }
        return Array(lines.map { $0 + "\n" }.joined().utf8)
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
                            for key in row.snapshot?.keySet.keys ?? [] { writer.value(key.keyID?.description) }
                        }
                        writer.member("retrieved", row.snapshot?.retrieved?.description)
                    }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
