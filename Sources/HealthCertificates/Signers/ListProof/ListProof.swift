package import Cryptography
package import Encodings

/// What a list has to prove who made it: the proof of WHO's list, or the signature of the German one.
package struct ListProof: Sendable {
    private enum Content: Sendable {
        case document(JSONValue)
        case signedText(SignedText)
        /// The form has a signature, and this list was given without it.
        case nothing
    }

    private let content: Content

    /// The proof of WHO's list.
    package init(of document: JSONValue) { content = .document(document) }

    /// The signature of the German list; nil if it was given without one.
    init(_ signed: SignedText?) { content = signed.map { .signedText($0) } ?? .nothing }

    /// What is known of a proof.
    package enum Outcome: Sendable {
        /// It verifies by a key that was given.
        case verified(VerifiedList)
        /// It can be checked, and no key was given.
        case unchecked(ListStatement)
        /// It cannot be checked by anybody, so it says nothing.
        case uncheckable(ListProblem, ListStatement)
        /// There is none.
        case absent
        /// None of the given keys is one of the DID that it names.
        case noKey(ListStatement)
        /// It does not verify: the list was changed, or somebody else made it.
        case invalid(ListStatement)
    }

    /// Checks the proof.
    ///
    /// - Parameter keys: the keys to check it by; nil if none were given.
    package func outcome(by keys: ListKeys?) -> Outcome {
        switch content {
        case .nothing: return .absent
        case .signedText(let signed):
            return Self.outcome(ListStatement(signer: nil, created: nil), by: keys, signed.isSigned)
        case .document(let document):
            let reader = ListReader(document)
            guard reader.hasProof else { return .absent }
            guard let signed = reader.signed else {
                let unread = ListProblem(kind: .form, path: "proof", words: "cannot be read")
                return .uncheckable(reader.problems.first ?? unread, reader.statement)
            }
            return Self.outcome(signed.statement, by: keys, signed.isSigned)
        }
    }

    private static func outcome(
        _ statement: ListStatement, by keys: ListKeys?, _ isSigned: (P256PublicKey) -> Bool
    ) -> Outcome {
        guard let keys else { return .unchecked(statement) }
        let candidates = keys.candidates(for: statement.signer)
        guard !candidates.isEmpty else { return .noKey(statement) }
        guard let key = candidates.first(where: isSigned) else { return .invalid(statement) }
        return .verified(VerifiedList(statement, by: key))
    }
}

/// The certainty that somebody's key has signed a list. Only `ListProof.outcome` makes it.
package struct VerifiedList: Sendable {
    /// Who signed, and when.
    package let statement: ListStatement
    /// The key.
    package let key: P256PublicKey

    fileprivate init(_ statement: ListStatement, by key: P256PublicKey) {
        self.statement = statement
        self.key = key
    }

    /// The RFC 7638 thumbprint of the key.
    package var thumbprint: KeyID { key.thumbprint }
}
