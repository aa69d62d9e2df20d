public import Credentials
import Encodings
public import FHIR

/// The formats of a report on the records of verified cards.
public enum RecordsFormat: String, ReportFormat {
    case text, json, csv, ndjson, html

    public var summary: String {
        switch self {
        case .text: "a table"
        case .json: "one JSON document"
        case .csv: "for a spreadsheet"
        case .ndjson: "one JSON object per line"
        case .html: "a page to look at"
        }
    }

    /// Whether the format is for programs, and does not say what the pass of a card does not mean.
    package var isForPrograms: Bool { ![.text, .html].contains(self) }

    /// A report in this format.
    ///
    /// - Parameters:
    ///   - time: the time for which the cards are verified, as their verifier was told.
    ///   - names: the names with which the records were read.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    ///   - lists: the names of the lists of trusted issuers, which a page shows.
    public func report(
        time: VerificationTime, names: CodeNames = .builtIn, to destination: Destination, by tool: Tool,
        trusting lists: [String] = []
    ) -> any Report<CardRecords> {
        let terms = ReportTerms(time: time, names: names, destination: destination, tool: tool, lists: lists)
        return switch self {
        case .text: RecordsText(time: time, to: destination, by: tool)
        case .json: RecordsJSON(names: names, to: destination)
        case .csv: RecordsCSV()
        case .ndjson: RecordsNDJSON(to: destination)
        case .html: RecordsHTML(terms)
        }
    }

    /// A report in this format on cards that are verified for the current time.
    ///
    /// - Parameters:
    ///   - now: the time for which the cards are verified.
    ///   - names: the names with which the records were read.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    ///   - lists: the names of the lists of trusted issuers, which a page shows.
    public func report(
        now: NumericDate, names: CodeNames = .builtIn, to destination: Destination, by tool: Tool,
        trusting lists: [String] = []
    ) -> any Report<CardRecords> {
        report(time: VerificationTime(madeAt: now), names: names, to: destination, by: tool, trusting: lists)
    }
}

/// Records of one verified card, and the persons they may belong to.
public struct CardRecords: Sendable {
    /// The name of the card.
    public let source: String
    /// The issuer that the card names. A health certificate only claims its issuer: see `signerCountry`.
    public let issuer: Issuer
    /// Why the issuer is trusted, or that it was not checked.
    public let trust: IssuerTrust
    /// The selected records of the card.
    public let records: [Record]
    /// The name of the issuer: the one in a directory, or else in the record. Nil if neither has one.
    let issuerName: UTF8Text?
    /// The same for people. It says so if only the record has the name.
    let issuerWords: [Words]
    /// What the pass of the card does not mean.
    let notes: PassNotes
    /// The issuer, as reports for people name it.
    let namedIssuer: NamedIssuer
    /// The country of the signer of a health certificate; nil for a SMART Health Card, or if it is not known.
    public let signerCountry: String?
    /// The warnings about the card.
    public let warnings: [CredentialWarning]
    private let persons: [Person]

    /// - Parameters:
    ///   - records: all records of the card, or a selection.
    ///   - verdict: the verdict on the card, which must be verified.
    ///   - subjects: the persons on the card.
    public init(_ records: [Record], of verdict: Verdict, subjects: [Subject]) {
        self.records = records
        source = verdict.examined.presented.source
        issuer = Issuer(unchecked: verdict.claims?.issuer ?? "")
        trust = verdict.issuerTrust
        notes = PassNotes(on: verdict)
        namedIssuer = NamedIssuer(of: verdict) ?? NamedIssuer(name: "")
        signerCountry = verdict.isHCERT ? verdict.signerCountry : nil
        let listed = verdict.directoryEntry?.name
        let written = verdict.claims?.issuerName
        issuerName = listed ?? written
        let words =
            listed.map { TerminalText.beginning(of: $0.description, upTo: 200) }
            ?? written.map { "the record says " + TerminalText.beginning(of: $0.description, upTo: 200) }
        issuerWords = words.map { ["\(from: $0)"] } ?? []
        // Each card in an envelope has the warnings about the envelope, because the first card may have failed, and then is in no list of
        // records.
        let ofEnvelope = verdict.examined.presented.place?.container.findings ?? []
        warnings =
            verdict.warnings + ofEnvelope.filter { finding in !verdict.warnings.contains { $0.code == finding.code } }
        persons = subjects.map { Person($0) }
    }

    /// Records of a SMART Health Card.
    ///
    /// - Parameters:
    ///   - records: all records of the card, or a selection.
    ///   - source: the name of the card.
    ///   - issuer: the card's issuer.
    ///   - trust: why the issuer is trusted, or that it was not checked.
    ///   - subjects: the persons on the card.
    public init(_ records: [Record], source: String, issuer: Issuer, trust: IssuerTrust, subjects: [Subject]) {
        self.records = records
        self.source = source
        self.issuer = issuer
        self.trust = trust
        notes = PassNotes(uncheckedIssuers: trust == .unchecked ? 1 : 0)
        namedIssuer = NamedIssuer(name: UTF8Text(issuer.url))
        issuerName = nil
        issuerWords = []
        signerCountry = nil
        warnings = []
        persons = subjects.map { Person($0) }
    }

    /// The codes of the warnings about the card that concern a record, each once. Warnings about other records are left out.
    func warningCodes(of record: Record) -> [CredentialWarning.Code] {
        var codes: [CredentialWarning.Code] = []
        for code in warnings.map(\.code) where record.isConcerned(by: code) && !codes.contains(code) {
            codes.append(code)
        }
        return codes + (record.subjectIndex == nil ? [.recordWithoutSubject] : [])
    }

    /// Whether the signer is not known to be of the country that the certificate names.
    var isMismatched: Bool { warnings.contains { $0.code == .issuerMismatch } }

    /// The warnings above the records of a person. Those about the card are only above the first person, because they need not be repeated.
    ///
    /// - Parameter place: the place of the group in `byPerson`.
    func warnings(above group: [Record], at place: Int) -> [CredentialWarning] {
        (place == 0 ? warnings : []) + CardContents.warnings(of: group)
    }

    /// The person, as every record repeats it. Name and date are cut, because a card may have thousands of records of a person with a name
    /// as long as the card.
    struct Person {
        let name: String?
        let transliterated: String?
        let birthDate: String?
        /// The transliterated name, if people need it in addition to the name.
        let otherLetters: String?
        /// Names in other scripts.
        let others: [String]
        /// What only WHO's certificate of vaccination says.
        let details: PersonDetails

        init(_ subject: Subject) {
            name = subject.name.map { $0.cut(to: 300) }
            transliterated = subject.transliterated.map { $0.cut(to: 300) }
            otherLetters = subject.otherLetters.map { $0.cut(to: 300) }
            others = subject.namesInOtherScripts.map { $0.cut(to: 300) }
            birthDate = subject.birthDate.map { $0.cut(to: 300) }
            details = PersonDetails(subject, cutTo: 300)
        }
    }

    /// The person that a record refers to; nil if it refers to none on the card. Nothing is guessed.
    func person(of record: Record) -> Person? {
        record.subjectIndex.flatMap { persons.indices.contains($0) ? persons[$0] : nil }
    }

    /// The words that replace a name, if a person has none or there is no person.
    static func wordsForNoName(of person: Person?) -> String {
        person == nil ? "not known: the record is not linked to a person on the card" : "not given"
    }

    /// The records of each person, ordered by the first record of each.
    var byPerson: [[Record]] { records.grouped(by: \.subjectIndex) }
}

extension Record {
    /// Whether a warning about the card concerns this record, as far as the record shows that.
    fileprivate func isConcerned(by code: CredentialWarning.Code) -> Bool {
        switch (code, lapse) {
        case (.recordExpired, .ended?), (.recordNotYetValid, .notBegun?): true
        case (.recordExpired, _), (.recordNotYetValid, _): false
        case (.coverageNotInForce, _): resourceType == "Coverage" && objection != nil
        default: true
        }
    }
}

extension UTF8Text {
    /// The text; if it has more Unicode scalars than `length`, its beginning and an ellipsis.
    func cut(to length: Int) -> String {
        let begin = String.UnicodeScalarView(unicodeScalars.prefix(length))
        return begin.count == length && String(begin).utf8.count < utf8.count ? String(begin) + "…" : String(begin)
    }
}
