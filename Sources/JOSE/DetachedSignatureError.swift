/// Why the signature of a file does not hold.
public enum DetachedSignatureError: Error, Equatable, Sendable {
    /// The bytes are not an ECDSA signature in DER.
    case malformed(count: Int, looksLikeText: Bool)
    /// The signature is not of this key over these bytes.
    case notVerified

    init(notASignature bytes: [UInt8]) {
        let isText = !bytes.isEmpty && bytes.prefix(64).allSatisfy { $0 < 0x7F && ($0 >= 0x20 || 0x09...0x0D ~= $0) }
        self = .malformed(count: bytes.count, looksLikeText: isText)
    }
}

extension DetachedSignatureError: CustomStringConvertible {
    /// The error in plain words.
    public var description: String {
        switch self {
        case .malformed(0, _): "the signature is empty"
        case .malformed(_, true): "the signature is text, and an ECDSA signature in DER is wanted"
        case .malformed(let count, false): "the signature's \(count) bytes are not an ECDSA signature in DER"
        case .notVerified:
            "the signature is not of this key over these bytes: the file was changed after it was signed, was not "
                + "signed by this key, or the signature belongs to another version of it"
        }
    }
}
