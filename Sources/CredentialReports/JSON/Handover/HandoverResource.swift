import Credentials
import Cryptography
import Encodings

/// A reference in a handed-over resource (FHIR R4 §2.3).
enum HandoverReference {
    /// Whether a server would read an address as one of its own. It does if there is no scheme. Some readers also take `https:Binary/1` for
    /// an address of the same server.
    static func isOfServer(_ text: UTF8Text) -> Bool {
        guard isAbsolute(text) else { return true }
        let parts = text.asciiLowercased.utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        return [Array("http".utf8), Array("https".utf8)].contains(Array(parts[0])) && !parts[1].starts(with: "//".utf8)
    }

    /// Whether a text is an absolute URI: it begins with a scheme (RFC 3986 §3.1).
    static func isAbsolute(_ text: UTF8Text) -> Bool {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
            (0x61...0x7A).contains(first | 0x20)
        else { return false }
        return bytes[..<colon].allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
        }
    }
}

/// Writes a resource as it was signed, except for its id, its labels, its references, and anything that would lead to records of the
/// server.
struct HandoverResource {
    let source: HandoverSource
    let id: NameBasedUUID
    /// The id of the entry to which a reference leads; nil if the reference leads to no entry of the Bundle.
    let target: (UTF8Text) -> NameBasedUUID?
    private let resource: JSONValue
    private let contained: Set<UTF8Text>
    private let omissions: HandoverOmissions

    init(
        _ resource: JSONValue, id: NameBasedUUID, of source: HandoverSource,
        target: @escaping (UTF8Text) -> NameBasedUUID?
    ) {
        self.source = source
        self.id = id
        self.target = target
        self.resource = resource
        contained = Set((resource["contained"]?.elements.map(Array.init) ?? []).compactMap { $0["id"]?.string })
        omissions = HandoverOmissions(from: resource)
    }

    func write(to writer: inout JSONWriter) {
        let meta = HandoverMeta(id: id, trust: source.trust)
        writer.object { writer in
            var hasMeta = false
            for member in resource.members.map(Array.init) ?? [] where member.name != "id" {
                if member.name == "meta" {
                    hasMeta = true
                    writer.name("meta")
                    meta.write(member.value, to: &writer, leavingOut: omissions) { value($0, to: &$1) }
                } else {
                    write(member, of: resource, to: &writer)
                }
            }
            guard !hasMeta else { return }
            writer.name("meta")
            meta.write(nil, to: &writer)
        }
    }

    private func value(_ value: JSONValue, to writer: inout JSONWriter) {
        if let members = value.members {
            writer.object { writer in for member in members { write(member, of: value, to: &writer) } }
        } else if let elements = value.elements {
            writer.array { writer in
                for element in elements where !omissions.contains(element) { self.value(element, to: &writer) }
            }
        } else {
            writer.value(value)
        }
    }

    private func write(
        _ member: (name: UTF8Text, value: JSONValue), of object: JSONValue, to writer: inout JSONWriter
    ) {
        if omissions.contains(member.value) { return }
        if member.name == "reference", !omissions.leaflets.contains(object.byteRange.lowerBound),
            !Self.holdsObjects(member.value)
        {
            return reference(member.value, in: object, to: &writer)
        }
        writer.name(text: member.name.description)
        if member.name == "div", let text = member.value.stringBytes, let div = HandoverNarrative.withoutLinks(text) {
            return writer.value(UTF8Text(decoding: div))
        }
        value(member.value, to: &writer)
    }

    /// Whether a value is an object, or an array of objects. In some resources the member `reference` is one, and then contains references.
    private static func holdsObjects(_ value: JSONValue) -> Bool {
        value.kind == .object || value.elements?.allSatisfy { $0.kind == .object } == true
    }

    /// Writes the member `reference`: to an entry of the Bundle, or to a contained resource. On the receiving server, any other reference
    /// would lead to somebody else's record, so only its text is kept, as an identifier.
    private func reference(_ reference: JSONValue, in object: JSONValue, to writer: inout JSONWriter) {
        guard let text = reference.string else { return }
        if text.hasPrefix("#") {
            // It means a contained resource, even if an entry has this address.
            if contained.contains(UTF8Text(decoding: Array(text.utf8.dropFirst()))) {
                return writer.member("reference", text)
            }
        } else if let target = target(text) {
            return writer.member("reference", "urn:uuid:\(target)")
        }
        guard !text.isEmpty, object["identifier"] == nil else { return }
        writer.identifier(HandoverReference.isAbsolute(text) ? HandoverOrigin.Author.uris : nil, text)
    }
}

/// The XHTML of a narrative (`text.div`), without links to the receiving server and pictures from it.
///
/// Plain text stays as it was signed: `href` and `src` count only as attributes of elements. If readers of XML and of HTML could disagree
/// about where attributes are, everything that looks like such an attribute counts.
struct HandoverNarrative {
    private let text: [UInt8]

    /// The text without relative `href` and `src`; nil if there are none. References to a place in the text itself (`#…`) stay.
    static func withoutLinks(_ text: [UInt8]) -> [UInt8]? {
        let narrative = HandoverNarrative(text: text)
        let (ranges, filling): ([Range<Int>], [UInt8]) =
            if let ranges = narrative.attributes { (ranges, []) } else { (narrative.lookalikes, [0x20]) }
        guard !ranges.isEmpty else { return nil }
        var (result, place): ([UInt8], Int) = ([], 0)
        for range in ranges {
            result += text[place..<range.lowerBound] + filling
            place = range.upperBound
        }
        return result + text[place...]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D, 0x0C].contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte >= 0x80
            || "-_.:".utf8.contains(byte)
    }

    /// The first place, from `start` on, at which the bytes are of another kind.
    private func end(of isWanted: (UInt8) -> Bool, from start: Int) -> Int {
        text[start...].firstIndex { !isWanted($0) } ?? text.count
    }

    /// Whether an attribute must be removed.
    private func isLink(_ name: Range<Int>, _ value: Range<Int>) -> Bool {
        let local = text[name].split(separator: UInt8(ascii: ":")).last.map { UTF8Text(decoding: $0).asciiLowercased }
        guard local == "href" || local == "src" else { return false }
        return text[value].first != UInt8(ascii: "#") && HandoverReference.isOfServer(UTF8Text(decoding: text[value]))
    }

    /// The places of the attributes to remove, each with the white space before it; nil if the text is not well-formed XML, or has more
    /// than elements, such as comments.
    private var attributes: [Range<Int>]? {
        var found: [Range<Int>] = []
        var place = 0
        while let start = text[place...].firstIndex(of: UInt8(ascii: "<")) {
            place = start + 1
            let isEnd = place < text.count && text[place] == UInt8(ascii: "/")
            if isEnd { place += 1 }
            let name = end(of: Self.isOfName, from: place)
            guard name > place else { return nil }
            place = name
            while true {
                let space = place
                place = end(of: Self.isSpace, from: place)
                guard place < text.count else { return nil }
                if text[place] == UInt8(ascii: ">") {
                    place += 1
                    break
                }
                if text[place] == UInt8(ascii: "/"), !isEnd, text[place...].dropFirst().first == UInt8(ascii: ">") {
                    place += 2
                    break
                }
                guard !isEnd, place > space, let (name, value) = attribute(at: place) else { return nil }
                place = value.upperBound + 1
                if isLink(name, value) { found.append(space..<place) }
            }
        }
        return found
    }

    /// The name and the value of an XML attribute, whose value is in quotes; nil for anything else.
    private func attribute(at start: Int) -> (name: Range<Int>, value: Range<Int>)? {
        let name = start..<end(of: Self.isOfName, from: start)
        let equals = end(of: Self.isSpace, from: name.upperBound)
        guard !name.isEmpty, equals < text.count, text[equals] == UInt8(ascii: "=") else { return nil }
        let quote = end(of: Self.isSpace, from: equals + 1)
        guard quote < text.count, "\"'".utf8.contains(text[quote]),
            let end = text[(quote + 1)...].firstIndex(of: text[quote]),
            !text[quote..<end].contains(UInt8(ascii: "<"))
        else { return nil }
        return (name, (quote + 1)..<end)
    }

    /// No scheme of an address is longer, including its colon and what follows.
    private static let longestScheme = 64

    /// The places of everything that looks like an attribute to remove, wherever it is.
    private var lookalikes: [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while let equals = text[place...].firstIndex(of: UInt8(ascii: "=")) {
            let before = text[place..<equals].lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? place
            let name = (text[place..<before].lastIndex { !Self.isOfName($0) }.map { $0 + 1 } ?? place)..<before
            place = equals + 1
            let start = end(of: Self.isSpace, from: place)
            let isQuoted = start < text.count && "\"'".utf8.contains(text[start])
            // The beginning decides whether it is removed. Searching for the end of each one that stays would take quadratic time.
            let first = isQuoted ? start + 1 : start
            guard isLink(name, first..<min(first + Self.longestScheme, text.count)) else { continue }
            let isInside = { (byte: UInt8) in
                isQuoted ? byte != text[start] : !Self.isSpace(byte) && byte != UInt8(ascii: ">")
            }
            place = end(of: isInside, from: first)
            if isQuoted { place = min(place + 1, text.count) }
            found.append(name.lowerBound..<place)
        }
        return found
    }
}

/// What is not handed over of a resource: labels that only this program may give, and addresses that the receiving server would read as its
/// own (FHIR R4, datatypes, Attachment.url). There they would lead to somebody else's records.
///
/// An object or array of which nothing is left is left out as well, because FHIR does not allow empty ones.
struct HandoverOmissions {
    /// Where the values begin that are left out.
    private var places: Set<Int> = []
    /// Where the objects begin whose member `reference` is an address instead of a Reference: `Immunization.education`.
    private(set) var leaflets: Set<Int> = []

    /// Nothing.
    init() {}

    init(from resource: JSONValue) { _ = leaveOut(resource, as: Role(isResource: true)) }

    /// Whether a value of the resource is left out.
    func contains(_ value: JSONValue) -> Bool { !places.isEmpty && places.contains(value.byteRange.lowerBound) }

    /// The purpose of a value.
    private struct Role {
        /// Whether it is a label, or inside one.
        var isLabel = false
        /// Whether it is an address that servers resolve.
        var isAddress = false
        var isExtension = false
        /// Whether it is a resource, whose `url` identifies it. Only its place says so, because any object can have a `resourceType`.
        var isResource = false
        /// Whether it is the member `education` of a resource.
        var isLeaflet = false
    }

    private static let labels: Set<UTF8Text> = ["tag", "security", "securityLabel"]
    private static let extensions: Set<UTF8Text> = ["extension", "modifierExtension"]
    private static let addresses: Set<UTF8Text> = [
        "valueUri", "valueUrl", "valueCanonical", "questionnaire", "instantiatesUri", "instantiatesCanonical",
    ]

    /// - Returns: whether the whole value is left out.
    private mutating func leaveOut(_ value: JSONValue, as role: Role) -> Bool {
        let isOmitted =
            switch value.kind {
            case .object: role.isLabel && HandoverLabel.isOwn(value) || isEmptied(object: value, role)
            case .array: isEmptied(array: value, role)
            case .string: role.isAddress && value.string.map { HandoverReference.isOfServer($0) } ?? false
            default: false
            }
        if isOmitted { places.insert(value.byteRange.lowerBound) }
        return isOmitted
    }

    private mutating func isEmptied(array: JSONValue, _ role: Role) -> Bool {
        var (count, left) = (0, 0)
        for element in array.elements.map(Array.init) ?? [] {
            count += 1
            if !leaveOut(element, as: role) { left += 1 }
        }
        return count > 0 && left == 0
    }

    private mutating func isEmptied(object: JSONValue, _ role: Role) -> Bool {
        let members = object.members.map(Array.init) ?? []
        let before = places.count
        if role.isLeaflet { leaflets.insert(object.byteRange.lowerBound) }
        var isLeft = false
        // The names of members that have lost something. Their extensions would then belong to something else.
        var changed: Set<UTF8Text> = []
        for member in members where member.name.utf8.first != UInt8(ascii: "_") {
            let isAddress =
                Self.addresses.contains(member.name)
                || member.name == "url" && !role.isExtension && !role.isResource
                || member.name == "reference" && role.isLeaflet
            let inside = Role(
                isLabel: role.isLabel || Self.labels.contains(member.name), isAddress: isAddress,
                isExtension: Self.extensions.contains(member.name),
                isResource: role.isResource && member.name == "contained",
                isLeaflet: role.isResource && member.name == "education")
            let count = places.count
            let isOmitted = leaveOut(member.value, as: inside)
            if isAddress, places.count > count { changed.insert(member.name) }
            // An id only identifies what is there, and the URL of an extension only says what its value means.
            if !isOmitted, member.name != "id", !(role.isExtension && member.name == "url") { isLeft = true }
        }
        for member in members where member.name.utf8.first == UInt8(ascii: "_") {
            if changed.contains(UTF8Text(decoding: Array(member.name.utf8.dropFirst()))) {
                places.insert(member.value.byteRange.lowerBound)
            } else if !leaveOut(member.value, as: Role(isLabel: role.isLabel)) {
                isLeft = true
            }
        }
        return !isLeft && places.count > before
    }
}
