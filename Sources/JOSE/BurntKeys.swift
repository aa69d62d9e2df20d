import JSON

/// The keys of a set whose private half is published, somewhere in it (SHC-K3).
///
/// Such a key stands twice in real sets, once with `d` and once without, and neither entry may verify anything.
struct BurntKeys: Sendable {
    /// First coordinates. The second does not matter: whoever knows `d` of (x, y) knows that of (x, −y), which is
    /// n − d, and no other point has that x.
    private var coordinates: Set<[UInt8]> = []
    /// The ids of entries with `d` that do not say which point it is for.
    private var keyIDs: Set<KeyID> = []

    init(_ keys: [JWK]) {
        for key in keys where key.hasPrivatePart {
            let x = Self.coordinate(key.value["x"])
            if let x { coordinates.insert(x) }
            if x == nil || (try? key.coordinate("y")) == nil, let keyID = key.keyID { keyIDs.insert(keyID) }
        }
    }

    /// The coordinate that is meant, however badly it is written: in the other alphabet, padded, with octets of zero before it or
    /// bits left over. What no key could be imported from still says which key is burnt.
    private static func coordinate(_ value: JSONValue?) -> [UInt8]? {
        guard let text = value?.stringBytes, text.count < 256 else { return nil }
        let bytes = Base64URL.decodeLeniently(text[...])
        let significant = bytes.drop { $0 == 0 }
        guard !significant.isEmpty, significant.count <= 32 else { return nil }
        return [UInt8](repeating: 0, count: 32 - significant.count) + significant
    }

    /// Why a key may not verify, or nil where it may.
    func objection(to point: P256Point, of keyID: KeyID?) -> JWKError? {
        guard coordinates.contains(point.x) || keyID.map(keyIDs.contains) == true else { return nil }
        return JWKError(
            .privateKey,
            #"another entry of the key set publishes this key's private half ("d"), so anyone can sign with it"#)
    }
}
