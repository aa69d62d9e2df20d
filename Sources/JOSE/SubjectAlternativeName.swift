import JSON

/// A name that a certificate has beside its subject (RFC 5280 §4.2.1.6), of the two kinds that could name an issuer.
public enum SubjectAlternativeName: Hashable, Sendable {
    /// A uniformResourceIdentifier, which is how an issuer is named (SHC-K8). The bytes are as they stand in the
    /// certificate, zeros included.
    case uri([UInt8])
    /// A dNSName, which names a host and no issuer.
    case dns([UInt8])
}

extension SubjectAlternativeName: CustomStringConvertible {
    /// The kind and the name in quotation marks, cut to a length that is easily read, with nothing in it that could
    /// steer a terminal.
    public var description: String {
        switch self {
        case .uri(let bytes): "the URI \(Self.quoted(bytes))"
        case .dns(let bytes): "the host \(Self.quoted(bytes))"
        }
    }

    private static func quoted(_ bytes: [UInt8]) -> String {
        // One character has at most four bytes; names of thousands of bytes are not decoded to be cut.
        JSONValue.excerpt(of: String(decoding: bytes.prefix(4 * shownLength + 4), as: UTF8.self), upTo: shownLength)
    }

    private static let shownLength = 200
}
