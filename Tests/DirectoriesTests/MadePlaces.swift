import Credentials
import Directories
import Foundation
import TestSupport
import Testing

/// Two places for lists, in a folder of a test.
struct MadePlaces {
    let folder: TemporaryDirectory
    let places: ListPlaces

    init() throws {
        folder = try TemporaryDirectory()
        places = ListPlaces(
            user: ListStore(parent: folder.url.path + "/user", isSystem: false),
            system: ListStore(parent: folder.url.path + "/system", isSystem: true))
    }

    var user: ListStore { get throws { try #require(places.user) } }
    var system: ListStore { places.system }

    static func time(_ text: String) throws -> NumericDate { try #require(NumericDate(text: text)) }

    /// Installs WHO's list, with its keys if its proof is to count as verified.
    func install(_ list: String = "good", hasKeys: Bool, in store: ListStore, at time: String) throws {
        let keys = hasKeys ? [(DirectoryFolder.Part.listKeys, try VectorFiles.bytes("gdhcn/keys/prod.did.json"))] : []
        try install(
            [(.signers, VectorFiles.bytes("gdhcn/lists/\(list).json"))] + keys, as: .gdhcn, in: store, at: time)
    }

    func install(
        _ parts: [(DirectoryFolder.Part, [UInt8])], as name: ListStore.Name, in store: ListStore, at time: String
    ) throws {
        try store.install(as: name, time: Self.time(time)) { parts }
    }

    /// The folder that the link of a list leads to.
    func folder(of name: ListStore.Name, in store: ListStore) throws -> String {
        let link = "\(store.parent)/\(name.rawValue)"
        return "\(store.parent)/\(try FileManager.default.destinationOfSymbolicLink(atPath: link))"
    }
}
