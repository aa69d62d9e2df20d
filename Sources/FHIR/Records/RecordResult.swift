public import Encodings

/// A result: a value with its unit, or a concept, with the issuer's interpretation.
public struct RecordResult: Sendable, Hashable {
    /// The name of the part that was measured, if an observation has several (systolic, diastolic). Nil for the
    /// observation's own result.
    public let label: CodedText?
    /// The index of that part in the observation.
    var componentIndex: Int?
    /// The value as text, with the digits as signed: `6.30 mg/dL`. Nil if the value is a concept.
    public let value: UTF8Text?
    /// The value, if it is a concept.
    public let coded: CodedText?
    /// `high`, `normal`, …, as concepts.
    public let interpretation: [CodedText]
    /// The reference range, such as `3.5 to 5.0 mmol/L`. Several are separated by `; `.
    public let referenceRange: UTF8Text?
    /// Why there is no value.
    public let absentReason: CodedText?

    /// The result in one line, without the interpretation: the value, or else the concept's words or code.
    public var text: UTF8Text? { value ?? coded?.text }
}

extension RecordResult {
    /// A result that is a concept.
    package init(coded: CodedText) {
        self.init(label: nil, value: nil, coded: coded, interpretation: [], referenceRange: nil, absentReason: nil)
    }

    /// All results of a resource: its own, then those of its components.
    static func all(of resource: FHIRResource, names: CodeNames) -> [RecordResult] {
        switch resource.resourceType {
        case "Observation":
            var results: [RecordResult] = []
            if let own = RecordResult(observed: resource.value, label: nil, names: names) { results.append(own) }
            for (index, component) in resource.value.all("component").enumerated() {
                let label = CodedText(component["code"].flatMap { CodeableConcept($0) }, names: names)
                guard var part = RecordResult(observed: component, label: label, names: names) else { continue }
                part.componentIndex = index
                results.append(part)
            }
            return results
        case "DiagnosticReport":
            let conclusion = resource.concept(["conclusionCode", "codedDiagnosis"])
            let value = resource.value.text("conclusion")
            guard conclusion != nil || value != nil else { return [] }
            return [
                RecordResult(
                    label: nil, value: value, coded: conclusion.map { CodedText($0, names: names) },
                    interpretation: [], referenceRange: nil, absentReason: nil)
            ]
        default: return []
        }
    }

    /// The result of an Observation, or of one component of it. Nil if it has none.
    private init?(observed value: JSONValue, label: CodedText?, names: CodeNames) {
        self.label = label
        self.value = Self.plainValue(value)
        coded = value["valueCodeableConcept"].flatMap { CodeableConcept($0) }.map { CodedText($0, names: names) }
        interpretation = value.all("interpretation").compactMap { CodeableConcept($0) }
            .map { CodedText($0, names: names) }
        let ranges = value.all("referenceRange").compactMap { $0.text("text")?.description ?? Quantity.range($0) }
        referenceRange = ranges.isEmpty ? nil : UTF8Text(ranges.joined(separator: "; "))
        absentReason = value["dataAbsentReason"].flatMap { CodeableConcept($0) }.map { CodedText($0, names: names) }
        if text == nil && interpretation.isEmpty && absentReason == nil { return nil }
    }

    /// `value[x]` of any type except a concept.
    private static func plainValue(_ value: JSONValue) -> UTF8Text? {
        if let quantity = value["valueQuantity"].flatMap({ Quantity($0) }) { return UTF8Text(quantity.text) }
        for name in ["valueString", "valueDateTime", "valueTime"] {
            if let text = value.text(name) { return text }
        }
        if let boolean = value["valueBoolean"]?.boolean { return boolean ? "true" : "false" }
        if let integer = value["valueInteger"]?.number { return UTF8Text(integer.digits) }
        if let range = value["valueRange"].flatMap({ Quantity.range($0) }) { return UTF8Text(range) }
        if let ratio = value["valueRatio"].flatMap({ Quantity.ratio($0) }) { return UTF8Text(ratio) }
        return value["valuePeriod"].flatMap { period($0) }.map { UTF8Text($0) }
    }

    private static func period(_ value: JSONValue) -> String? {
        switch (value.text("start"), value.text("end")) {
        case (let start?, let end?): "\(start) to \(end)"
        case (let start?, nil): "from \(start)"
        case (nil, let end?): "until \(end)"
        case (nil, nil): nil
        }
    }
}
