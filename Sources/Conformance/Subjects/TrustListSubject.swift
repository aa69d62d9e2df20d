import Credentials
import Encodings
import HealthCertificates

/// WHO's list of signers, with what is known of its proof.
struct TrustListSubject: Sendable {
    let document: Document
    let value: JSONValue
    let policy: LintPolicy
    /// What the table of the proof says about the list.
    let reader: ListReader
    /// What is known of the proof.
    let outcome: ListProof.Outcome

    init(document: Document, value: JSONValue, policy: LintPolicy) {
        self.document = document
        self.value = value
        self.policy = policy
        reader = ListReader(value)
        outcome = ListProof(of: value).outcome(by: policy.listKeys)
    }

    /// The violations of a kind.
    func problems(_ kind: ListProblem.Kind) -> [Problem] {
        reader.problems.filter { $0.kind == kind }.prefix(Bounds.problems).map { problem in
            let subject = problem.path.isEmpty ? "the list" : "`\(problem.path)`"
            return Problem("\(subject) \(problem.words)", at: place(problem.path))
        }
    }

    /// The value at a path such as `verificationMethod[3].domain`, or the nearest one around it.
    func place(_ path: String) -> JSONValue {
        var here = value
        for step in path.utf8.split(whereSeparator: {
            [UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]")].contains($0)
        }) {
            let name = String(decoding: Array(step), as: UTF8.self)
            if let index = Int(name), let elements = here.elements {
                guard let element = elements.enumerated().first(where: { $0.offset == index })?.element else { break }
                here = element
            } else if let member = here[name] {
                here = member
            } else {
                break
            }
        }
        return here
    }

    /// The entries with a key.
    var entries: [ListedKey] {
        value["verificationMethod"]?.elements?.compactMap { entry in
            guard entry.kind == .object, let jwk = entry["publicKeyJwk"], jwk.kind == .object else { return nil }
            return ListedKey(value: entry, jwk: jwk)
        } ?? []
    }

    /// What a check finds in each entry.
    func problems(ofEntries find: (ListedKey) -> Problem?) -> [Problem] {
        var problems: [Problem] = []
        for entry in entries where problems.count < Bounds.problems {
            if let problem = find(entry) { problems.append(problem) }
        }
        return problems
    }
}
