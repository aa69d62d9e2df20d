/// A question about the outside world, for example: which keys does this issuer publish?
///
/// Each kind of question is a type that conforms to this protocol. `EvidenceAnswers` keeps the answers.
package protocol EvidenceQuery: Hashable, Sendable {
    /// The content of a good answer.
    associatedtype Answer: Sendable

    /// The query under which the answer is stored. Queries that differ only in how new the answer must be share one answer.
    var kept: Self { get }
}

extension EvidenceQuery {
    package var kept: Self { self }

    fileprivate func isEqual(to other: any EvidenceQuery) -> Bool { (other as? Self) == self }
}

/// A query of any kind that must be answered before a credential can be verified.
package struct EvidenceRequest: Hashable, Sendable {
    /// The query.
    package let query: any EvidenceQuery

    /// Creates a request for the answer to a query.
    package init(_ query: some EvidenceQuery) { self.query = query }

    package static func == (left: EvidenceRequest, right: EvidenceRequest) -> Bool {
        left.query.isEqual(to: right.query)
    }

    package func hash(into hasher: inout Hasher) { query.hash(into: &hasher) }
}

/// The answers collected so far, for the credentials of one run.
///
/// A verifier does no input or output. If it needs an answer, it returns an `EvidenceRequest`. The caller fetches the answer
/// and adds it here, also if fetching failed.
package struct EvidenceAnswers: Sendable {
    /// The answers, by the query's `kept` form. Each is a `Result` with the query's `Answer`.
    private var answers: [EvidenceRequest: any Sendable] = [:]

    /// A new object after every change of an answer. If the revision is the same object, the answers are the same too.
    package private(set) var revision = Revision()

    /// Identifies one state of the answers.
    package final class Revision: Sendable {}

    /// Creates evidence without answers.
    package init() {}

    /// The answer to a query: the content, or why it cannot be fetched; nil if there is no answer yet.
    package subscript<Query: EvidenceQuery>(query: Query) -> Result<Query.Answer, VerificationFailure>? {
        get { answers[EvidenceRequest(query.kept)] as? Result<Query.Answer, VerificationFailure> }
        set {
            answers[EvidenceRequest(query.kept)] = newValue
            revision = Revision()
        }
    }

    /// Whether there is an answer to a query, also if the answer is a failure.
    package func holds(_ request: EvidenceRequest) -> Bool { answers[request.kept] != nil }

    /// Answers a query with a failure.
    package mutating func refuse(_ request: EvidenceRequest, because failure: VerificationFailure) {
        func refuse<Query: EvidenceQuery>(_ query: Query) { self[query] = .failure(failure) }
        refuse(request.query)
    }

    /// Takes one answer of other evidence.
    ///
    /// - Returns: whether there is one.
    package mutating func take(_ request: EvidenceRequest, from other: EvidenceAnswers) -> Bool {
        guard let answer = other.answers[request.kept] else { return false }
        answers[request.kept] = answer
        revision = Revision()
        return true
    }

    /// Removes the answer to a query.
    package mutating func remove(_ request: EvidenceRequest) {
        guard answers.removeValue(forKey: request.kept) != nil else { return }
        revision = Revision()
    }

    /// Adds all answers of other evidence.
    ///
    /// - Parameters:
    ///   - other: the evidence to add.
    ///   - replaces: whether an added answer replaces an existing answer to the same query.
    package mutating func formUnion(_ other: EvidenceAnswers, replacing replaces: Bool) {
        guard !other.answers.isEmpty else { return }
        answers.merge(other.answers) { replaces ? $1 : $0 }
        revision = Revision()
    }
}

extension EvidenceRequest {
    /// The request under which the answer is stored.
    package var kept: EvidenceRequest {
        func kept(_ query: some EvidenceQuery) -> EvidenceRequest { EvidenceRequest(query.kept) }
        return kept(query)
    }
}

/// The verdict on a credential, or the evidence that is needed first.
package enum VerificationStep: Sendable {
    /// The verdict.
    case verdict(Verdict)
    /// Evidence to fetch before the credential is verified again. Nothing is requested for one that is malformed, or if lists show
    /// that its issuer is not trusted.
    case needs(EvidenceRequest)
}
