import Credentials
package import Encodings
import FHIR

/// A violation of the EU's JSON schema by the content of a certificate.
package struct DCCSchemaProblem: Sendable {
    /// The kinds of violation.
    package enum Kind: Sendable {
        /// The version of the schema is not one that is known.
        case version
        /// There is not exactly one record.
        case recordCount
        /// A required member is missing.
        case missing
        /// A value is of another type.
        case otherType
        /// A transliterated name has other characters than it may have.
        case name
        /// A date is not written as the schema asks.
        case date
        /// A text is too long, or a value is out of range.
        case value
        /// Members that the schema does not have, which it allows.
        case unknownMember
    }

    /// The kind of violation.
    package let kind: Kind
    /// The path of the member, such as `v[0].dt`; nil for the content as a whole.
    package let path: String?
    /// What is wrong, in words that name the member.
    package let message: String
    /// Whether the certificate is invalid because of it.
    package let isFatal: Bool

    /// The warning about a violation that is not fatal.
    var warningCode: CredentialWarning.Code {
        switch kind {
        case .version: .schemaVersion
        case .unknownMember: .unknownMember
        case .recordCount, .missing, .otherType, .name, .date, .value: .schemaError
        }
    }
}

/// Compares a certificate with the EU's JSON schema 1.3.3.
///
/// A required member that is missing, or a member of another type, makes the certificate invalid. Everything else is a warning
/// with the path of the member, because real certificates deviate in many ways. All violations are collected, because `lint`
/// reports all of them; `verify` needs the first that is fatal.
package struct DCCSchemaCheck: Sendable {
    /// The violations, in the order in which they are looked for.
    package private(set) var problems: [DCCSchemaProblem] = []
    /// The records. Of each group, at most two are looked at. A certificate must have exactly one.
    package private(set) var records: [(group: RecordGroup, record: CBORValue)] = []
    /// The names; nil if there are none.
    package private(set) var names: CBORValue?

    /// Examines the content of a certificate, which is a map.
    package init(_ content: CBORValue) {
        findRecords(content)
        person(content)
        for (group, record, path) in placed where record.kind == .map { self.record(record, group, at: path) }
        if Self.contentMembers.count(where: { content[$0] != nil }) < content.count {
            unknownMembers(content, besides: Self.contentMembers)
        }
    }

    private static let contentMembers = ["ver", "nam", "dob", "v", "t", "r"]
    /// Groups of records that only one country has used.
    private static let otherGroups = [
        (name: "d", words: "England's domestic pass"), (name: "ve", words: "Austria's exemption from vaccination"),
    ]
    private static let nameMembers = [("fn", "nam.fn"), ("gn", "nam.gn"), ("fnt", "nam.fnt"), ("gnt", "nam.gnt")]

    /// The records with their paths, such as `v[0]`.
    private var placed: [(RecordGroup, CBORValue, String)] {
        records.indices.map { index in
            let group = records[index].group
            return (group, records[index].record, "\(group.rawValue)[\(records[..<index].count { $0.group == group })]")
        }
    }

    /// Finds the records. A group that is null or empty counts as absent.
    private mutating func findRecords(_ content: CBORValue) {
        for group in RecordGroup.allCases {
            guard let member = content[group.rawValue], !member.isNull else { continue }
            guard let elements = member.elements else {
                add(
                    .otherType, at: group.rawValue, isFatal: true,
                    "\"\(group.rawValue)\" must be an array, but its type is \(member.kind.rawValue)")
                continue
            }
            records += elements.prefix(2).map { (group, $0) }
        }
        if records.isEmpty, problems.isEmpty {
            let other = Self.otherGroups.first { content[$0.name] != nil }
            let words = other.map { "; it has \"\($0.name)\", the member of \($0.words), which is not verified here" }
            add(
                .recordCount, isFatal: true,
                "the certificate has no record: neither a vaccination, a test nor a recovery\(words ?? "")")
        }
        if records.count > 1 {
            add(
                .recordCount, isFatal: true,
                "the certificate has several records, and a certificate must have exactly one")
        }
        for (group, record, path) in placed where record.kind != .map {
            add(
                .otherType, at: path, isFatal: true,
                "the record in \"\(group.rawValue)\" must be a map, but its type is \(record.kind.rawValue)")
        }
    }

    /// What a member must be.
    private enum Kind {
        /// A text, of at most this many characters.
        case text(Int)
        case code
        case country
        /// A whole number from 1 on.
        case count
        case date
        case dateTime
    }

    private struct Member {
        let name: String
        let kind: Kind
        let isRequired: Bool
        /// The path of the member in the first record, made in advance.
        let path: String

        init(_ name: String, of group: RecordGroup, _ kind: Kind, isRequired: Bool = true) {
            self.name = name
            self.kind = kind
            self.isRequired = isRequired
            path = "\(group.rawValue)[0].\(name)"
        }
    }

    private static let vaccination = [
        ("tg", .code), ("vp", .code), ("mp", .code), ("ma", .code), ("dn", .count), ("sd", .count), ("dt", .date),
        ("co", .country), ("is", .text(80)), ("ci", .text(80)),
    ].map { (name: String, kind: Kind) in Member(name, of: .vaccination, kind) }

    private static let test = [
        ("tg", .code, true), ("tt", .code, true), ("nm", .text(80), false), ("ma", .code, false),
        ("sc", .dateTime, true), ("dr", .dateTime, false), ("tr", .code, true), ("tc", .text(80), false),
        ("co", .country, true), ("is", .text(80), true), ("ci", .text(80), true),
    ].map { (name: String, kind: Kind, isRequired: Bool) in Member(name, of: .test, kind, isRequired: isRequired) }

    private static let recovery = [
        ("tg", .code), ("fr", .date), ("df", .date), ("du", .date), ("co", .country), ("is", .text(80)),
        ("ci", .text(80)),
    ].map { (name: String, kind: Kind) in Member(name, of: .recovery, kind) }

    private static func members(of group: RecordGroup) -> [Member] {
        switch group {
        case .vaccination: vaccination
        case .test: test
        case .recovery: recovery
        }
    }

    // MARK: The person

    /// Checks the version, the names and the date of birth.
    private mutating func person(_ content: CBORValue) {
        if let version = required("ver", in: content, at: "ver").flatMap({ text($0, at: "ver") }),
            !Self.isKnownVersion(version)
        {
            add(
                .version, at: "ver",
                "the version of the schema is \(Self.shown(version)), and versions 1.x are known")
        }
        if let names = required("nam", in: content, at: "nam") {
            if names.kind == .map {
                self.names = names
                check(names: names)
            } else {
                otherType(names, at: "nam", "a map")
            }
        }
        guard let birth = required("dob", in: content, at: "dob") else { return }
        guard let text = birth.dateText else { return otherType(birth, at: "dob", "a text") }
        if !text.isEmpty, ContentDate.birthDate(text) != text {
            add(
                .date, at: "dob",
                "dob: the date of birth is not written as YYYY-MM-DD, YYYY-MM or YYYY")
        }
    }

    private mutating func check(names: CBORValue) {
        var isNamed = false
        var known = 0
        for (name, path) in Self.nameMembers {
            guard let member = names[name] else { continue }
            known += 1
            guard !member.isNull else { continue }
            let isTransliterated = name.utf8.last == UInt8(ascii: "t")
            if isTransliterated { isNamed = true }
            guard let text = text(member, at: path) else { continue }
            checkLength(of: text, upTo: 80, at: path)
            if isTransliterated,
                !text.allSatisfy({ (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "<") })
            {
                add(.name, at: path, "\(path): the transliterated name has other characters than A to Z and <")
            }
        }
        if !isNamed {
            add(
                .missing, at: "nam", isFatal: true,
                "the certificate has no transliterated name: neither nam.fnt nor nam.gnt")
        }
        if known < names.count { unknownMembers(names, besides: Self.nameMembers.map(\.0), at: "nam") }
    }

    /// A version for messages, which may be logged: nothing but numbers is repeated.
    private static func shown(_ version: ArraySlice<UInt8>) -> String {
        let isNumber =
            version.count <= 16 && version.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return isNumber ? String(decoding: version, as: UTF8.self) : "no number"
    }

    private static func isKnownVersion(_ version: ArraySlice<UInt8>) -> Bool {
        let parts = version.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].elementsEqual("1".utf8)
            && parts.allSatisfy { part in (1...4).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    // MARK: The record

    private mutating func record(_ record: CBORValue, _ group: RecordGroup, at place: String) {
        let members = Self.members(of: group)
        let isFirst = place.utf8.dropFirst(2).first == UInt8(ascii: "0")
        var known = 0
        for member in members {
            let path = isFirst ? member.path : "\(place).\(member.name)"
            let value = record[member.name]
            if value != nil { known += 1 }
            guard let value, member.isRequired || !value.isNull else {
                if member.isRequired { missing(path) }
                continue
            }
            check(value, member.kind, at: path)
        }
        if known < record.count { unknownMembers(record, besides: members.map(\.name), at: place) }
    }

    private mutating func check(_ value: CBORValue, _ kind: Kind, at path: String) {
        switch kind {
        case .code: _ = text(value, at: path)
        case .text(let length):
            if let text = text(value, at: path) { checkLength(of: text, upTo: length, at: path) }
        case .country:
            guard let country = text(value, at: path) else { return }
            if !country.contains(where: { (0x41...0x5A).contains($0) }) {
                add(.value, at: path, "\(path): this is no country code")
            }
        case .count:
            guard let number = value.wholeNumber else { return otherType(value, at: path, "a whole number") }
            if number < 1 { add(.value, at: path, "\(path): the number of doses is less than 1") }
        case .date:
            guard let text = value.dateText else { return otherType(value, at: path, "a text") }
            if ContentDate.date(text) != text { add(.date, at: path, "\(path): this is not written as YYYY-MM-DD") }
        case .dateTime:
            guard let text = value.dateText else { return otherType(value, at: path, "a text") }
            if ContentDate.time(text) == nil {
                add(.date, at: path, "\(path): this is no date and time with a zone")
            }
        }
    }

    // MARK: Tools

    private mutating func add(
        _ kind: DCCSchemaProblem.Kind, at path: String? = nil, isFatal: Bool = false, _ message: String
    ) {
        problems.append(DCCSchemaProblem(kind: kind, path: path, message: message, isFatal: isFatal))
    }

    private mutating func missing(_ path: String) {
        add(.missing, at: path, isFatal: true, "\(path) is missing")
    }

    private mutating func otherType(_ value: CBORValue, at path: String, _ wanted: String) {
        add(.otherType, at: path, isFatal: true, "\(path) must be \(wanted), but its type is \(value.kind.rawValue)")
    }

    private mutating func checkLength(of text: ArraySlice<UInt8>, upTo length: Int, at path: String) {
        // A character has one byte at least.
        guard text.count > length, UTF8Text(decoding: text).unicodeScalars.count > length else { return }
        add(.value, at: path, "\(path): the text has more than \(length) characters")
    }

    /// Warns once about members that the schema does not know.
    private mutating func unknownMembers(_ map: CBORValue, besides known: [String], at path: String? = nil) {
        let isKnown = { (key: CBORValue) in
            key.text.map { text in known.contains { text.elementsEqual($0.utf8) } } ?? false
        }
        let unknown = (map.members ?? []).filter { !isKnown($0.key) }
        guard !unknown.isEmpty else { return }
        // The names are not repeated, since the message may be logged.
        let count = unknown.count.counted("member was", "members were")
        add(.unknownMember, at: path, "\(count) ignored, since the schema does not know them")
    }

    /// A required member; nil if it is missing, after adding that.
    private mutating func required(_ name: String, in map: CBORValue, at path: String) -> CBORValue? {
        if let value = map[name], !value.isNull { return value }
        missing(path)
        return nil
    }

    /// The content of a text; nil if the value is of another type, after adding that.
    private mutating func text(_ value: CBORValue, at path: String) -> ArraySlice<UInt8>? {
        if let text = value.text { return text }
        otherType(value, at: path, "a text")
        return nil
    }
}

extension CBORValue {
    /// The whole number, also if it is written as a float; nil for other items.
    package var wholeNumber: Int64? { integer ?? float.flatMap { Int64(exactly: $0) } }
}
