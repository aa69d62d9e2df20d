import Encodings

/// What of a resource is not handed over: labels that only this program gives, and addresses that the server which takes the resource
/// would read as its own (FHIR R4, datatypes, Attachment.url). There they would be somebody else's records.
///
/// An object or an array of which nothing is left is left out too, since FHIR has no empty ones.
struct HandoverOmissions {
    /// Where the values begin that are left out.
    private var places: Set<Int> = []
    /// Where the objects begin whose member `reference` is an address, and no Reference: `Immunization.education`.
    private(set) var leaflets: Set<Int> = []

    /// Nothing.
    init() {}

    init(from resource: JSONValue) { _ = leaveOut(resource, as: Role(isResource: true)) }

    /// Whether a value of the resource is left out.
    func contains(_ value: JSONValue) -> Bool { !places.isEmpty && places.contains(value.byteRange.lowerBound) }

    /// What a value is for.
    private struct Role {
        /// Whether it is a label, or stands in one.
        var isLabel = false
        /// Whether it is an address that servers resolve.
        var isAddress = false
        var isExtension = false
        /// Whether it is a resource, whose `url` identifies it. Only its place says so: any object can have a `resourceType`.
        var isResource = false
        /// Whether it is `education` of a resource.
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
        // The names of members of which something is left out, and whose extensions would then be those of something else.
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
            // An id identifies what is there, and the URL of an extension says what its value means.
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
