import Credentials
package import Encodings

/// A violation of the logical model by an ICVP.
package struct ICVPProblem: Sendable {
    /// The kinds of violation.
    package enum Kind: Sendable {
        /// A required member is missing or empty.
        case missing
        /// A value is of another type.
        case otherType
        /// A date is not written as the model asks.
        case date
        /// The number of vaccinations is not 1 to 100.
        case count
        /// An optional member is null.
        case null
        /// Members that the model does not have.
        case unknownMember
        /// `v` is a map instead of an array of maps.
        case notArray
        /// Members of the shape of 2024.
        case oldShape
        /// The product is in no list of WHO's.
        case product
        /// Neither the clinician nor the issuer is named.
        case issuer
    }

    package let kind: Kind
    /// The path of the member, such as `v[0].dt`; nil for the content as a whole.
    package let path: String?
    /// What is wrong, in words that name the member.
    package let message: String

    /// Whether the certificate is invalid because of it.
    package var isFatal: Bool { [.missing, .otherType, .count].contains(kind) }

    /// The warning that it gives when the certificate is verified; nil if it gives none.
    var warningCode: CredentialWarning.Code? {
        switch kind {
        case .date, .null: .schemaError
        case .unknownMember: .unknownMember
        case .missing, .otherType, .count, .notArray, .oldShape, .product, .issuer: nil
        }
    }
}

/// Compares an ICVP with the logical models of 2025 (ICVPMin of smart-icvp 0.3.0) and of 2024.
///
/// What would make two readers read different facts makes the certificate invalid. All violations are collected, because `lint` reports
/// all of them.
package struct ICVPCheck: Sendable {
    /// The violations, in the order in which they are looked for.
    package private(set) var problems: [ICVPProblem] = []
    /// The vaccinations, in their order, as long as there are not too many.
    package private(set) var vaccinations: [CBORValue] = []

    /// The most vaccinations of a certificate.
    package static let mostVaccinations = 100

    private static let person = ["n", "dob", "s", "ntl", "nid", "ndt", "gn"]
    private static let required = (person: ["n", "dob"], vaccination: ["vp", "dt", "bo"])
    private static let newMembers = ["vp", "dt", "bo", "vls", "vle", "cn", "is"]
    private static let oldMembers = ["dn", "tg", "ma", "mp", "mid"]
    private static let dates = ["dob", "dt", "vls", "vle"]

    /// Examines a content.
    package init(_ content: CBORValue) {
        guard content.kind == .map else {
            add(
                .otherType, at: nil,
                "the vaccination certificate (key -6) must be a map, but its type is \(content.kind.rawValue)")
            return
        }
        members(of: content, Self.person, required: Self.required.person, besides: ["v"], at: nil)
        findVaccinations(content)
        for (number, vaccination) in vaccinations.enumerated() {
            let place = "v[\(number)]"
            guard vaccination.kind == .map else {
                add(.otherType, at: place, "\(place) must be a map, but its type is \(vaccination.kind.rawValue)")
                continue
            }
            let known = Self.newMembers + Self.oldMembers
            members(of: vaccination, known, required: Self.required.vaccination, at: place)
            model(vaccination, at: place)
        }
    }

    private mutating func findVaccinations(_ content: CBORValue) {
        guard let member = content["v"], !member.isNull else { return add(.missing, at: "v", "v is missing") }
        guard let elements = member.elements else {
            guard member.kind == .map else {
                return add(.otherType, at: "v", "v must be an array of maps, but its type is \(member.kind.rawValue)")
            }
            add(.notArray, at: "v", "v is a map instead of an array of maps")
            vaccinations = [member]
            return
        }
        guard (1...Self.mostVaccinations).contains(elements.count) else {
            return add(
                .count, at: "v", "v has \(elements.count) vaccinations, and it must have 1 to \(Self.mostVaccinations)")
        }
        vaccinations = elements
    }

    /// Checks the members of a map, which are texts.
    private mutating func members(
        of map: CBORValue, _ names: [String], required: [String], besides others: [String] = [], at place: String?
    ) {
        var known = others.count { map[$0] != nil }
        for name in names {
            let path = place.map { "\($0).\(name)" } ?? name
            let isRequired = required.contains(name)
            guard let value = map[name] else {
                if isRequired { add(.missing, at: path, "\(path) is missing") }
                continue
            }
            known += 1
            guard !value.isNull else {
                if isRequired {
                    add(.missing, at: path, "\(path) is missing: it is null")
                } else {
                    add(.null, at: path, "\(path) is null instead of being left out")
                }
                continue
            }
            let isDate = Self.dates.contains(name)
            guard let text = isDate ? value.dateText : value.text.map({ UTF8Text(decoding: $0) }) else {
                add(.otherType, at: path, "\(path) must be a text, but its type is \(value.kind.rawValue)")
                continue
            }
            if isRequired, Array(text.utf8)[...].trimmingWhiteSpace().isEmpty {
                add(.missing, at: path, "\(path) is empty")
            } else if isDate {
                check(date: text, name, at: path)
            }
        }
        guard known < map.count else { return }
        // The names are not repeated, since the message may be logged.
        let count = map.count - known
        add(
            .unknownMember, at: place,
            "\(count == 1 ? "1 member was" : "\(count) members were") ignored, since the model does not know them")
    }

    private mutating func check(date text: UTF8Text, _ name: String, at path: String) {
        let isDate = name == "dob" ? ContentDate.birthDate(text) != nil : ContentDate.date(text) != nil
        if !isDate { add(.date, at: path, "\(path): this is no date") }
    }

    /// What the model asks beyond what every verifier needs.
    private mutating func model(_ vaccination: CBORValue, at place: String) {
        let old = Self.oldMembers.filter { vaccination[$0] != nil }
        if !old.isEmpty {
            add(.oldShape, at: place, "\(place) has members of the shape of 2024: \(old.joined(separator: ", "))")
        }
        if let product = vaccination["vp"]?.plainText, !ICVPCode.isListedProduct(product) {
            add(.product, at: "\(place).vp", "\(place).vp: this is none of the products that WHO lists")
        }
        if vaccination["cn"]?.plainText == nil, vaccination["is"]?.plainText == nil {
            add(.issuer, at: place, "\(place) names neither the clinician (cn) nor the issuer (is)")
        }
    }

    private mutating func add(_ kind: ICVPProblem.Kind, at path: String?, _ message: String) {
        problems.append(ICVPProblem(kind: kind, path: path, message: message))
    }
}
