import Credentials
import Cryptography
import Directories
import Encodings
import SMARTHealthCards

/// The answers of a live issuer's server.
struct IssuerSubject: Sendable {
    /// A key's revocation list, as far as the rules of a live issuer check it.
    struct List: Sendable {
        /// The key that the list was requested for.
        let keyID: KeyID
        /// `crlVersion` of the entries of the key.
        let versions: [RevocationCounter]
        let answer: PublishedAnswer
        /// What the server sent with status 200 instead of a JSON object; nil if it sent one, or another status.
        let problem: String?
        /// `kid` of the list.
        let listedKeyID: KeyID?
        /// `ctr` of the list.
        let counter: RevocationCounter?

        /// The list's name in messages.
        var name: String { "the revocation list of key \(keyID.description.quoted(upTo: 64))" }
    }

    /// Names the issuer's URL, and has no text.
    let document: Document
    let answers: PublishedIssuer
    let policy: LintPolicy
    /// The answer with status 200 to the request for the key set; nil if there is none.
    let published: PublishedAnswer.Response?
    /// The JSON object in that answer; nil if there is none.
    let keySet: JSONValue?
    /// What that answer has instead of a JSON object; nil if it has one, or there is no answer.
    let keySetProblem: String?
    let lists: [List]

    var issuer: Issuer { answers.issuer }

    /// Why there is no answer to the request for the key set; nil if there is one.
    var failure: PublishedAnswer.Failure? {
        if case .failure(let failure) = answers.keySet.result { return failure }
        return nil
    }

    /// The published keys.
    var keys: [JWK] { keySet?["keys"]?.elements?.filter { $0.kind == .object }.map { JWK($0) } ?? [] }

    init(_ answers: PublishedIssuer, policy: LintPolicy) {
        self.answers = answers
        self.policy = policy
        document = Document(source: answers.issuer.url, layer: .issuer, text: [])
        published = answers.keySet.published
        // A byte-order mark is a finding in the key set itself, and verifiers skip it.
        (keySet, keySetProblem) = published?.object(skippingMark: true) ?? (nil, nil)
        var versions: [KeyID: [RevocationCounter]] = [:]
        for key in keySet?["keys"]?.elements.map(Array.init) ?? [] {
            guard let keyID = key["kid"].flatMap({ KeyID($0) }),
                let version = key["crlVersion"].flatMap({ RevocationCounter($0) })
            else { continue }
            versions[keyID, default: []].append(version)
        }
        lists = answers.lists.map { list in
            let (value, problem) = list.answer.published?.object() ?? (nil, nil)
            return List(
                keyID: list.keyID, versions: versions[list.keyID] ?? [], answer: list.answer, problem: problem,
                listedKeyID: value?["kid"].flatMap { KeyID($0) },
                counter: value?["ctr"].flatMap { RevocationCounter($0) })
        }
    }
}
