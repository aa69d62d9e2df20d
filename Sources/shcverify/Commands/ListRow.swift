import CredentialReports
import Credentials
import HealthCertificates
import JOSE
import StrictJSON

/// A list of trusted issuers or signers, as `directory show` prints it: where it is from, and what is known of who made it.
struct ListRow {
    /// The list as the user named it.
    let source: String
    /// The list; nil for one of issuers of cards.
    var list: AdmittedList?

    /// The form of lists of issuers of cards.
    private static let issuers = "issuers"

    /// What a list of signers holds besides its signers, and whether it proves who made it; nil for one of issuers.
    var words: String? {
        guard let list else { return nil }
        var words = list.list.form.words
        if let id = list.list.id { words += " \(id.quoted(upTo: 200))" }
        if let environment = list.list.environment { words += ", environment \(environment.rawValue)" }
        words += ": \(SignerRows.counts(of: list.list))"
        if let proof = list.proof { words += "; \(proof.words)" }
        return words
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("source", source)
            writer.member("form", list?.list.form.rawValue ?? Self.issuers)
            writer.member("id", list?.list.id)
            writer.member("environment", list?.list.environment?.rawValue)
            guard let proof = list?.proof else { return writer.member("proof", nil as String?) }
            writer.name("proof")
            writer.object { writer in
                writer.member("status", Self.status(of: proof))
                writer.member("created", proof.statement?.created?.toTheSecond.description)
                writer.member("signer", proof.statement?.signer)
                writer.member("key", proof.key)
            }
        }
    }

    private static func status(of proof: ListProof.Outcome) -> String {
        switch proof {
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
    fileprivate var key: String? {
        if case .verified(let list) = self { list.thumbprint.description } else { nil }
    }
}
