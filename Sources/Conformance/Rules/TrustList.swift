import Credentials
import Cryptography
import Encodings
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
            "none of the given keys belongs to the DID that the proof names", at: list.place("proof.verificationMethod")
        )
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

    // MARK: The keys

    /// The rules of the keys in WHO's list of signers.
    static let trustListKeyRules: [Rule] = [
        trustListKeyCertificate, trustListCoordinateLength, trustListCurve, trustListKeyID, trustListExpired,
    ]

    static let trustListKeyCertificate = Rule("trust-list-key-error/certificate", RuleCheck.trustList) { list in
        list.problems(ofEntries: { entry in
            guard let certificate = entry.certificate, case .success(let key) = certificate.publicKey else {
                return nil
            }
            let isSame = key.members.allSatisfy { significant(entry.bytes($0.name)) == significant($0.number) }
            guard !isSame else { return nil }
            return Problem("the key is not that of the certificate beside it", at: entry.jwk)
        })
    }

    /// A number without the zeros at its beginning.
    private static func significant(_ number: [UInt8]?) -> ArraySlice<UInt8>? { number?.drop { $0 == 0 } }

    /// The lengths of coordinates in bytes (RFC 7518 §6.2.1.2).
    private static let curves = [("P-256", 32), ("P-384", 48), ("P-521", 66)]

    static let trustListCoordinateLength = Rule("trust-list-key-error/coordinate-length", RuleCheck.trustList) { list in
        list.problems(ofEntries: { entry in
            guard let length = curves.first(where: { entry.jwk["crv"]?.isString($0.0) == true })?.1 else {
                return nil
            }
            for name in ["x", "y"] {
                guard let number = entry.bytes(name), number.count != length else { continue }
                return Problem(
                    "`\(name)` has \(number.count) bytes, and the curve asks for \(length)",
                    at: entry.jwk[name] ?? entry.jwk)
            }
            return nil
        })
    }

    static let trustListCurve = Rule("trust-list-key-error/curve", RuleCheck.trustList) { list in
        list.problems(ofEntries: { entry in
            guard entry.jwk["kty"]?.isString("EC") == true else { return nil }
            let curve = entry.jwk["crv"]
            guard !curves.contains(where: { curve?.isString($0.0) == true }) else { return nil }
            return Problem("the curve of the key is \(curve?.excerpt ?? "not named")", at: curve ?? entry.jwk)
        })
    }

    static let trustListKeyID = Rule("trust-list-key-error/kid", RuleCheck.trustList) { list in
        list.problems(ofEntries: { entry in
            if let certificate = entry.certificate, let keyID = entry.keyID, keyID != certificate.identifier {
                return Problem(
                    "the key ID \(KeyLabel.quoted(keyID)) is not the beginning of the SHA-256 of the certificate",
                    at: entry.value["id"] ?? entry.value)
            }
            guard let kid = entry.jwk["kid"], let wanted = entry.certificate?.identifier ?? entry.keyID,
                entry.ownKeyID != wanted
            else { return nil }
            return Problem(
                "the `kid` of the key is \(kid.excerpt), and the key ID of the entry is \(KeyLabel.quoted(wanted))",
                at: kid)
        })
    }

    /// It depends on the day, and lists keep signers whose certificates were issued while they were valid.
    static let trustListExpired = Rule("trust-list-expired/signers", RuleCheck.trustList) { list in
        let dates = list.entries.filter(\.isOfSigner).compactMap { $0.certificate?.notAfter }
        let ended = dates.count { NumericDate(sinceEpoch: .seconds($0)) < list.policy.now }
        guard ended > 0 else { return [] }
        return .found(
            "the certificates of \(ended) of \(dates.count) signers have ended",
            at: list.place("verificationMethod"))
    }
}
