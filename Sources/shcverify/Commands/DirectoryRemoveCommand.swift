import ArgumentParser
import CredentialReports
import Directories

/// `shcverify directory remove NAME`: removes what `directory update` has installed.
struct DirectoryRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration.of("directory remove")

    @Argument(help: .of("name.directoryremove"), completion: .list(ListStore.Name.directories.map(\.rawValue)))
    var name: String

    @Flag(name: .customLong("system"), help: .of("system.directoryremove")) var isSystem = false

    func validate() throws { _ = try list() }

    private func list() throws -> ListStore.Name {
        guard let list = ListStore.Name(option: name) else {
            throw ValidationError("Only what \"directory update\" has installed can be removed: vci or gdhcn.")
        }
        return list
    }

    func run() throws {
        let list = try list()
        try ProcessSetup.checkOpenSSL()
        let places = ListPlaces.standard
        let store = try places.forUpdate(isSystem: isSystem)
        let found = Inventory.directory(list, in: store)
        let isRemoved: Bool
        do throws(InstallationFailure) {
            isRemoved = try store.remove(list)
        } catch {
            throw store.end(for: error, done: "removed")
        }
        guard isRemoved else {
            let other = places.all.first { $0.isSystem != isSystem && $0.mayHave(list) }
            let hint = other.map {
                "; in \($0.parent) there is one, \($0.isSystem ? "which --system removes" : "which is removed without --system")"
            }
            StandardStreams.warn(
                "shcverify: nothing was removed: \(list.rawValue) is not installed in \(store.parent)\(hint ?? "")")
            return
        }
        try StandardStreams.write(line: "removed: \(store.parent)/\(list.rawValue): \(found.message)")
    }
}
