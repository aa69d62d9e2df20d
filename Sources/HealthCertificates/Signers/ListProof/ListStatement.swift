package import Credentials
package import Encodings

/// Who has signed a list and when, according to its proof. It is only true if the proof was verified.
package struct ListStatement: Sendable, Equatable {
    /// The DID of the signer; nil if the proof names none.
    package let signer: UTF8Text?
    /// When the proof was made; nil if the proof does not say.
    package let created: NumericDate?
}

extension ListStatement {
    /// Reads what a proof says, whatever else is wrong with it.
    init(_ proof: JSONValue) {
        signer = proof["verificationMethod"]?.string
        created = proof["created"]?.stringBytes.flatMap { text in
            ListText.hasFormOfTime(text) ? NumericDate(text: String(decoding: text, as: UTF8.self)) : nil
        }
    }
}
