import Credentials
import HealthCertificates

extension Rule {
    /// The rules of WHO's list of signers.
    static let trustListRules: [Rule] =
        [trustListMembers, trustListContext, trustListValue, trustListEnvironment, trustListDuplicate]
        + trustListProofRules + trustListKeyRules

    static let trustListMembers = Rule("trust-list-error/members", RuleCheck.trustList) { list in
        list.problems(.members)
    }

    static let trustListContext = Rule("trust-list-error/context", RuleCheck.trustList) { list in
        list.problems(.context)
    }

    static let trustListValue = Rule("trust-list-error/value", RuleCheck.trustList) { list in list.problems(.value) }

    static let trustListEnvironment = Rule("trust-list-error/environment", RuleCheck.trustList) { list in
        list.problems(.environment)
    }

    static let trustListDuplicate = Rule("trust-list-error/duplicate", RuleCheck.trustList) { list in
        list.problems(.duplicate)
            + list.reader.repeated.prefix(Bounds.problems).map { path in
                Problem(
                    "`\(path)` is the same as an earlier entry", at: list.place(path), severity: .warning,
                    remedy: "Remove it.")
            }
    }

    // MARK: The proof

    private static let trustListProofRules: [Rule] = [
        trustListProofMissing, trustListProofForm, trustListProofKey, trustListProofSignature, trustListProofUnchecked,
    ]

    static let trustListProofMissing = Rule("trust-list-proof-error/missing", RuleCheck.trustList) { list in
        list.reader.hasProof
            ? [] : .found("the list has no proof of who made it", at: list.value, member: "proof")
    }

    static let trustListProofForm = Rule("trust-list-proof-error/form", RuleCheck.trustList) { list in
        list.problems(.form)
    }

    static let trustListProofKey = Rule("trust-list-proof-error/key", RuleCheck.trustList) { list in
        guard case .noKey = list.outcome else { return [] }
        return .found(
            "none of the given keys is of the DID that the proof names", at: list.place("proof.verificationMethod"))
    }

    static let trustListProofSignature = Rule("trust-list-proof-error/signature", RuleCheck.trustList) { list in
        guard case .invalid = list.outcome else { return [] }
        return .found(
            "the proof does not verify: the list was changed after it was signed, or another key signed it",
            at: list.place("proof.jws"))
    }

    static let trustListProofUnchecked = Rule("trust-list-proof-error/unchecked", RuleCheck.trustList) { list in
        switch list.outcome {
        case .unchecked:
            return .found("the proof was not checked: no key was given", at: list.place("proof"))
        case .uncheckable(let problem, _) where problem.kind != .form:
            return .found(
                "the proof was not checked: it is only known what is signed in a list without other errors",
                at: list.place("proof"), remedy: "Correct the other errors of the list first.")
        case .uncheckable, .absent, .noKey, .invalid, .verified: return []
        }
    }
}
