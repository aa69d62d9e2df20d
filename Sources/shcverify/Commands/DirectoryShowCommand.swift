import ArgumentParser
import Credentials
import HealthCertificates
import JOSE
import JSON
import Reports
import SMARTHealthCards

/// `shcverify directory show [ISS|NAME]`: lists the issuers of a directory, or finds some of them.
struct DirectoryShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "List the issuers or signers of a directory, or look some up.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: "An issuer's URL, or a part of its name; for signers, a country, a key ID or a part of the subject.")
    var wanted: String?

    @Option(
        name: .customLong("directory"),
        help: ArgumentHelp(
            "A directory of issuers, a folder with a list and a snapshot, or a trust list with signers of EU certificates. By "
                + "default, what \"directory update\" has installed. Repeatable.",
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
        var lists: [SignerList] = []
        for name in directory.isEmpty ? Self.installed : directory {
            switch try OptionFile.directory(name) {
            case .issuers(let source): trusted.add(source)
            case .signers(let list): lists.append(list)
            }
        }
        let signers = SignerRows(lists, wanted: wanted)
        let rows = trusted.entries.filter(isWanted).map { entry in
            Row(entry: entry, snapshots: trusted.snapshots(of: entry.issuer))
        }
        try StandardStreams.write(format == .text ? text(rows) + signers.text : json(rows, signers))
        for list in lists { StandardStreams.warn("shcverify: \(Self.summary(of: list))") }
        if rows.isEmpty, signers.isEmpty {
            StandardStreams.warn(
                "shcverify: the directory lists no such \(lists.isEmpty ? "issuer" : trusted.entries.isEmpty ? "signer" : "issuer or signer")"
            )
            throw CommandExit.notListed
        }
    }

    /// The names of the installed lists. If there are none, VCI's, so that the user learns how to install it.
    private static var installed: [String] {
        let names = DirectoryStore.Name.allCases.filter { DirectoryStore.isInstalled($0) }
        return (names.isEmpty ? [.vci] : names).map(\.rawValue)
    }

    /// What a list of signers holds besides its signers, and what is not checked in it.
    private static func summary(of list: SignerList) -> String {
        var words = "\(list.form.words): \(SignerRows.counts(of: list))"
        if list.form == .gdhcn { words += "; the list's own proof (JSON-LD) is not checked" }
        return words
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

    private func json(_ rows: [Row], _ signers: SignerRows) -> [UInt8] {
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
            signers.write(to: &writer)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
