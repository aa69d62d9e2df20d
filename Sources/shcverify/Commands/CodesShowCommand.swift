import ArgumentParser
import CredentialReports
import Credentials
import Encodings
import FHIR

/// `shcverify codes show [CODE or WORD]`: the lists of codes in use, or the codes that match.
struct CodesShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("codes show")

    @Argument(help: .of("wanted.codesshow")) var wanted: String?

    @Option(help: .of("codes"), completion: .file()) var codes: [GivenValues] = []

    @Option(help: .of("format")) var format = ListFormat.text

    func validate() throws {
        guard (wanted?.utf8.count ?? 0) <= 1024 else {
            throw ValidationError("The search text is longer than 1024 bytes.")
        }
        guard wanted?.allSatisfy(\.isWhitespace) != true else {
            throw ValidationError("A code or a part of a name is needed: an empty text is in every name.")
        }
    }

    func run() throws {
        let names = try CodeNames(codes.all)
        let destination = StandardStreams.destination(isColoured: ColorChoice.auto.isOn)
        guard let wanted else {
            return try StandardStreams.write(
                format == .text
                    ? TextRenderer.bytes(
                        [.tabbed(names.lists.map(\.words), titles: ["List", "Date", "Codes", "From"])], to: destination)
                    : CodesJSON.text(names.lists, to: destination))
        }
        let found = names.search(wanted)
        try StandardStreams.write(
            format == .text
                ? TextRenderer.bytes([Self.table(of: found)], to: destination)
                : CodesJSON.text(found, to: destination))
        if found.isEmpty { throw CommandFailure(.given(.codesUnknown), "no list in use has such a code or name") }
    }

    // MARK: Text

    private static func table(of found: [FoundCode]) -> Block {
        let rows = found.map { code in
            [
                code.code.system?.description ?? "", code.code.code.description, code.name?.display.description ?? "",
                code.group.map { "group \($0)" } ?? "",
                code.lists.map { "\($0.name)\($0.date.map { " of \($0)" } ?? "")" }.joined(separator: ", "),
                words(for: code.tradeNames),
            ]
        }
        return .tabbed(rows, titles: ["System", "Code", "Name", "Group", "Lists", "Trade names"])
    }

    /// The first few trade names of a vaccine.
    private static func words(for tradeNames: [UTF8Text]) -> String {
        let shown = tradeNames.prefix(10).map(\.description).joined(separator: ", ")
        return tradeNames.count > 10 ? "\(shown) and \(tradeNames.count - 10) more" : shown
    }
}

extension KnownCodeList {
    /// The date of a list in words.
    ///
    /// - Parameter isDated: whether the list itself has the date, and was not only installed on that day.
    static func words(forDate date: String?, isDated: Bool) -> String {
        date.map { isDated ? "of \($0)" : "installed on \($0), without a date of its own" } ?? "without a date"
    }

    /// The list in words: its name, date, size and origin.
    var words: [String] {
        [
            name.description, Self.words(forDate: date, isDated: isDated), count.counted("code"),
            source.rawValue + (origin.map { " from \($0)" } ?? ""),
        ]
    }
}
