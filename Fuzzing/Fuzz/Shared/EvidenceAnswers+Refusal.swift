import Credentials
import SMARTHealthCards

extension EvidenceAnswers {
    /// Answers a request as if there were no network.
    mutating func refuse(_ request: EvidenceRequest) {
        let code: ReasonCode = request.query is RevocationListQuery ? .revocationUnavailable : .keysUnavailable
        refuse(request, because: VerificationFailure(code, "there is no network"))
    }
}
