import Credentials
import Cryptography
import Encodings
import HealthCertificates

extension Rule {
    /// The rules of WHO's list of signers.
    static let trustListRules: [Rule] =
        [trustListMembers, trustListContext, trustListValue, trustListEnvironment, trustListDuplicate]
        + trustListProofRules + trustListKeyRules

    static let trustListMembers = Rule(
        "trust-list-error", "members", "WHO-P1",
        requirement:
            "A list has `@context`, `id`, `controller`, `verificationMethod` and `proof`, an entry `id`, `type`, `controller`, "
            + "`publicKeyJwk`, `domain`, `participant` and `keyusage`, and nothing else.",
        remedy: "Leave out members that the list's contexts do not define, and write all the others.",
        check: .trustList { list in list.problems(.members) })

    static let trustListContext = Rule(
        "trust-list-error", "context", "WHO-P2",
        requirement:
            "`@context` is an array of three addresses in their order: those of DID documents and of the signature suite, and WHO's "
            + "for the environment.",
        remedy: "Write the three contexts of version 2, and no others.",
        check: .trustList { list in list.problems(.context) })

    static let trustListValue = Rule(
        "trust-list-error", "value", "WHO-P3",
        requirement:
            "IDs are DIDs, `type` is `JsonWebKey2020`, a code is a number sign with letters, digits and hyphens, and the members of a "
            + "key are printable ASCII texts or arrays of them.",
        remedy:
            "Write the value as the requirement says. Verifiers that read it otherwise do not agree about what was signed.",
        check: .trustList { list in list.problems(.value) })

    static let trustListEnvironment = Rule(
        "trust-list-error", "environment", "WHO-E2",
        requirement:
            "The context, the IDs and the signer of a list are of the same environment: production, UAT or DEV.",
        remedy: "Publish a list for each environment, and sign it with the key of that environment.",
        check: .trustList { list in list.problems(.environment) })

    static let trustListDuplicate = Rule(
        "trust-list-error", "duplicate", "WHO-P10",
        requirement: "No two entries of a list have the same `id`.",
        remedy: "Remove the entry that is out of date.",
        check: .trustList { list in
            list.problems(.duplicate)
                + list.reader.repeated.prefix(Bounds.problems).map { path in
                    Problem(
                        "`\(path)` is the same as an earlier entry", at: list.place(path), severity: .warning,
                        remedy: "Remove it.")
                }
        })

    // MARK: The proof

    private static let trustListProofRules: [Rule] = [
        trustListProofMissing, trustListProofForm, trustListProofKey, trustListProofSignature, trustListProofUnchecked,
    ]

    static let trustListProofMissing = Rule(
        "trust-list-proof-error", "missing", "WHO-P8",
        requirement: "A list has a `proof`, with which everybody can check who made it.",
        remedy: "Sign the list.",
        check: .trustList { list in
            list.reader.hasProof
                ? [] : .found("the list has no proof of who made it", at: list.value, member: "proof")
        })

    static let trustListProofForm = Rule(
        "trust-list-proof-error", "form", "WHO-P7",
        requirement:
            "`proof` has `type`, `created`, `nonce`, `proofPurpose`, `verificationMethod` and `jws`. `jws` is a header with `b64`, "
            + "`crit` and `alg`, two dots, and a signature in DER.",
        remedy: "Write the proof as the signature suite for JSON Web Signatures says, with the header "
            + #"{"b64":false,"crit":["b64"],"alg":"ES256"}."#,
        check: .trustList { list in list.problems(.form) })

    static let trustListProofKey = Rule(
        "trust-list-proof-error", "key", "WHO-K2",
        requirement: "The proof names the DID document with the key that signed the list.",
        remedy:
            "Sign with a key of the DID document that `verificationMethod` of the proof names, or give that document.",
        check: .trustList { list in
            guard case .noKey = list.outcome else { return [] }
            return .found(
                "none of the given keys is of the DID that the proof names", at: list.place("proof.verificationMethod"))
        })

    static let trustListProofSignature = Rule(
        "trust-list-proof-error", "signature", "WHO-P6",
        requirement: "The signature is over the list as it is, and verifies by the key of the signer.",
        remedy: "Sign the list again after each change.",
        check: .trustList { list in
            guard case .invalid = list.outcome else { return [] }
            return .found(
                "the proof does not verify: the list was changed after it was signed, or another key signed it",
                at: list.place("proof.jws"))
        })

    static let trustListProofUnchecked = Rule(
        "trust-list-proof-error", "unchecked", "WHO-K1", severity: .unchecked,
        requirement: "The proof of a list verifies by a key of its signer.",
        remedy: "Give the DID document with the keys of the signer (--list-key).",
        check: .trustList { list in
            switch list.outcome {
            case .unchecked:
                return .found("the proof was not checked: no key was given", at: list.place("proof"))
            case .uncheckable(let problem, _) where problem.kind != .form:
                return .found(
                    "the proof was not checked: it is only known what is signed in a list without other errors",
                    at: list.place("proof"), remedy: "Correct the other errors of the list first.")
            case .uncheckable, .absent, .noKey, .invalid, .verified: return []
            }
        })
}
