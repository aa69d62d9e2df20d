package import Credentials
package import Cryptography
package import Encodings

/// A difference between two states of the issuers of a directory.
package struct DirectoryChange: Sendable {
    /// What changed.
    package enum Kind: String, Sendable, CaseIterable {
        case issuerAdded = "issuer-added"
        case issuerRemoved = "issuer-removed"
        case nameChanged = "name-changed"
        case websiteChanged = "website-changed"
        /// The issuer of which this one is an alias.
        case aliasChanged = "alias-changed"
        /// The issuer no longer publishes keys: its server says that there are none.
        case gone
        /// The issuer publishes keys again.
        case back
        /// The issuer could not be reached, so nothing is known of its keys.
        case unreached
        /// The issuer could be reached again.
        case reached
        /// The private half of a key was published, so that everybody can sign as the issuer.
        case privateKeyPublished = "private-key-published"
        case keyAdded = "key-added"
        case keyRemoved = "key-removed"
        /// The issuer published another key under the same `kid`.
        case keyChanged = "key-changed"
        /// Other members of a key, such as `use`, `x5c` or `crlVersion`, or how often it is listed.
        case keyDetailsChanged = "key-details-changed"
        case listAdded = "list-added"
        case listRemoved = "list-removed"
        /// The list's counter, method or identifiers.
        case listChanged = "list-changed"
    }

    /// What changed.
    package let kind: Kind
    /// The issuer.
    package let issuer: Issuer
    /// The issuer's name; nil if it is not known.
    package private(set) var name: UTF8Text?
    /// The key; nil if the change is not about a key. It is the `kid`, or for a key without one its fingerprint.
    package var keyID: KeyID?
    /// The value before, fit for a person; nil if there is none.
    package var before: String?
    /// The value after, fit for a person; nil if there is none.
    package var after: String?

    /// Compares two states of issuers.
    ///
    /// What one of the states does not know is not compared: a list of issuers says nothing about keys.
    ///
    /// - Returns: the differences, by issuer: those of the old state in its order, then new ones.
    package static func all(from old: [IssuerState], to new: [IssuerState]) -> [DirectoryChange] {
        let earlier = Dictionary(old.map { ($0.issuer, $0) }) { first, _ in first }
        let later = Dictionary(new.map { ($0.issuer, $0) }) { first, _ in first }
        var changes: [DirectoryChange] = []
        for state in old {
            if let now = later[state.issuer] {
                changes += between(state, now)
            } else {
                changes.append(
                    DirectoryChange(kind: .issuerRemoved, issuer: state.issuer, before: state.name?.description))
            }
        }
        for state in new where earlier[state.issuer] == nil {
            changes.append(DirectoryChange(kind: .issuerAdded, issuer: state.issuer, after: state.name?.description))
            changes += newlyPrivate(state.keys ?? [], since: []).map {
                DirectoryChange(kind: .privateKeyPublished, issuer: state.issuer, keyID: $0)
            }
        }
        for place in changes.indices {
            let issuer = changes[place].issuer
            changes[place].name = later[issuer]?.name ?? earlier[issuer]?.name
        }
        return changes
    }

    /// The IDs of keys whose private half was not published before, each once.
    private static func newlyPrivate(_ new: [IssuerState.Key], since old: [IssuerState.Key]) -> [KeyID] {
        // An earlier audit may not say it. But what has not changed is not new.
        let known = Set(old.map(\.digest)).union(old.filter { $0.hasPrivatePart == true }.map(\.fingerprint))
        let found = new.filter {
            $0.hasPrivatePart == true && !known.contains($0.digest) && !known.contains($0.fingerprint)
        }
        return grouped(found) { $0.keyID ?? $0.fingerprint }.map(\.0)
    }

    /// What is known of an issuer's key set.
    private enum Availability {
        case published, missing, unreached

        /// - Returns: nil if the issuer was not asked.
        init?(_ state: IssuerState) {
            guard let isReachable = state.isReachable else { return nil }
            self = isReachable ? .published : state.lacksKeySet ? .missing : .unreached
        }
    }

    /// What it means that the key set of an issuer was there and is not, or the other way round; nil if it means nothing.
    private static func kind(from old: IssuerState, to new: IssuerState) -> Kind? {
        switch (Availability(old), Availability(new)) {
        case (.published, .missing), (.unreached, .missing): .gone
        case (.published, .unreached): .unreached
        case (.missing, .published): .back
        case (.unreached, .published): .reached
        default: nil
        }
    }

    private static func between(_ old: IssuerState, _ new: IssuerState) -> [DirectoryChange] {
        var changes: [DirectoryChange] = []
        let add = { (kind: Kind, keyID: KeyID?, before: String?, after: String?) in
            changes.append(DirectoryChange(kind: kind, issuer: old.issuer, keyID: keyID, before: before, after: after))
        }
        if let before = old.name, let after = new.name, before != after {
            add(.nameChanged, nil, before.description, after.description)
        }
        if let before = old.website, let after = new.website, before != after {
            add(.websiteChanged, nil, before.description, after.description)
        }
        if old.canonicalIssuer != new.canonicalIssuer {
            add(.aliasChanged, nil, old.canonicalIssuer?.url, new.canonicalIssuer?.url)
        }
        if let kind = kind(from: old, to: new) { add(kind, nil, old.problem, new.problem) }
        if let before = old.keys, let after = new.keys {
            for keyID in newlyPrivate(after, since: before) { add(.privateKeyPublished, keyID, nil, nil) }
            compare(
                grouped(before) { $0.keyID ?? $0.fingerprint }, grouped(after) { $0.keyID ?? $0.fingerprint },
                added: { add(.keyAdded, $0, nil, nil) }, removed: { add(.keyRemoved, $0, nil, nil) },
                both: { keyID, before, after in
                    if Set(before.map(\.fingerprint)) != Set(after.map(\.fingerprint)) {
                        add(.keyChanged, keyID, words(before.map(\.fingerprint)), words(after.map(\.fingerprint)))
                    } else if before.map(\.digest) != after.map(\.digest) {
                        add(.keyDetailsChanged, keyID, nil, nil)
                    }
                })
        }
        if let before = old.lists, let after = new.lists {
            compare(
                grouped(before, by: \.keyID), grouped(after, by: \.keyID),
                added: { add(.listAdded, $0, nil, nil) }, removed: { add(.listRemoved, $0, nil, nil) },
                both: { keyID, before, after in
                    guard before != after else { return }
                    add(.listChanged, keyID, words(before), words(after))
                })
        }
        return changes
    }

    /// Groups values by key ID, in the order in which the IDs come first.
    private static func grouped<Value>(_ values: [Value], by keyID: (Value) -> KeyID) -> [(KeyID, [Value])] {
        var places: [KeyID: Int] = [:]
        var groups: [(KeyID, [Value])] = []
        for value in values {
            let keyID = keyID(value)
            if let place = places[keyID] {
                groups[place].1.append(value)
            } else {
                places[keyID] = groups.count
                groups.append((keyID, [value]))
            }
        }
        return groups
    }

    private static func compare<Value>(
        _ old: [(KeyID, [Value])], _ new: [(KeyID, [Value])], added: (KeyID) -> Void, removed: (KeyID) -> Void,
        both: (KeyID, [Value], [Value]) -> Void
    ) {
        let earlier = Set(old.map(\.0))
        let later = Dictionary(new) { first, _ in first }
        for (keyID, values) in old {
            if let now = later[keyID] { both(keyID, values, now) } else { removed(keyID) }
        }
        for (keyID, _) in new where !earlier.contains(keyID) { added(keyID) }
    }

    private static func words(_ fingerprints: [KeyID]) -> String {
        fingerprints.map(\.description).joined(separator: ", ")
    }

    private static func words(_ lists: [IssuerState.List]) -> String {
        lists.map { list in
            let count = list.count.counted("identifier")
            return list.counter.map { "\(count), ctr \($0)" } ?? count
        }.joined(separator: "; ")
    }
}
