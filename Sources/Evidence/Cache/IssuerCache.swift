import Credentials
import Processes
import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The documents that issuers publish, kept on disk between runs (RFC 9111 §3): key sets and revocation lists. The
/// cache contains nothing from cards.
///
/// Each document has its own file (see the file form of `CachedDocument`). The file's name is made from the exact URL
/// and the permissions for it, so issuers that differ only in case share no file. A file is written under another name
/// and then renamed, so any number of processes can use a cache at once. A cache only saves time. If something is wrong
/// with it, it counts as empty, without a message.
///
/// It keeps at most 2,000 documents and 256 MiB, even if an attacker presents cards of many made-up issuers. The
/// documents whose last confirmation is oldest are removed first.
public struct IssuerCache: Sendable {
    /// The directory of the cache.
    public let directory: String

    /// The largest document that is kept, in bytes. A larger revocation list is fetched each time.
    static let maximumBodySize = 16 << 20
    var maximumCount = 2000
    var maximumSize = 256 << 20

    private let makesAllParents: Bool

    /// - Parameters:
    ///   - directory: the path. The directory and its parent are created with mode 0700 when there is something to
    ///     keep. The directory is not used if it belongs to another user, or if others can write to it.
    ///   - makesAllParents: whether all missing directories above it are created too. Use it only for a directory that
    ///     the user names. A missing home directory, for example, must not be created.
    public init(directory: String, makesAllParents: Bool = false) {
        self.directory = directory
        self.makesAllParents = makesAllParents
    }

    /// The path of `shcverify` in the XDG cache directory: under `XDG_CACHE_HOME`, or else `~/.cache`. Nil if neither
    /// `XDG_CACHE_HOME` nor `HOME` is an absolute path.
    public static var standardDirectory: String? {
        for (variable, path) in [("XDG_CACHE_HOME", "shcverify"), ("HOME", ".cache/shcverify")] {
            if let parent = HostProcess.environmentVariable(variable).map({ FilePath($0) }), parent.isAbsolute {
                return parent.pushing(FilePath(path)).string
            }
        }
        return nil
    }

    /// Whether documents can be kept.
    package enum Condition: Sendable, Equatable {
        /// They can: a file was written there and removed again.
        case writable
        /// There is no directory yet, and it can be made.
        case absent
        /// They cannot. The text says why.
        case unusable(String)
    }

    /// Finds out whether documents can be kept. It makes no directory.
    ///
    /// - Parameters:
    ///   - name: what the text of an unusable cache calls the directory. The text always has it.
    ///   - probing: whether a file is written to find out, and removed again. If not, a full disk is noticed only if the file system
    ///     says so.
    package func condition(calling name: String = "it", probing: Bool = true) -> Condition {
        let given = FilePath(directory)
        let named = sequence(first: given) { $0.components.count > 1 ? $0.removingLastComponent() : nil }
        var status = stat()
        for (missing, path) in (Array(named) + [given.isAbsolute ? "/" : "."]).enumerated() {
            // Unsafe, here and below: the C library reads the path and writes the structure, which live for the call.
            guard unsafe stat(path.string, &status) != 0 else {
                guard missing > 0 else { return existingCondition(status, name, probing: probing) }
                guard status.st_mode & S_IFMT == S_IFDIR else {
                    return .unusable("\(name) cannot be made: \(path) is not a folder")
                }
                guard makesAllParents || missing <= 2 else {
                    return .unusable("the folder above \(name) does not exist")
                }
                let canMake = unsafe faccessat(AT_FDCWD, path.string, W_OK | X_OK, AT_EACCESS) == 0
                let problem = canMake ? WriteAccess.objection(toNewFilesIn: path.string) : "\(Errno(rawValue: errno))"
                return problem.map { .unusable("\(name) cannot be made in \(path): \($0)") } ?? .absent
            }
            let problem = errno
            guard [ENOENT, ENOTDIR].contains(problem) else {
                return .unusable("\(name) cannot be used: \(Errno(rawValue: problem))")
            }
            if problem == ENOENT, unsafe lstat(path.string, &status) == 0 {
                return .unusable(
                    missing > 0
                        ? "\(name) cannot be made: \(path) is a link to nothing" : "\(name) is a link to nothing")
            }
        }
        return .unusable("\(name) cannot be made")
    }

    private func existingCondition(_ status: stat, _ name: String, probing: Bool) -> Condition {
        guard status.st_mode & S_IFMT == S_IFDIR else { return .unusable("\(name) is not a folder") }
        if let objection = WriteAccess.objection(toPrivateFolderAt: directory, named: name) {
            return .unusable(objection)
        }
        guard probing else {
            // Unsafe: as above.
            guard unsafe faccessat(AT_FDCWD, directory, R_OK | W_OK | X_OK, AT_EACCESS) == 0 else {
                return .unusable("no file can be written to \(name): \(Errno(rawValue: errno))")
            }
            return WriteAccess.objection(toNewFilesIn: directory).map {
                .unusable("no file can be written to \(name): \($0)")
            } ?? .writable
        }
        // The form of a document's name, so that a later run removes the file if this process is killed.
        let file = String(repeating: "0", count: 64)
        guard let opened = PrivateDirectory(directory), opened.write(Array(repeating: 0, count: 4096), to: file) else {
            let why = WriteAccess.objection(toNewFilesIn: directory).map { ": \($0)" } ?? ""
            return .unusable("no file can be written to \(name)\(why)")
        }
        opened.remove(file)
        return .writable
    }

    /// Creates the directory now, for a process that gives up the right to do it later.
    ///
    /// - Returns: the directories that were created, the deepest last. They are to be removed at the end if they are empty.
    package func createDirectory() -> [String] {
        PrivateDirectory.create(FilePath(directory), makesAllParents ? .allParents : .parent).map(\.string)
    }

    /// The copy of a document that was fetched with the same permissions. Nil if there is none that can be trusted.
    func copy(of document: PublishedDocument, under allowances: CachedDocument.Allowances) -> CachedDocument? {
        let limit = min(document.maximumSize, Self.maximumBodySize)
        guard let directory = PrivateDirectory(directory),
            let file = directory.read(
                document.fileName(under: allowances), limit: CachedDocument.maximumFileSize(forBodyOf: limit))
        else { return nil }
        return CachedDocument(fileForm: file, of: document, under: allowances)
    }

    /// Keeps a copy of a document. It replaces an earlier copy.
    func keep(_ copy: CachedDocument, of document: PublishedDocument) {
        guard copy.body.count <= Self.maximumBodySize, let file = copy.fileForm(of: document),
            let directory = PrivateDirectory(directory, creating: makesAllParents ? .allParents : .parent)
        else { return discard(document, under: copy.allowances) }
        let name = document.fileName(under: copy.allowances)
        // If the new copy cannot be written, the old one must be removed too: it may contain a key that was withdrawn.
        if !directory.write(file, to: name) { directory.remove(name) }
        tidy(directory)
    }

    /// Removes the copy of a document.
    func discard(_ document: PublishedDocument, under allowances: CachedDocument.Allowances) {
        PrivateDirectory(directory)?.remove(document.fileName(under: allowances))
    }

    /// Removes documents beyond the limits, and drafts that a killed process left behind more than an hour ago. Other
    /// files are left alone.
    private func tidy(_ directory: borrowing PrivateDirectory) {
        var entries: [PrivateDirectory.File] = []
        let files = directory.files
        let newest = files.map(\.modified).max() ?? 0
        for file in files {
            if Self.isName(file.name[...]) {
                entries.append(file)
            } else if file.name.hasPrefix("."), Self.isName(file.name.dropFirst().prefix { $0 != "." }),
                file.modified < newest - 3600
            {
                directory.remove(file.name)
            }
        }
        var (count, size) = (entries.count, entries.map(\.size).reduce(0, +))
        for oldest in entries.sorted(by: { $0.modified < $1.modified }) where count > maximumCount || size > maximumSize
        {
            directory.remove(oldest.name)
            count -= 1
            size -= oldest.size
        }
    }

    private static func isName(_ name: Substring) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// What the cache had for a document when a run first needed it. It is for people who ask why a run did what it did.
package struct CacheLookup: Sendable {
    /// The state of a copy.
    package enum Copy: Sendable {
        /// There is none that can be used.
        case missing
        /// It is used without asking the issuer.
        case fresh
        /// The issuer is asked first. It was fresh until this long ago; nil if the copy is from the future, by this machine's clock.
        case stale(by: Duration?)
    }

    /// The URL of the document.
    package let url: String
    /// The state of the copy.
    package let copy: Copy
    /// How long ago the copy was retrieved or confirmed; nil if there is none.
    package let age: Duration?
    /// The size of the copy in bytes; nil if there is none.
    package let size: Int?

    init(_ document: PublishedDocument, _ copy: CachedDocument?, at now: NumericDate) {
        url = document.url
        age = copy.map { now.sinceEpoch - $0.retrieved.sinceEpoch }
        size = copy?.body.count
        guard let copy else {
            self.copy = .missing
            return
        }
        self.copy = copy.isFresh(at: now) ? .fresh : .stale(by: copy.timePastFreshness(at: now))
    }
}
