import ArgumentParser
import Bulk
import CredentialReports
import Credentials
import Cryptography
import Directories
import Encodings
import Evidence
import Glibc
import HTTPSFetch
import HealthCertificates
import Inputs
import LintReports
import Processes
import SMARTHealthCards
import SystemPackage

/// Reads the files that options name. If one cannot be read or parsed, the command ends before any card is verified.
enum OptionFile {
    /// Reads a file that an option names.
    ///
    /// - Parameters:
    ///   - largeFile: the reason for the exit code if the file is larger than the limit.
    ///   - consequence: the end of the message about such a file.
    static func read(
        _ path: String, option: String, limit: Int, largeFile: RunReason = .usage, consequence: String = "",
        by read: (String, Int) throws(InputReader.Failure) -> [UInt8] = InputReader.read
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try read(path, limit)
        } catch {
            throw unreadable(path, option: option, error)
        }
        guard bytes.count <= limit else {
            throw tooLarge(path, option: option, limit: limit, consequence: consequence, as: largeFile)
        }
        return bytes
    }

    /// Makes a value from the content of a file.
    static func use<T>(
        _ path: String, option: String, _ body: () throws(Malformed) -> T
    ) throws(CommandFailure) -> T {
        do throws(Malformed) {
            return try body()
        } catch {
            throw unusable(path, option: option, error.description)
        }
    }

    /// The error for a file that cannot be read.
    static func unreadable(_ path: String, option: String, _ failure: InputReader.Failure) -> CommandFailure {
        unusable(path, option: option, "cannot be read: \(failure.message)", as: .unreadable)
    }

    /// The error for a file that is larger than a limit.
    static func tooLarge(
        _ path: String, option: String, limit: Int, consequence: String = "", as reason: RunReason = .usage
    ) -> CommandFailure {
        unusable(path, option: option, "it is larger than \(limit.sizeInWords)\(consequence)", as: reason)
    }

    /// The error for a file that cannot be used. Its message names the option.
    static func unusable(
        _ path: String, option: String, _ problem: String, as reason: RunReason = .usage
    ) -> CommandFailure {
        CommandFailure(reason, "\(option) \(InputReader.shown(path)): \(problem)")
    }

    /// Reads the certificates of `--anchor`; nil if there are none.
    ///
    /// - Parameter compromised: gets the keys whose private half is in one of the files.
    static func anchors(
        _ paths: [String], compromised: inout CompromisedKeys, observedBy observer: ValueObserver = .nobody
    ) throws -> CertificateAnchors? {
        guard !paths.isEmpty else { return nil }
        let anchors = try paths.map { path in
            let bytes = try read(path, option: "--anchor", limit: Bounds.inputSize)
            observer("--anchor", bytes, path: path)
            compromised.formUnion(CompromisedKeys(privateKeysIn: bytes))
            return try use(path, option: "--anchor") { () throws(Malformed) in try CertificateAnchors(pem: bytes) }
        }
        return try CertificateAnchors(merging: anchors)
    }

    /// Reads the file of `--ca-file`, which must contain a certificate.
    ///
    /// The fetch process opens the file again. A path like `/dev/stdin` would mean another file there, so the result has the resolved path.
    static func certificateAuthorities(_ path: String, observedBy observer: ValueObserver = .nobody) throws
        -> CertificateAuthorities
    {
        let option = "--ca-file"
        let path = path == "-" ? "/dev/stdin" : path
        let bytes = try read(
            path, option: option, limit: Bounds.inputSize,
            by: { path, limit throws(InputReader.Failure) in try InputReader.readReopenable(path, limit: limit) })
        observer(option, bytes, path: path)
        _ = try use(path, option: option) { () throws(Malformed) in try CertificateAnchors(pem: bytes) }
        // Unsafe: the C library reads the path during the call. The result is copied, and then freed here.
        guard let resolved = unsafe realpath(path, nil) else {
            throw CommandFailure(
                .unreadable, "\(option) \(path): cannot be read: it has no path that a later run could compare")
        }
        defer { unsafe free(resolved) }
        return CertificateAuthorities(file: unsafe String(cString: resolved), content: bytes)
    }

    /// Parses a file that may be JSON or certificates.
    static func listFile(_ bytes: [UInt8], _ path: String, option: String) throws -> ListFile {
        try use(path, option: option) { () throws(Malformed) in
            try ListFile(bytes, maximumSize: Bounds.directorySize)
        }
    }

    static func signerList(
        _ file: ListFile, _ path: String, option: String, from origin: KeyOrigin = .directory
    ) throws -> SignerList {
        try use(path, option: option) { () throws(Malformed) in try SignerList(file, from: origin) }
    }

    /// A trust list of `--directory`.
    enum TrustList {
        /// Issuers of SMART Health Cards.
        case issuers(DirectorySource)
        /// Signers of health certificates.
        case signers(ReadSigners)
    }

    /// A list of signers that was read. It is accepted only after all evidence against keys was read, whichever file has it.
    struct ReadSigners {
        /// The keys whose private half is published in the list.
        let compromised: CompromisedKeys
        /// Accepts the list by the rules for lists, or ends the command.
        let admitted: (TrustListRules) throws -> AdmittedList

        fileprivate init(_ list: SignerList, _ admitted: @escaping (TrustListRules) throws -> AdmittedList) {
            compromised = list.compromised.provenAlone
            self.admitted = admitted
        }
    }

    /// Reads a file of `--list-key`.
    static func listKeys(_ path: String, observedBy observer: ValueObserver = .nobody) throws -> ListKeys {
        let option = "--list-key"
        let bytes = try read(path, option: option, limit: Bounds.keySetSize)
        observer(option, bytes, path: path)
        return try use(path, option: option) { () throws(Malformed) in try ListKeys(bytes) }
    }

    /// Accepts a list of signers by the rules for lists.
    private static func admit(
        _ list: SignerList, by rules: TrustListRules, _ name: String, option: String
    ) throws -> AdmittedList {
        do throws(TrustListRefusal) {
            return try rules.admit(list)
        } catch {
            throw unusable(name, option: option, "\(error)\(advice(on: error.reason))")
        }
    }

    /// What to do about a list that is refused.
    ///
    /// - Parameter keys: what must have signed the list; nil if it is a key of `--list-key`.
    private static func advice(on rule: TrustListRule, keys: String? = nil) -> String {
        switch rule {
        case .testList: "; --allow-test-lists permits it"
        case .proof: "; \(keys ?? "with --list-key, only lists that one of its keys has signed are taken")"
        case .contradiction: ""
        }
    }

    /// Ends the command if a list of issuers takes the place of a list that must be signed: somebody else could have put it there.
    private static func checkNeedsNoProof(_ name: String, option: String, _ hasListKeys: Bool) throws {
        guard hasListKeys else { return }
        throw unusable(
            name, option: option,
            "it has no proof that a key of --list-key could have signed; with --list-key, only WHO's list of version 2 and the German "
                + "list are taken")
    }

    /// Reads a value of `--directory`: a file, a folder with a list and a snapshot, or an installed list.
    ///
    /// - Parameters:
    ///   - option: the option that names it, for messages.
    ///   - hasListKeys: whether list keys were given, one of which must have signed each list. VCI's installed directory needs none,
    ///     because it was checked when it was installed.
    static func directory(
        _ name: String, option: String = "--directory", hasListKeys: Bool,
        observedBy observer: ValueObserver = .nobody
    ) throws -> TrustList {
        if let list = ListStore.Name(option: name) {
            let address = list == .vci ? "" : " --url \(DirectoryUpdateCommand.publishedSigners)"
            let hint =
                "; install the list of --directory \(list.rawValue) for this user with \"shcverify directory update\(address)\", or with "
                + "--system for all users"
            let found = try read(option: option, hint: hint) { () throws(DirectoryFolder.Failure) in
                try ListPlaces.standard.preferred(list)
            }
            guard let found else {
                throw ValidationError(
                    "\(option) \(list.rawValue): there is no data directory, since HOME is not set.")
            }
            for failure in found.leftOut { failure.warnOfLeavingOut() }
            let installed = found.folder
            guard list == .vci else {
                return .signers(
                    try signers(in: installed, name, hasListKeys: hasListKeys, hint: hint, observedBy: observer))
            }
            return .issuers(try directory(in: installed, hint: hint, isNamed: false, observedBy: observer))
        }
        // "-" means standard input, even if a folder has that name.
        guard name == "-" || !DirectoryFolder.isFolder(name) else {
            try checkNeedsNoProof(name, option: option, hasListKeys)
            return .issuers(
                try directory(
                    in: try read(option: option) { () throws(DirectoryFolder.Failure) in try DirectoryFolder(name) },
                    observedBy: observer))
        }
        let bytes = try read(name, option: option, limit: Bounds.directorySize)
        let file = try listFile(bytes, name, option: option)
        let list = try directory(file, name, option: option, hasListKeys: hasListKeys)
        if case .json(let document) = file, case .issuers = list {
            observer("--directory", bytes, path: name, as: .directory, document)
        } else {
            observer("--directory", bytes, path: name)
        }
        return list
    }

    /// Whether a word is the path of a list for `--directory`, a file or a folder: its content is a list, or its name can only be a path. A
    /// file that happens to have the name of an issuer is not a list.
    static func isList(_ word: String) -> Bool {
        guard !word.utf8.starts(with: "https://".utf8) else { return false }
        // The ID of a key may begin with a slash.
        if word.hasSuffix(".json") || ["./", "../"].contains(where: { word.utf8.starts(with: $0.utf8) }) {
            return true
        }
        if DirectoryFolder.isFolder(word) { return isPath(word) || DirectoryFolder.hasList(word) }
        var status = stat()
        // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
        guard unsafe stat(word, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            // If nothing is installed, it is useless to look for a key.
            return isPath(word) && !ListStore.Name.directories.contains { ListPlaces.standard.isInstalled($0) }
        }
        if isPath(word) { return true }
        guard let bytes = try? InputReader.read(word, limit: Bounds.directorySize),
            let file = try? ListFile(bytes, maximumSize: Bounds.directorySize)
        else { return false }
        return (try? file.kind) != nil
    }

    private static func isPath(_ word: String) -> Bool { word.utf8.contains(UInt8(ascii: "/")) }

    /// Reads the content of a file of `--directory`.
    private static func directory(
        _ file: ListFile, _ name: String, option: String = "--directory", hasListKeys: Bool = false
    ) throws -> TrustList {
        do {
            switch (file, try file.kind) {
            case (.json(let document), .issuers):
                let source = DirectorySource(try IssuerDirectory(document))
                try checkNeedsNoProof(name, option: option, hasListKeys)
                return .issuers(source)
            case (_, .keySet):
                throw unusable(name, option: option, "it is a key set, which is given with --jwks")
            default:
                let list = try signerList(file, name, option: option)
                return .signers(ReadSigners(list) { rules in try admit(list, by: rules, name, option: option) })
            }
        } catch let error as Malformed {
            throw unusable(name, option: option, "\(error)")
        }
    }

    /// Reads a value of `--directory` that lists issuers.
    static func issuers(_ name: String, observedBy observer: ValueObserver = .nobody) throws -> DirectorySource {
        guard case .issuers(let source) = try directory(name, hasListKeys: false, observedBy: observer) else {
            throw unusable(
                name, option: "--directory", "it is a list of signers of EU certificates, and has no issuers of cards")
        }
        return source
    }

    /// Reads the states of issuers from a directory, or from the JSON document of an audit.
    ///
    /// - Parameters:
    ///   - name: the file, the folder with a list and a snapshot, or the name of an installed list.
    ///   - option: the option that names it, for messages.
    static func states(_ name: String, option: String) throws -> [IssuerState] {
        try earlier(name, option: option).states
    }

    /// Reads the states of issuers, as `states` does. If the file is that of an audit, also reads its findings.
    static func earlier(_ name: String, option: String) throws -> (states: [IssuerState], audit: AuditDocument?) {
        let list: TrustList
        if ListStore.Name(option: name) != nil || name != "-" && DirectoryFolder.isFolder(name) {
            list = try directory(name, option: option, hasListKeys: false)
        } else {
            let file = try listFile(
                try read(name, option: option, limit: Bounds.directorySize), name, option: option)
            if let audit = try audit(in: file, name, option: option) { return (audit.states, audit) }
            list = try directory(file, name, option: option)
        }
        switch list {
        case .signers: throw unusable(name, option: option, "it is a list of signers, and only issuers can be compared")
        case .issuers(let source):
            var directories = TrustedIssuers()
            directories.add(source)
            return (
                directories.entries.map { IssuerState($0, in: directories) }
                    + directories.unreached.map { IssuerState($0) }, nil
            )
        }
    }

    /// The report of an audit; nil if the file is another document.
    private static func audit(in file: ListFile, _ name: String, option: String) throws -> AuditDocument? {
        guard case .json(let document) = file else { return nil }
        let kind = try use(name, option: option) { () throws(Malformed) in
            try DocumentKind(of: document, among: DocumentKind.states)
        }
        guard kind == .audit else { return nil }
        guard let audit = AuditDocument(document) else {
            throw unusable(name, option: option, "it is the report of an audit, and is not whole")
        }
        return audit
    }

    /// The installed list of signers.
    private static func signers(
        in folder: DirectoryFolder, _ name: String, hasListKeys: Bool, hint: String,
        observedBy observer: ValueObserver
    ) throws -> ReadSigners {
        func used<T>(_ body: () throws(DirectoryFolder.Failure) -> T) throws -> T {
            do throws(DirectoryFolder.Failure) {
                return try body()
            } catch {
                let keys =
                    hasListKeys
                    ? nil
                    : "the key is the one that was installed with it, and \"shcverify directory update\" installs both again"
                throw unusable(error, refusedBy: "--directory \(name)", hint: hint, keys: keys)
            }
        }
        let signers = try used { () throws(DirectoryFolder.Failure) in try folder.signers(hasKeys: hasListKeys) }
        observer("--directory", signers.bytes)
        if let keys = signers.keys { observer("--directory", keys.bytes) }
        return ReadSigners(signers.list) { rules in
            try used { () throws(DirectoryFolder.Failure) in try signers.admitted(by: rules) }
        }
    }

    private static func directory(
        in folder: DirectoryFolder, hint: String = "", isNamed: Bool = true, observedBy observer: ValueObserver
    ) throws -> DirectorySource {
        do throws(DirectoryFolder.Failure) {
            let issuers = try folder.issuers()
            // A list and a snapshot in one folder do not mean the same as the two files on their own.
            observer("--directory", Array("a folder".utf8), isFile: false)
            for (part, bytes) in issuers.files {
                observer("--directory", bytes, path: isNamed ? folder.path(of: part) : nil, as: .directory)
            }
            return issuers.source
        } catch {
            throw unusable(error, hint: hint)
        }
    }

    /// The error for a folder whose list cannot be used.
    ///
    /// - Parameters:
    ///   - option: the option with the rules that refuse a list.
    ///   - hint: what to do if a file cannot be read.
    ///   - keys: what must have signed the list; nil if it is a key of `--list-key`.
    private static func unusable(
        _ error: DirectoryFolder.Failure, refusedBy option: String = "--directory", hint: String, keys: String? = nil
    ) -> CommandFailure {
        switch error.cause {
        case .unreadable: unreadable(error, option: "--directory", hint: hint)
        case .malformed: unusable(error.path, option: "--directory", error.reason)
        case .refused(let rule): unusable(error.path, option: option, error.reason + advice(on: rule, keys: keys))
        }
    }

    /// Reads from the folder of a directory, and names the option if that fails.
    static func read<T>(
        option: String = "--directory", hint: String = "", _ body: () throws(DirectoryFolder.Failure) -> T
    ) throws -> T {
        do throws(DirectoryFolder.Failure) {
            return try body()
        } catch {
            throw unreadable(error, option: option, hint: hint)
        }
    }

    /// The error for a folder that cannot be read.
    private static func unreadable(_ failure: DirectoryFolder.Failure, option: String, hint: String) -> CommandFailure {
        unusable(
            failure.path, option: option,
            failure.isUnsafe
                ? "cannot be relied on: \(failure.reason)" : "cannot be read: \(failure.reason)\(hint)", as: .unreadable
        )
    }

    /// Reads the files of `--jwks`: key sets, which may also be of signers, and certificates of signers.
    ///
    /// - Returns: the keys of cards, the signers, and the first file that has keys of cards without saying whose they are.
    static func keys(
        _ values: [String], observedBy observer: ValueObserver = .nobody
    ) throws -> (keys: GivenKeys, signers: [AdmittedList], ownerless: String?) {
        var keys = GivenKeys()
        var signers: [AdmittedList] = []
        var ownerless: String?
        for value in values {
            var path = value[...]
            var issuer: Issuer?
            if value.hasPrefix("https://") {
                guard let equals = value.lastIndex(of: "=") else {
                    throw ValidationError("--jwks takes FILE, or ISS=FILE; \(value) has no =FILE.")
                }
                let url = String(value[..<equals])
                issuer = try Issuer(url, option: "--jwks")
                path = value[value.index(after: equals)...]
            }
            let bytes = try read(String(path), option: "--jwks", limit: Bounds.keySetSize)
            let set: JSONValue
            switch try listFile(bytes, String(path), option: "--jwks") {
            case .certificates(let text) where PEM.wordsWithoutCertificate(text) != nil:
                throw unusable(
                    String(path), option: "--jwks",
                    "it holds \(PEM.wordsWithoutCertificate(text) ?? "no key"); a key set (JWKS) is needed, in which each key has its ID "
                        + "(kid)\(issuer == nil ? ", or the certificates of signers" : "")")
            case .certificates where issuer == nil:
                observer("--jwks", bytes, path: String(path), issuer: issuer)
                let list = try signerList(.certificates(bytes), String(path), option: "--jwks", from: .jwksFile)
                if let list = AdmittedList(keys: list) { signers.append(list) }
                keys.addSigners()
                continue
            case .certificates:
                throw unusable(
                    String(path), option: "--jwks",
                    "it is certificates, which are for no issuer of cards; a key set (JWKS) is needed")
            case .signed:
                throw unusable(
                    String(path), option: "--jwks", "it is a signed list, as the German trust list is, and no key set")
            case .json(let document): set = document
            }
            do throws(JWKSetError) {
                let hadKeys = keys.hasCardKeysForAnyIssuer
                keys.add(try JWKSet(set, of: bytes), for: issuer)
                if !hadKeys, keys.hasCardKeysForAnyIssuer { ownerless = String(path) }
            } catch {
                let advice = error == .noKeys(looksLikeSingleKey: false) ? DocumentKind.advice(on: set) : nil
                throw unusable(String(path), option: "--jwks", advice ?? error.description)
            }
            // Keys that are given for one issuer of cards serve no other purpose.
            let list = issuer == nil ? try? SignerList(keySet: set) : nil
            if let list, !list.isOfCardIssuer, let keys = AdmittedList(keys: list) { signers.append(keys) }
            observer(
                "--jwks", bytes, path: String(path), issuer: issuer, as: list?.isOfSigners == true ? nil : .jwks, set)
        }
        return (keys, signers, ownerless)
    }

    /// Reads the files of `--crl`: revocation lists of cards, and batches of revoked EU certificates.
    static func revocations(
        _ paths: [String], observedBy observer: ValueObserver = .nobody
    ) throws -> (lists: [RevocationList], batches: [RevocationBatch]) {
        var lists: [RevocationList] = []
        var batches: [RevocationBatch] = []
        for path in paths {
            let bytes = try read(path, option: "--crl", limit: Bounds.revocationListSize)
            let document: JSONValue
            let kind: DocumentKind
            do {
                document = try PublishedList.parse(file: bytes, maximumSize: Bounds.revocationListSize)
                kind = try DocumentKind(of: document, among: DocumentKind.revocations)
                if kind == .certificateRevocations {
                    batches.append(try RevocationBatch(document))
                } else {
                    lists.append(try RevocationList(document))
                }
            } catch {
                throw unusable(path, option: "--crl", "\(error)")
            }
            observer("--crl", bytes, path: path, as: kind == .cardRevocations ? .crl : nil, document)
        }
        return (lists, batches)
    }
}
