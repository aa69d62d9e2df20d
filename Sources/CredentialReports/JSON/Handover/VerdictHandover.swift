package import Credentials
import Cryptography
import Encodings
import FHIR

/// The resources of the credentials that passed, and nothing else, as one FHIR transaction that a server accepts unchanged (FHIR R4
/// §3.1.0.11).
///
/// The ids of all entries are derived from what was signed, and each entry is created only if there is no resource with its id. So the same
/// card can be posted twice, in any form, and everything is created only once.
struct VerdictHandover: Report {
    private let terms: ReportTerms
    /// The sources so far, each once, in the order of the input. They are kept, because a later card can have the same Patient.
    private var sources: [HandoverSource] = []
    private var places: [NameBasedUUID: Int] = [:]
    /// The container whose cards are being added.
    private var container: (any Container)?

    init(_ terms: ReportTerms) { self.terms = terms }

    mutating func add(_ verdict: Verdict, to sink: ReportSink) {
        let container = verdict.examined.presented.place?.container
        if container !== self.container {
            addUnsigned()
            self.container = container
        }
        if let source = HandoverSource(verdict, at: terms.time, names: terms.names) { add(source) }
    }

    func finish(to sink: ReportSink) throws {
        var report = self
        report.addUnsigned()
        try report.write(to: sink)
    }

    /// Adds the unsigned content of the last container. It follows the container's cards.
    private mutating func addUnsigned() {
        guard terms.includesUnsigned else { return }
        guard let container else { return }
        for source in container.unsigned.compactMap({ HandoverSource($0, of: container.inputForm) }) { add(source) }
    }

    private mutating func add(_ source: HandoverSource) {
        guard !source.isEmpty else { return }
        guard let place = places[source.id] else {
            places[source.id] = sources.count
            return sources.append(source)
        }
        if source.origin.precedes(sources[place].origin) { sources[place] = source }
    }

    private func write(to sink: ReportSink) throws {
        guard !sources.isEmpty else { return }
        let patients = HandoverPatients(sources)
        // If several Patients are one person, the chosen one takes the place of the first.
        var resources: [NameBasedUUID: (source: HandoverSource, entry: HandoverSource.Entry)] = [:]
        for source in sources {
            for entry in source.entries where patients.chosen[entry.id] == entry.id {
                resources[entry.id] = (source, entry)
            }
        }
        var written: Set<NameBasedUUID> = []
        var writer = JSONWriter(escapesUnprintable: terms.destination.isTerminal)
        writer.begin(.object)
        writer.member("resourceType", "Bundle")
        writer.member("type", "transaction")
        writer.name("entry")
        writer.begin(.array)
        for source in sources {
            for entry in source.entries where entry.type != nil {
                let id = patients[entry.id]
                guard written.insert(id).inserted else { continue }
                let (owner, chosen) = resources[id] ?? (source, entry)
                guard let type = chosen.type, let resource = chosen.resource else { continue }
                Self.entry(id, type, &writer) { writer in
                    HandoverResource(resource, id: id, of: owner) { reference in
                        owner.entry(for: reference).map { patients[owner.entries[$0].id] }
                    }.write(to: &writer)
                }
                try sink(writer.take())
            }
            let targets = source.entries.filter { $0.type != nil }.map { patients[$0.id].description }
            Self.entry(source.provenanceID, "Provenance", &writer) { writer in
                HandoverProvenance(source: source, targets: targets, time: terms.time.common ?? terms.time.madeAt)
                    .write(to: &writer)
            }
            try sink(writer.take())
        }
        writer.end(.array)
        writer.end(.object)
        try sink(writer.take() + [UInt8(ascii: "\n")])
    }

    /// Writes an entry that is created only if no resource has its id.
    private static func entry(
        _ id: NameBasedUUID, _ type: String, _ writer: inout JSONWriter, _ resource: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member("fullUrl", "urn:uuid:\(id)")
            writer.name("resource")
            resource(&writer)
            writer.object("request") { writer in
                writer.member("method", "POST")
                writer.member("url", type)
                writer.member("ifNoneExist", "_tag=urn:shcverify:handover:id|\(id)")
            }
        }
    }
}

extension HandoverSource {
    /// The source of unsigned FHIR content; nil if it was not kept.
    init?(_ item: UnsignedItem, of form: InputForm) {
        guard let content = item.content, let value = try? JSONDocument.parse(content, maximumDepth: Bounds.nesting)
        else { return nil }
        self.init(unsigned: content, value, version: item.version, kind: form, app: item.app)
    }
}

/// What a hand-over leaves out.
package enum Handover {
    /// How much of a credential that passed is not handed over, in words; nil if everything is.
    ///
    /// - Parameter verdict: the verdict on the credential.
    package static func leftOut(of verdict: Verdict) -> String? {
        guard verdict.verified != nil else { return nil }
        guard let source = HandoverSource(verdict, at: VerificationTime(madeAt: NumericDate(sinceEpoch: .zero))) else {
            return "nothing of it can be handed over"
        }
        return leftOut(of: source)
    }

    /// How much of unsigned content is not handed over, in words; nil if everything is.
    ///
    /// - Parameters:
    ///   - item: the content.
    ///   - form: the kind of its container.
    package static func leftOut(of item: UnsignedItem, from form: InputForm) -> String? {
        HandoverSource(item, of: form).flatMap(leftOut)
    }

    private static func leftOut(of source: HandoverSource) -> String? {
        let count = source.leftOutCount
        guard count > 0 else { return nil }
        return
            "\(count == 1 ? "1 entry is" : "\(count) entries are") not handed over, because a FHIR server is given only records and "
            + "persons of FHIR 4.0"
    }
}

/// The Patients of a run that are the same person for the receiver: those on different cards of one trusted issuer, and equal member by
/// member.
///
/// Nothing is guessed. Many people share a name and a date of birth, so Patients count as the same only if they are equal as a whole and
/// one issuer has signed them.
struct HandoverPatients {
    /// Who vouches for the identity of a source's persons.
    enum Voucher: Hashable {
        /// The issuer of a card.
        case issuer(UTF8Text)
        /// The signer of a certificate, and everything that the certificate says about its holder.
        case signer(country: UTF8Text, domain: UTF8Text?, holder: [UInt8])

        init?(_ verdict: Verdict, _ claims: any Claims) {
            if verdict.isHCERT {
                guard let country = verdict.signerCountry, let holder = claims.holderIdentity else { return nil }
                let domain = verdict.signerListing?.domain
                self = .signer(country: UTF8Text(country), domain: domain.map { UTF8Text($0) }, holder: holder)
            } else {
                guard let issuer = claims.issuer else { return nil }
                self = .issuer(issuer)
            }
        }
    }

    /// What all Patients that are one person have in common.
    private struct Identity: Hashable {
        let voucher: Voucher
        let content: [UInt8]
    }

    /// The entry that represents a Patient, by the id of the Patient. Others represent themselves.
    private(set) var chosen: [NameBasedUUID: NameBasedUUID] = [:]

    /// A Patient of a card.
    private struct Candidate {
        let entry: NameBasedUUID
        /// The place of the card among all sources.
        let source: Int
        /// Its own id; nil if it has none.
        let id: [UInt8]?
    }

    init(_ sources: [HandoverSource]) {
        var groups: [Identity: [Candidate]] = [:]
        for (number, source) in sources.enumerated() where source.trust == .issuerTrusted {
            guard let voucher = source.voucher else { continue }
            for entry in source.entries where entry.type == "Patient" {
                guard let resource = entry.resource, Self.isPerson(resource), !Self.hasReference(resource) else {
                    continue
                }
                let identity = Identity(voucher: voucher, content: Self.content(of: resource))
                let id = resource["id"].map { $0.stringBytes ?? Array($0.rawBytes) }
                groups[identity, default: []].append(Candidate(entry: entry.id, source: number, id: id))
            }
        }
        for group in groups.values where group.count > 1 {
            // Two ids of one issuer are two persons, and nobody can tell which of them a Patient without an id is.
            let areSeveral = Set(group.compactMap(\.id)).count > 1
            for persons in areSeveral ? Array(Dictionary(grouping: group, by: \.id).values) : [group] { merge(persons) }
        }
    }

    /// If one card has a Patient twice, such as twins without a name, nobody can tell which of the two another card means.
    private mutating func merge(_ persons: [Candidate]) {
        guard Set(persons.map(\.source)).count == persons.count, let lowest = persons.map(\.entry).min() else { return }
        for person in persons { chosen[person.entry] = lowest }
    }

    /// The id of the entry that represents a resource.
    subscript(id: NameBasedUUID) -> NameBasedUUID { chosen[id] ?? id }

    /// Whether a Patient has a name and a full date of birth. One without them could be anybody.
    private static func isPerson(_ patient: JSONValue) -> Bool {
        let isText = { (value: JSONValue?) in value?.stringBytes?.isEmpty == false }
        let isNamed = patient["name"]?.elements?.contains { name in
            isText(name["text"]) || isText(name["family"]) || name["given"]?.elements?.contains(where: isText) == true
        }
        return isNamed == true && patient["birthDate"]?.string.flatMap { FHIRDate($0) }?.precision == .day
    }

    private static func hasReference(_ value: JSONValue) -> Bool {
        if let members = value.members { return members.contains { $0.name == "reference" || hasReference($0.value) } }
        return value.elements?.contains(where: hasReference) ?? false
    }

    /// A resource without its id and labels, with its members sorted by name. Numbers stay as they are written.
    private static func content(of resource: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        write(resource, to: &writer) { $0 != "id" && $0 != "meta" }
        return writer.bytes
    }

    private static func write(
        _ value: JSONValue, to writer: inout JSONWriter, where isCompared: (UTF8Text) -> Bool = { _ in true }
    ) {
        if let members = value.members {
            let sorted = members.filter { isCompared($0.name) }
                .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            writer.object { writer in
                for member in sorted {
                    writer.name(text: member.name.description)
                    write(member.value, to: &writer)
                }
            }
        } else if let elements = value.elements {
            writer.array { writer in for element in elements { write(element, to: &writer) } }
        } else if let string = value.string {
            // Without the escapes of the original text.
            writer.value(string)
        } else {
            writer.value(value)
        }
    }
}
