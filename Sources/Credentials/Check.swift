/// One of the checks that a credential has to pass, with its result.
public struct Check: Sendable {
    /// The result of a check.
    public enum Status: String, Sendable, CaseIterable {
        /// The check passed, it failed, it could not be completed, or it was not made.
        case pass, fail, undetermined, skipped
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

        /// All results.
        package static let all =
            Status.allCases.filter { $0 != .skipped }.map { Result(status: $0, why: nil) }
            + SkipReason.allCases.map { Result(status: .skipped, why: $0) }

        /// The position in the list of all results, from 0.
        package var place: Int { Self.all.firstIndex(of: self) ?? Self.all.endIndex }
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
    /// The kind of the container, if that is what is checked.
    private let container: InputForm?

    /// The name in reports: that of the check, or of the kind of container.
    public var word: String { container?.rawValue ?? name.rawValue }

    /// Creates a check that was made, with its result.
    ///
    /// - Parameter container: the kind of the container, if that is what is checked.
    package init(_ name: Name, _ status: Status, _ detail: CheckDetail, of container: InputForm? = nil) {
        self.name = name
        self.status = status
        why = nil
        self.checkDetail = detail
        self.container = container
    }

    /// Creates a check that was not made.
    init(_ name: Name, skipped why: SkipReason, _ detail: String) {
        container = nil
        self.name = name
        status = .skipped
        self.why = why
        checkDetail = .text(detail)
    }

    /// The result and, if the check was not made, why.
    package var result: Result { Result(status: status, why: why) }

    /// A check that did not pass.
    init(_ name: Name, _ failure: VerificationFailure, of container: InputForm? = nil) {
        self.init(name, failure.code.isUndetermined ? .undetermined : .fail, .text(failure.message), of: container)
    }
}

extension Check: Equatable {
    public static func == (left: Check, right: Check) -> Bool {
        left.word == right.word && left.result == right.result && left.detail == right.detail
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
