/// The verdict on a credential, or the evidence that is needed first.
public enum VerificationStep: Sendable {
    /// The verdict.
    case verdict(Verdict)
    /// Evidence to fetch before the credential is verified again. Nothing is requested for one that is malformed, or if lists show
    /// that its issuer is not trusted.
    case needs(EvidenceRequest)
}
