package import Credentials
package import JOSE
package import JSON

/// The keys and revocation lists of one issuer at some time, for comparison with another time.
package struct IssuerState: Sendable {
    /// A published key.
    package struct Key: Sendable, Equatable {
        /// The key's `kid`; nil if it has none.
        package let keyID: KeyID?
        /// A digest that tells keys apart.
        package let fingerprint: KeyID
        /// The version of the key's revocation list (`crlVersion`); nil if it has none.
        package let version: RevocationCounter?

        package init(keyID: KeyID?, fingerprint: KeyID, version: RevocationCounter?) {
            self.keyID = keyID
            self.fingerprint = fingerprint
            self.version = version
        }

        init(_ key: JWK) {
            self.init(
                keyID: key.keyID, fingerprint: key.fingerprint,
                version: key.value["crlVersion"].flatMap { RevocationCounter($0) })
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

        package init(keyID: KeyID, counter: RevocationCounter?, count: Int) {
            self.keyID = keyID
            self.counter = counter
            self.count = count
        }

        package init(_ list: RevocationList) {
            self.init(keyID: list.keyID, counter: list.counter, count: list.json["rids"]?.elements?.count ?? 0)
        }
    }

    /// The issuer.
    package let issuer: Issuer
    /// The issuer's name; nil if it is not known.
    package let name: UTF8Text?
    /// Whether the issuer published its keys when it was asked; nil if it was not asked.
    package let isReachable: Bool?
    /// The keys; nil if they are not known.
    package let keys: [Key]?
    /// The revocation lists; nil if they are not known.
    package let lists: [List]?

    package init(issuer: Issuer, name: UTF8Text?, isReachable: Bool?, keys: [Key]?, lists: [List]?) {
        self.issuer = issuer
        self.name = name
        self.isReachable = isReachable
        self.keys = keys
        self.lists = lists
    }

    /// What directories say of an issuer. Its keys are known only from a snapshot.
    package init(_ entry: DirectoryEntry, in directories: TrustedIssuers) {
        let snapshots = directories.snapshots(of: entry.issuer)
        self.init(
            issuer: entry.issuer, name: entry.name, isReachable: nil,
            keys: snapshots.isEmpty ? nil : snapshots.flatMap(\.keySet.keys).map { Key($0) },
            lists: snapshots.isEmpty ? nil : snapshots.flatMap(\.revocationLists).map { List($0) })
    }

    /// What a live issuer publishes.
    ///
    /// - Parameters:
    ///   - answers: the answers of its server.
    ///   - name: its name in the directory.
    package init(_ answers: PublishedIssuer, name: UTF8Text?) {
        guard let keys = answers.publishedKeys else {
            self.init(issuer: answers.issuer, name: name, isReachable: false, keys: nil, lists: nil)
            return
        }
        self.init(
            issuer: answers.issuer, name: name, isReachable: true, keys: keys.keys.map { Key($0) },
            lists: answers.lists.compactMap { list in
                list.answer.publishedBody.flatMap { try? RevocationList($0) }.map { List($0) }
            })
    }
}

extension PublishedIssuer {
    /// The key set that the issuer publishes; nil if its server did not send one.
    package var publishedKeys: JWKSet? { keySet.publishedBody.flatMap { try? JWKSet($0) } }
}

extension PublishedAnswer {
    /// The content of a response with status 200; nil if there is none.
    package var publishedBody: [UInt8]? {
        guard case .success(let response) = result, response.status == 200 else { return nil }
        return response.body
    }
}
