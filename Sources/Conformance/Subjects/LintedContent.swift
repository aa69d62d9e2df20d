import Encodings
import HealthCertificates

/// A content of health certificates that has rules of its own. A new one is a type that conforms to this, and a line in
/// `HCERTPayloadSubject.contents`.
protocol LintedContent: Sendable {
    /// The kind of the content.
    static var kind: HealthContentKind { get }
    /// What the rules are about. It is one value, which does not change.
    static var subject: RuleSubject<Self> { get }
    /// The rules.
    static var rules: [Rule] { get }

    /// The content, whose paths begin here. It has no bytes of its own, since it is a part of the payload.
    var document: Document { get }

    /// - Parameters:
    ///   - value: the content.
    ///   - certificate: the certificate that contains it.
    init(_ value: CBORValue, of certificate: Document)
}

extension Linter {
    /// Applies the rules of a content.
    mutating func lint(_ content: some LintedContent, in section: Int) {
        apply(type(of: content).subject, to: content, in: content.document, section: section)
    }
}
