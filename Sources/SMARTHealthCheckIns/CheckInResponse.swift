package import Credentials
package import StrictJSON

/// The response of a wallet (SMART Health Check-in §6), judged against the request.
package struct CheckInResponse: Sendable {
    /// The id of the request that it answers.
    let requestID: UTF8Text
    package let artifacts: [CheckIn.Artifact]
    let items: [CheckIn.Item]
    let warnings: [CredentialWarning]

    /// The most artifacts of a response.
    private static let maximumArtifacts = 1000

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - text: the response as JSON.
    ///   - request: the request; nil if it was not given.
    /// - Throws: `VerificationFailure` with `malformed-check-in` or `request-mismatch`.
    package init(_ text: [UInt8], to request: CheckInRequest?) throws(VerificationFailure) {
        guard !text.holdsMoreJSONValues(than: Bounds.inputValues) else {
            throw Self.malformed("it has more than \(Bounds.inputValues) JSON values")
        }
        let object: JSONValue
        do throws(JSONError) {
            object = try JSONDocument.parse(text, maximumDepth: Bounds.nesting)
        } catch {
            throw Self.malformed("it is not acceptable JSON: \(error)")
        }
        guard object.kind == .object, object["type"]?.isString("smart-health-checkin-response") ?? false else {
            throw Self.malformed("its type is not smart-health-checkin-response")
        }
        guard object["version"]?.isString("1") ?? false else { throw Self.malformed("its version is not \"1\"") }
        guard let requestID = object["requestId"]?.string else { throw Self.malformed("it has no requestId") }
        guard let elements = object["artifacts"]?.elements, let rows = object["requestStatus"]?.elements else {
            throw Self.malformed("artifacts and requestStatus must be arrays")
        }
        guard elements.count <= Self.maximumArtifacts else {
            throw Self.malformed("it has more than \(Self.maximumArtifacts) artifacts")
        }
        let states = try Self.states(rows)
        if let request { try Self.check(requestID, states.map(\.item), against: request) }
        let known = Set(states.map(\.item))
        let artifacts = Self.artifacts(Array(elements), items: known, request)
        self.requestID = requestID
        self.artifacts = artifacts.map(\.summary)
        var warnings = request == nil ? [Self.requestNotGiven] : []
        warnings += Self.warnings(about: self.artifacts)
        // An artifact may list thousands of items, and there may be thousands of rows.
        let fulfilled = artifacts.map { Set($0.summary.fulfills) }
        items = states.map { state in
            let own = zip(artifacts, fulfilled).filter { artifact, items in
                artifact.summary.disregarded == nil && items.contains(state.item)
            }.map(\.0)
            let isClaimed = state.status == .fulfilled || state.status == .partial
            let profiles = request?.items.first { $0.id == state.item }?.exactProfiles ?? []
            let lacksProfile =
                state.status == .fulfilled && !profiles.isEmpty
                && !own.contains { Self.profiles(in: $0.value).contains(where: profiles.contains) }
            if isClaimed, own.isEmpty { warnings.append(Self.itemWithoutArtifact) }
            if isClaimed, !own.isEmpty, lacksProfile { warnings.append(Self.itemNotMet) }
            return CheckIn.Item(
                item: state.item, status: state.status, isMet: isClaimed && !own.isEmpty && !lacksProfile,
                artifacts: own.compactMap(\.summary.id), message: state.message)
        }
        self.warnings = warnings
    }

    /// Whether an artifact that is not disregarded holds health cards.
    var holdsCards: Bool { artifacts.contains { $0.disregarded == nil && $0.kind == .healthCard } }

    // MARK: The rows

    private struct State {
        let item: UTF8Text
        let status: CheckIn.Item.Status
        let message: UTF8Text?
    }

    private static func states(_ rows: JSONValue.Elements) throws(VerificationFailure) -> [State] {
        var states: [State] = []
        var items: Set<UTF8Text> = []
        for row in rows {
            guard let item = row["item"]?.string else { throw malformed("a row of requestStatus names no item") }
            guard
                let status = CheckIn.Item.Status.allCases.first(where: { row["status"]?.isString($0.rawValue) ?? false }
                )
            else { throw malformed("a row of requestStatus has no known status") }
            guard items.insert(item).inserted else { throw malformed("two rows of requestStatus are about one item") }
            states.append(State(item: item, status: status, message: row["message"]?.string))
        }
        return states
    }

    /// Each item of the request has one row, and there is no other (XV-1 to XV-3).
    private static func check(
        _ requestID: UTF8Text, _ items: [UTF8Text], against request: CheckInRequest
    ) throws(VerificationFailure) {
        guard requestID == request.id else {
            throw VerificationFailure(
                .requestMismatch, "the check-in answers another request than the one that was given")
        }
        guard Set(items) == Set(request.items.map(\.id)) else {
            throw VerificationFailure(
                .requestMismatch,
                "the check-in does not say of each item of the request, and of no other, what became of it")
        }
    }

    // MARK: Artifacts

    /// - Parameter items: the ids of all items.
    private static func artifacts(
        _ elements: [JSONValue], items: Set<UTF8Text>, _ request: CheckInRequest?
    ) -> [(summary: CheckIn.Artifact, value: JSONValue?)] {
        var counts: [UTF8Text: Int] = [:]
        for element in elements { if let id = element["id"]?.string { counts[id, default: 0] += 1 } }
        return elements.map { element in
            let id = element["id"]?.string
            let mediaType = element["mediaType"]?.string
            let fulfills = (element["fulfills"]?.elements.map(Array.init) ?? []).map(\.string)
            let value = element["value"]
            let kind: CheckIn.Artifact.Kind =
                switch mediaType {
                case "application/smart-health-card"?: .healthCard
                case "application/fhir+json"?: .fhir
                default: .other
                }
            let asked = request.map { request in request.items.filter { fulfills.contains($0.id) } }
            var defects: Set<CheckIn.Artifact.Defect> = []
            if id.map({ $0.isEmpty || counts[$0] != 1 }) ?? true { defects.insert(.id) }
            if kind == .other { defects.insert(.mediaType) }
            if fulfills.isEmpty || !fulfills.allSatisfy({ $0.map(items.contains) ?? false }) {
                defects.insert(.fulfills)
            }
            if let mediaType, let asked, !asked.allSatisfy({ $0.accept.contains(mediaType) }) {
                defects.insert(.notAccepted)
            }
            let version = element["fhirVersion"]
            switch kind {
            case .fhir:
                guard let version = version?.string else {
                    defects.insert(.fhirVersion)
                    break
                }
                if let wanted = request?.fhirVersions, !wanted.contains(version) { defects.insert(.fhirVersion) }
            case .healthCard: if version != nil { defects.insert(.fhirVersion) }
            case .other: break
            }
            if !holds(value, kind) { defects.insert(.value) }
            if let asked, answersOther(value, asked) { defects.insert(.questionnaire) }
            let summary = CheckIn.Artifact(
                id: id, mediaType: mediaType, kind: kind, fulfills: fulfills.compactMap(\.self),
                fhirVersion: version?.string, resourceType: value?["resourceType"]?.string,
                disregarded: CheckIn.Artifact.Defect.allCases.first(where: defects.contains),
                value: value.map(Self.compact) ?? [])
            return (summary, value)
        }
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

    private static let requestNotGiven = CredentialWarning(
        .requestNotGiven, "no request was given, so nothing says whether the check-in answers it: use --request")
    private static let itemWithoutArtifact = CredentialWarning(
        .itemWithoutArtifact, "the wallet says that it shares something for an item, and nothing for it can be used")
    private static let itemNotMet = CredentialWarning(
        .itemNotMet, "nothing that was shared for an item has the version of the profile that was asked for")

    private static func warnings(about artifacts: [CheckIn.Artifact]) -> [CredentialWarning] {
        var warnings: [CredentialWarning] = []
        let disregarded = artifacts.compactMap(\.disregarded)
        for (number, artifact) in artifacts.enumerated() {
            guard let defect = artifact.disregarded else { continue }
            warnings.append(
                CredentialWarning(
                    .artifactDisregarded, "the artifact \(number + 1) was disregarded (\(defect.rawValue))"))
        }
        let unsigned = artifacts.count { $0.disregarded == nil && $0.kind != .healthCard }
        if unsigned > 0 {
            warnings.append(
                CredentialWarning(
                    .unsignedContent,
                    "\(unsigned == 1 ? "an artifact" : "\(unsigned) artifacts") of the check-in \(unsigned == 1 ? "is" : "are") not "
                        + "signed, so nothing in \(unsigned == 1 ? "it" : "them") can be verified"))
        }
        return disregarded.isEmpty && unsigned == 0 ? [] : warnings
    }
}
