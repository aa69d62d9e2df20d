package import Encodings

/// A view of a resource that reads what a record needs and ignores the rest.
///
/// The table `ResourceShape` says which elements a resource of this type has. An element that is missing, empty, or of
/// the wrong JSON type is nil. Texts come from the card, are neither shortened nor escaped, and may be hostile.
package struct FHIRResource: Sendable {
    /// The resource in the signed bytes.
    package let value: JSONValue
    /// The type, such as `Immunization`.
    package let resourceType: UTF8Text
    let shape: ResourceShape

    /// - Returns: nil if the value is not an object with a `resourceType`.
    package init?(_ value: JSONValue) {
        guard let resourceType = value.text("resourceType") else { return nil }
        self.value = value
        self.resourceType = resourceType
        shape = ResourceShape.shape(of: resourceType)
    }

    /// Whether the resource is a record of its own, unless it is a Medication that another record refers to.
    var isRecord: Bool { ResourceShape.supporting.index(of: resourceType) == nil }

    /// The subject matter: the vaccine, the test, the problem or the medicine.
    package var code: CodeableConcept? { concept(shape.code) }

    /// When it happened, as given: a date, a time, the start of a period (or its end if there is no start), or words.
    package var date: UTF8Text? {
        for name in shape.date {
            guard let date = value[name] else { continue }
            if let text = date.string, !text.isEmpty { return text }
            if let text = date.text("start") ?? date.text("end") { return text }
        }
        return nil
    }

    /// Whether an element with a choice of types, such as `effective[x]`, is there with several of them (FHIR R4 "Choice of Data Types").
    private var hasSeveralDates: Bool {
        Self.choices.contains { choice in
            shape.date.count { name in
                name.utf8.starts(with: choice.utf8) && (value[name].map { !$0.isNull } ?? false)
                    && name.utf8.dropFirst(choice.utf8.count).first.map { (0x41...0x5A).contains($0) } == true
            } > 1
        }
    }

    /// The elements with a choice of types that say when something happened.
    private static let choices = ["occurrence", "effective", "onset", "performed"]

    /// Whether a date cannot be read: it is given in words or twice, is not a valid date, or is not a string.
    package var hasUnreadableDate: Bool {
        hasSeveralDates
            || shape.date.contains { name in
                guard let date = value[name], !date.isNull else { return false }
                let texts = date.kind == .string ? [date.string] : [date.text("start"), date.text("end")]
                let given = texts.compactMap(\.self)
                return given.isEmpty || given.contains { FHIRDate($0) == nil }
            }
    }

    /// The status as a code: `completed`, `final`, `active`, …
    package var status: UTF8Text? { status(shape.status) }

    /// For a condition or an allergy: `confirmed`, `refuted`, `entered-in-error`, …
    package var verificationStatus: UTF8Text? { status(["verificationStatus"]) }

    /// Whether the resource says that the action was not done, not given or not taken.
    package var isNotDone: Bool {
        shape.negations.contains { value[$0]?.boolean == true }
            || status.map { ["not-done", "not-taken"].contains(Self.folded($0)) } == true
            // STU3.
            || taken?.string.map { Self.folded($0) == "n" } == true
    }

    /// Whether a medicine was taken, in STU3.
    private var taken: JSONValue? { resourceType == "MedicationStatement" ? value.optional("taken") : nil }

    /// Why the status of the resource says that it does not count, in the project's own words; nil if it does not say so. A status that
    /// is there but cannot be read may say anything, so the resource does not count either.
    var statusObjection: String? {
        for name in shape.status + ["verificationStatus"] {
            guard let element = value.optional(name) else { continue }
            let texts = Self.statusTexts(in: element)
            guard !texts.isEmpty else { return Self.unreadableStatus }
            // A concept may have several codes.
            for text in texts {
                switch Self.folded(text) {
                case "not-done", "not-taken": return "not done"
                case "entered-in-error": return "entered in error"
                case "cancelled": return "cancelled"
                case "refuted": return "refuted"
                default: continue
                }
            }
        }
        let flags = shape.negations + (type == .immunization ? ["isSubpotent"] : [])
        let isUnreadable =
            flags.contains { value.optional($0).map { $0.boolean == nil } == true }
            || taken.map { $0.string == nil } == true
        return isUnreadable ? Self.unreadableStatus : nil
    }

    /// Whether a `modifierExtension` changes what an element says. This program knows none, and a reader that does not know one must not
    /// use the element (FHIR R4 §2.4.0.1).
    static func hasModifier(_ value: JSONValue) -> Bool { mayHaveModifier(value.rawBytes) && findsModifier(value) }

    /// Whether the name can occur in a text: its capital letter follows the small ones, or there are escapes.
    private static func mayHaveModifier(_ text: ArraySlice<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in text {
            if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "E") && last == UInt8(ascii: "r") { return true }
            last = byte
        }
        return false
    }

    private static func findsModifier(_ value: JSONValue) -> Bool {
        if let members = value.members {
            return members.named.contains { name, value in
                name.isString("modifierExtension") && !value.isNull && value.elements?.count != 0
                    || findsModifier(value)
            }
        }
        return value.elements?.contains(where: findsModifier) ?? false
    }

    private static let unreadableStatus = "of a status that cannot be read"

    /// The texts of a status: a code, or all codes and words of a concept.
    private static func statusTexts(in element: JSONValue) -> [UTF8Text] {
        if let code = element.string { return code.isEmpty ? [] : [code] }
        guard let concept = CodeableConcept(element) else { return [] }
        return concept.codings.flatMap { [$0.code, $0.display] }.compactMap(\.self) + [concept.text].compactMap(\.self)
    }

    /// A status in small letters and without white space, of which codes have none. Other spellings mean the same.
    private static func folded(_ status: UTF8Text) -> UTF8Text {
        let small = status.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return UTF8Text(decoding: small.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D })
    }

    /// The reference to the resource that has the code, if this one has none of its own.
    var codeReference: JSONValue? { shape.codeReference.flatMap { value[$0] } }

    /// Words for the subject matter, from an element that is not a concept.
    var title: UTF8Text? { shape.title.lazy.compactMap { value.text($0) }.first }

    /// The clinical type. Nil for a resource type without one, and for an observation of another category.
    package var type: RecordType? {
        guard shape.type == .laboratory else { return shape.type }
        var hasCategory = false
        for category in value.all("category") {
            for code in CodeableConcept(category)?.codes ?? [] {
                hasCategory = true
                if code.code == "vital-signs" { return .vitalSign }
                if Self.laboratoryCategories.contains(code.code) { return .laboratory }
            }
        }
        return hasCategory ? nil : .laboratory
    }

    /// The category `laboratory` of FHIR, and the laboratory sections of HL7 v2 table 0074.
    private static let laboratoryCategories: Set<UTF8Text> = [
        "laboratory", "LAB", "BG", "BLB", "CG", "CH", "CP", "CTH", "GE", "HM", "ICU", "IMM", "MB", "MCB", "MYC", "PAR",
        "SP", "SR", "TX", "VR",
    ]

    /// How well the issuer verified the person's identity (`meta.security`, code system
    /// `https://smarthealth.cards/ial`).
    package var identityAssurance: UTF8Text? { Self.identityAssurance(of: value) }

    static func identityAssurance(of value: JSONValue) -> UTF8Text? {
        guard let meta = value["meta"] else { return nil }
        for label in meta.all("security") where label["system"]?.isString("https://smarthealth.cards/ial") == true {
            if let code = label.text("code") { return code }
        }
        return nil
    }

    /// The name of an organization or place, or that of a person at a moment; nil to disregard when names are in use.
    func name(at moment: FHIRDate?) -> UTF8Text? {
        value.text("name") ?? HumanName.preferred(of: value.all("name"), at: moment)?.display
    }

    // MARK: Elements

    /// The first of these elements that is a concept.
    func concept(_ names: [String]) -> CodeableConcept? {
        for name in names {
            for element in value.all(name) {
                if let concept = CodeableConcept(element) { return concept }
            }
        }
        return nil
    }

    /// The first of these elements that is a code, or a concept with a code or text.
    private func status(_ names: [String]) -> UTF8Text? {
        for name in names {
            if let code = value.text(name) { return code }
            let concept = value[name].flatMap { CodeableConcept($0) }
            if let text = concept?.codes.first?.code ?? concept?.text { return text }
        }
        return nil
    }
}
