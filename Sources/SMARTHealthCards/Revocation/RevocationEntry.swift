import Credentials
package import Encodings

/// An entry of a revocation list: `rid` or `rid.timestamp` (SHC-R3).
struct RevocationEntry {
    let revocationID: ArraySlice<UInt8>
    /// The timestamp in seconds since 1970. Cards that were issued before it are revoked. `Int64.max` if there is no timestamp:
    /// then all cards with this identifier are revoked.
    let revokedBefore: Int64

    /// Reads an entry; nil if its form is wrong.
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

/// The form of the identifiers in revocation lists (SHC-R1).
package enum RevocationID {
    /// Whether a text consists of 1 to 24 characters of the base64url alphabet.
    package static func isWellFormed(_ text: some Collection<UInt8>) -> Bool {
        (1...Bounds.revocationIDLength).contains(text.count) && isInAlphabet(text)
    }

    /// Whether every character is in the base64url alphabet (RFC 4648 §5).
    package static func isInAlphabet(_ text: some Collection<UInt8>) -> Bool {
        text.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}

/// The version of a revocation list: `ctr` in the list, `crlVersion` in the key (SHC-R2).
///
/// The specification shows a number, but some issuers publish a string of digits. Both are compared as numbers.
package struct RevocationCounter: Comparable, Hashable, Sendable, CustomStringConvertible {
    private let value: UInt64

    /// Reads a counter; nil if the value is neither a whole number nor a string of digits.
    package init?(_ value: JSONValue) {
        guard let digits = value.number?.digits ?? value.string?.description, !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits)
        else { return nil }
        self.value = number
    }

    package static func < (left: RevocationCounter, right: RevocationCounter) -> Bool { left.value < right.value }

    package var description: String { String(value) }
}
