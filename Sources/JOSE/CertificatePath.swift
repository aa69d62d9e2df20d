/// A path from a key's certificate to an anchor, validated. Only `CertificateAnchors` can make one.
public struct CertificatePath: Equatable, Sendable {
    /// Whom the key's certificate is of, in quotation marks, cut short and safe to print.
    public let leafSubject: String
    /// The anchor that the path ends at, likewise.
    public let anchorSubject: String
    /// When the key's certificate expires, in seconds since 1970.
    public let leafNotAfter: Int64
    /// How many certificates the path has, leaf and anchor included.
    public let count: Int
}
