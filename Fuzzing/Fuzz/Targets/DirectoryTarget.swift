import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

/// Directories of issuers, and trust by them.
enum DirectoryTarget: FuzzTarget {
    static let name = "directory"

    static func run(_ bytes: [UInt8]) {
        let directory: IssuerDirectory
        do throws(Malformed) {
            directory = try IssuerDirectory(bytes)
        } catch {
            return require(!"\(error)".isEmpty, "an error has a description")
        }
        var trusted = TrustedIssuers()
        trusted.add(directory)
        _ = directory.keyCount
        for entry in directory.entries.prefix(64) {
            require(directory.entry(for: entry.issuer)?.issuer == entry.issuer, "a listed issuer is found")
            require(trusted.trust(in: entry.issuer) == .directory, "a listed issuer is trusted")
            let stranger = Issuer(unchecked: entry.issuer.url + "/")
            if directory.entry(for: stranger) == nil {
                require(trusted.trust(in: stranger) == nil, "an issuer that is not listed is not trusted")
                _ = trusted.nearMiss(of: stranger)
            }
            for snapshot in directory.snapshots(of: entry.issuer) {
                for key in snapshot.keySet.keys.prefix(8) {
                    guard let keyID = key.keyID else { continue }
                    let lists = snapshot.revocationLists(of: keyID)
                    require(lists.allSatisfy { $0.keyID == keyID }, "the lists of a key are for it")
                    let named = snapshot.revocationLists.filter { $0.keyID == keyID }
                    require(lists.count >= named.count, "every list that names the key is one of them")
                    let owner = trusted.owner(of: keyID, besides: entry.issuer)
                    require(owner != entry.issuer, "the issuer itself is no other owner")
                }
            }
        }
        require(trusted.entries.count == directory.entries.count, "a directory vouches once for each of its issuers")
    }
}
