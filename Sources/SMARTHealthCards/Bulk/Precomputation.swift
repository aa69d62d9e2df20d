import JOSE

/// What the threads of one run share to confirm signatures faster: multiples of the keys that are met often.
public struct Precomputation: Sendable {
    let tables = KeyTables()

    public init() {}
}
