internal import SystemPackage

/// What issuers have published, kept on disk between runs: key sets and revocation lists, and nothing of any card.
///
/// Each document has a file of its own (`CachedDocument`'s file form), named after the exact URL of it and what was allowed
/// for it, so issuers that differ only in case share nothing. A file is written beside its name and then given it, so any number of processes may
/// use a cache at once. A cache is never more than a saving: where something is wrong with it, there is none, and nobody
/// has to be told.
///
/// It keeps at most 2,000 documents and 256 MiB; someone with cards of many made-up issuers gets no further. What was
/// not confirmed for the longest time goes first.
public struct IssuerCache: Sendable {
    /// The directory that it is in.
    public let directory: String

    /// The largest document that is kept, in bytes. A revocation list may be larger, and is fetched each time then.
    static let maximumBodySize = 16 << 20
    var maximumCount = 2000
    var maximumSize = 256 << 20

    private let makesAllParents: Bool

    /// - Parameters:
    ///   - directory: made when there is something to keep, with mode 0700, as is the one above it. One that is another
    ///     user's, or that others may write to, is not used.
    ///   - makesAllParents: whether every directory above it is made as well. A home that is not there is not to be made,
    ///     but somebody who names a directory means it.
    public init(directory: String, makesAllParents: Bool = false) {
        self.directory = directory
        self.makesAllParents = makesAllParents
    }

    /// `shcverify` in the XDG cache directory: below `XDG_CACHE_HOME`, else `~/.cache`; nil if neither that nor
    /// `HOME` is an absolute path.
    public static var standardDirectory: String? {
        for (variable, path) in [("XDG_CACHE_HOME", "shcverify"), ("HOME", ".cache/shcverify")] {
            if let parent = HostProcess.environmentVariable(variable).map({ FilePath($0) }), parent.isAbsolute {
                return parent.pushing(FilePath(path)).string
            }
        }
        return nil
    }

    /// The copy of a document that was fetched with the same allowed; nil if there is none that can be relied on.
    func copy(of document: PublishedDocument, under allowances: CachedDocument.Allowances) -> CachedDocument? {
        let limit = min(document.maximumSize, Self.maximumBodySize)
        guard let directory = PrivateDirectory(directory),
            let file = directory.read(
                document.fileName(under: allowances), limit: CachedDocument.maximumFileSize(forBodyOf: limit))
        else { return nil }
        return CachedDocument(fileForm: file, of: document, under: allowances)
    }

    /// Keeps a copy of a document in place of the one before.
    func keep(_ copy: CachedDocument, of document: PublishedDocument) {
        guard copy.body.count <= Self.maximumBodySize, let file = copy.fileForm(of: document),
            let directory = PrivateDirectory(directory, creating: makesAllParents ? .allParents : .parent)
        else { return discard(document, under: copy.allowances) }
        let name = document.fileName(under: copy.allowances)
        // Where the new one cannot be written, the old one is of no use either: it may have a key that was withdrawn.
        if !directory.write(file, to: name) { directory.remove(name) }
        tidy(directory)
    }

    /// Removes the copy of a document.
    func discard(_ document: PublishedDocument, under allowances: CachedDocument.Allowances) {
        PrivateDirectory(directory)?.remove(document.fileName(under: allowances))
    }

    /// Removes what is too much, and what a process that was killed has left behind an hour ago. Files that are not a
    /// cache's are left alone.
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
