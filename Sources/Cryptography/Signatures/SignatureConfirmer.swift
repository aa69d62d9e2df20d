/// Confirms signatures, many at a time, faster than OpenSSL's usual verification (EVP). One thread uses it at a time.
///
/// A verifier is given a confirmer, or none. It hands it what is claimed of the credentials that are verified together, and asks EVP
/// about each claim that is not confirmed. So a confirmer decides nothing alone, and this is what it must keep to:
///
/// - It confirms a claim only if EVP would say that exactly this key made exactly this signature over exactly this message.
/// - It cannot refuse a claim. If it is in doubt, has no memory or does not know the key, it leaves the claim out. Then EVP decides.
/// - It keeps nothing of a claim that could confirm another one. The answer to a claim counts only for a credential with this
///   signature, this key and this message, which `SignatureClaim` checks.
package protocol SignatureConfirmer: AnyObject {
    /// How many claims are best confirmed together.
    var bestCount: Int { get }

    /// Finds claims that are true.
    ///
    /// - Parameter claims: the claims; nil where nothing is claimed.
    /// - Returns: the places of claims that are true, each at most once. The others may be true or not.
    func confirmed(_ claims: [SignatureClaim?]) -> [Int]
}

extension SignatureConfirmer {
    /// Answers the claims that are confirmed. The others stay open.
    package func answer(_ claims: inout [SignatureClaim?]) {
        for place in confirmed(claims) { claims[place]?.answer = .confirmed }
    }
}

/// The claim that a key made a signature over a message, with the answer once it is known.
package struct SignatureClaim: Sendable {
    /// The signature.
    package let signature: ES256Signature
    /// The key that is claimed to have made the signature.
    package let key: P256PublicKey
    /// The bytes that are claimed to be signed.
    package let message: ArraySlice<UInt8>
    /// The answer. Only this module can set it.
    package internal(set) var answer = Answer.open

    /// The answer to a claim.
    package enum Answer: Sendable {
        /// Not known yet. The key itself must be asked.
        case open
        /// The claim is true.
        case confirmed
        /// EVP says that the claim is false, and EVP's answer is final.
        case refused
    }

    /// Makes a claim whose answer is still open.
    package init(signature: ES256Signature, key: P256PublicKey, message: ArraySlice<UInt8>) {
        self.signature = signature
        self.key = key
        self.message = message
    }

    /// The answer, if the claim is about this signature, this message and this key; else open.
    package func answer(
        about signature: ES256Signature, over message: ArraySlice<UInt8>, by key: P256PublicKey
    ) -> Answer {
        self.key === key && self.signature == signature && self.message == message ? answer : .open
    }
}
