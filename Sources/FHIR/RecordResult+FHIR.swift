import JSON

extension RecordResult {
    /// All results of a resource: its own, then those of its components.
    static func all(of resource: FHIRResource, names: CodeNames) -> [RecordResult] {
        switch resource.resourceType {
        case "Observation":
            var results: [RecordResult] = []
            if let own = RecordResult(observed: resource.value, label: nil, names: names) { results.append(own) }
            for component in resource.value.all("component") {
                let label = CodedText(component["code"].flatMap { CodeableConcept($0) }, names: names)
                if let part = RecordResult(observed: component, label: label, names: names) { results.append(part) }
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

    /// The result that an Observation, or one component of it, holds; nil if it holds none.
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

    /// `value[x]`, whichever it is, unless it is a concept.
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
