/// An entry of a revocation list: `rid` or `rid.timestamp`
struct RevocationEntry {
    let revocationID: ArraySlice<UInt8>
    /// The second since 1970 that cards are revoked if they were issued before; the last where there is no timestamp.
    let revokedBefore: Int64

    /// Nil where the bytes are of another form.
    init?(_ text: ArraySlice<UInt8>) {
        let dot = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        revocationID = text[..<dot]
        guard !revocationID.isEmpty, RevocationID.isInAlphabet(revocationID) else { return nil }
        guard dot < text.endIndex else {
            revokedBefore = .max
            return
        }
        let digits = text[(dot + 1)...]
        guard !digits.isEmpty, digits.count <= 15, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        revokedBefore = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    }
}
