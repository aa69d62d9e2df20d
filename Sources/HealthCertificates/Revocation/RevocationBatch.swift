import Credentials
package import Cryptography
package import Encodings

/// A batch of revoked certificates, as the EU gateway distributes it (DCC revocation, `DccRevocationBatch`).
package struct RevocationBatch: Sendable {
    /// What was hashed.
    package enum HashType: String, Sendable, CaseIterable {
        /// The signature. For ECDSA, only r: s can be changed by anybody, and the signature still verifies.
        case signature = "SIGNATURE"
        /// The certificate's identifier.
        case identifier = "UCI"
        /// The country, followed by the certificate's identifier.
        case countryAndIdentifier = "COUNTRYCODEUCI"
    }

    private let hashType: HashType
    /// The only key whose certificates are meant; nil for all keys.
    private let keyID: [UInt8]?
    /// The country whose certificates are meant; nil if it is not stated. It only says whether a certificate was looked up.
    private let country: UTF8Text?
    private let hashes: Set<[UInt8]>
    /// Until when the gateway stands by the batch; nil if it does not say. Later the batch still revokes, but it clears no certificate.
    private let expires: NumericDate?

    /// Reads a batch.
    ///
    /// - Throws: `Malformed` if it cannot be read, or is of an unknown kind. It must not be ignored then.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        let batch = try PublishedList.parse(file: bytes, maximumSize: Bounds.revocationListSize)
        try self.init(batch)
    }

    /// Reads a batch from parsed JSON.
    ///
    /// - Throws: `Malformed` if it is no batch, or is of an unknown kind. It must not be ignored then.
    package init(_ batch: JSONValue) throws(Malformed) {
        guard let type = batch["hashType"]?.string else {
            throw Malformed("it has no \"hashType\"")
        }
        guard let hashType = HashType.allCases.first(where: { type == UTF8Text($0.rawValue) }) else {
            throw Malformed("its \"hashType\" is unknown: \(type.quoted(upTo: 40))")
        }
        self.hashType = hashType
        guard let kid = batch["kid"]?.string else { throw Malformed("it has no \"kid\"") }
        if kid == "UNKNOWN_KID" {
            keyID = nil
        } else {
            guard let bytes = SignerList.bytes(ofBase64: Array(kid.utf8)), bytes.count == Self.keyIDLength else {
                throw Malformed(
                    "its \"kid\" is not base64 of \(Self.keyIDLength) bytes: \(kid.quoted(upTo: 40))")
            }
            keyID = bytes
        }
        country = batch["country"]?.string
        // If it cannot be read, the batch has ended.
        expires = batch.optional("expires").map {
            $0.string.flatMap { NumericDate(text: $0.description) } ?? NumericDate(sinceEpoch: .zero)
        }
        guard let entries = batch["entries"]?.elements else {
            throw Malformed("it has no array \"entries\"")
        }
        var hashes: Set<[UInt8]> = []
        for (place, entry) in entries.enumerated() {
            guard let hash = entry["hash"]?.stringBytes.flatMap({ SignerList.bytes(ofBase64: $0) }),
                hash.count == Self.hashLength
            else {
                throw Malformed(
                    "the hash of its entry \(place) is not base64 of \(Self.hashLength) bytes")
            }
            hashes.insert(hash)
        }
        self.hashes = hashes
    }

    private static let hashLength = 16
    private static let keyIDLength = 8

    /// Whether the batch revokes a certificate.
    ///
    /// - Parameters:
    ///   - certificate: the certificate.
    ///   - signers: the signers whose key has signed it.
    func revokes(_ certificate: UnverifiedHCERT, signedBy signers: [Signer] = []) -> Bool {
        let message = certificate.message
        return revokes(
            keyID: message.isKeyIDUnprotected ? nil : message.keyID, signers: signers, algorithm: message.algorithm,
            signature: message.parts.signature, issuer: certificate.claims.issuer,
            record: certificate.content.revocableRecord
        )
    }

    /// Whether the batch revokes a certificate with these parts.
    ///
    /// - Parameters:
    ///   - keyID: the key ID in the protected header; nil if it is not there. The holder can change one that is not signed, so then
    ///     the key ID of the batch does not matter.
    ///   - signers: the signers whose key has signed the certificate. The batch may name one by the hash of its own certificate,
    ///     while the list has another label for it.
    ///   - algorithm: the algorithm of the signature.
    ///   - signature: the signature.
    ///   - issuer: claim 1, if there is one.
    ///   - record: the record with the identifier of the certificate; nil if only its signature names it.
    package func revokes(
        keyID named: [UInt8]?, signers: [Signer] = [], algorithm: SignatureAlgorithm, signature: ArraySlice<UInt8>,
        issuer: UTF8Text?,
        record: CBORValue?
    ) -> Bool {
        guard isForKey(named, of: signers) else { return false }
        let identifiers = Self.forms(of: record?["ci"])
        switch hashType {
        case .signature:
            return contains(algorithm.fixedPart(of: signature))
        case .identifier: return identifiers.contains { contains($0[...]) }
        case .countryAndIdentifier:
            let countries = Self.forms(of: record?["co"]) + (issuer.map { [Array($0.utf8)] } ?? [])
            return countries.contains { country in identifiers.contains { contains((country + $0)[...]) } }
        }
    }

    /// Whether a certificate counts as looked up in the batch, if the batch has not ended: it is for its key, or for a country of its
    /// signers. A country revokes in batches for the keys that have something to revoke, so there need not be one for each of its keys.
    ///
    /// - Parameters:
    ///   - certificate: the certificate.
    ///   - signers: the signers whose key has signed it.
    func couldName(_ certificate: UnverifiedHCERT, signedBy signers: [Signer]) -> Bool {
        guard hashType == .signature || certificate.content.revocableRecord != nil else { return false }
        let message = certificate.message
        guard !isForKey(message.isKeyIDUnprotected ? nil : message.keyID, of: signers) else { return true }
        guard let country else { return false }
        return signers.contains { $0.countries.contains { CountryCode.isSame($0, country) == true } }
    }

    /// Whether the batch has ended, so that it can only revoke.
    func hasEnded(at moment: NumericDate) -> Bool { expires.map { $0 < moment } ?? false }

    private func isForKey(_ named: [UInt8]?, of signers: [Signer]) -> Bool {
        keyID == nil || named == nil || keyID == named || signers.contains { isFor($0) }
    }

    private func isFor(_ signer: Signer) -> Bool {
        guard let keyID, let certificate = signer.certificate else { return false }
        return certificate.identifier == keyID
    }

    /// A text as it stands, and without white space around it.
    private static func forms(of value: CBORValue?) -> [[UInt8]] {
        guard let text = value?.text else { return [] }
        let trimmed = text.trimmingWhiteSpace()
        return trimmed.count == text.count ? [Array(text)] : [Array(text), Array(trimmed)]
    }

    private func contains(_ hashed: ArraySlice<UInt8>) -> Bool {
        hashes.contains(Array(SHA256.digest(hashed).prefix(Self.hashLength)))
    }
}
