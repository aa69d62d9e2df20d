/// The checks of one credential, in order, with the warnings that they gave.
///
/// `CredentialChecks` adds the checks one after the other. The list ends with the first check that does not pass, or after the last
/// check. Only this file creates a `Verified`, and only from a complete list. This rule is the same for every kind of credential.
struct CheckList: Sendable {
    /// The checks of the credential itself: those before the checks of the key, and all checks after them.
    private var own: [Check] = []
    /// The names of all checks, in order.
    private let names: [Check.Name]
    /// The checks of the key; nil until they are made. They come after the first check.
    private(set) var key: KeyNotes?
    /// The warnings so far, including those about the key.
    private(set) var warnings: [CredentialWarning]
    /// The failure that ended the list; nil if no check has failed.
    private var failure: VerificationFailure?
    /// Whether the policy asks that revocation is checked.
    private let revocation: RevocationRequirement
    /// What the check says that ended the list: that the credential is genuine, and what is wrong with it; nil if it says no such
    /// thing.
    private var declared: (check: Check.Name, shortcoming: Shortcoming, objections: [Objection])?

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - revocation: whether the policy asks that revocation is checked.
    ///   - presented: the credential; nil for one that is an input itself, without warnings from before the first check. If it is from a
    ///     container, the check of that is made here.
    init(_ revocation: RevocationRequirement, on presented: PresentedCredential? = nil) {
        self.revocation = revocation
        warnings = presented?.warnings ?? []
        names = presented?.place == nil ? Check.Name.allCases : Check.Name.ofContained
        own.reserveCapacity(names.count - KeyNotes.checkCount)
        guard let place = presented?.place else { return }
        let form = place.container.inputForm
        if !place.isOpened, case .failure(let failure)? = presented?.text {
            own.append(Check(.container, failure, of: form))
            end(with: failure)
        } else {
            own.append(Check(.container, .pass, .later { place.words }, of: form))
        }
    }

    /// The number of checks before those of the key.
    private var countBeforeKey: Int { names.count - Check.Name.allCases.count + 1 }

    /// All checks so far, in order.
    var checks: [Check] {
        Array(own.prefix(countBeforeKey)) + (key?.checks ?? []) + own.dropFirst(countBeforeKey)
    }

    /// The results of the checks of the credential itself.
    var ownResults: OwnResults { OwnResults(own) }

    /// The result of a check of the credential itself; nil if it is a check of the key, or was not made.
    func ownResult(of name: Check.Name) -> Check.Result? { own.last { $0.name == name }?.result }

    // MARK: Filling

    /// Whether no check has failed.
    var isOpen: Bool { failure == nil }

    /// Adds warnings.
    mutating func warn(_ warnings: [CredentialWarning]) {
        if !warnings.isEmpty { self.warnings += warnings }
    }

    /// Adds a check of the credential itself. If it did not pass, the list ends.
    mutating func add(_ name: Check.Name, _ result: CheckResult) {
        switch result {
        case .pass(let detail): own.append(Check(name, .pass, detail))
        case .skip(let why, let detail): own.append(Check(name, skipped: why, detail))
        case .fail(let failure, let shortcoming, let objections):
            declared = shortcoming.map { (name, $0, objections) }
            end(with: name, failure)
        }
    }

    /// Adds the checks of the key and its warnings. If one of these checks failed, the list ends.
    ///
    /// - Parameter endsList: false if further checks are noted before `endForKey()` ends the list.
    mutating func adopt(_ key: KeyNotes, endsList: Bool = true) {
        self.key = key
        warn(key.warnings)
        if endsList { endForKey() }
    }

    /// Ends the list if a check of the key failed.
    mutating func endForKey() {
        guard let failure = key?.failure else { return }
        declared = nil
        end(with: failure)
    }

    /// Adds a check that did not pass, and ends the list.
    mutating func end(with name: Check.Name, _ failure: VerificationFailure) {
        own.append(Check(name, failure))
        end(with: failure)
    }

    /// Ends the list. The remaining checks are marked as not reached.
    private mutating func end(with failure: VerificationFailure, marking words: String = "not reached") {
        self.failure = failure
        let made = checks.map(\.name)
        for name in names where !made.contains(name) {
            own.append(Check(name, skipped: .notReached, words))
        }
    }

    // MARK: The end

    /// Whether the credential has passed. Each check must be on the list once and in order, none may have failed or be
    /// undetermined, and only checks that allow it (`mayBeSkipped`) may have been skipped. If the policy asks for trust, the issuer must
    /// be trusted.
    private var isPassed: Bool {
        guard failure == nil, let key, own.count + key.checks.count == names.count else { return false }
        guard key.requirement == .notAsked || key.trust.isTrusted else { return false }
        var place = 0
        let isPassed = { (check: Check) in
            defer { place += 1 }
            return check.name == names[place] && isAcceptable(check, key)
        }
        return own.prefix(countBeforeKey).allSatisfy(isPassed) && key.checks.allSatisfy(isPassed)
            && own.dropFirst(countBeforeKey).allSatisfy(isPassed)
    }

    /// Whether a credential may pass with this result of a check.
    private func isAcceptable(_ check: Check, _ key: KeyNotes) -> Bool {
        guard let why = check.why else { return check.status == .pass }
        return check.name.mayBeSkipped(why, key.requirement, revocation)
    }

    /// What is wrong with the credential, if its signature is valid, and what else is wrong with it. nil if the check that failed comes
    /// before that of the signature or is that, or if a check before it would not have let the credential pass.
    var shortcoming: (kind: Shortcoming, objections: [Objection])? {
        guard let (name, shortcoming, objections) = declared, failure != nil, let key,
            key.requirement == .notAsked || key.trust.isTrusted, name.place > Check.Name.signature.place
        else { return nil }
        let before = checks.prefix { $0.name != name }
        let isInOrder = before.map(\.name).elementsEqual(names.prefix { $0 != name })
        return isInOrder && before.allSatisfy { isAcceptable($0, key) } ? (shortcoming, objections) : nil
    }

    /// Ends the list.
    ///
    /// If the list neither failed nor passed, a check was forgotten, which is marked. No input leads there, only a bug in this program.
    /// Such a bug must not let a credential pass, and must not end the runs of others.
    ///
    /// - Returns: the result of the verification.
    mutating func conclude(on examined: any ExaminedCredential) -> Verdict.Outcome {
        if let failure { return failure.code.isUndetermined ? .undetermined(failure) : .fail(failure) }
        if isPassed, examined.claims != nil { return .pass(Verified(examined)) }
        let incomplete = VerificationFailure(
            .unreadableInput,
            "not judged: this program did not make every check in its order, which is a fault of the program")
        declared = nil
        end(with: incomplete, marking: "not made")
        return .undetermined(incomplete)
    }
}

/// The results of the checks of a credential itself, without their details. Those of its key are in `KeyNotes`.
package struct OwnResults: Equatable, Sendable {
    /// The checks, of which only name and result count. They are not copied, since this is made for every line of a batch.
    private let checks: [Check]

    fileprivate init(_ checks: [Check]) { self.checks = checks }

    package static func == (left: OwnResults, right: OwnResults) -> Bool {
        left.checks.elementsEqual(right.checks) { $0.name == $1.name && $0.status == $1.status && $0.why == $1.why }
    }
}

/// A credential that has passed every check.
///
/// Only `CheckList` creates one, so no code can report a pass for a credential that was not checked.
public struct Verified: Sendable {
    private let examined: any ExaminedCredential

    // fileprivate, so that only `CheckList` can call it.
    fileprivate init(_ examined: any ExaminedCredential) {
        self.examined = examined
    }

    /// The claims of the credential, which are now verified.
    public var claims: any Claims {
        guard let claims = examined.claims else {
            // `CheckList.outcome` makes sure that there are claims.
            preconditionFailure("a credential without claims has passed")
        }
        return claims
    }
}

/// How a credential ended that was genuine: nothing is wrong with it but that.
public enum Lapse: Sendable, Equatable {
    /// It was valid until this moment.
    case expired(NumericDate)
    /// The issuer has revoked it.
    case revoked
}

/// What is wrong with a credential that is genuine: the issuer has signed it, and all checks before the one that failed have passed.
package enum Shortcoming: Sendable, Equatable {
    /// It was valid, and is over.
    case lapse(Lapse)
    /// It will be valid.
    case notYetValid
    /// It lacks the records that were asked for.
    case lacksRecords
    /// Whether it has the records that were asked for is not known.
    case hasUnknownCodes
    /// Whether it was revoked is not known.
    case unknownRevocation

    /// The shortcoming that a failed check of the records means; nil if it means something else.
    package init?(recordsFailure failure: VerificationFailure) {
        switch failure.code {
        case .recordsNotMatching: self = .lacksRecords
        case .codesUnknown: self = .hasUnknownCodes
        default: return nil
        }
    }

    /// That the credential was genuine and is over; nil if it is not over.
    package var lapse: Lapse? {
        guard case .lapse(let lapse) = self else { return nil }
        return lapse
    }
}

/// What else is wrong with a credential that has a shortcoming, as far as is known without a request. The checks that would have said so
/// were not reached.
package enum Objection: Sendable, Equatable {
    /// A list of revoked credentials names it.
    case revoked
    /// It ends before it begins.
    case neverValid
    /// Its signer was never valid at a time at which it was.
    case signerWasNotValid
    /// Its signer may not sign such records.
    case signerMayNotSign
    /// It lacks the records that were asked for.
    case lacksRecords
    /// Whether it has the records that were asked for is not known.
    case hasUnknownCodes

    /// Whether it speaks against the signature: then nobody vouches for the claims.
    package var isAboutSigner: Bool { self == .signerWasNotValid || self == .signerMayNotSign }

    /// What a failed check of the records means; nil if it means something else.
    package init?(recordsFailure failure: VerificationFailure) {
        switch Shortcoming(recordsFailure: failure) {
        case .lacksRecords: self = .lacksRecords
        case .hasUnknownCodes: self = .hasUnknownCodes
        default: return nil
        }
    }
}

/// Whether a policy asks that revocation is checked. Only a policy that does not may let a credential pass that could have been
/// looked up in a list and was not.
package enum RevocationRequirement: Sendable {
    /// The check `revocation` must have passed, unless there is nothing to look up.
    case required
    /// The policy does not insist on it.
    case notAsked
}

/// Whether a policy asks for trust in issuers. Only a policy that does not may let a credential pass without the check
/// `issuer-trust`.
package enum TrustRequirement: Sendable {
    /// The check `issuer-trust` must have passed.
    case required
    /// The policy says nothing about whom to trust, so that check is skipped.
    case notAsked
}

/// The results of the checks `issuer-trust` and `key`, for the key that a credential names and for its issuer.
///
/// All credentials that name the key share one object.
package final class KeyNotes: Sendable {
    /// Notes to which more is still added.
    package struct Draft: Sendable {
        /// Whether the policy asks for trust in issuers.
        fileprivate let requirement: TrustRequirement
        /// Why the issuer is trusted, or that it is not.
        package var trust = IssuerTrust.unchecked
        /// Whether trust could not be judged, because nothing was given that says whom to trust.
        package var lacksTrustLists = false
        /// Where the key comes from; nil if no key was looked for.
        package var origin: KeyOrigin?
        /// When the key was retrieved; nil if that is not known, or if it was fetched for this run.
        package var retrieved: NumericDate?
        /// The issuer's entry in a directory; nil if no directory lists the issuer.
        package var directoryEntry: DirectoryEntry?
        /// The certificate of the key.
        package var certificate: SignerCertificate?
        /// The country of the signer, from its certificate or from the list.
        package var country: String?
        /// What the list says about the signer, besides its country.
        package var listing: SignerListing?
        /// The warnings so far.
        package var warnings: [CredentialWarning] = []
        fileprivate var checks: [Check] = []
        fileprivate var failure: VerificationFailure?

        /// Creates empty notes.
        package init(_ requirement: TrustRequirement) { self.requirement = requirement }

        /// Adds a check that passed.
        package mutating func pass(_ name: Check.Name, _ detail: String) {
            checks.append(Check(name, .pass, .text(detail)))
        }

        /// Adds a check that was not made, with the reason.
        package mutating func skip(_ name: Check.Name, _ why: Check.SkipReason, _ detail: String) {
            checks.append(Check(name, skipped: why, detail))
        }

        /// Adds a check that did not pass.
        package mutating func fail(_ name: Check.Name, _ failure: VerificationFailure) {
            checks.append(Check(name, failure))
            self.failure = self.failure ?? failure
        }
    }

    /// The number of checks of a key if none fails.
    static let checkCount = 2

    private let draft: Draft

    /// Completes the notes.
    package init(_ draft: Draft) { self.draft = draft }

    /// The checks, in order.
    var checks: [Check] { draft.checks }
    /// Why the first of them did not pass that did not; nil if none failed.
    var failure: VerificationFailure? { draft.failure }
    /// Whether the policy asks for trust in issuers.
    var requirement: TrustRequirement { draft.requirement }
    /// Why the issuer is trusted, or that it is not.
    package var trust: IssuerTrust { draft.trust }
    /// Whether trust could not be judged, because nothing was given that says whom to trust.
    package var lacksTrustLists: Bool { draft.lacksTrustLists }
    /// Where the key comes from; nil if no key was looked for.
    package var origin: KeyOrigin? { draft.origin }
    /// When the key was retrieved; nil if that is not known, or if it was fetched for this run.
    package var retrieved: NumericDate? { draft.retrieved }
    /// The issuer's entry in a directory; nil if no directory lists the issuer.
    package var directoryEntry: DirectoryEntry? { draft.directoryEntry }
    /// The certificate of the key; nil if there is none, or if it was ignored.
    package var certificate: SignerCertificate? { draft.certificate }
    /// The country of the signer; nil if it is not known.
    package var country: String? { draft.country }
    /// What the list says about the signer, besides its country; nil if it is none of a health certificate.
    package var listing: SignerListing? { draft.listing }
    /// The warnings about the key and its issuer.
    package var warnings: [CredentialWarning] { draft.warnings }
}
