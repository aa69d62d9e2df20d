/// The form of what a revocation list names cards by (SHC-R1).
package enum RevocationID {
    /// Whether the text is 1 to 24 characters of the base64url alphabet.
    package static func isWellFormed(_ text: some Collection<UInt8>) -> Bool {
        (1...Bounds.revocationIDLength).contains(text.count) && isInAlphabet(text)
    }

    /// Whether every character is of the base64url alphabet (RFC 4648 §5).
    package static func isInAlphabet(_ text: some Collection<UInt8>) -> Bool {
        text.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}
