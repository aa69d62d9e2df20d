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
            let x = try? key.coordinate("x")
            let y = try? key.coordinate("y")
            if let x { coordinates.insert(x) }
            if x == nil || y == nil, let keyID = key.keyID { keyIDs.insert(keyID) }
        }
    }

    /// Why a key may not verify, or nil where it may.
    func objection(to point: P256Point, of keyID: KeyID?) -> JWKError? {
        guard coordinates.contains(point.x) || keyID.map(keyIDs.contains) == true else { return nil }
        return JWKError(
            .privateKey,
            #"another entry of the key set publishes this key's private half ("d"), so anyone can sign with it"#)
    }
}
