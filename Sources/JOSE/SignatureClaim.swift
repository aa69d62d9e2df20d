/// That a key made a signature over a message, which is to be found out.
package struct SignatureClaim: Sendable {
    package let signature: ES256Signature
    package let key: P256PublicKey
    package let message: ArraySlice<UInt8>
    /// What was found out. Only this module can say so.
    package internal(set) var answer = Answer.open

    /// What was found out about a claim.
    package enum Answer: Sendable {
        /// Nothing: the key itself is to be asked.
        case open
        /// It is true.
        case confirmed
        /// EVP, whose answer stands, says that it is not.
        case refused
    }

    package init(signature: ES256Signature, key: P256PublicKey, message: ArraySlice<UInt8>) {
        self.signature = signature
        self.key = key
        self.message = message
    }

    /// Whether what is claimed is that one of these keys made this signature over this message.
    package func isMade(
        of signature: ES256Signature, over message: ArraySlice<UInt8>, byOneOf keys: [P256PublicKey]
    ) -> Bool {
        self.signature == signature && self.message == message && keys.contains { $0 === key }
    }
}
