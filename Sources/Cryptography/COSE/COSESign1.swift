package import Encodings

/// A COSE_Sign1 message (RFC 9052 §4.2), as a CBOR Web Token has it (RFC 8392). Nothing in it has been verified.
///
/// The headers, the payload and the signature are kept as they were received, because the signature is over these bytes.
package struct COSESign1: Sendable {
    /// The headers, the payload and the signature.
    package let parts: COSEParts
    /// The algorithm that the message names. A verifier must use it only with a key of its kind.
    package let algorithm: SignatureAlgorithm
    /// Whether only the unprotected header names the algorithm.
    package let isAlgorithmUnprotected: Bool
    /// The key ID.
    package let keyID: [UInt8]
    /// Whether the key ID is a text in base64 instead of a byte string.
    package let isKeyIDText: Bool
    /// Whether the key ID is in the unprotected header, where anybody can change it.
    package var isKeyIDUnprotected: Bool { parts.protected?[Label.keyID] == nil }

    /// Reads the headers of a message.
    ///
    /// - Parameters:
    ///   - parts: the message.
    ///   - allowsText: whether the key ID may be a text: eight octets in base64 or base64url.
    /// - Throws: `COSEError`.
    package init(_ parts: COSEParts, allowingTextKeyID allowsText: Bool = false) throws(COSEError) {
        self.parts = parts
        for header in [parts.protected, parts.unprotected] where header?[Label.critical] != nil {
            throw COSEError(
                .malformed,
                "the header \"crit\" (2) names extensions that a reader must understand, and none is defined")
        }
        (algorithm, isAlgorithmUnprotected) = try parts.algorithm()
        (keyID, isKeyIDText) = try parts.keyID(allowingText: allowsText)
    }

    /// The labels of headers (RFC 9052 §3.1).
    package enum Label {
        package static let algorithm: Int64 = 1
        package static let critical: Int64 = 2
        package static let keyID: Int64 = 4
    }

    /// The bytes that are signed: `Sig_structure` (RFC 9052 §4.4), with the header and the payload as received.
    package static func signedBytes(protected protectedBytes: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) -> [UInt8]
    {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(protectedBytes.count + payload.count + 32)
        CBORHead.append(4, 4, to: &bytes)
        let context = "Signature1".utf8
        CBORHead.append(3, UInt64(context.count), to: &bytes)
        bytes += context
        CBORHead.append(2, UInt64(protectedBytes.count), to: &bytes)
        bytes += protectedBytes
        CBORHead.append(2, 0, to: &bytes)
        CBORHead.append(2, UInt64(payload.count), to: &bytes)
        bytes += payload
        return bytes
    }
}

/// The four parts of a COSE_Sign1 message, before its headers are read.
///
/// `inspect` and `lint` show them even if the headers are wrong.
package struct COSEParts: Sendable {
    /// The bytes of the protected header, as received.
    package let protectedBytes: ArraySlice<UInt8>
    /// The protected header; nil if its bytes are empty.
    package let protected: CBORValue?
    /// The unprotected header.
    package let unprotected: CBORValue
    /// The payload.
    package let payload: ArraySlice<UInt8>
    /// The signature.
    package let signature: ArraySlice<UInt8>

    /// Reads the parts of a message. It may be tagged as COSE_Sign1 (18), and that as a CBOR Web Token (61).
    ///
    /// - Parameter bytes: the message, with nothing after it.
    /// - Throws: `COSEError`.
    package init(_ bytes: [UInt8]) throws(COSEError) {
        let item = try Self.parse(bytes, "the message")
        let message = try Self.untagged(item)
        guard let parts = message.elements else {
            throw COSEError(
                .malformed,
                "a COSE_Sign1 message is an array of four items, but this is of type \(message.kind.rawValue)")
        }
        guard parts.count == 4 else {
            throw COSEError(
                .malformed, "a COSE_Sign1 message is an array of four items, but this array has \(parts.count)")
        }
        guard let protectedBytes = parts[0].byteString else {
            throw COSEError(
                .malformed, "the protected header must be a byte string, but its type is \(parts[0].kind.rawValue)")
        }
        self.protectedBytes = protectedBytes
        protected = protectedBytes.isEmpty ? nil : try Self.parse(Array(protectedBytes), "the protected header")
        if let protected, protected.kind != .map {
            throw COSEError(
                .malformed,
                "the protected header must hold a map, but it holds an item of type \(protected.kind.rawValue)")
        }
        unprotected = parts[1]
        guard unprotected.kind == .map else {
            throw COSEError(
                .malformed, "the unprotected header must be a map, but its type is \(unprotected.kind.rawValue)")
        }
        guard let payload = parts[2].byteString else {
            throw COSEError(
                .malformed,
                parts[2].isNull
                    ? "the payload is not in the message (it is detached)"
                    : "the payload must be a byte string, but its type is \(parts[2].kind.rawValue)")
        }
        self.payload = payload
        guard let signature = parts[3].byteString else {
            throw COSEError(
                .malformed, "the signature must be a byte string, but its type is \(parts[3].kind.rawValue)")
        }
        self.signature = signature
    }

    private static func parse(_ bytes: [UInt8], _ name: String) throws(COSEError) -> CBORValue {
        try Result { () throws(CBORError) in try CBORDocument.parse(bytes) }
            .mapError { COSEError(.malformed, "\(name) is not acceptable CBOR: \($0)") }.get()
    }

    /// The message without the tags of a CBOR Web Token and of COSE_Sign1 (RFC 8392 §6, RFC 9052 §2).
    private static func untagged(_ item: CBORValue) throws(COSEError) -> CBORValue {
        var item = item
        for tag: UInt64 in [61, 18] {
            if let tagged = item.tagged, tagged.number == tag { item = tagged.value }
        }
        guard let tagged = item.tagged else { return item }
        let names: [UInt64: String] = [
            16: "COSE_Encrypt0", 17: "COSE_Mac0", 18: "COSE_Sign1", 61: "a CBOR Web Token", 96: "COSE_Encrypt",
            97: "COSE_Mac", 98: "COSE_Sign",
        ]
        let name = names[tagged.number].map { " (\($0))" } ?? ""
        throw COSEError(
            .malformed, "the tag \(tagged.number)\(name) is not allowed here: only COSE_Sign1 (18) is, and 61 around it"
        )
    }

    /// The bytes that are signed, as those of a whole message.
    package var signedBytes: [UInt8] { COSESign1.signedBytes(protected: protectedBytes, payload: payload) }

    // MARK: Headers

    /// The algorithm, and whether only the unprotected header names it.
    package func algorithm() throws(COSEError) -> (SignatureAlgorithm, isUnprotected: Bool) {
        let label = COSESign1.Label.algorithm
        let (signed, unsigned) = (protected?[label], unprotected[label])
        guard let named = signed ?? unsigned else {
            throw COSEError(.unsupportedAlgorithm, "the message names no algorithm")
        }
        if let signed, let unsigned, signed.integer == nil || signed.integer != unsigned.integer {
            throw COSEError(.malformed, "the protected and the unprotected header name different algorithms")
        }
        guard let number = named.integer, let algorithm = SignatureAlgorithm(coseNumber: number) else {
            let found = named.decimal ?? "an item of type \(named.kind.rawValue)"
            throw COSEError(
                .unsupportedAlgorithm, "the algorithm must be \(SignatureAlgorithm.choices), but it is \(found)")
        }
        return (algorithm, signed == nil)
    }

    /// The key ID. That of the protected header counts if both headers have one.
    package func keyID() throws(COSEError) -> [UInt8] { try keyID(allowingText: false).0 }

    /// The key ID, and whether it is a text.
    ///
    /// - Parameter allowsText: whether it may be one: eight octets in base64 or base64url.
    package func keyID(allowingText allowsText: Bool) throws(COSEError) -> ([UInt8], isText: Bool) {
        guard let named = protected?[COSESign1.Label.keyID] ?? unprotected[COSESign1.Label.keyID] else {
            throw COSEError(.malformed, "the message names no key (kid)")
        }
        if allowsText, let text = named.text {
            let octets = 8
            guard text.count <= 2 * octets, let keyID = Base64.decodeInAnyAlphabet(Array(text)), keyID.count == octets
            else { throw COSEError(.malformed, "the key ID (kid) is a text, but not eight octets in base64") }
            return (keyID, true)
        }
        guard let keyID = named.byteString else {
            throw COSEError(
                .malformed, "the key ID (kid) must be a byte string, but its type is \(named.kind.rawValue)")
        }
        guard !keyID.isEmpty else { throw COSEError(.malformed, "the key ID (kid) is empty") }
        return (Array(keyID), false)
    }
}

/// Why bytes are not a COSE_Sign1 message that can be verified.
package typealias COSEError = Rejected<COSEProblem>

/// The reasons of `COSEError`.
package enum COSEProblem: Sendable {
    /// The bytes are no COSE_Sign1 message, or its form is wrong.
    case malformed
    /// The algorithm is none of those that are supported (`SignatureAlgorithm`).
    case unsupportedAlgorithm
}
