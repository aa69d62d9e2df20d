internal import SMARTHealthCards

extension PublishedAnswer.Failure {
    init(_ failure: TransportFailure) {
        let kind: Kind =
            switch failure.kind {
            case .invalidURL: .invalidURL
            case .unresolvedName, .refusedAddress, .connection, .timeout: .unreachable
            case .tls: .tls
            case .certificate: .certificate
            case .tooLarge, .redirect, .protocolError: .answer
            case .fetcher, .installation, .certificateAuthorities, .cancelled: .machine
            }
        self.init(kind, failure.message)
    }
}
