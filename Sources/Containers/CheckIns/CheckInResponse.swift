package import Credentials
import Encodings
import Inputs

/// The response of a wallet (SMART Health Check-in §6), judged against the request.
package struct CheckInResponse: Sendable {
    /// The id of the request that it answers.
    let requestID: UTF8Text
    package let artifacts: [CheckIn.Artifact]
    let items: [CheckIn.Item]
    let warnings: [CredentialWarning]

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - text: the response as JSON.
    ///   - request: the request; nil if it was not given.
    ///   - findings: what is wrong with its rows is added to these.
    /// - Throws: `VerificationFailure` with `malformed-check-in` or `request-mismatch`.
    init(
        _ text: [UInt8], to request: CheckInRequest?, _ findings: inout EnvelopeFindings
    ) throws(VerificationFailure) {
        guard !text.holdsMoreJSONValues(than: Bounds.inputValues) else {
            throw Self.malformed("it has more than \(Bounds.inputValues) JSON values")
        }
        let object = try Result { () throws(JSONError) in
            try JSONDocument.parse(text, maximumDepth: Bounds.nesting)
        }.mapError { Self.malformed("it is not acceptable JSON: \($0)") }.get()
        guard object.kind == .object, object["type"]?.isString("smart-health-checkin-response") ?? false else {
            throw Self.malformed("its type is not smart-health-checkin-response")
        }
        guard object["version"]?.isString("1") ?? false else { throw Self.malformed("its version is not \"1\"") }
        guard let requestID = object["requestId"]?.string, !requestID.isEmpty else {
            throw Self.malformed("it has no requestId")
        }
        guard let elements = object["artifacts"]?.elements, let rows = object["requestStatus"]?.elements else {
            throw Self.malformed("artifacts and requestStatus must be arrays")
        }
        guard elements.count <= Bounds.checkInEntries else {
            throw Self.malformed("it has more than \(Bounds.checkInEntries) artifacts")
        }
        guard rows.count <= Bounds.checkInEntries else {
            throw Self.malformed("it has more than \(Bounds.checkInEntries) rows in requestStatus")
        }
        guard elements.reduce(0, { $0 + ($1["fulfills"]?.elements?.count ?? 0) }) <= Bounds.checkInReferences else {
            throw Self.malformed("its artifacts fulfill more than \(Bounds.checkInReferences) items together")
        }
        guard request.map({ $0.id == requestID }) ?? true else {
            throw VerificationFailure(
                .requestMismatch, "the check-in answers another request than the one that was given")
        }
        let states = Self.states(rows, of: request, &findings)
        let asked = request.map { Dictionary(uniqueKeysWithValues: $0.items.map { ($0.id, $0) }) }
        let artifacts = Self.artifacts(Array(elements), items: Set(states.map(\.item)), request, asked)
        self.requestID = requestID
        self.artifacts = artifacts.map(\.summary)
        let needsProfiles = request?.items.contains { !$0.exactProfiles.isEmpty } ?? false
        var standing: [UTF8Text: [(id: UTF8Text?, profiles: Set<UTF8Text>)]] = [:]
        for (summary, value) in artifacts where summary.disregarded == nil {
            let artifact = (summary.id, needsProfiles ? Set(Self.profiles(in: value)) : [])
            for item in Set(summary.fulfills) { standing[item, default: []].append(artifact) }
        }
        var (withoutArtifact, notMet) = (0, 0)
        items = states.map { state in
            let own = standing[state.item] ?? []
            let isClaimed = state.status == .fulfilled || state.status == .partial
            let profiles = asked?[state.item]?.exactProfiles ?? []
            let lacksProfile =
                state.status == .fulfilled && !profiles.isEmpty
                && !own.contains { artifact in profiles.contains(where: artifact.profiles.contains) }
            if isClaimed, own.isEmpty { withoutArtifact += 1 }
            if isClaimed, !own.isEmpty, lacksProfile { notMet += 1 }
            return CheckIn.Item(
                item: state.item, status: state.status, isMet: isClaimed && !own.isEmpty && !lacksProfile,
                artifacts: own.compactMap(\.id), message: state.message)
        }
        var warnings: [CredentialWarning] = []
        if request == nil {
            warnings.add(
                .requestNotGiven,
                "no request was given, so nothing says whether the check-in answers it: use --request")
        }
        warnings += Self.warnings(about: self.artifacts)
        if withoutArtifact > 0 {
            let (items, them) = withoutArtifact == 1 ? ("an item", "it") : ("\(withoutArtifact) items", "them")
            warnings.add(
                .itemWithoutArtifact,
                "the wallet says that it shares something for \(items), and nothing for \(them) can be used")
        }
        if notMet > 0 {
            warnings.add(
                .itemNotMet,
                "nothing that was shared for \(notMet == 1 ? "an item has" : "\(notMet) items has") the version of the profile that was "
                    + "asked for")
        }
        self.warnings = warnings
    }

    /// Whether there is a health card, or what is refused as one.
    var holdsCards: Bool { artifacts.contains { !$0.credentials.isEmpty } }

    // MARK: The rows

    private struct State {
        let item: UTF8Text
        let status: CheckIn.Item.Status?
        let message: UTF8Text?
    }

    /// What the rows say of each item of the request; without it, of each item that they name (XV-3).
    private static func states(
        _ rows: JSONValue.Elements, of request: CheckInRequest?, _ findings: inout EnvelopeFindings
    ) -> [State] {
        let known = request.map { Set($0.items.map(\.id)) }
        var order = request?.items.map(\.id) ?? []
        var found: [UTF8Text: [JSONValue]] = [:]
        for row in rows {
            guard let item = row["item"]?.string, item.utf8.count <= Bounds.checkInIDLength,
                known?.contains(item) ?? true
            else {
                findings.note(
                    .rowUnknown,
                    "a row of requestStatus is about something that the request does not ask for, and was ignored")
                continue
            }
            if known == nil, found[item] == nil { order.append(item) }
            found[item, default: []].append(row)
        }
        return order.map { item in
            let rows = found[item] ?? []
            guard let row = rows.first, rows.count == 1 else {
                if rows.isEmpty {
                    findings.note(.rowMissing, "an item has no row in requestStatus, so it has no status")
                } else {
                    findings.note(.rowTwice, "an item has several rows in requestStatus, so it has no status")
                }
                return State(item: item, status: nil, message: nil)
            }
            let status = CheckIn.Item.Status.allCases.first { row["status"]?.isString($0.rawValue) ?? false }
            if status == nil {
                findings.note(.rowCode, "a row of requestStatus has an unknown status, so its item has no status")
            }
            return State(item: item, status: status, message: row["message"]?.string)
        }
    }

    // MARK: Artifacts

    /// - Parameters:
    ///   - items: the ids of all items.
    ///   - asked: the items of the request by their ids.
    private static func artifacts(
        _ elements: [JSONValue], items: Set<UTF8Text>, _ request: CheckInRequest?,
        _ asked: [UTF8Text: CheckInRequest.Item]?
    ) -> [(summary: CheckIn.Artifact, value: JSONValue?)] {
        let ids = elements.map { element in
            element["id"]?.string.flatMap { (1...Bounds.checkInIDLength).contains($0.utf8.count) ? $0 : nil }
        }
        var counts: [UTF8Text: Int] = [:]
        for case let id? in ids { counts[id, default: 0] += 1 }
        return zip(elements, ids).map { element, id in
            let mediaType = element["mediaType"]?.string
            let fulfills = (element["fulfills"]?.elements.map(Array.init) ?? []).map(\.string)
            let value = element["value"]
            let type: CheckIn.Artifact.Kind =
                switch mediaType {
                case "application/smart-health-card"?: .healthCard
                case "application/fhir+json"?: .fhir
                default: .other
                }
            let asked = asked.map { asked in Set(fulfills.compactMap(\.self)).compactMap { asked[$0] } }
            var defects: Set<CheckIn.Artifact.Defect> = []
            if id.map({ counts[$0] != 1 }) ?? true { defects.insert(.id) }
            if type == .other { defects.insert(.mediaType) }
            if fulfills.isEmpty || !fulfills.allSatisfy({ $0.map(items.contains) ?? false }) {
                defects.insert(.fulfills)
            }
            if let mediaType, let asked, !asked.allSatisfy({ $0.accept.contains(mediaType) }) {
                defects.insert(.notAccepted)
            }
            let version = element["fhirVersion"]
            switch type {
            case .fhir:
                guard let version = version?.string else {
                    defects.insert(.fhirVersion)
                    break
                }
                if let wanted = request?.fhirVersions, !wanted.contains(version) { defects.insert(.fhirVersion) }
            case .healthCard: if version != nil { defects.insert(.fhirVersion) }
            case .other: break
            }
            if !holds(value, type) { defects.insert(.value) }
            if let asked, answersOther(value, asked) { defects.insert(.questionnaire) }
            let disregarded = CheckIn.Artifact.Defect.allCases.first(where: defects.contains)
            let compact = value.map(Self.compact) ?? []
            let (kind, credentials) = credentials(
                in: value, compact, type, claimed: mediaType, isDisregarded: disregarded != nil)
            let summary = CheckIn.Artifact(
                id: id, mediaType: mediaType, kind: kind, fulfills: fulfills.compactMap(\.self),
                fhirVersion: version?.string, resourceType: value?["resourceType"]?.string, disregarded: disregarded,
                value: compact, credentials: credentials)
            return (summary, value)
        }
    }

    /// What is judged of an artifact, and the kind that it is. FHIR is looked at as a file of a link is: what is read as a credential there, or is
    /// refused as one, is judged whatever else is wrong with the artifact.
    private static func credentials(
        in value: JSONValue?, _ compact: [UInt8], _ type: CheckIn.Artifact.Kind, claimed: UTF8Text?, isDisregarded: Bool
    ) -> (CheckIn.Artifact.Kind, [[UInt8]]) {
        guard type != .healthCard || isDisregarded else { return (type, [compact]) }
        // A resource is FHIR whatever its media type is. Another case, or a parameter, makes the media type one that is disregarded, and hides
        // no card.
        let isFHIR =
            value?["resourceType"]?.string != nil
            || claimed.map { MediaType($0).essence.elementsEqual("application/fhir+json".utf8) } ?? false
        guard isFHIR else { return (type, []) }
        let bytes = value?.stringBytes ?? compact
        let content = CredentialContent(bytes)
        let cards = value.flatMap(Self.cardFile) ?? bytes
        return (content.isCredential ? .healthCard : type, content.credentials(in: cards))
    }

    /// The card file that is a FHIR resource at once, as a card file alone; nil if the value is none. The media type says that it is FHIR, and its cards
    /// are judged.
    private static func cardFile(_ value: JSONValue) -> [UInt8]? {
        guard let members = value.members, value["verifiableCredential"] != nil, let type = value["resourceType"],
            !type.isString("Parameters")
        else { return nil }
        let rest = members.named.filter { !$0.name.isString("resourceType") }
        return Array("{".utf8)
            + rest.map { $0.name.rawBytes + ":".utf8 + $0.value.rawBytes }.joined(separator: ",".utf8)
            + "}".utf8
    }

    /// Whether the value is what the media type says (XV-8, XV-9).
    private static func holds(_ value: JSONValue?, _ kind: CheckIn.Artifact.Kind) -> Bool {
        switch kind {
        case .fhir: value?["resourceType"]?.string != nil
        case .healthCard:
            value?["verifiableCredential"]?.elements.map { $0.count > 0 && $0.allSatisfy { $0.kind == .string } }
                ?? false
        case .other: true
        }
    }

    /// Whether the value answers a questionnaire, and not one that was asked (XV-10).
    private static func answersOther(_ value: JSONValue?, _ asked: [CheckInRequest.Item]) -> Bool {
        guard let value, value["resourceType"]?.isString("QuestionnaireResponse") ?? false else { return false }
        return asked.contains { item in
            item.questionnaire.map { !(value["questionnaire"]?.isString($0) ?? false) } ?? false
        }
    }

    /// The profiles of the resources of an artifact: of a resource, or of those in a Bundle.
    private static func profiles(in value: JSONValue?) -> [UTF8Text] {
        let resources = [value] + (value?["entry"]?.elements.map(Array.init) ?? []).map { $0["resource"] }
        return resources.flatMap { resource in
            (resource?["meta"]?["profile"]?.elements.map(Array.init) ?? []).compactMap(\.string)
        }
    }

    /// The text of a value without white space outside strings.
    private static func compact(_ value: JSONValue) -> [UInt8] {
        var isInString = false
        var isEscaped = false
        return value.rawBytes.filter { byte in
            guard isInString else {
                isInString = byte == UInt8(ascii: "\"")
                return ![0x20, 0x09, 0x0A, 0x0D].contains(byte)
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return true
        }
    }

    // MARK: Words

    static func malformed(_ words: String) -> VerificationFailure {
        VerificationFailure(.malformedCheckIn, "the check-in is malformed: \(words)")
    }

    private static func warnings(about artifacts: [CheckIn.Artifact]) -> [CredentialWarning] {
        var warnings: [CredentialWarning] = []
        for (number, artifact) in artifacts.enumerated() {
            guard let defect = artifact.disregarded else { continue }
            warnings.add(.artifactDisregarded, "the artifact \(number + 1) was disregarded (\(defect.rawValue))")
        }
        let unsigned = artifacts.filter { $0.disregarded == nil && $0.kind != .healthCard }
        if let warning = CredentialWarning(
            unsigned: unsigned.count, of: "artifact", in: "check-in",
            holdingCards: unsigned.contains { !$0.credentials.isEmpty })
        {
            warnings.append(warning)
        }
        return warnings
    }
}
