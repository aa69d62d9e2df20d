package import Encodings

/// Why bytes are not a COSE_Sign1 message that can be verified.
package typealias COSEError = Rejected<COSEProblem>

/// The reasons of `COSEError`.
package enum COSEProblem: Sendable {
    /// The bytes are no COSE_Sign1 message, or its form is wrong.
    case malformed
    /// The algorithm is none of those that are supported (`SignatureAlgorithm`).
    case unsupportedAlgorithm
}
