import Credentials
import Cryptography
import Encodings
import FHIR

/// Where handed-over resources come from, for their Provenance.
enum HandoverOrigin {
    /// A card or a certificate that passed.
    struct Signed {
        let signed: SignedOctets
        /// The checks, in order, with their results, and the codes of the warnings.
        let activity: String
        let author: Author
        let keyID: UTF8Text?
        /// The address of the key set; nil for a certificate.
        let keySet: String?
        let issued: NumericDate?
        /// The time for which it was verified.
        let verified: NumericDate
        /// The kind of the credential, in words.
        let kind: String
    }

    /// Who has signed a card or a certificate.
    struct Author {
        /// The URL of the issuer, or the country or participant; nil if it is not known.
        let identifier: (system: String?, value: UTF8Text)?
        let name: UTF8Text
    }

    case signed(Signed)
    /// - Parameters:
    ///   - kind: the kind of the container of the unsigned content.
    ///   - app: the patient's app, if its attestation verified; nil if there is none.
    case unsigned(InputForm, app: UTF8Text?)
}

extension HandoverOrigin {
    /// An order for several forms of one source, so that the same form is always described, whichever comes first.
    func precedes(_ other: HandoverOrigin) -> Bool {
        switch (self, other) {
        case (.signed(let own), .signed(let other)): own.precedes(other)
        case (.unsigned(let own, let app), .unsigned(let other, let otherApp)):
            own == other
                ? app != nil && otherApp == nil : own == .link
        // Signed content has other octets than unsigned content.
        case (.signed, .unsigned), (.unsigned, .signed): false
        }
    }
}

extension HandoverOrigin.Signed {
    init(
        _ verdict: Verdict, _ signed: SignedOctets, _ claims: any Claims, at time: VerificationTime, names: CodeNames
    ) {
        self.signed = signed
        let moment = time.moment(for: claims)
        let warnings = verdict.warnings + (CardContents(claims, names: names, at: moment)?.warnings ?? [])
        activity =
            verdict.checks.map { "\($0.word)=\($0.status.rawValue)" }.joined(separator: ", ")
            + (warnings.isEmpty ? "" : "; warnings: \(warnings.map(\.code.rawValue).joined(separator: ", "))")
        author = HandoverOrigin.Author(verdict, claims)
        keyID = claims.keyID
        keySet = signed.form == .jose ? claims.issuer.map { Issuer(unchecked: $0).keySetURL } : nil
        issued = claims.issued
        verified = moment
        // The names of the types of verified sources. A type without a name here is named by its identifier.
        let names = [
            "smart-health-card": "SMART Health Card", "eu-digital-covid-certificate": "EU Digital COVID Certificate",
            "who-icvp": "International Certificate of Vaccination or Prophylaxis",
        ]
        let type = verdict.examined.sourceType
        kind = names[type] ?? type
    }

    /// An order for several forms of one card, so that the same form is always described, whichever comes first.
    func precedes(_ other: Self) -> Bool {
        guard signed.envelope == other.signed.envelope else {
            return signed.envelope.lexicographicallyPrecedes(other.signed.envelope)
        }
        // A card that was read with more warnings, as the first card of a check-in is, says more.
        let (own, others) = (activity.utf8.count, other.activity.utf8.count)
        return own == others ? activity.utf8.lexicographicallyPrecedes(other.activity.utf8) : own > others
    }
}

extension HandoverOrigin.Author {
    static let uris = "urn:ietf:rfc:3986"

    init(_ verdict: Verdict, _ claims: any Claims) {
        guard verdict.isHCERT else {
            identifier = claims.issuer.map { (HandoverReference.isAbsolute($0) ? Self.uris : nil, $0) }
            name = verdict.directoryEntry?.name ?? claims.issuerName ?? claims.issuer ?? "not named"
            return
        }
        // A certificate may claim any issuer. Its author is whoever signed it.
        let signer = (verdict.signerCountry ?? verdict.signerListing?.participant).map { UTF8Text($0) }
        identifier = signer.map { (CountryCode.isCode($0) ? "urn:iso:std:iso:3166" : nil, $0) }
        let known = signer ?? NamedIssuer(of: verdict).map { UTF8Text($0.before + $0.name) } ?? "not named"
        let other = Self.otherIssuer(than: signer, namedBy: claims)
        name = other.map { UTF8Text("\(known) (the certificate names \($0))") } ?? known
    }

    /// The issuer that a certificate names, unless that is known to be its signer. A record's country (`co`) may differ from the issuer's,
    /// so it counts only if no issuer is named.
    private static func otherIssuer(than signer: UTF8Text?, namedBy claims: any Claims) -> UTF8Text? {
        let records = ["v", "t", "r"].lazy.compactMap { claims.healthContent?[$0] }.first
        let record = records?.elements?.first { _ in true } ?? records
        let named = [claims.issuer, record?["co"]?.string, record?["is"]?.string].compactMap(\.self).first {
            !$0.isEmpty
        }
        return named.flatMap { named in
            signer.map { CountryCode.isSame($0, named) == true } ?? false ? nil : named
        }
    }
}

/// Writes the Provenance of a source (FHIR R4 §6.3).
struct HandoverProvenance {
    let source: HandoverSource
    /// The ids of all resources of the source.
    let targets: [String]
    /// When the unsigned content was received.
    let time: NumericDate

    private static let participants = "http://terminology.hl7.org/CodeSystem/provenance-participant-type"
    private static let uris = HandoverOrigin.Author.uris

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("resourceType", "Provenance")
            writer.name("meta")
            HandoverMeta(id: source.provenanceID, trust: source.trust).write(nil, to: &writer)
            writer.array("target") { writer in
                for target in targets { writer.object { $0.member("reference", "urn:uuid:\(target)") } }
            }
            switch source.origin {
            case .signed(let card):
                writer.member("recorded", card.verified.toTheSecond.description)
                activity(card.activity, &writer)
                agents(&writer) { writer in
                    agent("author", &writer) { author(card.author, &$0) }
                }
                entity(card.kind, &writer)
                signature(card, &writer)
            case .unsigned(let kind, let app):
                writer.member("recorded", time.toTheSecond.description)
                activity("unsigned", &writer)
                agents(&writer) { writer in
                    agent("informant", &writer) { $0.member("display", "patient") }
                    if let app { agent("assembler", &writer) { $0.identifier(Self.uris, app) } }
                }
                entity(String(kind.words.dropFirst(2)), &writer)
            }
        }
    }

    private func activity(_ text: String, _ writer: inout JSONWriter) {
        writer.object("activity") { $0.member("text", text) }
    }

    /// Who is responsible for the content, and then this program.
    private func agents(_ writer: inout JSONWriter, _ others: (inout JSONWriter) -> Void) {
        writer.array("agent") { writer in
            others(&writer)
            agent("verifier", &writer) { $0.member("display", "shcverify") }
        }
    }

    private func agent(_ role: String, _ writer: inout JSONWriter, _ who: (inout JSONWriter) -> Void) {
        writer.object { writer in
            writer.object("type") { $0.array("coding") { $0.coding(Self.participants, role) } }
            writer.object("who", who)
        }
    }

    private func author(_ author: HandoverOrigin.Author, _ writer: inout JSONWriter) {
        if let (system, value) = author.identifier { writer.identifier(system, value) }
        writer.member("display", author.name)
    }

    private func entity(_ kind: String, _ writer: inout JSONWriter) {
        writer.array("entity") { writer in
            writer.object { writer in
                writer.member("role", "source")
                writer.object("what") { writer in
                    writer.identifier(Self.uris, UTF8Text("urn:uuid:\(source.id)"))
                    writer.member("display", kind)
                }
            }
        }
    }

    /// The whole card, so that the receiver can verify it again.
    private func signature(_ card: HandoverOrigin.Signed, _ writer: inout JSONWriter) {
        writer.array("signature") { writer in
            writer.object { writer in
                writer.array("type") { $0.coding("urn:iso-astm:E1762-95:2013", "1.2.840.10065.1.12.1.14") }
                writer.member("when", card.issued?.calendarText)
                writer.object("who") { $0.identifier(card.keySet, card.keyID) }
                writer.member("sigFormat", card.signed.form.rawValue)
                writer.member("data", Base64.encode(card.signed.envelope))
            }
        }
    }
}

/// A security label that says how far a resource can be relied on.
struct HandoverLabel {
    let system: String
    let code: String
    /// The same code system, by its OID.
    private let identifier: UTF8Text

    private static let values = (
        system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
        id: "urn:oid:2.16.840.1.113883.5.1063" as UTF8Text
    )
    private static let reasons = (
        system: "http://terminology.hl7.org/CodeSystem/v3-ActReason", id: "urn:oid:2.16.840.1.113883.5.8" as UTF8Text
    )

    static let signed = HandoverLabel(system: values.system, code: "DIGSIG", identifier: values.id)
    static let uncertain = HandoverLabel(system: values.system, code: "UNCERTREL", identifier: values.id)
    static let byPatient = HandoverLabel(system: values.system, code: "PATAST", identifier: values.id)
    static let test = HandoverLabel(system: reasons.system, code: "HTEST", identifier: reasons.id)

    /// Whether a coding is this label, as this program writes it.
    func isWritten(as coding: JSONValue) -> Bool {
        coding["system"]?.isString(system) ?? false && coding["code"]?.isString(code) ?? false
    }

    /// Whether a value is a coding that only this program may give. Nobody may label his own content: only this program says what was
    /// signed, and by whom.
    static func isOwn(_ coding: JSONValue) -> Bool {
        guard let system = trimmed(coding["system"])?.asciiLowercased else { return false }
        // In `urn` and the namespace, case does not matter (RFC 8141 §3.1).
        if system.hasPrefix("urn:shcverify:") { return true }
        return [signed, test].contains { label in
            trimmed(coding["code"]) == UTF8Text(label.code)
                && (system == UTF8Text(label.system).asciiLowercased || system == label.identifier)
        }
    }

    private static func trimmed(_ value: JSONValue?) -> UTF8Text? {
        value?.stringBytes.map { UTF8Text(decoding: $0[...].trimmingWhiteSpace()) }
    }
}

/// The labels of a handed-over resource.
struct HandoverMeta {
    let id: NameBasedUUID
    let trust: HandoverTrust

    private static let tags = "urn:shcverify:handover:"

    /// Writes the member `meta` of a resource, including what the content itself has there.
    ///
    /// - Parameters:
    ///   - omissions: what is left out of the content, such as labels that only this program may give.
    ///   - value: writes a value of the content, without references to other records.
    func write(
        _ given: JSONValue?, to writer: inout JSONWriter, leavingOut omissions: HandoverOmissions = HandoverOmissions(),
        value: (JSONValue, inout JSONWriter) -> Void = { $1.value($0) }
    ) {
        let kept = { (codings: JSONValue?) in
            (codings?.elements.map(Array.init) ?? []).filter { $0.kind == .object && !omissions.contains($0) }
        }
        writer.object { writer in
            var isTagged = false
            var isSecured = false
            for member in given?.members.map(Array.init) ?? [] {
                switch member.name {
                case "tag":
                    isTagged = true
                    tag(kept(member.value), &writer, value)
                case "security":
                    isSecured = true
                    security(kept(member.value), &writer, value)
                case _ where omissions.contains(member.value): continue
                default:
                    writer.name(text: member.name.description)
                    value(member.value, &writer)
                }
            }
            if !isSecured { security([], &writer, value) }
            if !isTagged { tag([], &writer, value) }
        }
    }

    private func tag(
        _ kept: [JSONValue], _ writer: inout JSONWriter, _ value: (JSONValue, inout JSONWriter) -> Void
    ) {
        writer.array("tag") { writer in
            for coding in kept { value(coding, &writer) }
            writer.coding(Self.tags + "id", id.description)
            writer.coding(Self.tags + "trust", trust.rawValue)
        }
    }

    private func security(
        _ kept: [JSONValue], _ writer: inout JSONWriter, _ value: (JSONValue, inout JSONWriter) -> Void
    ) {
        writer.array("security") { writer in
            for coding in kept { value(coding, &writer) }
            for label in trust.labels where !kept.contains(where: label.isWritten) {
                writer.coding(label.system, label.code)
            }
        }
    }
}
