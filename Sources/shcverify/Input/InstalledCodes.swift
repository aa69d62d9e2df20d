import Credentials
import FHIR
import HelperPrograms

/// The installed lists of codes.
enum InstalledCodes {
    /// The lists that are installed for this user and for all users. Of two editions of one list, the newer. Lists that cannot be
    /// relied on are left out with a warning: the built-in lists still hold.
    static func newest() -> CodeArchive {
        var archive = CodeArchive()
        for store in ListStore.all where store.isInstalled(.codes) {
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
        let folder = try store.installed(.codes)
        let bytes = try folder.read(.codes)
        do throws(CodeArchiveError) {
            return try CodeArchive(bytes)
        } catch {
            throw DirectoryFolder.Failure(path: folder.path(of: .codes), reason: "\(error)")
        }
    }
}
