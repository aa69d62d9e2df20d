import ArgumentParser
import Bytes
import CredentialReports
import Credentials
import Cryptography
import Directories
import Glibc
import HTTPSFetch
import HealthCertificates
import Inputs
import IssuerNetwork
import JOSE
import LocalFiles
import SMARTHealthCards
import StrictJSON

/// Reads the files that options name. If one cannot be read or parsed, the command ends before any card is verified.
enum OptionFile {
    /// Is called with the values of options, byte for byte.
    struct Note {
        /// A value of an option.
        struct Given {
            let option: String
            let content: [UInt8]
            /// The path that the user named; nil if the value is not from a named file.
            var path: String?
            /// The only issuer that the value applies to; nil if it applies to all.
            var issuer: Issuer?
            /// Whether the content is that of a file.
            var isFile = true
            /// How lint reads the file; nil if it does not.
            var form: InputForm?
            /// The content as it was parsed; nil if it is not JSON, or was parsed elsewhere.
            var json: JSONValue?
        }

        private let take: ((Given) -> Void)?
        /// Is called with the option and the path of each named file.
        private let takeName: ((_ option: String, _ path: String) -> Void)?

        init(_ take: @escaping (Given) -> Void) { self.init(take: take, takeName: nil) }

        private init(take: ((Given) -> Void)?, takeName: ((String, String) -> Void)?) {
            self.take = take
            self.takeName = takeName
        }

        static var nothing: Note { Note(take: nil, takeName: nil) }

        /// This note, which also tells the names of files.
        func telling(name: @escaping (_ option: String, _ path: String) -> Void) -> Note {
            Note(take: take, takeName: name)
        }

        /// The content is made only if somebody wants it: that of an installed list may be large.
        func callAsFunction(
            _ option: String, _ content: @autoclosure () -> [UInt8], path: String? = nil, issuer: Issuer? = nil,
            isFile: Bool = true, as form: InputForm? = nil, _ json: JSONValue? = nil
        ) {
            if let path { takeName?(option, path) }
            take?(
                Given(
                    option: option, content: content(), path: path, issuer: issuer, isFile: isFile, form: form,
                    json: json))
        }
    }

    /// Reads the files of `--jwks`: key sets, which may be of signers too, and signer certificates.
    ///
    /// - Returns: the keys of cards, the signers, and the first file that has keys of cards and does not say whose.
    static func keys(
        _ values: [String], noting note: Note = .nothing
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
                let slashes = url.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count
                if slashes > 0, let meant = try? Issuer(String(url.dropLast(slashes)), option: "--jwks") {
                    throw ValidationError(
                        "--jwks \(value): the URL of an issuer does not end with a slash. Write --jwks "
                            + "\(meant.url)=\(value[equals...].dropFirst())")
                }
                issuer = try Issuer(url, option: "--jwks")
                path = value[value.index(after: equals)...]
            }
            let bytes = try read(String(path), option: "--jwks", limit: Bounds.keySetSize)
            let set: JSONValue
            switch try listFile(bytes, String(path), option: "--jwks") {
            case .certificates where issuer == nil:
                note("--jwks", bytes, path: String(path), issuer: issuer)
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
            // Keys that are given for one issuer of cards are for nothing else.
            let list = issuer == nil ? try? SignerList(keySet: set) : nil
            if let list, !list.isOfCardIssuer, let keys = AdmittedList(keys: list) { signers.append(keys) }
            note(
                "--jwks", bytes, path: String(path), issuer: issuer, as: list?.isOfSigners == true ? nil : .jwks, set)
        }
        return (keys, signers, ownerless)
    }

    /// Parses a file that may be JSON or certificates.
    private static func listFile(_ bytes: [UInt8], _ path: String, option: String) throws -> ListFile {
        do throws(PublishedListError) {
            return try ListFile(bytes, maximumSize: Bounds.directorySize)
        } catch {
            throw unusable(path, option: option, "\(error)")
        }
    }

    private static func signerList(
        _ file: ListFile, _ path: String, option: String, from origin: KeyOrigin = .directory
    ) throws -> SignerList {
        do throws(SignerListError) {
            return try SignerList(file, from: origin)
        } catch {
            throw unusable(path, option: option, "\(error)")
        }
    }

    /// Reads the files of `--crl`: revocation lists of cards, and batches of revoked EU certificates.
    static func revocations(
        _ paths: [String], noting note: Note = .nothing
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
            note("--crl", bytes, path: path, as: kind == .cardRevocations ? .crl : nil, document)
        }
        return (lists, batches)
    }

    /// A trust list of `--directory`.
    enum TrustList {
        /// Issuers of SMART Health Cards.
        case issuers(DirectorySource)
        /// Signers of health certificates.
        case signers(AdmittedList)
    }

    /// Reads a file of `--list-key`.
    static func listKeys(_ path: String, noting note: Note = .nothing) throws -> ListKeys {
        let option = "--list-key"
        let bytes = try read(path, option: option, limit: Bounds.keySetSize)
        note(option, bytes, path: path)
        do throws(ListKeyError) {
            return try ListKeys(bytes)
        } catch {
            throw unusable(path, option: option, "\(error)")
        }
    }

    /// Takes a list of signers by the rules for lists.
    ///
    /// - Parameter keys: what has to have signed the list, for messages.
    private static func admit(
        _ list: SignerList, by rules: TrustListRules, _ name: String, option: String,
        keys: String = "with --list-key, only lists that one of its keys has signed are taken"
    ) throws -> AdmittedList {
        do throws(TrustListRefusal) {
            return try rules.admit(list)
        } catch {
            let advice =
                switch error.rule {
                case .testList: "; --allow-test-lists permits it"
                case .proof: "; \(keys)"
                case .contradiction: ""
                }
            throw unusable(name, option: option, "\(error)\(advice)")
        }
    }

    /// The end of a list of issuers that somebody else could have put in the place of a signed list.
    private static func checkNeedsNoProof(_ name: String, option: String, by rules: TrustListRules) throws {
        guard rules.keys != nil else { return }
        throw unusable(
            name, option: option,
            "it has no proof that a key of --list-key could have signed; with --list-key, only WHO's list of version 2 and the German "
                + "list are taken")
    }

    /// Reads a directory of `--directory`: a file, a folder with a list and a snapshot, or an installed list.
    ///
    /// - Parameters:
    ///   - option: what names it, for messages.
    ///   - rules: by which lists of signers are taken. The installed directory of VCI, which was checked when it was installed, needs none.
    static func directory(
        _ name: String, option: String = "--directory", rules: TrustListRules, noting note: Note = .nothing
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
                return .signers(try signers(in: installed, name, rules: rules, hint: hint, noting: note))
            }
            return .issuers(try directory(in: installed, hint: hint, isNamed: false, noting: note))
        }
        // "-" means standard input, even if a folder has that name.
        guard name == "-" || !DirectoryFolder.isFolder(name) else {
            try checkNeedsNoProof(name, option: option, by: rules)
            return .issuers(
                try directory(
                    in: try read(option: option) { () throws(DirectoryFolder.Failure) in try DirectoryFolder(name) },
                    noting: note))
        }
        let bytes = try read(name, option: option, limit: Bounds.directorySize)
        let file = try listFile(bytes, name, option: option)
        let list = try directory(file, name, option: option, rules: rules)
        if case .json(let document) = file, case .issuers = list {
            note("--directory", bytes, path: name, as: .directory, document)
        } else {
            note("--directory", bytes, path: name)
        }
        return list
    }

    /// Whether a word is the path of a list for `--directory`, a file or a folder: its content is one, or its name can only be a path. A
    /// file that has the name of an issuer by chance is no list.
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
            // If nothing is installed, it is no use to look for a key.
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
        _ file: ListFile, _ name: String, option: String = "--directory", rules: TrustListRules
    ) throws -> TrustList {
        do {
            switch (file, try file.kind) {
            case (.json(let document), .issuers):
                let source = DirectorySource(try IssuerDirectory(document))
                try checkNeedsNoProof(name, option: option, by: rules)
                return .issuers(source)
            case (_, .keySet):
                throw unusable(name, option: option, "it is a key set, which is given with --jwks")
            default:
                return .signers(try admit(try signerList(file, name, option: option), by: rules, name, option: option))
            }
        } catch let error as DocumentKindError {
            throw unusable(name, option: option, "\(error)")
        } catch let error as IssuerDirectoryError {
            throw unusable(name, option: option, "\(error)")
        }
    }

    /// Reads a directory of `--directory` that has issuers.
    static func issuers(_ name: String, noting note: Note = .nothing) throws -> DirectorySource {
        guard case .issuers(let source) = try directory(name, rules: .forIssuers, noting: note) else {
            throw unusable(
                name, option: "--directory", "it is a list of signers of EU certificates, and has no issuers of cards")
        }
        return source
    }

    /// Reads the states of issuers from a directory, or from the JSON document of an audit.
    ///
    /// - Parameters:
    ///   - name: the file, the folder with a list and a snapshot, or the name of an installed list.
    ///   - option: what names it, for messages.
    static func states(_ name: String, option: String) throws -> [IssuerState] {
        try earlier(name, option: option).states
    }

    /// Reads the states of issuers, as `states` does, and if the file is that of an audit, its findings.
    static func earlier(_ name: String, option: String) throws -> (states: [IssuerState], audit: AuditDocument?) {
        let list: TrustList
        if ListStore.Name(option: name) != nil || name != "-" && DirectoryFolder.isFolder(name) {
            list = try directory(name, option: option, rules: .forIssuers)
        } else {
            let file = try listFile(
                try read(name, option: option, limit: Bounds.directorySize), name, option: option)
            if let audit = try audit(in: file, name, option: option) { return (audit.states, audit) }
            list = try directory(file, name, option: option, rules: .forIssuers)
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
        do throws(DocumentKindError) {
            guard try DocumentKind(of: document, among: DocumentKind.states) == .audit else { return nil }
        } catch {
            throw unusable(name, option: option, "\(error)")
        }
        guard let audit = AuditDocument(document) else {
            throw unusable(name, option: option, "it is the report of an audit, and is not whole")
        }
        return audit
    }

    /// The installed list of signers. Its proof is checked by the keys of the rules, or else by those that were installed with it; it is as
    /// old as the proof says, or else as its installation.
    private static func signers(
        in folder: DirectoryFolder, _ name: String, rules: TrustListRules, hint: String, noting note: Note
    ) throws -> AdmittedList {
        let bytes = try read(hint: hint) { () throws(DirectoryFolder.Failure) in try folder.read(.signers) }
        note("--directory", bytes)
        let path = folder.path(of: .signers)
        var list = try signerList(
            try listFile(bytes, path, option: "--directory"), path, option: "--directory")
        // A list of unknown age is older than any limit.
        list.retrieved = ListStore.timeOfInstallation(folder) ?? NumericDate(sinceEpoch: .zero)
        let isGiven = rules.keys != nil
        var rules = rules
        if !isGiven {
            let installed = try read(hint: hint) { () throws(DirectoryFolder.Failure) in try folder.listKeys() }
            if let installed {
                note("--directory", installed.bytes)
                rules.keys = installed.keys
            }
        }
        let option = "--directory \(name)"
        guard isGiven else {
            let keys =
                "the key is the one that was installed with it, and \"shcverify directory update\" installs both again"
            return try admit(list, by: rules, path, option: option, keys: keys)
        }
        return try admit(list, by: rules, path, option: option)
    }

    private static func directory(
        in folder: DirectoryFolder, hint: String = "", isNamed: Bool = true, noting note: Note
    ) throws -> DirectorySource {
        // A list and a snapshot in one folder mean something else than the two files alone.
        note("--directory", Array("a folder".utf8), isFile: false)
        let parts = try [DirectoryFolder.Part.issuers, .snapshot].map { part in
            let bytes = try read(hint: hint) { () throws(DirectoryFolder.Failure) in try folder.read(part) }
            let directory = try parse(bytes, folder.path(of: part))
            note("--directory", bytes, path: isNamed ? folder.path(of: part) : nil, as: .directory)
            return directory
        }
        do throws(IssuerDirectoryError) {
            return try DirectorySource(list: parts[0], snapshot: parts[1])
        } catch {
            throw unusable(folder.path, option: "--directory", "\(error)")
        }
    }

    private static func parse(_ bytes: [UInt8], _ path: String) throws -> IssuerDirectory {
        do throws(IssuerDirectoryError) {
            return try IssuerDirectory(bytes)
        } catch {
            throw unusable(path, option: "--directory", "\(error)")
        }
    }

    /// Reads from a directory's folder, and names the option if that fails.
    static func read<T>(
        option: String = "--directory", hint: String = "", _ body: () throws(DirectoryFolder.Failure) -> T
    ) throws -> T {
        do throws(DirectoryFolder.Failure) {
            return try body()
        } catch {
            StandardStreams.warn(
                "shcverify: \(option) \(error.path): "
                    + (error.isUnsafe
                        ? "cannot be relied on: \(error.reason)" : "cannot be read: \(error.reason)\(hint)"))
            throw CommandExit.unreadable
        }
    }

    /// Reads the certificates of `--anchor`; nil if there are none.
    ///
    /// - Parameter compromised: gets the keys whose private half stands in one of the files.
    static func anchors(
        _ paths: [String], compromised: inout CompromisedKeys, noting note: Note = .nothing
    ) throws -> CertificateAnchors? {
        guard !paths.isEmpty else { return nil }
        let anchors = try paths.map { path in
            let bytes = try read(path, option: "--anchor", limit: Bounds.inputSize)
            note("--anchor", bytes, path: path)
            compromised.formUnion(CompromisedKeys(privateKeysIn: bytes))
            do throws(CertificateFileError) {
                return try CertificateAnchors(pem: bytes)
            } catch {
                throw unusable(path, option: "--anchor", "\(error)")
            }
        }
        return try CertificateAnchors(merging: anchors)
    }

    /// Reads the file of `--ca-file`, which must contain a certificate.
    ///
    /// The process that fetches opens the file again. A path like `/dev/stdin` would mean another file there, so the
    /// result has the resolved path.
    static func certificateAuthorities(_ path: String, noting note: Note = .nothing) throws -> CertificateAuthorities {
        let option = "--ca-file"
        let path = path == "-" ? "/dev/stdin" : path
        let bytes = try read(path, option: option, limit: Bounds.inputSize, by: InputReader.readReopenable)
        note(option, bytes, path: path)
        do throws(CertificateFileError) {
            _ = try CertificateAnchors(pem: bytes)
        } catch {
            throw unusable(path, option: option, "\(error)")
        }
        // Unsafe: the C library reads the path during the call. The result is copied, and then freed here.
        guard let resolved = unsafe realpath(path, nil) else {
            StandardStreams.warn(
                "shcverify: \(option) \(path): cannot be read: it has no path that a later run could compare")
            throw CommandExit.unreadable
        }
        defer { unsafe free(resolved) }
        return CertificateAuthorities(file: unsafe String(cString: resolved), content: bytes)
    }

    /// Reads a file that an option names.
    ///
    /// - Parameters:
    ///   - largeFile: the exit code for a file that is larger than the limit.
    ///   - consequence: the end of the message about such a file.
    static func read(
        _ path: String, option: String, limit: Int, largeFile: ExitCode = CommandExit.usage, consequence: String = "",
        by read: (String, Int) throws(InputReader.Failure) -> [UInt8] = InputReader.read
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try read(path, limit)
        } catch {
            throw unreadable(path, option: option, error)
        }
        guard bytes.count <= limit else {
            throw tooLarge(path, option: option, limit: limit, consequence: consequence, exitCode: largeFile)
        }
        return bytes
    }

    /// The error for a file that cannot be read, after a line on standard error.
    static func unreadable(_ path: String, option: String, _ failure: InputReader.Failure) -> any Error {
        StandardStreams.warn("shcverify: \(option) \(InputReader.shown(path)): cannot be read: \(failure.message)")
        return CommandExit.unreadable
    }

    /// The error for a file that is larger than a limit, after a line on standard error.
    static func tooLarge(
        _ path: String, option: String, limit: Int, consequence: String = "", exitCode: ExitCode = CommandExit.usage
    ) -> any Error {
        unusable(path, option: option, "it is larger than \(limit.sizeInWords)\(consequence)", exitCode: exitCode)
    }

    /// The error for a file that cannot be used, after a line on standard error that names the option.
    static func unusable(
        _ path: String, option: String, _ problem: String, exitCode: ExitCode = CommandExit.usage
    ) -> any Error {
        StandardStreams.warn("shcverify: \(option) \(InputReader.shown(path)): \(problem)")
        return exitCode
    }
}

extension TrustListRules {
    /// The rules of commands that only look at issuers of cards. A list of signers is refused there for other reasons.
    fileprivate static let forIssuers = TrustListRules(allowsTestLists: true)
}
