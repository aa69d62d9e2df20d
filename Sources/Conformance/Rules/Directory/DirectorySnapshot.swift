import Credentials
import Cryptography
import Encodings
import SMARTHealthCards

extension Rule {
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
