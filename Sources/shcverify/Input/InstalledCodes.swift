import Bytes
import Credentials
import Cryptography
import FHIR
import HelperPrograms
import JSON

/// The installed lists of codes.
///
/// They are in one file: a `CodeArchive`, and a last line with its SHA-256. The digest finds damage, such as that of a bad disk. It is no
/// protection against people who can write to the file: those are kept out by its permissions.
enum InstalledCodes {
    /// The lists that are installed for this user and for all users. Of two editions of one list, the newer. Lists that cannot be
    /// read or relied on are left out with a warning: the built-in lists still hold.
    static func newest() -> CodeArchive {
        var archive = CodeArchive()
        for store in ListStore.all where store.mayHave(.codes) {
            do throws(DirectoryFolder.Failure) {
                archive = archive.joined(with: try Self.archive(in: store))
            } catch {
                ListStore.warn(error)
            }
        }
        return archive
    }

    /// The lists in one place.
    ///
    /// - Throws: if they cannot be read, or somebody else could have written them.
    static func archive(in store: ListStore) throws(DirectoryFolder.Failure) -> CodeArchive {
        let folder = try store.opened(.codes)
        let bytes = try folder.read(.codes)
        do throws(CodeArchiveError) {
            return try archive(inFile: bytes)
        } catch {
            throw DirectoryFolder.Failure(path: folder.path(of: .codes), reason: "\(error)")
        }
    }

    /// The names of the lists in one place whose file cannot be used, as far as they can still be made out.
    static func names(inUnusable store: ListStore) -> [UTF8Text] {
        (try? store.opened(.codes).read(.codes)).map { CodeArchive.names(inUnusable: $0) } ?? []
    }

    // MARK: The file

    /// The content of the file with some lists; nil if it would be too large to be read again.
    static func file(of archive: CodeArchive) -> [UInt8]? {
        let content = archive.bytes
        let file = content + sum(of: content[...])
        guard file.count <= CodeArchive.maximumSize, (try? self.archive(inFile: file)) != nil else { return nil }
        return file
    }

    private static func archive(inFile bytes: [UInt8]) throws(CodeArchiveError) -> CodeArchive {
        var content = bytes
        content.removeLast(min(sumSize, content.count))
        guard sum(of: content[...]).elementsEqual(bytes[content.count...]) else {
            // A file of another version has another form, and says so in its first line.
            _ = try CodeArchive(bytes)
            throw .damaged
        }
        return try CodeArchive(content)
    }

    /// The last line of the file.
    private static func sum(of content: ArraySlice<UInt8>) -> [UInt8] {
        Array("\n\(SHA256.digest(content).hexadecimal)\n".utf8)
    }

    private static let sumSize = SHA256.digestLength * 2 + 2
}
