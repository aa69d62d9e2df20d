/// One of the checks that a card has to pass, and how it went.
public struct Check: Sendable {
    /// The checks, in the order they run.
    public enum Name: String, Sendable, CaseIterable {
        case format
        case issuerTrust = "issuer-trust"
        case key
        case signature
        case validity
        case revocation
        case records

        /// Where it stands among all of them, from 0.
        package var place: Int {
            switch self {
            case .format: 0
            case .issuerTrust: 1
            case .key: 2
            case .signature: 3
            case .validity: 4
            case .revocation: 5
            case .records: 6
            }
        }
    }

    /// How a check went.
    public enum Status: String, Sendable, CaseIterable {
        case pass, fail, undetermined, skipped

        /// Where it stands among all of them, from 0.
        package var place: Int {
            switch self {
            case .pass: 0
            case .fail: 1
            case .undetermined: 2
            case .skipped: 3
            }
        }
    }

    /// Which check.
    public let name: Name
    /// How it went.
    public let status: Status
    /// What was established, or why the check was not made, in plain words.
    public var detail: String { established.text }

    private let established: CheckDetail

    init(_ name: Name, _ status: Status, _ established: CheckDetail) {
        self.name = name
        self.status = status
        self.established = established
    }
}

extension Check {
    /// The checks of a card in their order.
    ///
    /// - Parameters:
    ///   - own: those that are the card's own.
    ///   - standing: what was found out about its key after the first of them, if that was asked.
    static func all(_ own: [Check], _ standing: KeyStanding?) -> [Check] {
        Array(own.prefix(1)) + (standing?.checks ?? []) + own.dropFirst()
    }
}

extension Check: Equatable {
    public static func == (left: Check, right: Check) -> Bool {
        left.name == right.name && left.status == right.status && left.detail == right.detail
    }
}
