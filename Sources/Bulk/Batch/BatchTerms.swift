import Cryptography
import Encodings

/// The options that decide about verdicts and their form, as digests. A run may only continue a run with the same
/// terms.
///
/// `--fail-on` is not among them: it changes neither a verdict nor its form, and the counts in a state serve every value of it.
///
/// The contents of files count, not their names. So do the installed lists of codes, which can change between two runs. Each option has a digest of its own, so that a message can name the
/// option that differs.
package struct BatchTerms: Sendable {
    /// The options that one word in messages stands for.
    package typealias Subject = (name: String, options: [String])

    /// The options whose values may come in any order.
    private static let unordered: Set = ["--trust", "--list-key", "--record-type"]

    private let subjects: [Subject]
    /// The version of the program.
    private let version: String
    /// The digests of the values of each option, in hexadecimal digits.
    private var digests: [String: [String]] = [:]

    /// - Parameters:
    ///   - subjects: the options that decide about verdicts and their form, in the order in which a state has them.
    ///   - version: the version of the program.
    package init(subjects: [Subject], version: String) {
        self.subjects = subjects
        self.version = version
    }

    /// Adds a value of an option. An option without a value has empty content.
    package mutating func add(_ option: String, _ content: [UInt8] = []) {
        digests[option, default: []].append(SHA256.digest(content).hexadecimal)
    }

    /// The differences from the terms of an earlier run, in words; nil if there are none.
    package func difference(from earlier: BatchTerms) -> String? {
        var words = subjects.compactMap { subject -> String? in
            let options = subject.options.filter { digest(of: $0) != earlier.digest(of: $0) }
            return options.isEmpty ? nil : "\(subject.name) (\(options.joined(separator: ", ")))"
        }
        if version != earlier.version {
            words.append("version (\(earlier.version.quoted(upTo: 40)), and this is \"\(version)\")")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// One digest of all values of an option; nil if the option was not given.
    private func digest(of option: String) -> String? {
        guard var digests = digests[option] else { return nil }
        if Self.unordered.contains(option) { digests.sort() }
        return digests.count == 1 ? digests[0] : SHA256.digest(digests.joined().utf8).hexadecimal
    }

    // MARK: JSON

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", version)
            for option in subjects.flatMap(\.options) {
                guard let digest = digest(of: option) else { continue }
                writer.name(text: option)
                writer.value(digest)
            }
        }
    }

    /// Reads the value that `write(to:)` wrote; nil if it has another form.
    init?(_ value: JSONValue, subjects: [Subject]) {
        guard let version = value["version"]?.stringBytes else { return nil }
        self.subjects = subjects
        self.version = String(decoding: version, as: UTF8.self)
        for option in subjects.flatMap(\.options) {
            guard let digest = value[option] else { continue }
            guard let text = digest.stringBytes else { return nil }
            digests[option] = [String(decoding: text, as: UTF8.self)]
        }
    }
}
