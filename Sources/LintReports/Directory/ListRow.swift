import Credentials
import Cryptography
import Encodings
package import HealthCertificates

/// A list of trusted issuers or signers, as `directory show` prints it: where it is from, and what is known of who made it.
package struct ListRow: Sendable {
    /// The list as the user named it.
    let source: String
    /// The list; nil for one of issuers of cards.
    var list: AdmittedList?

    package init(source: String, list: AdmittedList? = nil) {
        self.source = source
        self.list = list
    }

    /// What a list of signers holds besides its signers, and whether it proves who made it; nil for one of issuers.
    package var words: String? {
        guard let list else { return nil }
        var words = list.list.form.words
        if let id = list.list.id { words += " \(id.quoted(upTo: 200))" }
        if let environment = list.list.environment { words += ", environment \(environment.rawValue)" }
        words += ": \(SignerRows.counts(of: list.list))"
        if let proof = list.proof { words += "; \(proof.words)" }
        return words
    }

    /// What is known of who made the list; nil for a form that has no such thing.
    var proofStatus: String? {
        switch list?.proof {
        case nil: nil
        case .verified: "verified"
        // With keys, lists of other outcomes are refused before.
        case .unchecked, .noKey, .invalid: "unchecked"
        case .uncheckable: "uncheckable"
        case .absent: "absent"
        }
    }
}

extension ListProof.Outcome {
    /// The thumbprint of the key by which the proof was verified; nil if it was not.
    var key: String? {
        if case .verified(let list) = self { list.thumbprint.description } else { nil }
    }
}
