import Credentials
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of revocation lists.
    static let revocationRules: [Rule] = [
        listMembers, listEmpty, listMethod, listCounter, listEntries, listIdentifiers, listTimestamps, listRepeats,
    ]

    // MARK: The list

    static let listMembers = Rule("revocation-error/members", RuleCheck.revocationList) { list in
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
    }

    /// A key without `crlVersion` needs no list.
    static let listEmpty = Rule("revocation-error/empty", RuleCheck.revocationList) { list in
        guard let entries = list.value["rids"], entries.elements?.count == 0 else { return [] }
        return .found("the revocation list revokes no card: `rids` is empty", at: entries)
    }

    /// A verifier that does not know the method can conclude nothing from the list.
    static let listMethod = Rule("revocation-error/method", RuleCheck.revocationList) { list in
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
    }

    /// Some issuers write strings of digits, and verifiers read them.
    static let listCounter = Rule("revocation-error/counter", RuleCheck.revocationList) { list in
        guard list.value.kind == .object else { return [] }
        guard let counter = list.value["ctr"] else {
            var words = "the revocation list has no `ctr`"
            if list.value["crlVersion"] != nil { words += "; it has `crlVersion`, which is a member of keys" }
            return .found(words, at: list.value, member: "ctr")
        }
        return RevocationCounter.problems(with: counter, "`ctr` of the revocation list")
    }

    // MARK: Its entries

    /// An entry that cannot be read names no card, and makes the whole list doubtful.
    static let listEntries = Rule("revocation-error/entry-form", RuleCheck.revocationList) { list in
        list.problems { entry, value in
            guard entry.timestamp != nil, !entry.isTimestamp else { return nil }
            return Problem(
                "after its dot, the entry \(value.excerpt) of the revocation list has no time in whole seconds",
                at: value)
        }
    }

    /// An entry in another form than `vc.rid` names no card.
    static let listIdentifiers = Rule("revocation-error/entry-rid", RuleCheck.revocationList) { list in
        list.problems { entry, value in
            let identifier = entry.revocationID
            if identifier.isEmpty {
                return Problem("the entry \(value.excerpt) of the revocation list has no identifier", at: value)
            }
            guard identifier.allSatisfy(RevocationID.isInAlphabet) else {
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
    }

    /// A time in milliseconds revokes every card with the identifier, even those that are issued later.
    static let listTimestamps = Rule("revocation-error/timestamp", RuleCheck.revocationList) { list in
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
    }

    /// An entry without a time covers all entries with one, and the latest time covers the others. If a list is longer
    /// than any real one, only its beginning is compared.
    static let listRepeats = Rule("revocation-error/repeats", RuleCheck.revocationList) { list in
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
    }
}

extension NumericDate {
    /// 2020-01-01T00:00:00Z: no card was issued before.
    fileprivate static let firstCards = NumericDate(sinceEpoch: .seconds(1_577_836_800))
}
