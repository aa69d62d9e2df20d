/// One of the checks that a credential has to pass, with its result.
public struct Check: Sendable {
    /// The checks, in the order they run.
    ///
    /// `allCases` are those that every credential has to pass, which is all but `link`.
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
        /// The SMART Health Link with the credential could be opened. It comes first, for credentials from a link.
        case link

        public static let allCases: [Name] = [
            .format, .issuerTrust, .key, .signature, .validity, .revocation, .records,
        ]

        /// Whether a credential may pass if this check was skipped. A check is skipped if nobody asked for it, or if there was
        /// nothing to check.
        ///
        /// - Parameter trust: whether the policy asks for trust in issuers.
        func maySkip(_ trust: TrustRequirement) -> Bool {
            switch self {
            case .link, .format, .key, .signature, .validity: false
            case .issuerTrust: trust == .notAsked
            case .revocation, .records: true
            }
        }

        /// The position in the order of the checks, from 0.
        package var place: Int {
            switch self {
            case .format: 0
            case .issuerTrust: 1
            case .key: 2
            case .signature: 3
            case .validity: 4
            case .revocation: 5
            case .records: 6
            case .link: 7
            }
        }
    }

    /// The result of a check.
    public enum Status: String, Sendable, CaseIterable {
        /// The check passed, it failed, it could not be completed, or it was not made.
        case pass, fail, undetermined, skipped

        /// The position in the list of results, from 0.
        package var place: Int {
            switch self {
            case .pass: 0
            case .fail: 1
            case .undetermined: 2
            case .skipped: 3
            }
        }
    }

    /// The name of the check.
    public let name: Name
    /// The result.
    public let status: Status
    /// The details of the result, or why the check was not made, in plain words.
    public var detail: String { checkDetail.text }

    private let checkDetail: CheckDetail

    /// Creates a check with its result.
    package init(_ name: Name, _ status: Status, _ detail: CheckDetail) {
        self.name = name
        self.status = status
        self.checkDetail = detail
    }

    /// A check that did not pass.
    init(_ name: Name, _ failure: VerificationFailure) {
        self.init(name, failure.code.isUndetermined ? .undetermined : .fail, .text(failure.message))
    }
}

extension Check: Equatable {
    public static func == (left: Check, right: Check) -> Bool {
        left.name == right.name && left.status == right.status && left.detail == right.detail
    }
}

/// The details of a check's result.
///
/// The text is built only when it is read, because most checks are never printed.
package enum CheckDetail: Sendable {
    /// A finished text.
    case text(String)
    /// The time for which the credential is valid; `to` is nil if it does not expire.
    case validity(from: NumericDate, to: NumericDate?)
    /// A text that the closure builds when it is read.
    case later(@Sendable () -> String)

    var text: String {
        switch self {
        case .text(let text): text
        case .validity(let start, let end): "from \(start) " + (end.map { "to \($0)" } ?? "on, without end")
        case .later(let words): words()
        }
    }
}
