package import Credentials
import Cryptography
import Encodings
import FHIR

/// The resources of the credentials that passed, as one FHIR transaction that a server takes as it is (FHIR R4 §3.1.0.11), and nothing
/// else.
///
/// The ids of all entries follow from what was signed, and each is created only if no resource with its id is there. So the same card can
/// be posted twice, in any form, and makes everything once.
struct VerdictHandover: Report {
    private let terms: ReportTerms
    /// The sources so far, each once, in the order of the input. They wait because a later card can have the same Patient.
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

    /// Adds the content of the last container that nobody signed. It comes after its cards.
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
        // Of Patients that are one, the chosen one stands in the place of the first.
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
    /// The source of FHIR content that nobody signed; nil if it was not kept.
    init?(_ item: UnsignedItem, of form: InputForm) {
        guard let content = item.content, let value = try? JSONDocument.parse(content, maximumDepth: Bounds.nesting)
        else { return nil }
        self.init(unsigned: content, value, version: item.version, kind: form, app: item.app)
    }
}

/// What a hand-over leaves out.
package enum Handover {
    /// How much of a credential that passed is not handed over, in words; nil if that is nothing.
    ///
    /// - Parameter verdict: the verdict on the credential.
    package static func leftOut(of verdict: Verdict) -> String? {
        guard verdict.verified != nil else { return nil }
        guard let source = HandoverSource(verdict, at: VerificationTime(madeAt: NumericDate(sinceEpoch: .zero))) else {
            return "nothing of it can be handed over"
        }
        return leftOut(of: source)
    }

    /// How much of content that nobody signed is not handed over, in words; nil if that is nothing.
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
