package import Credentials
import Cryptography
import Encodings
import SMARTHealthCards
import Synchronization

/// A snapshot of the keys and revocation lists that issuers publish, in the format of VCI's (SHC-D2).
package struct CollectedSnapshot: Sendable {
    /// An issuer in a snapshot.
    package struct Entry: Sendable {
        fileprivate let json: JSONFragment
        /// What could not be collected for the issuer, in plain words. The lists named here are missing in the snapshot.
        package let problems: [String]
        /// The number of keys.
        package let keyCount: Int

        /// The size in bytes.
        var size: Int { json.size }
        /// The most JSON values that the entry can have.
        let valueCount: Int
    }

    /// Makes the entry of an issuer from the answers of its server.
    ///
    /// Keys are written as they are published, private parts included: a key whose private part is public must not verify anything,
    /// and only this shows it.
    ///
    /// - Parameters:
    ///   - answers: the answers.
    ///   - entry: the issuer's entry in a directory; nil if there is none.
    ///   - time: when the answers were received.
    /// - Throws: `VerificationFailure` if the issuer did not publish a key set.
    package static func entry(
        _ answers: PublishedIssuer, named entry: DirectoryEntry?, at time: NumericDate
    ) throws(VerificationFailure) -> Entry {
        let keys = try keySet(of: answers)
        var problems: [String] = []
        var lists: [RevocationList] = []
        for list in answers.lists {
            do {
                let read = try RevocationList(body(of: list.answer))
                guard read.keyID == list.keyID else {
                    throw VerificationFailure(.revocationUnavailable, "it is the list of another key")
                }
                lists.append(read)
            } catch {
                let reason = (error as? VerificationFailure)?.message ?? "\(error)"
                problems.append(
                    "the revocation list of the key \(list.keyID.description.quoted()) is missing: \(reason)")
            }
        }
        if answers.furtherLists > 0 {
            problems.append("\(answers.furtherLists) further revocation lists were not requested")
        }
        let json = JSONFragment { writer in
            writer.object { writer in
                write(answers.issuer, named: entry, to: &writer)
                writer.array("keys") { writer in
                    for key in keys.keys { writer.value(key.value) }
                }
                writer.array("crls") { writer in
                    for list in lists { writer.value(list.json) }
                }
                writer.member("lastRetrieved", time.toTheSecond.description)
            }
        }
        // Each value but the first comes after one of these characters.
        let valueCount = json.bytes.count { [0x2C, 0x3A, 0x5B, 0x7B].contains($0) } + 1
        let entry = Entry(json: json, problems: problems, keyCount: keys.keys.count, valueCount: valueCount)
        // What an issuer publishes is deeper in a snapshot than where it was fetched.
        do throws(Malformed) {
            _ = try PublishedList.parse(document([entry], at: time), maximumSize: Bounds.directorySize)
        } catch {
            throw VerificationFailure(
                .keysUnavailable, "a snapshot with what its server sent could not be read: \(error.description)")
        }
        return entry
    }

    /// Makes the entry of an issuer whose keys could not be collected. It has no keys, says why, and vouches for nobody. Without it,
    /// the next snapshot would seem to have a new issuer.
    ///
    /// - Parameters:
    ///   - issuer: the issuer.
    ///   - entry: the issuer's entry in a directory; nil if there is none.
    ///   - problem: why there are no keys, in plain words.
    ///   - lacksKeySet: whether its server said that there are none.
    package static func entry(
        missing issuer: Issuer, named entry: DirectoryEntry?, because problem: String, lacksKeySet: Bool
    ) -> Entry {
        let json = JSONFragment { writer in
            writer.object { writer in
                write(issuer, named: entry, to: &writer)
                writer.array("keys") { _ in }
                writer.array("crls") { _ in }
                writer.member("error", problem)
                writer.member("lacksKeySet", lacksKeySet)
            }
        }
        return Entry(json: json, problems: [], keyCount: 0, valueCount: 16)
    }

    private static func write(_ issuer: Issuer, named entry: DirectoryEntry?, to writer: inout JSONWriter) {
        writer.object("issuer") { writer in
            writer.member("iss", issuer.url)
            if let name = entry?.name { writer.member("name", name) }
            if let website = entry?.website { writer.member("website", website) }
            if let canonical = entry?.canonicalIssuer { writer.member("canonical_iss", canonical.url) }
        }
    }

    /// The key set that an issuer publishes.
    ///
    /// - Throws: why there is none.
    static func keySet(of answers: PublishedIssuer) throws(VerificationFailure) -> JWKSet {
        let published = try body(of: answers.keySet)
        do throws(JWKSetError) {
            return try JWKSet(published)
        } catch {
            throw VerificationFailure(.keysUnavailable, "what its server sent is not a key set: \(error.description)")
        }
    }

    /// The content of an answer.
    private static func body(of answer: PublishedAnswer) throws(VerificationFailure) -> [UInt8] {
        switch answer.result {
        case .success(let response) where response.status == 200: return response.body
        case .success(let response):
            throw VerificationFailure(.keysUnavailable, "its server answered with status \(response.status)")
        case .failure(let failure): throw VerificationFailure(.keysUnavailable, failure.message)
        }
    }

    /// The snapshot as a JSON document.
    ///
    /// - Parameters:
    ///   - entries: the issuers.
    ///   - time: the time of the snapshot.
    package static func document(_ entries: [Entry], at time: NumericDate) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("directory", IssuerDirectory.collectedName)
            writer.member("time", time.toTheSecond.description)
            writer.array("issuerInfo") { writer in
                for entry in entries { writer.value(entry.json) }
            }
        }
        return writer.bytes + [0x0A]
    }
}

/// The room that is left in a snapshot. Issuers that are asked at the same time share it.
package final class SnapshotBudget: Sendable {
    /// What a snapshot has besides its entries.
    private static let frame = 4096

    private let left = Mutex((bytes: Bounds.directorySize - frame, values: Bounds.listValues - frame))

    package init() {}

    /// Takes the room for an entry.
    ///
    /// - Throws: `VerificationFailure` if there is not enough left.
    package func take(_ entry: CollectedSnapshot.Entry) throws(VerificationFailure) {
        let isTaken = left.withLock { left in
            guard entry.size < left.bytes, entry.valueCount < left.values else { return false }
            left.bytes -= entry.size + 1
            left.values -= entry.valueCount
            return true
        }
        guard !isTaken else { return }
        throw VerificationFailure(
            .keysUnavailable,
            "the snapshot would be too large, with more than \(Bounds.directorySize >> 20) MiB or \(Bounds.listValues) values"
        )
    }
}
