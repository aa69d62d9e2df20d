import ArgumentParser
import Bulk
import CredentialReports
import Encodings

/// The options of `batch` for its output and its way of working.
struct BatchOptions: ParsableArguments {
    @Flag(help: .of("pictures")) var pictures = false

    @Flag(help: "Also print the FHIR Bundle of each card.") var bundle = false

    @Flag(help: .of("records")) var records = false

    @Flag(name: [.customShort("q"), .customLong("quiet")], help: .of("quiet.batch")) var quiet = false

    @OptionGroup var fields: FieldOptions

    @Option(help: .of("fail-on")) var failOn = BatchFailure.any

    @Option(help: .of("jobs")) var jobs: Int?

    @Option(help: ArgumentHelp("Begin with this line. The first line is 1.", valueName: "line")) var from: Int?

    @Option(help: .of("resume"), completion: .file()) var resume: String?

    @Flag(help: .of("no-precompute")) var noPrecompute = false

    func validate() throws {
        guard (1...1024).contains(jobs ?? 1) else {
            throw ValidationError("--jobs must be a number of threads from 1 to 1024.")
        }
        guard (1...1_000_000_000_000).contains(from ?? 1) else {
            throw ValidationError("--from must be the number of a line from 1 to 1000000000000.")
        }
        guard from == nil || resume == nil else {
            throw ValidationError("--from and --resume cannot be combined: the state says where to continue.")
        }
        guard resume?.isEmpty != true else { throw ValidationError("--resume needs a file.") }
        try fields.validate(hasRecords: records, hasBundle: bundle, hasState: resume != nil)
    }
}

/// The option of `batch` for the members of its lines.
struct FieldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print only these members of each line, such as id,verdict,reason. Their order in the output is always the same: "
                + "\(CardMembers.Name.allCases.map(\.word).joined(separator: ", ")).",
            valueName: "name,…"),
        completion: .list(CardMembers.Name.allCases.map(\.word)), transform: FieldOptions.names)
    var fields: Set<CardMembers.Name>?

    /// The members to print.
    var members: CardMembers { fields.map { CardMembers($0) } ?? .all }

    /// The names of the members to print, in the order of the output; nil if all are printed.
    var inOrder: [String]? { fields.map { fields in CardMembers.Name.allCases.filter(fields.contains).map(\.word) } }

    /// Checks that the options are given without which these members would be empty in every line.
    func validate(hasRecords: Bool, hasBundle: Bool, hasState: Bool) throws {
        guard let fields else { return }
        let needed: [(option: String, isGiven: Bool, names: [CardMembers.Name])] = [
            ("--records", hasRecords, [.relevantDate, .subject, .subjects, .records]),
            ("--bundle", hasBundle, [.fhirBundle, .certificate]),
        ]
        for need in needed where !need.isGiven {
            if let name = need.names.first(where: fields.contains) {
                throw ValidationError("--fields \(name.word) needs \(need.option).")
            }
        }
        guard !hasState || fields.contains(.line) else {
            throw ValidationError(
                "--resume needs \"line\" among --fields: a run that is continued recognises its own output by it.")
        }
    }

    /// Checks that lines have their own times, if these are to be printed.
    func validate(hasOwnTimes: Bool) throws {
        guard !hasOwnTimes, fields?.contains(.verifiedAt) == true else { return }
        throw ValidationError("--fields verifiedAt needs --at issued: otherwise lines have no time of their own.")
    }

    /// The members in a list of names.
    private static func names(_ text: String) throws -> Set<CardMembers.Name> {
        var names: Set<CardMembers.Name> = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let name = CardMembers.Name.allCases.first(where: { $0.word.utf8.elementsEqual(part) }) else {
                let known = CardMembers.Name.allCases.map(\.word).joined(separator: ", ")
                throw ValidationError(
                    "There is no member \(String(Substring(part)).quoted(upTo: 40)). The members are: \(known).")
            }
            names.insert(name)
        }
        return names
    }
}
