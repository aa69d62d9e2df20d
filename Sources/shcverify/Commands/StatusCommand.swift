import ArgumentParser
import Containers
import CredentialReports
import Credentials
import Cryptography
import Directories
import Encodings
import Evidence
import FHIR
import HTTPSFetch
import HealthCertificates
import LintReports
import Processes
import SMARTHealthCards

/// `shcverify status`: what is installed, and how old it is.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.of("status")

    /// What can be required.
    private static let requirements: [StatusItem.Name] = [.codes, .vci, .gdhcn, .scan, .fetch]

    @Option(help: .of("max-age")) var maxAge: Double?

    @Option(help: .of("require"), completion: .list(StatusCommand.requirements.map(\.rawValue)))
    var require: [GivenValues] = []

    @Option(help: .of("cache.status"), completion: .directory) var cache: String?

    @Option(help: .of("format.status")) var format = StatusFormat.text

    func validate() throws {
        if let maxAge, !(0...36_500).contains(maxAge) {
            throw ValidationError("--max-age must be a number of days from 0 to 36500.")
        }
        _ = try required()
        guard cache?.isEmpty != true else { throw ValidationError("--cache needs a directory.") }
    }

    private func required() throws -> [StatusItem.Name] {
        try require.all.map { word in
            guard let name = Self.requirements.first(where: { $0.rawValue.utf8.elementsEqual(word.utf8) }) else {
                let names = Self.requirements.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--require takes one of these names: \(names).")
            }
            return name
        }
    }

    @MainActor
    func run() async throws {
        ProcessSetup.requireThreads()
        let required = try required()
        let place =
            cache.map { IssuerCache(directory: $0, makesAllParents: true) }
            ?? IssuerCache.standardDirectory.map { IssuerCache(directory: $0) }
        var items = await Inventory.items(cache: place)
        let now = NumericDate.now
        for index in items.indices {
            if let maxAge { items[index].markIfOlder(thanDays: maxAge, at: now) }
            // The built-in lists of codes are always there.
            items[index].isRequired = items[index].source != .builtIn && required.contains(items[index].name)
            items[index].markIfRefused()
        }
        let report = StatusReport(items, at: now) { ExplainTopic.of($0)?.remedy }
        let problems = report.lines.filter(\.isProblem)
        // A fault comes before what is missing or old, because an update may need what is faulty.
        let reason: RunReason? =
            problems.isEmpty ? nil : problems.contains(where: \.isFault) ? .internalError : .unavailable
        let exitCode = RunOutcome(reason).exitCode
        let destination = StandardStreams.destination(isColoured: ColorChoice.auto.isOn)
        let output =
            switch format {
            case .text: report.text(to: destination)
            case .json: StatusJSON.text(items, exitCode: exitCode, at: now, to: destination)
            case .prometheus: report.prometheus(exitCode: exitCode)
            }
        try StandardStreams.write(output)
        if let reason {
            let isSeen = format == .text && StandardStreams.isSeenWithErrors
            throw CommandFailure(
                reason, lines: isSeen ? [] : problems.map { "shcverify: \($0.title): \($0.words)" })
        }
    }
}

/// What `shcverify status` looks at. It makes no request and changes nothing.
enum Inventory {
    /// How long a helper program may take. The whole command must not take more than a second.
    private static let helperTime = Duration.milliseconds(750)
    /// The largest directory that is read, in bytes. If one is larger, its file name gives the date. Real ones have a few MiB.
    private static let directorySize = 8 << 20
    /// The largest list of signers that is read, in bytes.
    private static let signersSize = 4 << 20
    /// The maximum number of entries of a list of signers whose keys are examined. Each takes a tenth of a millisecond.
    private static let signerCount = 1500

    /// All items, in the order in which they are listed.
    ///
    /// - Parameter cache: the cache; nil if there is no place for one.
    static func items(cache: IssuerCache?) async -> [StatusItem] {
        async let fetch = fetch()
        async let scan = scan()
        let lists = codes + directories(.vci) + directories(.gdhcn)
        return [program, clock, openSSL, cage, await fetch, await scan] + lists + [condition(of: cache)]
    }

    // MARK: Programs

    private static var program: StatusItem {
        StatusItem(.program, .ok, "\(Tool.shcverify.version), commit \(ProgramVersion.commit)")
    }

    private static var clock: StatusItem {
        let now = NumericDate.now
        if let problem = MachineClock.problem(at: now) { return StatusItem(.clock, .fault, problem) }
        return StatusItem(
            .clock, .ok, "\(now.toTheSecond), after the release of this program (\(MachineClock.released))")
    }

    private static var openSSL: StatusItem {
        if let problem = ProcessSetup.openSSLProblem { return StatusItem(.openssl, .fault, problem) }
        return StatusItem(.openssl, .ok, "\(OpenSSLProcess.version); crypto_mb \(InstalledLanes.load().words)")
    }

    /// What the kernel offers to limit the program and its helpers.
    private static var cage: StatusItem {
        let landlock = Sandbox.landlockVersion
        let limits = [
            Sandbox.hasFilters ? nil : "filters of system calls (seccomp), so what verifies may use the network",
            landlock == nil ? "Landlock, so what verifies may change files" : nil,
        ].compactMap(\.self)
        guard limits.isEmpty, let landlock else {
            let words = limits.map { "this kernel has no \($0) as its user may" }
            return StatusItem(.cage, .missing, words.joined(separator: "; "))
        }
        return StatusItem(
            .cage, .ok,
            "what verifies can neither use the network nor start other programs, nor change files but its own (seccomp, Landlock \(landlock))"
        )
    }

    private static func fetch() async -> StatusItem {
        await helper(.fetch, program: "shcverify-fetch") {
            do throws(TransportFailure) {
                try await FetchProcess.installed.check(within: helperTime)
                return nil
            } catch {
                return error.message
            }
        }
    }

    private static func scan() async -> StatusItem {
        var item = await helper(.scan, program: "shcverify-scan") {
            do throws(ScanFailure) {
                try await DocumentScanner.installed.check(within: helperTime)
                return nil
            } catch {
                switch error {
                case .notInstalled(let words), .broken(let words): return words
                }
            }
        }
        guard item.condition == .ok else { return item }
        if !DocumentScanner.readsPDF { item.message += "; it reads no PDF: poppler-utils is not installed" }
        if !DocumentScanner.readsSVG { item.message += "; it reads no SVG: librsvg2-bin is not installed" }
        return item
    }

    /// Starts a helper program once.
    ///
    /// - Parameter problem: starts the program, and says what is wrong; nil if it works.
    private static func helper(
        _ name: StatusItem.Name, program: String, problem: () async -> String?
    ) async -> StatusItem {
        let path: String
        do throws(InstalledProgram.Problem) {
            path = try InstalledProgram.path(of: program)
        } catch .missing(let places) {
            return StatusItem(
                name, .missing, "\(program) is not installed; it was looked for at \(places.joined(separator: ", "))")
        } catch {
            return StatusItem(
                name, .fault, "\(program) cannot be found: without /proc this program does not know its own path")
        }
        if let problem = await problem() { return StatusItem(name, .fault, problem) }
        return StatusItem(name, .ok, "\(path) works")
    }

    // MARK: Lists

    private static func absence(of name: StatusItem.Name, in store: ListStore) -> StatusItem {
        StatusItem(name, .missing, source: .init(store), "not installed in \(store.parent)")
    }

    private static func failure(
        of name: StatusItem.Name, in store: ListStore, _ failure: DirectoryFolder.Failure
    ) -> StatusItem {
        let words = failure.isUnsafe ? "cannot be relied on, and is not used" : "cannot be used"
        return StatusItem(
            name, .unusable, source: .init(store), topic: failure.isUnsafe ? "cannot-be-relied-on" : nil,
            "\(failure.path) \(words): \(failure.reason)")
    }

    private static var codes: [StatusItem] {
        let builtIn = CodeNames.builtIn.lists.map { list in
            item(list.name.description, count: list.count, date: list.date, source: .builtIn)
        }
        var installed: [StatusItem] = []
        for store in ListPlaces.standard.all {
            guard store.mayHave(.codes) else {
                installed.append(absence(of: .codes, in: store))
                continue
            }
            do throws(DirectoryFolder.Failure) {
                installed += try codes(in: store)
            } catch {
                installed.append(failure(of: .codes, in: store, error))
            }
        }
        return builtIn + markingUnused(installed)
    }

    private static func codes(in store: ListStore) throws(DirectoryFolder.Failure) -> [StatusItem] {
        let found = try CodeListFile.outline(in: store)
        guard let lists = found.lists else {
            var item = StatusItem(
                .codes, .ok, source: .init(store), "more lists than are named here, \(unread(found.unreadSize ?? 0))")
            item.date = store.statedTime(of: .codes)?.description
            return [item]
        }
        guard !lists.isEmpty else { return [absence(of: .codes, in: store)] }
        return lists.map { list in
            var item = item(
                list.name.description, count: list.count, date: list.date, isDated: list.isDated, source: .init(store))
            item.listID = "\(list.form.rawValue) \(list.id)"
            if let size = found.unreadSize { item.message += ", \(unread(size))" }
            return item
        }
    }

    /// What is said about files that are too large to be read here.
    private static func unread(_ size: Int) -> String { "in \(max(1, size >> 20)) MiB, which are not read here" }

    private static func item(
        _ list: String, count: Int, date: String?, isDated: Bool = true, source: StatusItem.Source
    ) -> StatusItem {
        let dated = KnownCodeList.words(forDate: date, isDated: isDated)
        var item = StatusItem(.codes, .ok, source: source, "\(list), \(count.counted("code")), \(dated)")
        item.list = list
        item.date = date
        return item
    }

    /// The installations of one directory, with the user's first.
    private static func directories(_ list: ListStore.Name) -> [StatusItem] {
        markingUnused(ListPlaces.standard.all.map { directory(list, in: $0) })
    }

    /// The installation of one directory in one place.
    static func directory(_ list: ListStore.Name, in store: ListStore) -> StatusItem {
        let name: StatusItem.Name = list == .vci ? .vci : .gdhcn
        guard store.mayHave(list) else { return absence(of: name, in: store) }
        do throws(DirectoryFolder.Failure) {
            let folder = try store.installed(list)
            let found = list == .vci ? try vci(folder) : try signers(folder)
            var item = StatusItem(name, .ok, source: .init(store), found.words)
            item.date = found.rank.time?.description
            item.isVerified = found.rank.isVerified
            item.refusal = found.refusal
            return item
        } catch {
            return failure(of: name, in: store, error)
        }
    }

    /// What is said of an installed directory, which edition is used, and why commands refuse it.
    private typealias Found = (words: String, rank: ListRank, refusal: String?)

    private static func vci(
        _ folder: DirectoryFolder
    ) throws(DirectoryFolder.Failure) -> Found {
        let rank = { (time: NumericDate?) in ListRank(isVerified: false, time: time) }
        let size = try folder.size(of: .issuers) + folder.size(of: .snapshot)
        guard size <= directorySize else {
            let time = ListStore.timeOfInstallation(folder)
            return (
                unread(size) + (time.map { ", as of \($0.toTheSecond)" } ?? ", without a time in its name"), rank(time),
                nil
            )
        }
        let issuers = try folder.issuers()
        let snapshot = issuers.snapshot
        let time = ListStore.time(of: snapshot, in: folder)
        let dated = time.map { ", as of \($0.toTheSecond)" } ?? ", without a time"
        let counts = [issuers.source.entries.count.counted("issuer"), snapshot.keyCount.counted("key")]
        return (counts.joined(separator: ", ") + dated, rank(time), nil)
    }

    private static func signers(
        _ folder: DirectoryFolder
    ) throws(DirectoryFolder.Failure) -> Found {
        let time = ListStore.timeOfInstallation(folder)
        let keys = try folder.listKeys()?.keys
        let rank = ListRank(isVerified: keys != nil, time: time)
        let verb = keys == nil ? "installed" : "made"
        var dated = time.map { "\(verb) at \($0.toTheSecond)" } ?? "\(verb) at an unknown time"
        let size = try folder.size(of: .signers)
        guard size <= signersSize else { return ("\(unread(size)), \(dated)", rank, nil) }
        let bytes = try folder.read(.signers)
        let list = try folder.use(.signers) { () throws(Malformed) in try SignerList(bytes) }
        switch keys.flatMap({ list.proof?.outcome(by: $0) }) {
        case .verified(let verified)?: dated += ", proof\(verified.statement.signerWords) verified"
        case nil: dated += ", proof not checked"
        case let outcome?:
            throw DirectoryFolder.Failure(path: folder.path(of: .signers), reason: outcome.words)
        }
        if let environment = list.environment, environment.isForTests { dated += ", a list for tests" }
        let counts =
            list.entries.count <= signerCount
            ? SignerRows.counts(of: list) : "\(list.entries.count) entries, whose keys are not looked at here"
        var refusal: String?
        do throws(TrustListRefusal) { _ = try TrustListRules().admit(list) } catch { refusal = error.message }
        return ("\(counts), \(dated)", rank, refusal)
    }

    /// Marks the edition of a list that is not used. The system's is not used, unless it is newer than the user's own, or is the only one
    /// with a verified proof. `CodeArchive.joined` and `ListPlaces.preferred` decide in the same way.
    private static func markingUnused(_ items: [StatusItem]) -> [StatusItem] {
        let installed = Dictionary(
            items.filter(\.isInstalledList).map { (Edition(source: $0.source, listID: $0.listID), $0) }
        ) { first, _ in first }
        return items.map { item in
            let elsewhere = Edition(source: item.source == .system ? .user : .system, listID: item.listID)
            guard item.isInstalledList, let other = installed[elsewhere] else { return item }
            let (own, system) = item.source == .system ? (other, item) : (item, other)
            let isSystemUsed = own.rank < system.rank
            guard isSystemUsed != (item.source == .system) else { return item }
            var item = item
            item.refusal = nil
            let used = isSystemUsed ? "that of the system" : "the user's own"
            item.message +=
                own.isVerified != system.isVerified
                ? "; not used, since the proof of \(used) was verified"
                : "; not used, since \(used) is \(own.time == system.time ? "as new" : "newer")"
            return item
        }
    }

    /// A list in one of the places.
    private struct Edition: Hashable {
        let source: StatusItem.Source?
        let listID: String?
    }

    // MARK: The cache

    private static func condition(of cache: IssuerCache?) -> StatusItem {
        guard let cache else {
            return StatusItem(.cache, .missing, "there is no place for a cache, since HOME is not set")
        }
        switch cache.condition() {
        case .writable: return StatusItem(.cache, .ok, "\(cache.directory) can be written")
        case .absent: return StatusItem(.cache, .ok, "\(cache.directory) will be made when it is needed")
        case .unusable(let reason):
            return StatusItem(.cache, .unusable, "\(cache.directory) is not used: \(reason)")
        }
    }
}

extension StatusItem {
    /// Which of two editions of a list is used.
    fileprivate var rank: ListRank { ListRank(isVerified: isVerified, time: time) }
}

extension StatusItem.Source {
    fileprivate init(_ store: ListStore) { self = store.isSystem ? .system : .user }
}

// What the commands say about installed lists. `Directories` has the rules.

extension ListStore.Name {
    /// The directory that the value of an option means; nil if it means a file.
    init?(option value: String) {
        guard let name = ListStore.Name(rawValue: value.lowercased()), Self.directories.contains(name) else {
            return nil
        }
        self = name
    }
}

extension ListPlaces {
    /// The place to update.
    ///
    /// - Throws: if the user has none.
    func forUpdate(isSystem: Bool) throws -> ListStore {
        if isSystem { return system }
        guard let user else {
            throw CommandFailure(.internalError, "there is no data directory to install into, since HOME is not set")
        }
        return user
    }
}

extension ListStore {
    /// The error for a command that could not change anything.
    ///
    /// - Parameter done: what could not be done with the lists.
    func end(for failure: InstallationFailure, done: String = "installed") -> CommandFailure {
        let undone = "the lists could not be \(done) in \(parent): "
        let words =
            switch failure {
            case .busy:
                "another process is updating the lists in \(parent); try again later"
            case .needsRoot: undone + "only root may write there: run it with sudo, or leave --system out"
            case .unwritable(let problem): undone + problem
            }
        return CommandFailure(.internalError, words)
    }
}

extension DirectoryFolder.Failure {
    /// Says that an installed list is not used.
    func warnOfLeavingOut() {
        let words = isUnsafe ? "cannot be relied on" : "cannot be used"
        StandardStreams.warn("shcverify: \(path) \(words), and is left out: \(reason)")
    }
}

/// The installed lists of codes.
enum InstalledCodes {
    /// The lists that are installed for this user and for all users. Standard error names those that are left out.
    static func newest() -> CodeArchive {
        let (archive, leftOut) = CodeListFile.newest(in: .standard)
        for failure in leftOut { failure.warnOfLeavingOut() }
        return archive
    }
}
