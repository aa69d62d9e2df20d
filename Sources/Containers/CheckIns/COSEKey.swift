import Cryptography
import Encodings

/// A public key as a COSE_Key (RFC 9052 §7, RFC 9053 §7.1.1).
enum COSEKey {
    /// A COSE_Key on P-256.
    case p256(P256PublicKey)
    /// No COSE_Key.
    case malformed
    /// A key of another kind, or on another curve, or its point is not on the curve.
    case unsupported

    init(_ value: CBORValue) {
        self =
            if value.kind != .map || value[1] == nil {
                .malformed
            } else if value[1]?.integer != 2 || value[-1]?.integer != 1 {
                .unsupported
            } else if let x = value[-2]?.byteString, let y = value[-3]?.byteString {
                (try? P256PublicKey(x: Array(x), y: Array(y))).map { .p256($0) } ?? .unsupported
            } else { .malformed }
    }
}

/// A COSE_Sign1 message in a mobile document: an array of four items, whose payload may be left out (RFC 9052 §4.2).
struct DocumentSignature {
    let protectedBytes: ArraySlice<UInt8>
    let protected: CBORValue?
    let unprotected: CBORValue
    /// The payload; nil if it is detached.
    let payload: ArraySlice<UInt8>?
    let signature: ArraySlice<UInt8>

    /// Reads a message; nil if it is none.
    init?(_ value: CBORValue?) {
        guard let value else { return nil }
        let message = value.tagged.flatMap { $0.number == 18 ? $0.value : nil } ?? value
        guard let parts = message.elements, parts.count == 4, let protectedBytes = parts[0].byteString,
            parts[1].kind == .map, let signature = parts[3].byteString
        else { return nil }
        self.protectedBytes = protectedBytes
        if protectedBytes.isEmpty {
            protected = nil
        } else {
            guard let header = try? CBORDocument.parse(Array(protectedBytes)), header.kind == .map else { return nil }
            protected = header
        }
        unprotected = parts[1]
        // Extensions that a reader must understand: none is defined.
        guard protected?[COSESign1.Label.critical] == nil, unprotected[COSESign1.Label.critical] == nil else {
            return nil
        }
        if let payload = parts[2].byteString {
            self.payload = payload
        } else {
            guard parts[2].isNull else { return nil }
            payload = nil
        }
        self.signature = signature
    }

    /// Whether the protected header names ES256, the only algorithm here.
    var isES256: Bool { protected?[COSESign1.Label.algorithm]?.integer == SignatureAlgorithm.es256.coseNumber }

    /// Whether a key made the signature over a payload.
    func isValid(by key: P256PublicKey, over payload: ArraySlice<UInt8>) -> Bool {
        guard let signature = try? ES256Signature(Array(signature)) else { return false }
        return key.isValid(signature, for: COSESign1.signedBytes(protected: protectedBytes, payload: payload)[...])
    }
}
