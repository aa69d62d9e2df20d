package import Credentials
import Encodings
package import FHIR

/// The verdict on a card as a JSON object: an element of `cards` in a report on verdicts, or a line of a batch.
package struct CardJSON: Sendable {
    private let names: CodeNames
    private let tool: Tool
    private let hasRecords: Bool
    fileprivate let hasDetails: Bool
    private let hasBundle: Bool
    private let isLine: Bool
    /// The members that are printed.
    let members: CardMembers

    /// - Parameters:
    ///   - names: names for codes.
    ///   - tool: the program that prints the object.
    ///   - hasRecords: whether to include persons and records. If false, those members are null, the Bundle is not read for them, and
    ///     messages do not mention them.
    ///   - hasDetails: whether to include the detail of each check.
    ///   - hasBundle: whether to include the FHIR Bundle.
    ///   - isLine: whether the object is on its own, so that it needs the version of its form.
    ///   - members: the members to print. The others are left out.
    package init(
        names: CodeNames, tool: Tool, hasRecords: Bool = true, hasDetails: Bool = true, hasBundle: Bool = true,
        isLine: Bool = false, members: CardMembers = .all
    ) {
        self.names = names
        self.tool = tool
        self.hasRecords = hasRecords
        self.hasDetails = hasDetails
        self.hasBundle = hasBundle
        self.isLine = isLine
        self.members = members
    }

    /// Writes a card's verdict and its claims as one object.
    ///
    /// - Parameter time: the time for which the card was verified.
    func write(_ verdict: Verdict, to writer: inout JSONWriter, at time: VerificationTime) {
        write(verdict, to: &writer, at: time, prepared: nil) { $0.member("source", verdict.examined.presented.source) }
    }

    /// Writes the object with other first members.
    ///
    /// - Parameters:
    ///   - time: the time for which the card was verified.
    ///   - prepared: members that earlier cards of the same key had too; nil to write all members anew.
    ///   - head: writes the first members, including the card's name.
    fileprivate func write(
        _ verdict: Verdict, to writer: inout JSONWriter, at time: VerificationTime, prepared: PreparedVerdicts?,
        head: (inout JSONWriter) -> Void
    ) {
        let claims = verdict.claims
        let contents =
            hasRecords ? claims.flatMap { CardContents($0, names: names, at: time.moment(for: $0)) } : nil
        writer.object { writer in
            head(&writer)
            // A line of a batch has only members that can be chosen with --fields.
            if !isLine { places(verdict.examined.presented.places, to: &writer) }
            verdict.examined.presented.place?.write(to: &writer)
            if let prepared, let members = prepared.members(of: verdict, by: self) {
                if members.size > 0 { writer.members(members) }
            } else {
                judgement(verdict, to: &writer)
            }
            // A time that all cards share is not repeated.
            if time.common == nil, members.contains(.verifiedAt) {
                writer.member("verifiedAt", time.moment(for: claims).toTheSecond.description)
            }
            if members.contains(.issued) { writer.member("issued", claims?.issued?.calendarText) }
            if members.contains(.expires) { writer.member("expires", claims?.expires?.calendarText) }
            if members.contains(.relevantDate) { writer.member("relevantDate", contents?.relevantDate?.text) }
            if members.contains(.sourceType) { writer.member("sourceType", verdict.examined.sourceType) }
            if members.contains(.types) { writer.member("types", claims?.types ?? []) }
            subjects(contents, to: &writer)
            records(contents, to: &writer)
            if members.contains(.warnings) { warnings(verdict.warnings + (contents?.warnings ?? []), to: &writer) }
            if members.contains(.fhirVersion) { writer.member("fhirVersion", claims?.fhirVersion) }
            if hasBundle, members.contains(.fhirBundle) {
                writer.name("fhirBundle")
                writer.value(claims?.fhirBundle)
            }
            if hasBundle, verdict.isHCERT, members.contains(.certificate) {
                writer.name("certificate")
                writer.value(claims?.healthContent)
            }
            if isLine, members.contains(.schemaVersion) { writer.member("schemaVersion", 1) }
        }
    }

    /// Writes the form of the input and the results of the checks. Of a verified card, other cards may have the same members.
    fileprivate func judgement(_ verdict: Verdict, to writer: inout JSONWriter) {
        if members.contains(.inputKind) { writer.member("inputKind", verdict.examined.presented.form?.rawValue) }
        if members.contains(.verdict) { writer.member("verdict", verdict.name) }
        if members.contains(.reason) {
            writer.member("reason", verdict.reason) { tool.message(of: $0, isImpersonal: !hasRecords) }
        }
        if members.contains(.checks) { checks(verdict.checks, to: &writer) }
        if members.contains(.claimsVerified) {
            // True if the members below are verified; false if the card only claims them.
            writer.member("claimsVerified", verdict.verified != nil)
        }
        if members.contains(.issuer) { issuer(of: verdict, to: &writer) }
        if members.contains(.key) { key(of: verdict, to: &writer) }
    }

    private func issuer(of verdict: Verdict, to writer: inout JSONWriter) {
        let claims = verdict.claims
        writer.object("issuer") { writer in
            writer.member("iss", claims?.issuer)
            writer.member("name", verdict.directoryEntry?.name ?? claims?.issuerName)
            if verdict.isHCERT {
                writer.member("country", verdict.signerCountry)
                writer.member("domain", verdict.signerListing?.domain)
                writer.member("participant", verdict.signerListing?.participant)
                writer.member("environment", verdict.signerListing?.environment)
            }
            writer.member("website", verdict.directoryEntry?.website)
            writer.member("canonicalIss", verdict.directoryEntry?.canonicalIssuer?.url)
            writer.member("trust", verdict.issuerTrust.rawValue)
        }
    }

    private func key(of verdict: Verdict, to writer: inout JSONWriter) {
        writer.object("key") { writer in
            writer.member("kid", verdict.claims?.keyID)
            writer.member("source", verdict.keyOrigin?.rawValue)
            writer.member("retrieved", verdict.keyRetrieved?.calendarText)
            if verdict.isHCERT { certificate(verdict.signerCertificate, to: &writer) }
        }
    }

    /// The certificate of the key, or null if there is none.
    private func certificate(_ certificate: SignerCertificate?, to writer: inout JSONWriter) {
        writer.object("certificate", certificate) { certificate, writer in
            writer.member("subject", certificate.subject)
            writer.member("notBefore", certificate.notBefore?.calendarText)
            writer.member("notAfter", certificate.notAfter?.calendarText)
            writer.member("usages", certificate.usages)
        }
    }

    /// Where the QR codes of the card are; left out if it is not from a picture.
    private func places(_ places: [CodePlace], to writer: inout JSONWriter) {
        guard !places.isEmpty else { return }
        writer.objects("places", places) { place, writer in
            writer.member("source", place.source)
            writer.member("page", place.page)
            writer.member("width", place.width)
            writer.member("height", place.height)
            writer.array("corners") { writer in
                for corner in place.corners {
                    writer.array { writer in
                        writer.value(corner.x)
                        writer.value(corner.y)
                    }
                }
            }
        }
    }

    private func checks(_ checks: [Check], to writer: inout JSONWriter) {
        writer.array("checks") { writer in
            for check in checks {
                guard hasDetails else {
                    writer.value(
                        check.name == .container
                            ? Self.outcome(check.word, check.result)
                            : Self.outcomes[check.name.place][check.result.place])
                    continue
                }
                writer.object { writer in
                    writer.member("name", check.word)
                    writer.member("status", check.status.rawValue)
                    if let why = check.why { writer.member("why", why.rawValue) }
                    writer.member("detail", check.detail)
                }
            }
        }
    }

    /// Every check with every result, prepared in advance.
    private static let outcomes = Check.Name.ofContained.map { name in
        Check.Result.all.map { outcome(name.rawValue, $0) }
    }

    private static func outcome(_ name: String, _ result: Check.Result) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("name", name)
                writer.member("status", result.status.rawValue)
                if let why = result.why { writer.member("why", why.rawValue) }
            }
        }
    }

    /// Writes the records; null if they are not read.
    private func records(_ contents: CardContents?, to writer: inout JSONWriter) {
        guard members.contains(.records) else { return }
        writer.objects("records", hasRecords ? contents?.records ?? [] : nil) { record, writer in
            writer.member("subject", record.subjectIndex)
            record.write(to: &writer)
        }
    }

    private func warnings(_ warnings: [CredentialWarning], to writer: inout JSONWriter) {
        writer.objects("warnings", warnings) { warning, writer in
            writer.member("code", warning.code.rawValue)
            writer.member("message", warning.message)
            writer.member("path", warning.path)
        }
    }

    /// Records refer to `subjects` by index. The first person is also `subject`. Both are null if persons are not read.
    private func subjects(_ contents: CardContents?, to writer: inout JSONWriter) {
        let subjects = contents?.subjects ?? []
        if members.contains(.subject) { writer.object("subject", subjects.first) { subject($0, to: &$1) } }
        guard members.contains(.subjects) else { return }
        writer.objects("subjects", hasRecords ? subjects : nil) { subject($0, to: &$1) }
    }

    private func subject(_ subject: Subject, to writer: inout JSONWriter) {
        writer.member("name", subject.name)
        writer.member("birthDate", subject.birthDate)
        writer.member("identityAssurance", subject.identityAssurance)
        writer.member("transliterated", subject.transliterated)
        writer.objects("names", subject.names) { name, writer in
            writer.member("use", name.use)
            if name.periodStart != nil || name.periodEnd != nil {
                writer.object("period") { writer in
                    writer.member("start", name.periodStart)
                    writer.member("end", name.periodEnd)
                }
            } else {
                writer.member("period", nil as String?)
            }
            writer.member("text", name.display)
        }
        PersonDetails.write(PersonDetails(subject), to: &writer)
    }
}

extension Verdict {
    /// Whether the credential is an EU Digital COVID Certificate, whose report has more members.
    package var isHCERT: Bool { examined.presented.kind == .healthCertificate }
}

/// Verdicts of a batch as NDJSON: for each card, a JSON object on a line.
package struct CardLineJSON {
    private let cards: CardJSON
    private var writer: JSONWriter
    private let prepared: PreparedVerdicts

    package init(_ cards: CardJSON, escapesUnprintable: Bool) {
        self.cards = cards
        writer = JSONWriter(escapesUnprintable: escapesUnprintable)
        prepared = PreparedVerdicts(escapesUnprintable: escapesUnprintable)
    }

    /// Writes a verdict.
    ///
    /// - Parameters:
    ///   - number: the number of the line, from 1.
    ///   - id: the ID that the sender gave the line.
    ///   - input: the name of the input that the card is a line of; nil if the card has a name of its own.
    ///   - time: the time for which the card was verified.
    ///   - output: gets the object and a line feed.
    package mutating func write(
        _ verdict: Verdict, number: Int, id: LineID?, of input: String?, at time: VerificationTime,
        to output: inout [UInt8]
    ) {
        let members = cards.members
        writer.clear()
        cards.write(verdict, to: &writer, at: time, prepared: prepared) { writer in
            if members.contains(.line) { writer.member("line", number) }
            if let id, members.contains(.id) { id.writeMember(to: &writer) }
            guard members.contains(.source) else { return }
            writer.name("source")
            // Lines are numbered from 1, and the cards of an input from 0.
            if let input {
                writer.value(input, number: number - 1)
            } else {
                writer.value(verdict.examined.presented.source)
            }
        }
        output += writer.bytes
        output.append(UInt8(ascii: "\n"))
    }
}

/// The members of verified cards that are the same for other cards of the same key.
///
/// Only one thread may use an instance.
private final class PreparedVerdicts {
    /// Everything that these members depend on: the key with its issuer, the form of the input, and the results of the card's own checks.
    private struct Kind: Hashable {
        let key: ObjectIdentifier
        let input: InputForm?
        let results: OwnResults
        /// The issuer as a certificate names it. A card's issuer is that of its key.
        let issuer: UTF8Text?
        let issuerName: UTF8Text?

        /// Hashes only the key, because nearly all cards of a key have the same other values.
        func hash(into hasher: inout Hasher) { hasher.combine(key) }
    }

    private struct Entry {
        /// Kept, so that no other key can get the same `ObjectIdentifier`.
        let key: KeyNotes
        let members: JSONFragment
    }

    /// The maximum number of entries, after which all are removed. Longer entries, from long names of issuers, are not kept.
    private static let maximumCount = 1024
    private static let maximumSize = 4096

    private var entries: [Kind: Entry] = [:]
    private let escapesUnprintable: Bool

    /// - Parameter escapesUnprintable: the same value as that of the writer of the verdicts.
    init(escapesUnprintable: Bool) { self.escapesUnprintable = escapesUnprintable }

    /// The members that `CardJSON.judgement` writes for a verdict; nil if they differ from card to card.
    fileprivate func members(of verdict: Verdict, by form: CardJSON) -> JSONFragment? {
        guard verdict.verified != nil, !form.hasDetails, let key = verdict.key else { return nil }
        let kind = Kind(
            key: ObjectIdentifier(key), input: verdict.examined.presented.form,
            results: verdict.ownResults,
            issuer: verdict.isHCERT ? verdict.claims?.issuer : nil,
            issuerName: verdict.isHCERT ? verdict.claims?.issuerName : nil)
        if let entry = entries[kind] { return entry.members }
        let members = JSONFragment(escapesUnprintable: escapesUnprintable) { form.judgement(verdict, to: &$0) }
        guard members.size <= Self.maximumSize else { return members }
        if entries.count >= Self.maximumCount { entries = [:] }
        entries[kind] = Entry(key: key, members: members)
        return members
    }
}
