import Credentials
import Cryptography
import Encodings
import FHIR

/// The Patients of a run that are one person for the receiver: of different cards of one trusted issuer, and equal member by member.
///
/// Nobody is matched. A name and a date of birth are shared by many people, so only what is equal as a whole counts, if one issuer has
/// signed it.
struct HandoverPatients {
    /// Who says of whom a source is.
    enum Voucher: Hashable {
        /// The issuer of a card.
        case issuer(UTF8Text)
        /// The signer of a certificate, and all that the certificate says of its holder.
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

    /// What all Patients have in common that are one.
    private struct Identity: Hashable {
        let voucher: Voucher
        let content: [UInt8]
    }

    /// The entry that stands for a Patient, by the id of the Patient. Others stand for themselves.
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
            // Two ids of one issuer are two persons, and nobody can tell which of them one without an id is.
            let areSeveral = Set(group.compactMap(\.id)).count > 1
            for persons in areSeveral ? Array(Dictionary(grouping: group, by: \.id).values) : [group] { merge(persons) }
        }
    }

    /// If one card has a Patient twice, such as twins without a name, nobody can tell which of them another card means.
    private mutating func merge(_ persons: [Candidate]) {
        guard Set(persons.map(\.source)).count == persons.count, let lowest = persons.map(\.entry).min() else { return }
        for person in persons { chosen[person.entry] = lowest }
    }

    /// The id of the entry that stands for a resource.
    subscript(id: NameBasedUUID) -> NameBasedUUID { chosen[id] ?? id }

    /// Whether a Patient has a name and a date of birth to the day. One without could be anybody.
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

    /// A resource without its id and labels, with members in the order of their names. Numbers stay as they are written.
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
            // Without the escapes of the text.
            writer.value(string)
        } else {
            writer.value(value)
        }
    }
}
