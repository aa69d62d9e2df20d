package import Credentials
package import Cryptography
package import Encodings
package import SMARTHealthCards

/// The keys and revocation lists of one issuer at some time, for comparison with another time.
package struct IssuerState: Sendable {
    /// A published key.
    package struct Key: Sendable, Equatable {
        /// The key's `kid`; nil if it has none.
        package let keyID: KeyID?
        /// A digest that tells keys apart.
        package let fingerprint: KeyID
        /// A digest of the key with all of its members.
        package let digest: KeyID
        /// Whether the private half is published too; nil if that is not known.
        package let hasPrivatePart: Bool?

        package init(keyID: KeyID?, fingerprint: KeyID, digest: KeyID, hasPrivatePart: Bool?) {
            self.keyID = keyID
            self.fingerprint = fingerprint
            self.digest = digest
            self.hasPrivatePart = hasPrivatePart
        }

        init(_ key: JWK) {
            self.init(
                keyID: key.keyID, fingerprint: key.fingerprint, digest: .digest(of: key.value),
                hasPrivatePart: key.hasPrivatePart)
        }
    }

    /// A published revocation list.
    package struct List: Sendable, Equatable {
        /// The key whose cards the list revokes.
        package let keyID: KeyID
        /// The version of the list (`ctr`); nil if it has none.
        package let counter: RevocationCounter?
        /// The number of revoked identifiers.
        package let count: Int
        /// A digest of the list with all of its members.
        package let digest: KeyID

        package init(keyID: KeyID, counter: RevocationCounter?, count: Int, digest: KeyID) {
            self.keyID = keyID
            self.counter = counter
            self.count = count
            self.digest = digest
        }

        package init(_ list: RevocationList) {
            self.init(
                keyID: list.keyID, counter: list.counter, count: list.json["rids"]?.elements?.count ?? 0,
                digest: .digest(of: list.json))
        }
    }

    /// The issuer.
    package let issuer: Issuer
    /// The issuer's name; nil if it is not known.
    package let name: UTF8Text?
    /// The issuer's website; nil if it is not known.
    package let website: UTF8Text?
    /// The issuer of which this one is an alias; nil if it is none.
    package let canonicalIssuer: Issuer?
    /// Whether the issuer published its keys when it was asked; nil if it was not asked.
    package let isReachable: Bool?
    /// Why the issuer published no keys when it was asked; nil if it did, or if this is not known.
    package let problem: String?
    /// Whether its server said that there are none: with status 404 or 410, or with something else than a key set. A server that was
    /// slow, or had a fault, says nothing about keys.
    package let lacksKeySet: Bool
    /// The keys; nil if they are not known.
    package private(set) var keys: [Key]?
    /// The revocation lists; nil if they are not known.
    package private(set) var lists: [List]?

    package init(
        issuer: Issuer, name: UTF8Text?, website: UTF8Text? = nil, canonicalIssuer: Issuer? = nil, isReachable: Bool?,
        problem: String? = nil, lacksKeySet: Bool = false, keys: [Key]?, lists: [List]?
    ) {
        self.problem = problem
        self.lacksKeySet = lacksKeySet
        self.issuer = issuer
        self.name = name
        self.website = website
        self.canonicalIssuer = canonicalIssuer
        self.isReachable = isReachable
        self.keys = keys
        self.lists = lists
    }

    /// What directories say of an issuer. Its keys are known only from a snapshot.
    package init(_ entry: DirectoryEntry, in directories: TrustedIssuers) {
        let snapshots = directories.snapshots(of: entry.issuer)
        self.init(
            issuer: entry.issuer, name: entry.name, website: entry.website, canonicalIssuer: entry.canonicalIssuer,
            isReachable: directories.isCollected(entry.issuer) ? true : nil,
            keys: snapshots.isEmpty ? nil : snapshots.flatMap(\.keySet.keys).map { Key($0) },
            lists: snapshots.isEmpty ? nil : snapshots.flatMap(\.revocationLists).map { List($0) })
    }

    /// What a collected snapshot says of an issuer whose keys could not be fetched.
    package init(_ unreached: UnreachedIssuer) {
        let entry = unreached.entry
        self.init(
            issuer: entry.issuer, name: entry.name, website: entry.website, canonicalIssuer: entry.canonicalIssuer,
            isReachable: false, problem: unreached.problem, lacksKeySet: unreached.lacksKeySet, keys: nil, lists: nil)
    }

    /// What a live issuer publishes.
    ///
    /// - Parameters:
    ///   - answers: the answers of its server.
    ///   - entry: its entry in the directory.
    package init(_ answers: PublishedIssuer, of entry: DirectoryEntry) {
        let keys: JWKSet?
        var problem: String?
        do throws(VerificationFailure) {
            keys = try CollectedSnapshot.keySet(of: answers)
        } catch {
            keys = nil
            problem = error.message
        }
        self.init(
            issuer: answers.issuer, name: entry.name, website: entry.website, canonicalIssuer: entry.canonicalIssuer,
            isReachable: keys != nil, problem: problem, lacksKeySet: answers.lacksKeySet,
            keys: keys?.keys.map { Key($0) },
            lists: keys == nil
                ? nil
                : answers.lists.compactMap { list in
                    list.answer.publishedBody.flatMap { try? RevocationList($0) }.map { List($0) }
                })
    }

    /// The same state, with the keys and lists of an earlier one if none are known now. So a change is found even if the issuer
    /// could not be reached in between.
    package func keeping(_ earlier: IssuerState?) -> IssuerState {
        guard let earlier, keys == nil else { return self }
        var state = self
        (state.keys, state.lists) = (earlier.keys, earlier.lists)
        return state
    }
}

extension KeyID {
    /// The SHA-256 digest of a JSON value. The order of the members of an object and that of `rids` do not matter.
    fileprivate static func digest(of value: JSONValue) -> KeyID {
        var writer = JSONWriter()
        writer.array { writer in
            let members = value.members.map { Array($0) } ?? []
            for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                writer.value(member.name)
                guard member.name.utf8.elementsEqual("rids".utf8), let elements = member.value.elements else {
                    writer.value(member.value)
                    continue
                }
                for element in elements.map({ Array($0.rawBytes) }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                    writer.value(Base64URL.encode(element))
                }
            }
        }
        return KeyID(Base64URL.encode(SHA256.digest(writer.bytes)))
    }
}

extension PublishedIssuer {
    /// The key set that the issuer publishes; nil if its server did not send one.
    package var publishedKeys: JWKSet? { keySet.publishedBody.flatMap { try? JWKSet($0) } }

    /// Whether its server said that there is no key set: with status 404 or 410, or with something else than a key set.
    package var lacksKeySet: Bool {
        guard case .success(let response) = keySet.result else { return false }
        return response.status == 200 ? publishedKeys == nil : [404, 410].contains(response.status)
    }
}

extension PublishedAnswer {
    /// The content of a response with status 200; nil if there is none.
    package var publishedBody: [UInt8]? {
        guard case .success(let response) = result, response.status == 200 else { return nil }
        return response.body
    }
}
