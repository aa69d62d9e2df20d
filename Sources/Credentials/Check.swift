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
        /// - Parameters:
        ///   - why: why it was skipped.
        ///   - trust: whether the policy asks for trust in issuers.
        ///   - revocation: whether the policy asks that revocation is checked.
        func maySkip(_ why: SkipReason, _ trust: TrustRequirement, _ revocation: RevocationRequirement) -> Bool {
            switch (self, why) {
            case (.issuerTrust, .notAsked): trust == .notAsked
            case (.revocation, .notAsked): revocation == .notAsked
            case (.revocation, .notApplicable), (.records, .notAsked), (.records, .notApplicable): true
            default: false
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

    /// Why a check was not made.
    public enum SkipReason: String, Sendable, CaseIterable {
        /// Nobody asked for it: no list of trusted issuers or of revoked certificates was given, or no records were required.
        case notAsked = "not-asked"
        /// There is nothing to check.
        case notApplicable = "not-applicable"
        /// An earlier check did not pass.
        case notReached = "not-reached"

        /// The words for it in reports for people.
        public var words: String {
            switch self {
            case .notAsked: "not asked for"
            case .notApplicable: "does not apply"
            case .notReached: "not reached"
            }
        }
    }

    /// The result of a check and, if it was not made, why.
    package struct Result: Hashable, Sendable {
        package let status: Status
        package let why: SkipReason?

        /// All results, in the order of `place`.
        package static let all =
            [Status.pass, .fail, .undetermined].map { Result(status: $0, why: nil) }
            + SkipReason.allCases.map { Result(status: .skipped, why: $0) }

        /// The position in the list of results, from 0.
        package var place: Int {
            switch why {
            case nil: status.place
            case .notAsked: Status.skipped.place
            case .notApplicable: Status.skipped.place + 1
            case .notReached: Status.skipped.place + 2
            }
        }
    }

    /// The name of the check.
    public let name: Name
    /// The result.
    public let status: Status
    /// Why the check was not made; nil if it was.
    public let why: SkipReason?
    /// The details of the result, or why the check was not made, in plain words.
    public var detail: String { checkDetail.text }

    private let checkDetail: CheckDetail

    /// Creates a check that was made, with its result.
    package init(_ name: Name, _ status: Status, _ detail: CheckDetail) {
        self.name = name
        self.status = status
        why = nil
        self.checkDetail = detail
    }

    /// Creates a check that was not made.
    init(_ name: Name, skipped why: SkipReason, _ detail: String) {
        self.name = name
        status = .skipped
        self.why = why
        checkDetail = .text(detail)
    }

    /// The result and, if the check was not made, why.
    package var result: Result { Result(status: status, why: why) }

    /// A check that did not pass.
    init(_ name: Name, _ failure: VerificationFailure) {
        self.init(name, failure.code.isUndetermined ? .undetermined : .fail, .text(failure.message))
    }
}

extension Check: Equatable {
    public static func == (left: Check, right: Check) -> Bool {
        left.name == right.name && left.result == right.result && left.detail == right.detail
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
