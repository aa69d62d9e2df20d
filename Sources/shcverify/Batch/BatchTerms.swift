import JOSE
import JSON
import SMARTHealthCards

/// By what lines are judged and how their verdicts look, as digests: a run continues another only under the same terms.
///
/// What files hold counts, not what they are called. There is a digest for each option, so that it can be said which differs.
struct BatchTerms: Equatable {
    /// What options are about, as messages call it.
    private static let subjects: [(name: String, options: [String])] = [
        ("keys", ["--jwks", "--crl"]),
        ("trust", ["--directory", "--trust", "--anchor", "--max-directory-age", "--require-trusted"]),
        ("filters", ["--record-type", "--since", "--until", "--codes"]),
        ("time", ["--at"]),
        ("network", ["--offline", "--max-stale", "--allow-private-network", "--ca-file"]),
        ("output", ["--records", "--bundle"]),
    ]
    /// The options whose values may stand in any order.
    private static let unordered: Set = ["--trust", "--record-type"]

    /// The version of the program.
    private(set) var version = Version.number
    /// The digests of what each option gave, in hexadecimal digits.
    private var digests: [String: [String]] = [:]

    init() {}

    /// Adds what an option gave; nothing for one that has no value.
    mutating func add(_ option: String, _ content: [UInt8] = []) {
        digests[option, default: []].append(SHA256.digest(content).hexadecimal)
        if Self.unordered.contains(option) { digests[option]?.sort() }
    }

    /// What differs from the terms of an earlier run, in words; nil if nothing does.
    func difference(from earlier: BatchTerms) -> String? {
        var words = Self.subjects.compactMap { subject -> String? in
            let options = subject.options.filter { digest(of: $0) != earlier.digest(of: $0) }
            return options.isEmpty ? nil : "\(subject.name) (\(options.joined(separator: ", ")))"
        }
        if version != earlier.version {
            words.append("version (\(earlier.version.quoted(upTo: 40)), and this is \"\(version)\")")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// One digest of all that an option gave; nil if it was not given.
    private func digest(of option: String) -> String? {
        guard let digests = digests[option] else { return nil }
        return digests.count == 1 ? digests[0] : SHA256.digest(digests.joined().utf8).hexadecimal
    }

    // MARK: JSON

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", version)
            for option in Self.subjects.flatMap(\.options) {
                guard let digest = digest(of: option) else { continue }
                writer.name(text: option)
                writer.value(digest)
            }
        }
    }

    /// Reads what `write(to:)` wrote; nil if the value is something else.
    init?(_ value: JSONValue) {
        guard let version = value["version"]?.stringBytes else { return nil }
        self.version = String(decoding: version, as: UTF8.self)
        for option in Self.subjects.flatMap(\.options) {
            guard let digest = value[option] else { continue }
            guard let text = digest.stringBytes else { return nil }
            digests[option] = [String(decoding: text, as: UTF8.self)]
        }
    }
}

extension [UInt8] {
    /// Two digits for each byte, in lower case.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
