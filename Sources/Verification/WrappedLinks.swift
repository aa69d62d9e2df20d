import Containers
package import Credentials
import HealthCertificates
package import Inputs

extension CredentialReader {
    /// Adds the links in health certificates, each behind its certificate, if that passes every check. No request is made for it:
    /// everything that such a certificate needs is in the policy.
    ///
    /// Call it before `follow(by:)`. A certificate whose link was not added does not pass.
    ///
    /// - Parameter policy: the policy by which the certificates are verified afterwards, too.
    package mutating func addLinksOfCertificates(by policy: VerificationPolicy) throws(OutOfMemory) {
        guard certificates.contains(where: { _ in true }) else { return }
        addLinksOfCertificates(
            by: try CredentialVerifier(policy: policy, inputPayloadSize: Bounds.inputPayloadSize))
    }

    /// - Parameter verifier: a verifier with the policy by which the certificates are verified afterwards, too.
    mutating func addLinksOfCertificates(by verifier: CredentialVerifier) {
        addLinks { certificate in
            guard case .hcert(let examined) = verifier.examine(certificate.followedByItsLink), let link = examined.link,
                case .verdict(let verdict) = verifier.verify(.hcert(examined), with: EvidenceAnswers()),
                let verified = verdict.verified
            else { return nil }
            // A longer text is refused anyway, so it is not kept.
            let text = Array(link.text.prefix(2 * HealthLink.payloadSize))
            return (text, PresentedContainer.Wrapper(verified, scheme: link.scheme.rawValue))
        }
    }
}

extension WrappedLink {
    /// Why the link holds nothing that passes, for a report that has one verdict for a certificate and its link. Nothing is requested.
    ///
    /// - Parameter now: the moment at which the link must be valid.
    func failureUnopened(at now: NumericDate) -> VerificationFailure {
        LinkClient.refusal(ofUnopened: HealthLink(inCertificate: text, scheme: scheme.rawValue), at: now)
    }
}
