package import Credentials
import Cryptography
package import Encodings
package import FHIR

/// The installed lists of codes.
///
/// They are in one file: a `CodeArchive`, and a last line with its SHA-256. The digest finds damage, such as that of a bad disk. It is no
/// protection against people who can write to the file: those are kept out by its permissions.
package enum CodeListFile {
    /// The lists that are installed in several places. Of two editions of one list, the newer. Lists that cannot be read or relied on are
    /// left out: the built-in lists still hold.
    ///
    /// - Returns: the lists, and why others are left out.
    package static func newest(in places: ListPlaces) -> (archive: CodeArchive, leftOut: [DirectoryFolder.Failure]) {
        var archive = CodeArchive()
        var failures: [DirectoryFolder.Failure] = []
        for store in places.all where store.mayHave(.codes) {
            do throws(DirectoryFolder.Failure) {
                archive = archive.joined(with: try Self.archive(in: store))
            } catch {
                failures.append(error)
            }
        }
        return (archive, failures)
    }

    /// The lists in one place.
    ///
    /// - Throws: if they cannot be read, or somebody else could have written them.
    package static func archive(in store: ListStore) throws(DirectoryFolder.Failure) -> CodeArchive {
        let folder = try store.opened(.codes)
        let bytes = try folder.read(.codes)
        return try folder.use(.codes) { () throws(Malformed) in try archive(inFile: bytes) }
    }

    /// The lists in one place without their codes.
    package struct Outline {
        /// The lists; nil if they are too many to be read in a moment.
        package let lists: [CodeArchive.List]?
        /// The size of the file in bytes, if it was not read as a whole, so that damage to the codes would not be noticed; else nil.
        package let unreadSize: Int?
    }

    /// The lists in one place, as `status` shows them, which must not take long.
    ///
    /// - Throws: if they cannot be read, or somebody else could have written them.
    package static func outline(in store: ListStore) throws(DirectoryFolder.Failure) -> Outline {
        let folder = try store.opened(.codes)
        let size = try folder.size(of: .codes)
        guard size > outlinedSize else { return Outline(lists: try archive(in: store).lists, unreadSize: nil) }
        let beginning = try folder.read(.codes, limit: beginningSize)
        let lists = try folder.use(.codes) { () throws(Malformed) in
            try CodeArchive.outline(ofBeginning: beginning, size: size - sumSize)
        }
        return Outline(lists: lists, unreadSize: size)
    }

    /// The size of a file in bytes from which only the beginning is read for an outline.
    private static let outlinedSize = 16 << 20
    /// The size of that beginning in bytes.
    private static let beginningSize = 1 << 20

    /// The names of the lists in one place whose file cannot be used, as far as they can still be made out.
    package static func names(inUnusable store: ListStore) -> [UTF8Text] {
        (try? store.opened(.codes).read(.codes)).map { CodeArchive.names(inUnusable: $0) } ?? []
    }

    // MARK: The file

    /// The content of the file with some lists; nil if it would be too large to be read again.
    package static func file(of archive: CodeArchive) -> [UInt8]? {
        let content = archive.bytes
        let file = content + sum(of: content[...])
        guard file.count <= CodeArchive.maximumSize, (try? self.archive(inFile: file)) != nil else { return nil }
        return file
    }

    private static func archive(inFile bytes: [UInt8]) throws(Malformed) -> CodeArchive {
        var content = bytes
        content.removeLast(min(sumSize, content.count))
        guard sum(of: content[...]).elementsEqual(bytes[content.count...]) else {
            // A file of another version has another form, and says so in its first line.
            _ = try CodeArchive(bytes)
            throw .damagedArchive
        }
        return try CodeArchive(content)
    }

    /// The last line of the file.
    private static func sum(of content: ArraySlice<UInt8>) -> [UInt8] {
        Array("\n\(SHA256.digest(content).hexadecimal)\n".utf8)
    }

    private static let sumSize = SHA256.digestLength * 2 + 2
}

/// Why a list of codes must not replace the installed one of the same kind.
package enum CodeListObjection: Sendable {
    /// It has a date that this machine's clock has not reached.
    case future(date: String)
    /// It has a date before that of the installed list.
    case older(date: String, than: CodeArchive.List)
    /// It has fewer than half as many codes as the installed list.
    case fewerCodes(count: Int, than: CodeArchive.List)

    /// - Parameters:
    ///   - list: the new list.
    ///   - archive: the installed lists.
    ///   - now: the time of this machine's clock.
    /// - Returns: nil if the list may be installed.
    package init?(to list: CodeList, in archive: CodeArchive, now: NumericDate) {
        // The clocks of two machines may be a day apart. A list from the future must not block all later ones.
        let latest = NumericDate(sinceEpoch: now.sinceEpoch + .seconds(2 * 86_400)).description.prefix(10)
        if let date = list.date, latest.utf8.lexicographicallyPrecedes(date.utf8) {
            self = .future(date: date)
            return
        }
        guard let installed = archive.lists.first(where: { $0.isEdition(of: list) }) else { return nil }
        // A list without a date has that of its installation.
        if let date = list.date, installed.date.utf8.lexicographicallyPrecedes(latest.utf8),
            date.utf8.lexicographicallyPrecedes(installed.date.utf8)
        {
            self = .older(date: date, than: installed)
            return
        }
        let count = Set(list.entries.map(\.code.canonical)).count
        guard count * 2 < installed.count else { return nil }
        self = .fewerCodes(count: count, than: installed)
    }
}
