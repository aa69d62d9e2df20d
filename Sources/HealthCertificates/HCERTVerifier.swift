public import Credentials
package import Cryptography
public import FHIR

/// Verifies EU Digital COVID Certificates with one policy: one, or millions one after the other.
///
/// The checks run in the order of `Check.Name`, and stop at the first that does not pass. Everything that is needed is in the
/// policy: nothing is ever fetched for a certificate.
///
/// A verifier belongs to one thread. It keeps the state of zlib and OpenSSL, and the keys of signers, for later certificates.
package final class HCERTVerifier {
    private var policy: HCERTPolicy
    private let inflater: Inflater
    private var budget: PayloadBudget
    private let context = VerificationContext()
    private let confirmer: (any SignatureConfirmer)?
    private var signers = SignerCache()

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - policy: the policy.
    ///   - confirmer: confirms signatures faster than OpenSSL's EVP; nil to use only EVP.
    ///   - totalPayloadSize: as in the public initialiser.
    /// - Throws: `OutOfMemory` if memory runs out (for zlib's state).
    package init(
        policy: HCERTPolicy, confirmer: (any SignatureConfirmer)?, totalPayloadSize: Int? = nil
    ) throws(OutOfMemory) {
        self.policy = policy
        budget = PayloadBudget(totalPayloadSize)
        self.confirmer = confirmer
        guard let inflater = try? Inflater(.zlib) else { throw OutOfMemory() }
        self.inflater = inflater
    }

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - policy: the policy.
    ///   - totalPayloadSize: the size of all inflated certificates together, in bytes, after which none is judged: it is
    ///     `unreadable-input`, which says nothing about the certificate. nil for any size.
    /// - Throws: `OutOfMemory` if memory runs out (for zlib's state).
    package convenience init(policy: HCERTPolicy, totalPayloadSize: Int? = nil) throws(OutOfMemory) {
        try self.init(policy: policy, confirmer: nil, totalPayloadSize: totalPayloadSize)
    }

    /// The moment for which certificates are verified. Its first value comes from the policy.
    package var now: NumericDate {
        get { policy.now }
        set { policy.now = newValue }
    }

    /// The moment at which the ages of lists are counted, if it is another than `now`. Its first value comes from the policy.
    package var listsAreJudgedAt: NumericDate? {
        get { policy.listsAreJudgedAt }
        set { policy.listsAreJudgedAt = newValue }
    }

    /// Examines the form of a certificate. Nothing is verified.
    package func examine(_ certificate: PresentedCredential) -> ExaminedHCERT {
        let examined = ExaminedHCERT(budget.refused(certificate) ?? certificate, inflater: inflater)
        budget.spend(examined.spentSize)
        return examined
    }

    /// Decodes a certificate as far as possible, even if it has errors. Nothing is verified.
    package func inspect(_ certificate: PresentedCredential) -> CredentialInspection {
        examine(certificate).inspection(inflater: inflater, raw: try? Inflater())
    }

    /// Verifies a certificate.
    package func verify(_ certificate: ExaminedHCERT) -> Verdict {
        HCERTChecks.verdict(on: certificate, by: setting, &signers, claim: nil)
    }

    /// Verifies several certificates together, which is faster than one by one. The verdicts are the same.
    ///
    /// - Returns: the verdict on each certificate, in their order.
    package func verify(_ certificates: [ExaminedHCERT]) -> [Verdict] {
        // One claim for each certificate; nil if no signer has its key ID. Only `Cryptography` can set an answer, and
        // `HCERTChecks` uses an answer only if it is about the certificate's own signature.
        let setting = setting
        var claims = certificates.map { HCERTChecks.claim(of: $0, by: setting, &signers) }
        confirmer?.answer(&claims)
        return zip(certificates, claims).map { certificate, claim in
            HCERTChecks.verdict(on: certificate, by: setting, &signers, claim: claim)
        }
    }

    private var setting: HCERTSetting { HCERTSetting(policy, context: context) }
}

/// The signers that were read from lists, by key ID, for one verifier.
///
/// Reading a signer takes longer than verifying a signature, and most signers of a list are never needed.
package struct SignerCache {
    /// The signers with a key ID, and the notes about each if it is the one that signed.
    package final class Known {
        let keyID: [UInt8]
        package let signers: [Signer]
        /// Whether these are all usable signers with the key ID. If not, some were left out because of `maximumSigners`.
        package let areAll: Bool
        /// The number of entries with the key ID, also those that cannot be read.
        package let entryCount: Int
        /// What entries with the key ID sign instead, in words; empty if all sign such content.
        package let otherScopes: [String]
        /// The notes about each signer, by its place; nil until they are needed.
        var notes: [KeyNotes?]

        init(_ keyID: [UInt8], _ signers: [Signer], areAll: Bool, entryCount: Int, otherScopes: [String]) {
            self.otherScopes = otherScopes
            self.keyID = keyID
            self.signers = signers
            self.areAll = areAll
            self.entryCount = entryCount
            notes = Array(repeating: nil, count: signers.count)
        }
    }

    private static let maximumCount = 1024

    /// The most usable signers with one key ID that are tried, of which each counts once, however many lists have it. The first in
    /// the order of the lists are used. The limit for keys of cards is the same.
    package static let maximumSigners = JWKSet.maximumCandidates

    /// A key ID, and what is signed.
    private struct Purpose: Hashable {
        let keyID: [UInt8]
        let kind: Int64
    }

    private var known: [Purpose: Known] = [:]
    private var recentLists: NumericDate?

    /// Creates an empty cache.
    package init() {}

    /// The signers with a key ID that sign content of a kind.
    package mutating func signers(
        of keyID: [UInt8], for kind: HealthContentKind, by policy: HCERTPolicy
    ) -> Known {
        let purpose = Purpose(keyID: keyID, kind: kind.number)
        // Lists may become too old while a long run goes on.
        let moment = policy.listsAreJudgedAt ?? policy.now
        if policy.maximumListAge != nil, recentLists != moment {
            known = [:]
            recentLists = moment
        }
        if let found = known[purpose] { return found }
        let entries = policy.signers.entries(of: keyID) { policy.isRecent($0) }
        let compromised = [policy.signers.compromisedKeys, policy.compromisedElsewhere]
        let isOnlyOne = policy.signers.isOneCertificate && policy.anchors == nil
        var signers: [Signer] = []
        var usable: Set<Signer.Identity> = []
        var unusableCount = 0
        var areAll = true
        var otherScopes: [String] = []
        for entry in entries {
            // An entry of another domain signs nothing here, even with the right key ID.
            guard entry.scope.includes(kind) else {
                if let words = entry.scope.words, otherScopes.count < 3, !otherScopes.contains(words) {
                    otherScopes.append(words)
                }
                continue
            }
            guard let signer = entry.signer(keyID: keyID, refusing: compromised, isOnlyOne: isOnlyOne),
                !policy.isAuthorityWithoutCertificate(signer)
            else { continue }
            // A signer that cannot be used is kept only to explain why a certificate does not verify.
            if let identity = signer.identity {
                guard usable.insert(identity).inserted else { continue }
                guard usable.count <= Self.maximumSigners else {
                    areAll = false
                    break
                }
            } else {
                unusableCount += 1
                guard unusableCount <= Self.maximumSigners else { continue }
            }
            signers.append(signer)
        }
        let found = Known(keyID, signers, areAll: areAll, entryCount: entries.count, otherScopes: otherScopes)
        // Certificates choose key IDs, so only those that lists have are kept.
        guard found.entryCount > 0 else { return found }
        if known.count >= Self.maximumCount { known = [:] }
        known[purpose] = found
        return found
    }
}

/// The rules by which EU Digital COVID Certificates are verified.
public struct HCERTPolicy: Sendable {
    /// The moment for which certificates are verified.
    public var now: NumericDate
    /// The trusted signers. Without any, no certificate can be verified.
    public var signers = TrustedSigners()
    /// The keys whose private half is published in what was given for other kinds of credential, such as
    /// `CardPolicy.compromisedKeys`. They verify nothing.
    package var compromisedElsewhere = CompromisedKeys()
    /// The authorities (CSCA) that must have signed the signers' certificates, in lists whose makers did not check that; nil if that
    /// is not required.
    package var anchors: CertificateAnchors?
    /// The largest age of a dated list; nil for any age.
    public var maximumListAge: Duration?
    /// Batches of revoked certificates.
    package var revocations: [RevocationBatch] = []
    /// Whether a certificate fails (`ReasonCode.revocationUnavailable`) if no list of revoked certificates was given that could name it
    /// and has not expired.
    public var requiresRevocation = false
    /// The records that a certificate must contain; nil if any record will do.
    public var recordQuery: RecordQuery?
    /// Names for codes.
    public var codeNames = CodeNames.builtIn

    /// Creates a policy without trusted signers.
    package init(now: NumericDate) {
        self.now = now
    }

    /// Whether the policy insists that revocation is checked.
    var revocationRequirement: RevocationRequirement { requiresRevocation ? .required : .notAsked }

    /// Why a link in a certificate holds nothing that passes, if nobody opens it. It is the verdict on a certificate that no credential
    /// for its link follows.
    package var failureOfUnopenedLink: @Sendable (WrappedLink, NumericDate) -> VerificationFailure = { _, _ in
        VerificationFailure(.linkUnavailable, "the link in the certificate is not followed here", isUnasked: true)
    }

    /// The moment at which the ages of lists are counted; nil if it is `now`. It differs from `now` if certificates are verified as of
    /// another time than that of the clock.
    package var listsAreJudgedAt: NumericDate?

    /// Whether each certificate is verified as of its own issue. A list of revoked certificates must not have expired by the clock then,
    /// since it was made later.
    package var isAsOfIssue = false

    /// The moment at which a list of revoked certificates must not have expired.
    var revocationsAreJudgedAt: NumericDate { isAsOfIssue ? listsAreJudgedAt ?? now : now }

    /// Whether the private half of a certificate's key is published in something that was given.
    package func isCompromised(_ certificate: Certificate) -> Bool {
        signers.compromisedKeys.contains(certificate) || compromisedElsewhere.contains(certificate)
    }

    /// Whether a signer has only a key, and it is that of an authority (CSCA) whose certificate was given. It verifies nothing.
    func isAuthorityWithoutCertificate(_ signer: Signer) -> Bool {
        guard signer.certificate == nil, case .success(let key) = signer.key else { return false }
        return signers.isAuthorityWithoutCertificate(signer)
            || anchors?.certificates.contains { anchor in
                guard anchor.isAuthority, case .success(let own) = anchor.publicKey else { return false }
                return own.number == key.number
            } == true
    }

    /// Whether a list of this date counts.
    func isRecent(_ retrieved: NumericDate) -> Bool {
        guard let maximumListAge else { return true }
        let age = (listsAreJudgedAt ?? now).sinceEpoch - retrieved.sinceEpoch
        // A date far in the future says nothing about the age of the list.
        return age <= maximumListAge && age > .seconds(-86_400)
    }
}
