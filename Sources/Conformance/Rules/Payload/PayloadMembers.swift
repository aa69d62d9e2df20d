import Credentials
import Encodings
import SMARTHealthCards

extension Rule {
    /// The rule that an object of the payload has a member of a JSON type.
    ///
    /// - Parameter path: the members that lead to the object; empty for the payload itself.
    static func payloadMember(
        _ member: String, _ kind: JSONValue.Kind, of path: [String], name: String
    ) -> Rule {
        let owner = path.isEmpty ? "the payload" : "`\(path.joined(separator: "."))`"
        let place = (path + [member]).joined(separator: ".")
        return Rule("schema-error/\(name)", RuleCheck.payload) { payload in
            let object = path.reduce(payload.claims?.payload) { object, name in object?[name] }
            guard let object, object.kind == .object else { return [] }
            guard let value = object[member] else {
                return .found("\(owner) has no member `\(member)`", at: object, member: member)
            }
            return value.kind == kind
                ? [] : .found("`\(place)` is not \(kind.described) but \(value.described)", at: value)
        }
    }

    // MARK: Issuer and time of issue

    static let issuerMember = payloadMember("iss", .string, of: [], name: "iss")

    static let issuerURL = Rule("invalid-issuer-url/iss", RuleCheck.payload) { payload in
        guard let value = payload.value?["iss"], case .failure(let failure)? = payload.issuer else { return [] }
        return .found(failure.message, at: value)
    }

    static let issuerURLForm = Rule("invalid-issuer-url/iss-form", RuleCheck.payload) { payload in
        guard let value = payload.value?["iss"], case .success(let issuer)? = payload.issuer else { return [] }
        return problems(ofFormOf: issuer, "`iss`", at: value)
    }

    /// What is unusual in the URL of an issuer, though it is a valid one.
    ///
    /// - Parameter name: what the URL is called.
    static func problems(ofFormOf issuer: Issuer, _ name: String, at value: JSONValue? = nil) -> [Problem] {
        // Hardly any issuer has a problem, so the words are made only then.
        var shown: String { issuer.url.quoted(upTo: 300) }
        let url = issuer.url.utf8
        let authority = url.dropFirst("https://".utf8.count).prefix { $0 != UInt8(ascii: "/") }
        let ending = "/.well-known/jwks.json".utf8
        var problems: [Problem] = []
        let isLetterOf = { (byte: UInt8, letter: UInt8) in
            byte == letter || (0x41...0x5A).contains(byte) && byte | 0x20 == letter
        }
        if url.suffix(ending.count).elementsEqual(ending, by: isLetterOf) {
            problems.add(
                "\(name) ends with /.well-known/jwks.json, so verifiers look for the keys at "
                    + "\(issuer.keySetURL.quoted(upTo: 300))", at: value,
                remedy: "Leave /.well-known/jwks.json out of `iss`: verifiers append it.")
        }
        if authority.contains(where: { (0x41...0x5A).contains($0) }) {
            problems.add(
                "\(name) has capital letters in its host, \(shown), and matches no directory that has it in small letters",
                at: value)
        }
        if authority.suffix(4).elementsEqual(":443".utf8) {
            problems.add(
                "\(name) has the port 443, which https has anyway, \(shown), and matches no directory that leaves it out",
                at: value)
        }
        return problems
    }

    static let issuedMember = payloadMember("nbf", .number, of: [], name: "nbf")

    // MARK: The credential

    static let credential = payloadMember("vc", .object, of: [], name: "vc")

    static let credentialContext = Rule("schema-error/vc-context", RuleCheck.payload) { payload in
        payload.credential?["@context"].map {
            [Problem("`vc` has `@context`; health cards leave it out", at: $0)]
        } ?? []
    }

    static let revocationIdentifier = Rule("schema-error/rid", RuleCheck.payload) { payload in
        guard let rid = payload.credential?["rid"] else { return [] }
        guard let text = rid.stringBytes else {
            return .found("`vc.rid` is not a string but \(rid.described)", at: rid)
        }
        return RevocationID.isWellFormed(text)
            ? [] : .found("`vc.rid` is not 1 to 24 base64url characters: \(rid.excerpt)", at: rid)
    }

    static let credentialSubject = payloadMember("credentialSubject", .object, of: ["vc"], name: "credential-subject")

    static let subjectMember = Rule("schema-error/subject-member", RuleCheck.payload) { payload in
        payload.credentialSubject.map { unknownMembers(of: $0, named: "`credentialSubject`", subjectMembers) } ?? []
    }

    /// Everyone who scans the card reads the member.
    static let unknownMember = Rule("schema-error/unknown-member", RuleCheck.payload) { payload in
        guard let value = payload.value else { return [] }
        return unknownMembers(of: value, named: "the payload", payloadMembers)
            + (payload.credential.map { unknownMembers(of: $0, named: "`vc`", credentialMembers) } ?? [])
    }

    private static func unknownMembers(of object: JSONValue, named name: String, _ known: NameTable) -> [Problem] {
        object.members?.named.compactMap { member, value in
            guard known.index(of: member) == nil else { return nil }
            return Problem(
                "\(name) has the member \((member.string ?? "").quoted(upTo: 40)), which the specification does not define",
                at: value)
        } ?? []
    }

    private static let payloadMembers = NameTable(["iss", "nbf", "exp", "vc"])
    /// `@context` has a rule of its own.
    private static let credentialMembers = NameTable(["type", "credentialSubject", "rid", "@context"])
    private static let subjectMembers = NameTable(["fhirVersion", "fhirBundle"])

    // MARK: FHIR

    static let fhirVersion = payloadMember(
        "fhirVersion", .string, of: ["vc", "credentialSubject"], name: "fhir-version")

    static let unknownFHIRVersion = Rule("unknown-fhir-version/fhir-version", RuleCheck.payload) { payload in
        guard let value = payload.credentialSubject?["fhirVersion"], let version = value.stringBytes else { return [] }
        let parts = version.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isRelease = version.starts(with: "4.0.".utf8) || version.starts(with: "1.0.".utf8)
        let hasNumber = parts.count == 3 && !parts[2].isEmpty && parts[2].allSatisfy { (0x30...0x39).contains($0) }
        return isRelease && hasNumber
            ? [] : .found("`fhirVersion` is \(value.excerpt), neither 4.0.x nor 1.0.x", at: value)
    }

    static let fhirBundle = payloadMember("fhirBundle", .object, of: ["vc", "credentialSubject"], name: "fhir-bundle")
}
