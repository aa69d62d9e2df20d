import ArgumentParser
import CredentialReports
import Credentials
import Directories
import Encodings
import FHIR
import HTTPSFetch

/// `shcverify codes`: the lists of codes that give records their names and groups.
struct CodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of(
        "codes", subcommands: [CodesUpdateCommand.self, CodesShowCommand.self])

    func run() async throws { throw ValidationError("\"shcverify codes\" needs a command: update or show.") }
}

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
    /// - Parameter isDated: whether the date is from the list itself, and not that of its installation.
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

/// `shcverify codes update`: installs newer lists of codes.
struct CodesUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of("codes update")

    /// Where CDC publishes its tables.
    static let published = "https://www2.cdc.gov/vaccines/iis/iisstandards/downloads/"
    private static let tables = ["cvx.txt", "TRADENAME.txt", "mvx.txt", "VG.txt"]

    @Option(help: .of("from"), completion: .file()) var from: [GivenValues] = []

    @Option(help: ArgumentHelp("The addresses of lists: one or more.", valueName: "url")) var url: [GivenValues] = []

    @Flag(name: .customLong("system"), help: .of("system")) var isSystem = false

    @Flag(name: .customLong("force"), help: .of("force")) var isForced = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    private var files: [NamedCodeList] { from.all.map { NamedCodeList($0) } }
    private var urls: [NamedCodeList] { url.all.map { NamedCodeList($0) } }

    func validate() throws {
        for url in urls where (try? HTTPSURL(url.place)) == nil {
            throw ValidationError("--url needs an https URL. --from takes files.")
        }
        guard !files.contains(where: { $0.place.isEmpty }) else { throw ValidationError("--from needs a file.") }
        guard !network.offline || urls.isEmpty && !files.isEmpty else {
            throw ValidationError("--offline needs --from, without --url.")
        }
        guard files.count + urls.count <= Self.maximumLists else {
            throw ValidationError("At most \(Self.maximumLists) lists can be installed at a time.")
        }
    }

    private static let maximumLists = 100

    @MainActor
    func run() async throws {
        ProcessSetup.requireThreads()
        var lists: [Given] = []
        for file in files {
            let bytes = try OptionFile.read(
                file.place, option: "--from", limit: CodeList.maximumSize, largeFile: .unreadable,
                consequence: "; nothing was installed")
            let place = file.place.split(separator: "/").last.map(String.init) ?? file.place
            lists.append(try Self.read(bytes, of: file, from: place, failingWith: .unreadable))
        }
        let isDefault = files.isEmpty && urls.isEmpty
        for url in isDefault ? Self.tables.map({ NamedCodeList(Self.published + $0) }) : urls {
            let fetched = try await Requests(network).fetchList(
                url.place, limit: CodeList.maximumSize, accepting: "text/plain, application/json;q=0.9, */*;q=0.8")
            var given = try Self.read(fetched.bytes, of: url, from: url.place, failingWith: .unavailable)
            // Truncated JSON would not parse.
            given.mayLackItsEnd = given.list.form.isOfCDC && !fetched.isLengthStated
            lists.append(given)
        }
        let today = NumericDate.now.description.prefix(10)
        let store = try ListPlaces.standard.forUpdate(isSystem: isSystem)
        var archive = CodeArchive()
        do {
            try store.install(as: .codes, time: .now) {
                archive = try installedLists(in: store)
                for given in lists {
                    if !isForced, let objection = CodeListObjection(to: given.list, in: archive, now: .now) {
                        throw CommandFailure(
                            given.reason,
                            "\(given.name): \(Self.words(for: objection)); nothing was installed. --force installs it all the same"
                        )
                    }
                    archive.install(given.list, from: UTF8Text(given.place), on: String(today))
                    guard archive.size <= CodeArchive.maximumSize else { throw Self.tooLarge(given, in: store) }
                }
                guard let file = CodeListFile.file(of: archive) else {
                    throw lists.last.map { Self.tooLarge($0, in: store) } ?? CommandFailure(.internalError, lines: [])
                }
                return [(.codes, file)]
            }
        } catch let failure as InstallationFailure {
            throw store.end(for: failure)
        }
        for given in lists {
            for remark in given.list.notes { StandardStreams.warn("shcverify: \(given.name): \(remark)") }
            if given.mayLackItsEnd {
                StandardStreams.warn(
                    "shcverify: \(given.name): the server did not say how long the list is, so nobody can tell whether its end is missing"
                )
            }
        }
        let new = archive.lists.filter { list in lists.contains { list.isEdition(of: $0.list) } }
        for list in new where list.isDated {
            let builtIn = CodeNames.builtIn.lists.first { $0.name == list.name }
            guard let date = builtIn?.date, list.date.utf8.lexicographicallyPrecedes(date.utf8) else { continue }
            StandardStreams.warn(
                "shcverify: \(list.name): it is of \(list.date); the built-in list is of \(date), is newer and still counts"
            )
        }
        for list in new {
            let date = list.isDated ? "as of \(list.date)" : "without a date of its own, so that of today, \(list.date)"
            try StandardStreams.write(line: "installed: \(list.name), \(list.count.counted("code")), \(date)")
        }
    }

    /// The lists that are installed in a place; none if they are damaged, so that the new lists replace them. Otherwise no update could
    /// ever succeed again, not even one by a timer.
    private func installedLists(in store: ListStore) throws -> CodeArchive {
        guard store.mayHave(.codes) else { return CodeArchive() }
        do throws(DirectoryFolder.Failure) {
            return try CodeListFile.archive(in: store)
        } catch {
            let problem = "the installed lists cannot be used: \(error.path): \(error.reason)"
            guard isForced || error.isUnsafe || error.isLasting else {
                throw CommandFailure(.unreadable, "\(problem); nothing was installed. --force replaces them")
            }
            let names = CodeListFile.names(inUnusable: store).prefix(20).map(\.description)
            let lost = names.isEmpty ? "It is not known which they were" : "They were: \(names.joined(separator: ", "))"
            StandardStreams.warn(
                "shcverify: \(problem). They are replaced, and cannot be compared with the new ones. \(lost)")
            return CodeArchive()
        }
    }

    private static func tooLarge(_ given: Given, in store: ListStore) -> CommandFailure {
        CommandFailure(
            given.reason,
            "\(given.name): with it, the installed lists would have more than \(CodeArchive.maximumSize >> 20) MiB together, "
                + "and could not be read; nothing was installed. To make room, remove \(store.parent)/codes, and install what you need again"
        )
    }

    /// A list that was read.
    private struct Given {
        let list: CodeList
        /// The file or address, for messages.
        let name: String
        /// The same, without the folders of this machine.
        let place: String
        /// How the command ends if the list is refused.
        let reason: RunReason
        /// Whether nothing would show that the end is missing.
        var mayLackItsEnd = false
    }

    private static func read(
        _ bytes: [UInt8], of named: NamedCodeList, from place: String, failingWith reason: RunReason
    ) throws -> Given {
        let problem: String
        do throws(Malformed) {
            let list = try CodeList(bytes, about: named.disease)
            if list.id != nil { return Given(list: list, name: named.place, place: place, reason: reason) }
            problem = "it has no `url`, by which a later update could replace it"
        } catch {
            problem = "\(error)"
        }
        throw CommandFailure(reason, "\(named.place): \(problem); nothing was installed")
    }

    private static func words(for objection: CodeListObjection) -> String {
        switch objection {
        case .future(let date): "it is of \(date), which this machine's clock has not reached"
        case .older(let date, let installed) where installed.isDated:
            "it is of \(date), and the installed list is of \(installed.date)"
        case .older(let date, let installed):
            "it is of \(date), and the installed list, which has no date, was installed on \(installed.date)"
        case .fewerCodes(let count, let installed):
            "it has \(count.counted("code")), and the installed list has \(installed.count)"
        }
    }
}
