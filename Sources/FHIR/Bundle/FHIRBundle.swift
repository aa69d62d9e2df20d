package import Encodings

/// A view of a Bundle that finds its entries and the targets of its references.
package struct FHIRBundle: Sendable {
    /// The Bundle in the signed bytes.
    package let value: JSONValue
    /// The entries, one for each element of `entry`, so that the indices agree with the text. An element that is not an
    /// object becomes an entry without a resource.
    package let entries: [BundleEntry]
    /// Entries by `fullUrl`, and by `Type/id`. If two entries have the same address, it is ambiguous.
    private let fullURLs: [[UInt8]: Position]
    private let identities: [[UInt8]: Position]
    /// Whether the entries come from several servers, so that `Type/id` alone does not identify an entry (R4 "Resolving
    /// references in Bundles").
    private let hasSeveralServers: Bool

    /// The target of a reference.
    package enum Target: Sendable {
        /// The entry at this index of `entries`.
        case entry(Int)
        /// A resource contained in the one that refers to it.
        case contained(FHIRResource)
    }

    private enum Position {
        case entry(Int)
        case ambiguous
    }

    /// Reads the entries once. A value that is not a Bundle has no entries.
    ///
    /// - Parameter value: the Bundle.
    package init(_ value: JSONValue) {
        self.value = value
        entries = value.all("entry").map { BundleEntry(value: $0) }
        var fullURLs: [[UInt8]: Position] = [:]
        var identities: [[UInt8]: Position] = [:]
        var server: ArraySlice<UInt8>?
        var hasSeveralServers = false
        for (index, entry) in entries.enumerated() {
            if let fullURL = entry.value["fullUrl"]?.stringBytes, !fullURL.isEmpty {
                Self.insert(index, at: Self.key(fullURL), into: &fullURLs)
                if fullURL.starts(with: "http".utf8), let identity = Self.identity(in: fullURL) {
                    Self.insert(index, at: Array(identity), into: &identities)
                    let own = fullURL[..<identity.startIndex]
                    hasSeveralServers = hasSeveralServers || server.map { $0 != own } ?? false
                    server = own
                }
            }
            if let resource = entry.value["resource"], let id = resource.text("id"),
                let type = resource.text("resourceType")
            {
                Self.insert(index, at: Array("\(type)/\(id)".utf8), into: &identities)
            }
        }
        self.fullURLs = fullURLs
        self.identities = identities
        self.hasSeveralServers = hasSeveralServers
    }

    /// An address as it is compared. The case of a UUID means nothing (RFC 4122 §3), nor does that of `urn:uuid:` (RFC
    /// 8141 §3.1).
    private static func key(_ address: [UInt8]) -> [UInt8] {
        let lowercased = { (byte: UInt8) in (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        let isUUID = address.prefix(9).map(lowercased).elementsEqual("urn:uuid:".utf8)
        return isUUID ? address.map(lowercased) : address
    }

    private static func insert(_ index: Int, at key: [UInt8], into positions: inout [[UInt8]: Position]) {
        switch positions[key] {
        case nil: positions[key] = .entry(index)
        case .entry(index), .ambiguous: break
        case .entry: positions[key] = .ambiguous
        }
    }

    /// How well the issuer verified the person's identity, if the Bundle as a whole says so (`meta.security`).
    package var identityAssurance: UTF8Text? { FHIRResource.identityAssurance(of: value) }

    /// The target of a reference within the Bundle. Nothing is ever fetched.
    ///
    /// - `#id` is a resource contained in `source`.
    /// - Any other reference is the entry with this `fullUrl`. `urn:uuid:` addresses are compared without case.
    /// - If there is none, `resource:N` is the entry at index N, unless that entry has a `fullUrl`.
    /// - If there is none, `Type/id` is the entry with this type and ID, or the entry whose `fullUrl` ends with them. If the
    ///   entries come from several servers, entries whose `fullUrl` is on a server are not found this way.
    /// - If there is none, a reference with a version (`Patient/1/_history/3`) is what the reference without it is, unless the
    ///   resource there says that it is another version (`meta.versionId`).
    ///
    /// - Parameters:
    ///   - reference: `Reference.reference`.
    ///   - source: the resource that contains the reference.
    /// - Returns: the target. Nil if it is not in the Bundle, or if two entries have the address.
    package func target(of reference: UTF8Text, from source: FHIRResource?) -> Target? {
        let address = Array(reference.utf8)
        guard address.first != UInt8(ascii: "#") else {
            return source.flatMap { Self.contained(address.dropFirst(), in: $0) }
        }
        if let position = fullURLs[Self.key(address)] { return Self.target(position) }
        if let (place, version) = Self.versioned(address) {
            guard case .entry(let index)? = entry(at: Array(place)) else { return nil }
            return Self.isVersion(version, of: entries[index].value["resource"]) ? .entry(index) : nil
        }
        return entry(at: address)
    }

    /// The entry of an address without a version.
    private func entry(at address: [UInt8]) -> Target? {
        if let position = fullURLs[Self.key(address)] { return Self.target(position) }
        if let index = Self.index(in: address), entries.indices.contains(index), entries[index].fullURL == nil {
            return .entry(index)
        }
        guard let identity = Self.identity(in: address), identity.startIndex == 0 else { return nil }
        guard case .entry(let index)? = identities[Array(identity)] else { return nil }
        let isOnServer = entries[index].value["fullUrl"]?.stringBytes?.starts(with: "http".utf8) == true
        return hasSeveralServers && isOnServer ? nil : .entry(index)
    }

    /// The number in `resource:N`. Nil for any other address, and for a number with leading zeros.
    private static func index(in address: [UInt8]) -> Int? {
        let scheme = "resource:".utf8
        guard address.starts(with: scheme), address.count <= scheme.count + 19 else { return nil }
        let digits = address[scheme.count...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.first != 0x30 || digits.count == 1
        else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private static func target(_ position: Position) -> Target? {
        switch position {
        case .entry(let index): .entry(index)
        case .ambiguous: nil
        }
    }

    /// The two parts of an address with a version: the address without it, and the version. Nil for any other address.
    package static func versioned(_ address: [UInt8]) -> (place: ArraySlice<UInt8>, version: ArraySlice<UInt8>)? {
        var rest = address[...]
        guard let version = lastSegment(&rest), !version.isEmpty, let history = lastSegment(&rest),
            history.elementsEqual("_history".utf8), !rest.isEmpty
        else { return nil }
        return (rest, version)
    }

    /// Whether a resource can be this version of itself: it has it in `meta.versionId`, or has none there.
    package static func isVersion(_ version: ArraySlice<UInt8>, of resource: JSONValue?) -> Bool {
        let stated = resource?["meta"]?.optional("versionId")
        return stated.map { $0.stringBytes?.elementsEqual(version) == true } ?? true
    }

    private static func contained(_ id: ArraySlice<UInt8>, in source: FHIRResource) -> Target? {
        guard !id.isEmpty else { return nil }
        return source.value.all("contained").first { $0["id"]?.stringBytes?.elementsEqual(id) == true }
            .flatMap { FHIRResource($0) }.map { .contained($0) }
    }

    /// The last two segments of an address, `Type/id`, without a version.
    private static func identity(in address: [UInt8]) -> ArraySlice<UInt8>? {
        var rest = address[...]
        guard var id = lastSegment(&rest), var type = lastSegment(&rest) else { return nil }
        if type.elementsEqual("_history".utf8) {
            guard let versioned = lastSegment(&rest), let versionedType = lastSegment(&rest) else { return nil }
            (type, id) = (versionedType, versioned)
        }
        return id.isEmpty || type.isEmpty ? nil : address[type.startIndex..<id.endIndex]
    }

    /// Removes and returns the last segment, together with the slash before it.
    private static func lastSegment(_ address: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard address.startIndex < address.endIndex else { return nil }
        let slash = address.lastIndex(of: UInt8(ascii: "/"))
        defer { address = address[..<(slash ?? address.startIndex)] }
        return address[(slash.map { $0 + 1 } ?? address.startIndex)...]
    }
}

/// An entry of a Bundle.
package struct BundleEntry: Sendable {
    /// The entry in the signed bytes.
    package let value: JSONValue

    /// The address that references in this Bundle use, such as `resource:0`.
    package var fullURL: UTF8Text? { value.text("fullUrl") }

    /// The resource, or nil if there is none.
    package var resource: FHIRResource? { value["resource"].flatMap { FHIRResource($0) } }
}

extension JSONValue {
    /// The member's string. Nil if it is missing, not a string, or empty (FHIR strings are never empty).
    func text(_ name: String) -> UTF8Text? {
        guard let text = self[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The values of an element that may repeat: the elements of an array, or a single value. DSTU2 (or an issuer) may
    /// have no array here. Empty if the element is missing or `null`.
    func all(_ name: String) -> RepeatedElement { RepeatedElement(self[name]) }
}

/// The values of an element that may repeat, in the order of the text.
struct RepeatedElement: Sequence, IteratorProtocol {
    private var single: JSONValue?
    private var elements: JSONValue.Elements.Iterator?

    init(_ value: JSONValue?) {
        if let array = value?.elements {
            elements = array.makeIterator()
        } else if let value, !value.isNull {
            single = value
        }
    }

    mutating func next() -> JSONValue? {
        defer { single = nil }
        return single ?? elements?.next()
    }
}
