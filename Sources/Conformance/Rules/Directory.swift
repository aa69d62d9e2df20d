import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rules of directories of issuers.
    static let directoryRules: [Rule] = [
        directoryForm, directoryEntries, directoryIssuers, directoryAliases, directoryNames, snapshotForm,
        directoryKeys, snapshotLists, snapshotSignature,
    ]

    /// A directory may have other members as well.
    static let directoryForm = Rule("directory-error/form", RuleCheck.directory) { directory in
        guard directory.value.kind == .object else {
            return .found("the directory is not a JSON object but \(directory.value.excerpt)", at: directory.value)
        }
        let name = directory.isSnapshot ? "issuerInfo" : "participating_issuers"
        if !directory.isSnapshot, let infos = directory.value["issuerInfo"], infos.kind == .array {
            return .found(
                "the directory is a list (`participating_issuers`) and a snapshot (`issuerInfo`) at once, so verifiers "
                    + "cannot use it", at: infos)
        }
        guard let list = directory.value[name] else {
            return .found(
                "the directory has neither `participating_issuers` nor `issuerInfo`", at: directory.value,
                member: name)
        }
        guard let elements = list.elements else {
            return .found("`\(name)` of the directory is not an array but \(list.excerpt)", at: list)
        }
        guard elements.count > 0 else { return .found("the directory has no issuers", at: list) }
        return elements.lazy.filter { $0.kind != .object }.prefix(Bounds.problems)
            .map { Problem("an element of `\(name)` is not an object but \($0.excerpt)", at: $0) }
    }

    static let directoryEntries = Rule("directory-error/entry", RuleCheck.directory) { directory in
        var problems: [Problem] = []
        for entry in directory.entries where entry.kind == .object && problems.count < Bounds.problems {
            problems += Rule.problems(ofURL: "iss", in: entry, isRequired: true)
            problems += Rule.problems(ofURL: "canonical_iss", in: entry, isRequired: false)
            if let name = entry["name"] {
                if name.stringBytes?.isEmpty != false {
                    problems.add("`name` of the directory's entry is not a name but \(name.excerpt)", at: name)
                }
            } else {
                problems.add("the directory's entry has no `name`", at: entry, member: "name")
            }
            if let website = entry["website"], website.kind != .string {
                problems.add("`website` of the directory's entry is not a string but \(website.excerpt)", at: website)
            }
        }
        return problems
    }

    private static func problems(ofURL name: String, in entry: JSONValue, isRequired: Bool) -> [Problem] {
        guard let value = entry[name] else {
            return isRequired ? .found("the directory's entry has no `\(name)`", at: entry, member: name) : []
        }
        guard let url = value.string else {
            return .found("`\(name)` of the directory's entry is not a string but \(value.excerpt)", at: value)
        }
        do throws(VerificationFailure) {
            _ = try Issuer(url)
            return []
        } catch {
            return .found("no card can have `\(name)` of the directory's entry as issuer: \(error.message)", at: value)
        }
    }

    /// With two entries, each verifier would have to guess which one counts.
    static let directoryIssuers = Rule("directory-error/issuer-twice", RuleCheck.directory) { directory in
        var seen: Set<Issuer> = []
        var folded: Set<UTF8Text> = []
        var problems: [Problem] = []
        for entry in directory.entries where problems.count < Bounds.problems {
            guard let iss = entry["iss"], let url = iss.string else { continue }
            if !seen.insert(Issuer(unchecked: url)).inserted {
                problems.add("the issuer \(url.quoted()) is already in the directory", at: iss)
                continue
            }
            guard !folded.insert(url.asciiLowercased).inserted else { continue }
            problems.add(
                "the issuer \(url.quoted()) differs only in upper and lower case from another issuer of the "
                    + "directory; verifiers take it for a different one", at: iss, severity: .warning)
        }
        return problems
    }

    static let directoryAliases = Rule("directory-error/canonical-iss", RuleCheck.directory) { directory in
        let entries = directory.entries
        var isAlias: [Issuer: Bool] = [:]
        for entry in entries {
            guard let url = entry["iss"]?.string else { continue }
            isAlias[Issuer(unchecked: url)] = entry["canonical_iss"] != nil
        }
        var problems: [Problem] = []
        for entry in entries where problems.count < Bounds.problems {
            guard let canonical = entry["canonical_iss"], let url = canonical.string else { continue }
            let words = "`canonical_iss` of the directory's entry is \(url.quoted()),"
            if entry["iss"]?.isString(url) == true {
                problems.add("\(words) the issuer itself", at: canonical, severity: .warning)
                continue
            }
            switch isAlias[Issuer(unchecked: url)] {
            case false: break
            case true:
                problems.add("\(words) which is itself an alias", at: canonical, severity: .warning)
            case nil:
                problems.add("\(words) which is not in the directory", at: canonical)
            }
        }
        return problems
    }

    /// Two systems of one organization often have the same name. Then one should be an alias of the other, or the names
    /// should differ.
    static let directoryNames = Rule("directory-error/name-twice", RuleCheck.directory) { directory in
        var seen: Set<[UInt8]> = []
        var problems: [Problem] = []
        for entry in directory.entries where problems.count < Bounds.problems {
            guard entry["canonical_iss"] == nil, let value = entry["name"], let name = value.stringBytes,
                !name.isEmpty, !seen.insert(name).inserted
            else { continue }
            problems.add("another issuer of the directory also has the name \(value.excerpt)", at: value)
        }
        return problems
    }

    // MARK: Snapshots

    /// Verifiers decide by the age of the keys whether to rely on them.
    static let snapshotForm = Rule("directory-error/snapshot", RuleCheck.directory) { directory in
        guard directory.isSnapshot else { return [] }
        var problems = Rule.problems(ofTime: "time", in: directory.value, "the snapshot")
        if directory.value["directory"]?.kind != .string {
            problems.add("the snapshot has no string `directory`", at: directory.value, member: "directory")
        }
        let element = "an element of `issuerInfo`"
        for info in directory.infos where info.kind == .object && problems.count < Bounds.problems {
            if info["issuer"]?.kind != .object {
                problems.add("\(element) has no object `issuer`", at: info, member: "issuer")
            }
            // An issuer that could not be reached has an error instead.
            if info["error"] == nil { problems += Rule.problems(ofTime: "lastRetrieved", in: info, element) }
            for (name, isRequired) in [("keys", true), ("crls", false)] {
                guard let list = info[name] else {
                    if isRequired {
                        problems.add("\(element) has no `\(name)`", at: info, member: name)
                    }
                    continue
                }
                if list.kind != .array {
                    problems.add("`\(name)` of \(element) is not an array but \(list.excerpt)", at: list)
                }
            }
        }
        return problems
    }

    private static func problems(ofTime name: String, in object: JSONValue, _ owner: String) -> [Problem] {
        guard let time = object[name] else { return .found("\(owner) has no `\(name)`", at: object, member: name) }
        guard time.string.flatMap({ NumericDate(text: $0.description) }) == nil else { return [] }
        return .found("`\(name)` of \(owner) is not a time but \(time.excerpt)", at: time)
    }

    /// Reports only what keeps cards from being verified. Several issuers may have keys with the same `kid`. Everything
    /// else is found when the issuer's own key set is linted.
    static let directoryKeys = Rule("directory-error/snapshot-keys", RuleCheck.directory) { directory in
        var problems: [Problem] = []
        for info in directory.infos where problems.count < Bounds.problems {
            guard let list = info["keys"], let elements = list.elements else { continue }
            var hasKey = false
            for element in elements {
                guard element.kind == .object else {
                    problems.add("a key in the snapshot is not an object but \(element.excerpt)", at: element)
                    continue
                }
                let key = JWK(element)
                do throws(JWKError) {
                    try key.checkForm()
                    hasKey = true
                    if key.keyID == nil {
                        problems.add(
                            "a key in the snapshot has no `kid`, so no card can name it", at: element, member: "kid"
                        )
                    }
                } catch {
                    guard error.reason == .privateKey || KeySubject.isForCards(element) else { continue }
                    problems.add(error.message, at: element, severity: error.reason == .privateKey ? nil : .warning)
                }
            }
            if !hasKey {
                let error = info["error"]?.string.map { ": \($0.quoted(upTo: 200))" } ?? ""
                problems.add(
                    "the snapshot has no key for this issuer that could verify its cards\(error)", at: list,
                    severity: .warning)
            }
        }
        return problems
    }

    /// If a list cannot be relied on, no card of its key can be verified.
    static let snapshotLists = Rule("directory-error/snapshot-lists", RuleCheck.directory) { directory in
        var problems: [Problem] = []
        for value in directory.infos.flatMap({ $0.list("crls") }) where problems.count < Bounds.problems {
            do throws(Malformed) {
                guard let defect = try RevocationList(value).defect else { continue }
                problems.add("verifiers cannot rely on a revocation list in the snapshot: \(defect)", at: value)
            } catch {
                problems.add("a revocation list in the snapshot is not acceptable: \(error)", at: value)
            }
        }
        return problems
    }

    /// Only snapshots are signed, not lists of issuers.
    static let snapshotSignature = Rule("directory-error/signature", RuleCheck.directory) { directory in
        guard let signature = directory.policy.snapshotSignature else { return [] }
        guard let key = directory.policy.snapshotSigner ?? (try? VCISigner.publicKey()) else {
            return .found("the signature of the snapshot was not checked: the directory's key cannot be used here")
        }
        do throws(Malformed) {
            try key.verify(signature, over: directory.document.input ?? directory.document.text)
            return []
        } catch {
            return .found("the signature of the snapshot does not verify: \(error)")
        }
    }
}
