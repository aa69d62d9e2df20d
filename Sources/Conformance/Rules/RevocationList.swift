import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of revocation lists.
    static let revocationRules: [Rule] = [
        listMembers, listEmpty, listMethod, listCounter, listEntries, listIdentifiers, listTimestamps, listRepeats,
    ]

    // MARK: The list

    static let listMembers = Rule(
        "revocation-error", "members", "SHC-R2",
        requirement: "A revocation list is an object with the key's `kid` and an array `rids` of identifiers.",
        remedy: #"Publish {"kid": "…", "method": "rid", "ctr": 1, "rids": [ … ]} at …/.well-known/crl/<kid>.json."#,
        check: .revocationList { list in
            guard list.value.kind == .object else {
                return .found("the revocation list is not a JSON object but \(list.value.excerpt)", at: list.value)
            }
            var problems: [Problem] = []
            if let kid = list.value["kid"] {
                if kid.stringBytes?.isEmpty != false {
                    problems.add("`kid` of the revocation list is not a key id but \(kid.excerpt)", at: kid)
                }
            } else {
                problems.add("the revocation list has no `kid`, so it belongs to no key", at: list.value, member: "kid")
            }
            guard let entries = list.value["rids"] else {
                return problems + [Problem("the revocation list has no `rids`", at: list.value, member: "rids")]
            }
            guard let elements = entries.elements else {
                return problems + [
                    Problem("`rids` of the revocation list is not an array but \(entries.excerpt)", at: entries)
                ]
            }
            return problems
                + elements.lazy.filter { $0.kind != .string }.prefix(Bounds.problems)
                .map { Problem("an entry of the revocation list is not a string but \($0.excerpt)", at: $0) }
        })

    /// A key without `crlVersion` needs no list.
    static let listEmpty = Rule(
        "revocation-error", "empty", "SHC-R2", severity: .warning,
        requirement: "`rids` of a revocation list has at least one identifier.",
        remedy: "Publish the list, and `crlVersion` of the key, when the first card is revoked.",
        check: .revocationList { list in
            guard let entries = list.value["rids"], entries.elements?.count == 0 else { return [] }
            return .found("the revocation list revokes no card: `rids` is empty", at: entries)
        })

    /// A verifier that does not know the method can conclude nothing from the list.
    static let listMethod = Rule(
        "revocation-error", "method", "SHC-R2",
        requirement: "`method` of a revocation list is rid.",
        remedy: #"Give each card a `vc.rid`, list cards by it, and write "method": "rid"."#,
        check: .revocationList { list in
            guard list.value.kind == .object else { return [] }
            guard let method = list.value["method"] else {
                return .found(
                    "the revocation list has no `method`, so verifiers cannot use it", at: list.value, member: "method")
            }
            if list.isOfHashes {
                return .found(
                    "`method` of the revocation list is hash-fhir, a draft that few verifiers support", at: method,
                    severity: .warning)
            }
            guard !method.isString("rid") else { return [] }
            return .found(
                "`method` of the revocation list is \(method.excerpt), not \"rid\", so verifiers cannot use it",
                at: method)
        })

    /// Some issuers write strings of digits, and verifiers read them.
    static let listCounter = Rule(
        "revocation-error", "counter", "SHC-R2",
        requirement: "`ctr` of a revocation list is a number that grows by one with every change.",
        remedy: #"Write "ctr": 1 without quotation marks, and the same number in `crlVersion` of the key."#,
        check: .revocationList { list in
            guard list.value.kind == .object else { return [] }
            guard let counter = list.value["ctr"] else {
                var words = "the revocation list has no `ctr`"
                if list.value["crlVersion"] != nil { words += "; it has `crlVersion`, which is a member of keys" }
                return .found(words, at: list.value, member: "ctr")
            }
            return RevocationCounter.problems(with: counter, "`ctr` of the revocation list")
        })

    // MARK: Its entries

    /// An entry that cannot be read names no card, and makes the whole list doubtful.
    static let listEntries = Rule(
        "revocation-error", "entry-form", "SHC-R3",
        requirement:
            "An entry of a revocation list is an identifier, optionally followed by a dot and a time in seconds "
            + "since 1970.",
        remedy: #"Write "rid", or "rid.1650000000" to revoke only the cards that were issued before that time."#,
        check: .revocationList { list in
            list.problems { entry, value in
                guard entry.timestamp != nil, !entry.isTimestamp else { return nil }
                return Problem(
                    "after its dot, the entry \(value.excerpt) of the revocation list has no time in whole seconds",
                    at: value)
            }
        })

    /// An entry in another form than `vc.rid` names no card.
    static let listIdentifiers = Rule(
        "revocation-error", "entry-rid", "SHC-R1",
        requirement: "A revocation identifier is 1 to 24 characters of the base64url alphabet.",
        remedy:
            "List cards by their `vc.rid`: at most 24 of A–Z, a–z, 0–9, - and _. Never use data that identifies the "
            + "holder.",
        check: .revocationList { list in
            list.problems { entry, value in
                let identifier = entry.revocationID
                if identifier.isEmpty {
                    return Problem("the entry \(value.excerpt) of the revocation list has no identifier", at: value)
                }
                guard RevocationID.isInAlphabet(identifier) else {
                    return Problem(
                        "the identifier in the entry \(value.excerpt) of the revocation list has characters outside "
                            + "the base64url alphabet",
                        at: value)
                }
                guard identifier.count > Bounds.revocationIDLength else { return nil }
                return Problem(
                    "the identifier in the entry \(value.excerpt) of the revocation list has \(identifier.count) "
                        + "characters, more than \(Bounds.revocationIDLength)",
                    at: value)
            }
        })

    /// A time in milliseconds revokes every card with the identifier, even those that are issued later.
    static let listTimestamps = Rule(
        "revocation-error", "timestamp", "SHC-R3", severity: .warning,
        requirement: "The time in an entry is a time at which cards were issued, in seconds since 1970.",
        remedy: "Write seconds, not milliseconds. The entry revokes the cards that were issued before this time.",
        check: .revocationList { list in
            list.problems { entry, value in
                guard let moment = entry.moment else { return nil }
                // A closure, because most entries have no problem.
                let time = { "the time in the entry \(value.excerpt) of the revocation list" }
                if moment.isPlausiblyMilliseconds {
                    return Problem(
                        "\(time()) makes sense only in milliseconds (\(NumericDate(milliseconds: moment))); in seconds "
                            + "it revokes every card with this identifier",
                        at: value)
                }
                if moment < .firstCards {
                    return Problem("\(time()), \(moment), is before the first health cards", at: value)
                }
                guard moment.sinceEpoch - list.policy.now.sinceEpoch > .seconds(365 * 86_400) else { return nil }
                return Problem("\(time()), \(moment), is more than a year in the future", at: value)
            }
        })

    /// An entry without a time covers all entries with one, and the latest time covers the others. If a list is longer
    /// than any real one, only its beginning is compared.
    static let listRepeats = Rule(
        "revocation-error", "repeats", "SHC-R3", severity: .warning,
        requirement: "A revocation list contains each identifier once.",
        remedy: "Keep the entry without a time, or the one with the latest time.",
        check: .revocationList { list in
            guard let elements = list.value["rids"]?.elements else { return [] }
            var seen: [ArraySlice<UInt8>: Bool] = [:]
            var problems: [Problem] = []
            for element in elements.prefix(Bounds.comparedEntries) {
                guard let entry = RevocationListEntry(element) else { continue }
                let isTimed = entry.timestamp != nil
                guard let earlier = seen.updateValue(isTimed, forKey: entry.revocationID) else { continue }
                let words =
                    earlier == isTimed
                    ? (isTimed ? "is already in the revocation list with a time" : "is already in the revocation list")
                    : "is in the revocation list both with a time and without; the latter revokes all its cards"
                problems.add("the identifier in the entry \(element.excerpt) \(words)", at: element)
                if problems.count == Bounds.problems { break }
            }
            return problems
        })
}

extension NumericDate {
    /// 2020-01-01T00:00:00Z: no card was issued before.
    fileprivate static let firstCards = NumericDate(sinceEpoch: .seconds(1_577_836_800))
}
