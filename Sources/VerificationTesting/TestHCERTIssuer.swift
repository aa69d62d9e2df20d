public import Credentials
import Cryptography
public import Encodings
import HealthCertificates
public import Verification

/// A country that issues EU Digital COVID Certificates for tests. Its authority (CSCA) and its signer (DSC) have keys that are
/// made at random.
///
///     let country = try TestHCERTIssuer("AT")
///     var policy = VerificationPolicy()
///     try policy.trust(country)
///     let upload = try country.certificate().text
public struct TestHCERTIssuer: Sendable {
    /// The country, as two letters (ISO 3166-1). The signer's certificate and the claim `iss` have it.
    public let country: String
    /// The signer's certificate (X.509) in DER, signed by the authority.
    public let signerCertificate: [UInt8]
    private let key: SigningKey

    /// Makes a country with new keys.
    ///
    /// - Parameters:
    ///   - country: two letters. `XA` is nobody's.
    ///   - valid: when the signer's certificate is valid. A certificate that it signs has to be issued, and to expire, in that
    ///     time.
    /// - Throws: `TestingFailure` if OpenSSL makes no key or certificate.
    public init(
        _ country: String = "XA",
        valid: ClosedRange<NumericDate> =
            NumericDate(sinceEpoch: .seconds(1_577_836_800))...NumericDate(sinceEpoch: .seconds(4_102_444_799))
    ) throws(TestingFailure) {
        self.country = country
        key = try SigningKey()
        signerCertificate = try key.certificate(
            of: DistinguishedNames(country: country, commonName: "Test DSC"),
            by: DistinguishedNames(country: country, commonName: "Test CSCA"), signedBy: SigningKey(),
            valid: valid.lowerBound.seconds...valid.upperBound.seconds)
    }

    /// The ID of the signer's key: the first eight bytes of the certificate's SHA-256 (HCERT §3.3.3).
    public var keyID: [UInt8] { Array(SHA256.digest(signerCertificate).prefix(8)) }

    // MARK: Lists of signers

    /// A trust list: the signer's certificate in PEM, as `--directory` and `TrustedSigners.add(list:)` take it.
    public var trustList: [UInt8] {
        let text = Base64.encode(signerCertificate).utf8
        var lines = ["-----BEGIN CERTIFICATE-----"]
        for start in stride(from: 0, to: text.count, by: 64) {
            lines.append(String(decoding: text.dropFirst(start).prefix(64), as: UTF8.self))
        }
        return Array((lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n").utf8)
    }

    /// The same as a key set (RFC 7517), with the certificate as `x5c`.
    public var keySetFile: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.array("keys") { writer in
                writer.object { writer in
                    writer.member("kty", "EC")
                    writer.member("kid", Base64.encode(keyID))
                    writer.member("crv", "P-256")
                    writer.member("x", Base64URL.encode(key.publicKey.x))
                    writer.member("y", Base64URL.encode(key.publicKey.y))
                    writer.array("x5c") { $0.value(Base64.encode(signerCertificate)) }
                }
            }
        }
        return writer.bytes
    }

    // MARK: Certificates

    /// Signs a certificate.
    ///
    /// - Parameters:
    ///   - content: the content of the certificate, as JSON of the EU's schema. Nothing in it is changed or checked.
    ///   - issued: `iat`, in whole seconds; the current second if it is nil.
    ///   - expires: `exp`, in whole seconds; 30 days after `issued` if it is nil.
    /// - Throws: `TestingFailure` if the content is not JSON.
    public func certificate(
        of content: [UInt8] = TestHCERT.sampleContent, issued: NumericDate? = nil, expires: NumericDate? = nil
    ) throws(TestingFailure) -> TestHCERT {
        let parsed: JSONValue
        do { parsed = try JSONDocument.parse(content) } catch {
            throw TestingFailure("the content is not JSON: \(error)")
        }
        let begin = (issued ?? .now).seconds
        let end = expires?.seconds ?? begin + 30 * 86_400
        var writer = CBORWriter()
        writer.map(4)
        writer.integer(1)
        writer.text(country.utf8)
        writer.integer(4)
        writer.integer(end)
        writer.integer(6)
        writer.integer(begin)
        writer.integer(-260)
        writer.map(1)
        writer.integer(1)
        writer.value(parsed)
        return try certificate(payload: writer.bytes)
    }

    /// Signs a certificate with any payload, also with one that no country may sign.
    ///
    /// - Parameter payload: the claims (RFC 8392), as CBOR.
    public func certificate(payload: [UInt8]) throws(TestingFailure) -> TestHCERT {
        var header = CBORWriter()
        header.map(2)
        header.integer(1)
        header.integer(-7)
        header.integer(4)
        header.bytes(keyID)
        // What is signed (RFC 9052 §4.4).
        var signed = CBORWriter()
        signed.array(4)
        signed.text("Signature1".utf8)
        signed.bytes(header.bytes)
        signed.bytes([])
        signed.bytes(payload)
        var message = CBORWriter()
        message.tag(18)
        message.array(4)
        message.bytes(header.bytes)
        message.map(0)
        message.bytes(payload)
        message.bytes(try key.signature(of: signed.bytes))
        guard let compressed = Deflater.deflate(message.bytes, .small) else {
            throw TestingFailure("there is no memory to compress the certificate")
        }
        return TestHCERT(octets: message.bytes, text: "HC1:" + Base45.encode(compressed))
    }
}

/// A signed certificate of a test.
public struct TestHCERT: Sendable {
    /// The CBOR Web Token, before it is compressed.
    public let octets: [UInt8]
    /// The text of the QR code: `HC1:…`.
    public let text: String

    /// The content of a certificate of an invented person with one vaccination against COVID-19.
    public static let sampleContent: [UInt8] = Array(
        #"""
        {"ver":"1.3.0","nam":{"fn":"Sample","gn":"Jo","fnt":"SAMPLE","gnt":"JO"},"dob":"1980-02-29",
        "v":[{"tg":"840539006","vp":"1119349007","mp":"EU/1/20/1528","ma":"ORG-100030215","dn":2,"sd":2,"dt":"2021-06-01",
        "co":"XA","is":"Test Ministry","ci":"URN:UVCI:01:XA:TEST0001"}]}
        """#.utf8)
}

extension VerificationPolicy {
    /// Trusts the signer of a test.
    ///
    /// - Throws: `Malformed`, which no list of a `TestHCERTIssuer` has.
    public mutating func trust(_ issuer: TestHCERTIssuer) throws(Malformed) {
        try hcerts.signers.add(list: issuer.trustList)
    }
}

extension NumericDate {
    /// Whole seconds since 1970.
    fileprivate var seconds: Int64 { sinceEpoch.components.seconds }
}
