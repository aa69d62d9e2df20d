extension Check {
    /// The checks, in the order they run.
    ///
    /// `allCases` are those that every credential has to pass, which is all but `container`.
    public enum Name: String, Sendable, CaseIterable {
        /// The credential can be read, and its form is correct.
        case format
        /// The issuer is trusted.
        case issuerTrust = "issuer-trust"
        /// The issuer has a usable key with the credential's key ID.
        case key
        /// The signature verifies with the key.
        case signature
        /// The credential is valid at the moment of the verification.
        case validity
        /// The issuer has not revoked the credential.
        case revocation
        /// The credential contains the required records.
        case records
        /// What holds the credential could be opened. It comes first, for credentials from a SMART Health Link, which reports call `link`,
        /// and from a SMART Health Check-in, which they call `check-in`.
        case container

        public static let allCases: [Name] = [
            .format, .issuerTrust, .key, .signature, .validity, .revocation, .records,
        ]

        /// The position in `ofContained`, from 0.
        package var place: Int { Self.ofContained.firstIndex(of: self) ?? Self.ofContained.endIndex }

        /// The checks of a credential from a container.
        package static let ofContained = [.container] + allCases

        /// Whether a credential may pass if this check was skipped. A check is skipped if nobody asked for it, or if there was
        /// nothing to check.
        ///
        /// - Parameters:
        ///   - why: why it was skipped.
        ///   - trust: whether the policy asks for trust in issuers.
        ///   - revocation: whether the policy asks that revocation is checked.
        func mayBeSkipped(_ why: SkipReason, _ trust: TrustRequirement, _ revocation: RevocationRequirement) -> Bool {
            switch (self, why) {
            case (.issuerTrust, .notAsked): trust == .notAsked
            case (.revocation, .notAsked): revocation == .notAsked
            case (.revocation, .notApplicable), (.records, .notAsked), (.records, .notApplicable): true
            default: false
            }
        }
    }
}

/// The checks of one credential, as its kind makes them: one function for each check, or for two that are made together.
///
/// A kind says only what a check finds. `verdict(on:)` decides which check comes when, and what ends the list. A function is
/// given what the checks before it have found, so it cannot run before them.
package protocol CredentialChecks {
    /// A credential whose form is correct.
    associatedtype Form
    /// What the later checks need to know of the key.
    associatedtype Key
    /// What is thrown if evidence must be fetched before a check can be made; `Never` if nothing is ever fetched.
    associatedtype Need: Error

    /// Whether the policy asks that revocation is checked.
    var revocationRequirement: RevocationRequirement { get }

    /// Warnings of the checks, in order, that are not on the list yet. Those of the key are in its notes.
    var warnings: [CredentialWarning] { get set }

    /// The check `format`.
    mutating func format() -> FormFinding<Form>

    /// The checks `issuer-trust` and `key`.
    mutating func key(of form: Form) throws(Need) -> KeyFinding<Key>

    /// The check `signature`.
    mutating func signature(of form: Form, by key: Key) -> CheckResult

    /// The check `validity`.
    mutating func validity(of form: Form, by key: Key) -> CheckResult

    /// The check `revocation`.
    mutating func revocation(of form: Form, by key: Key) throws(Need) -> CheckResult

    /// The check `records`.
    mutating func records(of form: Form) -> CheckResult
}

/// The result of a check of the credential itself.
package enum CheckResult {
    /// The check passed.
    case pass(CheckDetail)
    /// The check was not made, for this reason.
    case skip(Check.SkipReason, String)
    /// The check did not pass.
    ///
    /// - Parameters:
    ///   - only: what is wrong with the credential, if its signature is valid; nil if nothing is to be said for it.
    ///   - besides: what else is wrong with it.
    case fail(VerificationFailure, only: Shortcoming? = nil, besides: [Objection] = [])
}

/// The result of the check `format`.
package enum FormFinding<Form> {
    /// The form is correct.
    case correct(Form, CheckDetail)
    /// The credential cannot be read, or its form is wrong.
    case wrong(VerificationFailure)
}

/// The result of the checks `issuer-trust` and `key`.
package enum KeyFinding<Key> {
    /// Both checks passed, or may be skipped.
    case found(KeyNotes, Key)
    /// A check did not pass, as the notes say.
    case none(KeyNotes)
    /// There is no such key. The failure of the check `key` is that of this credential alone, and the notes have none.
    case absent(KeyNotes, VerificationFailure)
    /// The check `key` did not pass, as the notes say, because of what the key may sign. That was judged only after the signature was
    /// found to be valid, so `signature` and `validity` are noted too.
    case notEntitled(KeyNotes, Key)
}

extension CredentialChecks {
    /// Makes the checks in order, until one does not pass.
    ///
    /// This function and `Check.Name.allCases` are the only places that have the order. If they differ, nothing passes.
    ///
    /// - Throws: what must be fetched first.
    package mutating func verdict(on examined: some ExaminedCredential) throws(Need) -> Verdict {
        var list = CheckList(revocationRequirement, on: examined.presented)
        if list.isOpen { try fill(&list) }
        return Verdict(of: examined, list)
    }

    private mutating func fill(_ list: inout CheckList) throws(Need) {
        // The warnings of a check that does not pass count too.
        defer { note(in: &list) }
        let form: Form
        switch format() {
        case .wrong(let failure): return list.end(with: .format, failure)
        case .correct(let correct, let detail):
            list.add(.format, .pass(detail))
            form = correct
        }
        // Those of the form come before those of the key.
        note(in: &list)

        let key: Key
        var isEntitled = true
        switch try self.key(of: form) {
        case .none(let notes): return list.adopt(notes)
        case .absent(let notes, let failure):
            list.adopt(notes)
            return list.end(with: .key, failure)
        case .notEntitled(let notes, let found):
            list.adopt(notes, endsList: false)
            (key, isEntitled) = (found, false)
        case .found(let notes, let found):
            list.adopt(notes)
            key = found
        }

        list.add(.signature, signature(of: form, by: key))
        guard list.isOpen else { return }

        list.add(.validity, validity(of: form, by: key))
        guard isEntitled else { return list.endForKey() }
        guard list.isOpen else { return }

        list.add(.revocation, try revocation(of: form, by: key))
        guard list.isOpen else { return }

        list.add(.records, records(of: form))
    }

    /// Moves the warnings to the list.
    private mutating func note(in list: inout CheckList) {
        guard !warnings.isEmpty else { return }
        list.warn(warnings)
        warnings = []
    }
}
