/// That a key made a signature over a message, which is to be found out.
package struct SignatureClaim: Sendable {
    package let signature: ES256Signature
    package let key: P256PublicKey
    package let message: ArraySlice<UInt8>
    /// Whether the claim was found to be true. Only this module can say so. False says nothing: the key itself is to be asked.
    package internal(set) var isConfirmed = false

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
