import JSON

/// Keys whose private half is published (SHC-K3): none of them may verify anything.
///
/// Such a key stands twice in real sets, once with `d` and once without.
package struct BurntKeys: Sendable {
    /// First coordinates. The second does not matter: someone who knows `d` of (x, y) knows that of (x, −y), which is
    /// n − d, and no other point has that x.
    private var coordinates: Set<[UInt8]> = []
    /// The ids of entries with `d` that do not say which point it is for.
    private var keyIDs: Set<KeyID> = []

    package init() {}

    /// Finds the burnt keys among these.
    package init(_ keys: some Sequence<JWK>) {
        for key in keys where key.hasPrivatePart {
            let x = Self.coordinate(key.value["x"])
            if let x { coordinates.insert(x) }
            if x == nil || (try? key.coordinate("y")) == nil, let keyID = key.keyID { keyIDs.insert(keyID) }
        }
    }

    /// What holds for every issuer: the points. A key id means something only together with its issuer.
    package var pointsAlone: BurntKeys {
        var points = self
        points.keyIDs = []
        return points
    }

    package mutating func formUnion(_ other: BurntKeys) {
        coordinates.formUnion(other.coordinates)
        keyIDs.formUnion(other.keyIDs)
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

    /// Whether the private half of a key is published.
    func contains(_ point: P256Point, of keyID: KeyID?) -> Bool {
        coordinates.contains(point.x) || keyID.map(keyIDs.contains) == true
    }
}
