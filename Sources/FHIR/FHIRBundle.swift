public import JSON

/// A Bundle: a view of its entries, and what its references lead to.
public struct FHIRBundle: Sendable {
    /// The Bundle in the signed bytes.
    public let value: JSONValue
    /// The entries, one for each element of `entry`, so that positions are those of the text. One that is no object
    /// has no resource.
    public let entries: [BundleEntry]
    /// Entries by `fullUrl`, and by `Type/id`. An address that two entries claim leads nowhere.
    private let fullURLs: [[UInt8]: Position]
    private let identities: [[UInt8]: Position]
    /// Whether the entries come from several servers, so that `Type/id` alone does not say which one is meant (R4 "Resolving
    /// references in Bundles").
    private let hasSeveralServers: Bool

    /// Where a reference leads.
    public enum Target: Sendable {
        /// The entry at this index of `entries`.
        case entry(Int)
        /// A resource contained in the one that refers to it.
        case contained(FHIRResource)
    }

    private enum Position {
        case entry(Int)
        case ambiguous
    }

    /// Reads the entries once. A value that is no Bundle has none.
    ///
    /// - Parameter value: the Bundle.
    public init(_ value: JSONValue) {
        self.value = value
        entries = value.all("entry").map { BundleEntry(value: $0) }
        var fullURLs: [[UInt8]: Position] = [:]
        var identities: [[UInt8]: Position] = [:]
        var server: ArraySlice<UInt8>?
        var hasSeveralServers = false
        for (index, entry) in entries.enumerated() {
            if let fullURL = entry.value["fullUrl"]?.stringBytes, !fullURL.isEmpty {
                Self.insert(index, at: fullURL, into: &fullURLs)
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

    private static func insert(_ index: Int, at key: [UInt8], into positions: inout [[UInt8]: Position]) {
        switch positions[key] {
        case nil: positions[key] = .entry(index)
        case .entry(index), .ambiguous: break
        case .entry: positions[key] = .ambiguous
        }
    }

    /// How well the issuer knew the person, where the whole Bundle says so.
    public var identityAssurance: UTF8Text? { FHIRResource.identityAssurance(of: value) }

    /// What a reference leads to, within the Bundle: nothing is ever fetched.
    ///
    /// `#id` is a resource contained in the one that refers; else it is the entry with this `fullUrl`; else, for
    /// `resource:N`, the entry at N, unless its `fullUrl` says otherwise; else, for `Type/id` (a version may follow),
    /// the entry of that type and id, or whose `fullUrl` ends so. If the entries come from several servers, this last is
    /// not known of one that is on a server.
    ///
    /// - Parameters:
    ///   - reference: `Reference.reference`.
    ///   - source: the resource that the reference stands in.
    /// - Returns: the target; nil if it is not in the Bundle, or where two entries claim it.
    public func target(of reference: UTF8Text, from source: FHIRResource?) -> Target? {
        let address = Array(reference.utf8)
        guard address.first != UInt8(ascii: "#") else {
            return source.flatMap { Self.contained(address.dropFirst(), in: $0) }
        }
        if let position = fullURLs[address] { return Self.target(position) }
        if let index = Self.index(in: address), entries.indices.contains(index), entries[index].fullURL == nil {
            return .entry(index)
        }
        guard let identity = Self.identity(in: address), identity.startIndex == 0 else { return nil }
        guard case .entry(let index)? = identities[Array(identity)] else { return nil }
        let isOnServer = entries[index].value["fullUrl"]?.stringBytes?.starts(with: "http".utf8) == true
        return hasSeveralServers && isOnServer ? nil : .entry(index)
    }

    /// The number in `resource:N`; nil for any other address, and for a number that is not in its shortest form.
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

    private static func contained(_ id: ArraySlice<UInt8>, in source: FHIRResource) -> Target? {
        guard !id.isEmpty else { return nil }
        for resource in source.value.all("contained") where resource["id"]?.stringBytes?.elementsEqual(id) == true {
            return FHIRResource(resource).map { .contained($0) }
        }
        return nil
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

    /// Takes what stands behind the last slash, and the slash.
    private static func lastSegment(_ address: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard address.startIndex < address.endIndex else { return nil }
        let slash = address.lastIndex(of: UInt8(ascii: "/"))
        defer { address = address[..<(slash ?? address.startIndex)] }
        return address[(slash.map { $0 + 1 } ?? address.startIndex)...]
    }
}
