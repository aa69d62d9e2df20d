import Cryptography
import Encodings

/// The certificates in a key's `x5c`.
struct CertificateChain: Sendable {
    /// `x5c`.
    let value: JSONValue
    /// The certificates in DER; empty if one of them cannot be decoded.
    let encoded: [[UInt8]]
    /// The certificates, the key's own first; empty if one of them cannot be read.
    let certificates: [Certificate]
    /// Why `certificates` is empty; nil if it is not.
    let problem: Problem?
    /// Whether the set has so many keys with certificates that the signatures in this chain are not checked.
    let hasTooManyNeighbours: Bool

    init?(of key: JWK, hasTooManyNeighbours: Bool) {
        guard let value = key.value["x5c"] else { return nil }
        self.value = value
        self.hasTooManyNeighbours = hasTooManyNeighbours
        do throws(CertificateError) {
            let chain = try key.certificateChain()
            encoded = chain.map(\.der)
            let unreadable = chain.firstIndex { $0.certificate == nil }
            certificates = unreadable == nil ? chain.compactMap(\.certificate) : []
            problem = unreadable.map { index in
                Problem("element \(index) of `x5c` is base64, but not an X.509 certificate in DER", at: value)
            }
        } catch {
            (encoded, certificates) = ([], [])
            problem = Self.encodingProblem(in: value, error)
        }
    }

    /// Why `x5c` cannot be decoded. Recognises the most common mistakes.
    private static func encodingProblem(in value: JSONValue, _ error: CertificateError) -> Problem {
        guard let elements = value.elements else {
            return Problem("`x5c` of the key is not an array of certificates but \(value.excerpt)", at: value)
        }
        for (index, element) in Array(elements.prefix(CertificateAnchors.maximumCount)).enumerated() {
            guard let text = element.stringBytes, text.count <= 2 * Certificate.maximumLength else { continue }
            if text.starts(with: "-----BEGIN".utf8) {
                return Problem(
                    "element \(index) of `x5c` is PEM, not base64 alone: it has a header, a footer and line breaks",
                    at: element)
            }
            do throws(Base64Error) {
                _ = try Base64.decode(text)
            } catch {
                return Problem("element \(index) of `x5c` is not base64: \(error)", at: element)
            }
        }
        return Problem(error.message, at: value)
    }
}
