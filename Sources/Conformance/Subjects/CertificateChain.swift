import JOSE
import JSON

/// The certificates in a key's `x5c`.
struct CertificateChain: Sendable {
    /// `x5c`.
    let value: JSONValue
    /// The certificates in DER; none where one of them could not be decoded.
    let encoded: [[UInt8]]
    /// The certificates, leaf first; none where one of them could not be read.
    let certificates: [Certificate]
    /// Why there are none.
    let problem: Problem?
    /// Whether the set has more keys with certificates than signatures are checked of.
    let hasTooManyNeighbours: Bool

    init?(of key: JWK, hasTooManyNeighbours: Bool) {
        guard let value = key.value["x5c"] else { return nil }
        self.value = value
        self.hasTooManyNeighbours = hasTooManyNeighbours
        do throws(CertificateError) {
            encoded = try key.boundedCertificates()
        } catch {
            encoded = []
            certificates = []
            problem = Self.encodingProblem(in: value, error)
            return
        }
        var certificates: [Certificate] = []
        for der in encoded {
            guard let certificate = try? Certificate(der: der) else {
                problem = Problem(
                    #"element \#(certificates.count) of "x5c" is base64, but not of one X.509 certificate in DER"#,
                    at: value)
                self.certificates = []
                return
            }
            certificates.append(certificate)
        }
        self.certificates = certificates
        problem = nil
    }

    /// Why `x5c` could not be decoded, with the mistakes that are made most.
    private static func encodingProblem(in value: JSONValue, _ error: CertificateError) -> Problem {
        guard let elements = value.elements else {
            return Problem(#""x5c" is not an array of certificates but \#(value.excerpt)"#, at: value)
        }
        for (index, element) in Array(elements.prefix(CertificateAnchors.maximumCount)).enumerated() {
            guard let text = element.stringBytes, text.count <= 2 * Certificate.maximumLength else { continue }
            if text.starts(with: "-----BEGIN".utf8) {
                return Problem(
                    #"element \#(index) of "x5c" is PEM; it should be the base64 alone, without header, footer "#
                        + #"and line breaks"#,
                    at: element)
            }
            do throws(Base64Error) {
                _ = try Base64.decode(text)
            } catch {
                return Problem(#"element \#(index) of "x5c" is not base64: \#(error)"#, at: element)
            }
        }
        return Problem(error.message, at: value)
    }
}
