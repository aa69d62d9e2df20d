import Credentials
import SMARTHealthCards
import Testing

@testable import Conformance

extension Linter {
    /// All findings if nothing can be fetched, so that only the given evidence is known.
    mutating func finishOffline(_ given: EvidenceAnswers = EvidenceAnswers()) throws -> [Finding] {
        finishReading()
        var evidence = given
        while true {
            let requests = judge(with: evidence)
            guard !requests.isEmpty else { return findings }
            for request in requests {
                try #require(!evidence.holds(request))
                evidence.refuse(request, because: request.offlineFailure)
            }
        }
    }
}

extension EvidenceRequest {
    /// The failure that answers the request if nothing can be fetched.
    var offlineFailure: VerificationFailure {
        VerificationFailure(query is RevocationListQuery ? .revocationUnavailable : .keysUnavailable, "offline")
    }
}
