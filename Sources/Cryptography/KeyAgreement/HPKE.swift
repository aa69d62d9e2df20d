import Encodings

/// The receiver's side of Hybrid Public Key Encryption (RFC 9180) in base mode, with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and
/// AES-128-GCM, for one message.
///
/// Anybody who knows the public key can send such a message, so it says nothing about who did.
package enum HPKE {
    /// The length of an encapsulated key in bytes: an uncompressed point.
    package static let encapsulatedKeyLength = 65

    /// Opens the first message of a sender.
    ///
    /// - Parameters:
    ///   - ciphertext: the ciphertext with its tag.
    ///   - encapsulated: the sender's public key as an uncompressed point of 65 bytes.
    ///   - info: what both sides know of the session.
    ///   - key: the receiver's key.
    ///   - additionalData: data that is authenticated, but not encrypted.
    /// - Returns: the plaintext; nil if the message was sealed for another key or session, was altered, or has no valid point.
    package static func open(
        _ ciphertext: [UInt8], encapsulated: [UInt8], info: [UInt8], key: P256AgreementKey,
        additionalData: [UInt8] = []
    ) -> [UInt8]? {
        guard encapsulated.count == encapsulatedKeyLength, encapsulated.first == 0x04,
            let sender = try? P256PublicKey(x: Array(encapsulated[1...32]), y: Array(encapsulated[33...])),
            let shared = key.secret(with: sender),
            let schedule = schedule(shared, encapsulated, info: info, key.publicKey)
        else { return nil }
        return AES128GCM.open(
            ciphertext, nonce: schedule.nonce, additionalData: additionalData, key: schedule.key)
    }

    private static let keyEncapsulation: [UInt8] = Array("KEM".utf8) + [0x00, 0x10]
    private static let suite: [UInt8] = Array("HPKE".utf8) + [0x00, 0x10, 0x00, 0x01, 0x00, 0x01]

    /// The key and the nonce of the first message (RFC 9180 §4.1, §5.1).
    private static func schedule(
        _ agreed: SecretBytes, _ encapsulated: [UInt8], info: [UInt8], _ receiver: P256PublicKey
    ) -> (key: SecretBytes, nonce: SecretBytes)? {
        guard let extracted = extract(keyEncapsulation, salt: nil, "eae_prk", agreed),
            let shared = expand(
                keyEncapsulation, extracted, "shared_secret", encapsulated + receiver.uncompressed, length: 32),
            let identity = extract(suite, salt: nil, "psk_id_hash", nil),
            let session = extract(suite, salt: nil, "info_hash", secret(info)),
            let secret = extract(suite, salt: shared, "secret", nil)
        else { return nil }
        // Base mode is 0.
        let context = [0x00] + bytes(identity) + bytes(session)
        guard let key = expand(suite, secret, "key", context, length: AES128GCM.keyLength),
            let nonce = expand(suite, secret, "base_nonce", context, length: AES128GCM.nonceLength)
        else { return nil }
        return (key, nonce)
    }

    /// LabeledExtract (RFC 9180 §4).
    private static func extract(
        _ suite: [UInt8], salt: SecretBytes?, _ label: String, _ material: SecretBytes?
    ) -> SecretBytes? {
        var labelled = Array("HPKE-v1".utf8) + suite + label.utf8
        // Room for the secret, so that no copy of it stays behind in memory when the array grows.
        labelled.reserveCapacity(labelled.count + (material?.count ?? 0))
        material?.withBytes { for place in $0.indices { labelled.append($0[place]) } }
        return HKDF.extract(salt: salt, SecretBytes(&labelled))
    }

    /// LabeledExpand (RFC 9180 §4).
    private static func expand(
        _ suite: [UInt8], _ key: SecretBytes, _ label: String, _ info: [UInt8], length: Int
    ) -> SecretBytes? {
        let size = [UInt8(length >> 8), UInt8(length & 0xFF)]
        return HKDF.expand(key, info: size + "HPKE-v1".utf8 + suite + label.utf8 + info, length: length)
    }

    /// Bytes that are no secret, in the form that the steps take.
    private static func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(&bytes)
    }

    private static func bytes(_ secret: SecretBytes) -> [UInt8] {
        secret.withBytes { span in span.indices.map { span[$0] } }
    }
}

/// Decryption with AES-128 in Galois/Counter Mode (NIST SP 800-38D), as HPKE uses it.
enum AES128GCM {
    static let keyLength = 16
    static let nonceLength = 12

    /// Decrypts and authenticates.
    ///
    /// - Parameters:
    ///   - sealed: the ciphertext, followed by the tag of 16 bytes.
    ///   - nonce: 12 bytes.
    ///   - additionalData: data that is authenticated, but not encrypted.
    ///   - key: 16 bytes.
    /// - Returns: the plaintext; nil if anything was altered, the key is another one, or a length is wrong.
    static func open(
        _ sealed: [UInt8], nonce: SecretBytes, additionalData: [UInt8], key: SecretBytes
    ) -> [UInt8]? {
        guard sealed.count >= AESGCM.tagLength else { return nil }
        let end = sealed.count - AESGCM.tagLength
        return AESGCM.open(
            Array(sealed[..<end]), initializationVector: nonce.withBytes { span in span.indices.map { span[$0] } },
            tag: Array(sealed[end...]), additionalData: additionalData[...], key: key, keyLength: keyLength)
    }
}
