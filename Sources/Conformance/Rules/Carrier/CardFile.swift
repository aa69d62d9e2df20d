import Credentials
import Encodings
import Inputs

extension Rule {
    /// The rules of what carries cards: files, `Parameters` resources, deep links, QR codes.
    static let carrierRules: [Rule] = [
        fileCredentials, fileCredentialText, fileIsParameters, repeatedCard, parametersCredential, resourceLink,
        deepLinkAddress, deepLinkFragment, deepLinkEncoding, codeOnPicture, symbolVersion, symbolSize,
        symbolSegments, symbolErrorCorrection, symbolQuietZone, qrScheme, qrSchemeCase, qrPart, qrSinglePart, qrDigits,
        qrChunkLength, qrChunking, qrMissingChunk, qrConflict, qrOrder, qrNeedlessChunks, qrBalance,
    ]

    // MARK: Card files

    static let fileCredentials = Rule("schema-error/file-credentials", RuleCheck.file) { file in
        guard file.value.kind == .object else {
            return .found("the card file is not a JSON object but \(file.value.described)", at: file.value)
        }
        guard let credentials = file.value["verifiableCredential"] else {
            return .found(
                "the card file has no member `verifiableCredential`", at: file.value, member: "verifiableCredential"
            )
        }
        guard let elements = credentials.elements else {
            return .found("`verifiableCredential` is not an array but \(credentials.described)", at: credentials)
        }
        return elements.count > 0 ? [] : .found("`verifiableCredential` is an empty array", at: credentials)
    }

    static let fileCredentialText = Rule("schema-error/file-credential-text", RuleCheck.file) { file in
        file.value.list("verifiableCredential").compactMap { element in
            element.kind == .string
                ? nil
                : Problem("an element of `verifiableCredential` is not a string but \(element.described)", at: element)
        }
    }

    static let fileIsParameters = Rule("schema-error/file-is-parameters", RuleCheck.file) { file in
        guard file.value["verifiableCredential"] != nil else { return [] }
        var problems: [Problem] = []
        if let type = file.value.optional("resourceType") {
            let kind = type.isString("Parameters") ? "`Parameters`" : "FHIR"
            problems.add("the card file also has a `resourceType`, as if it were a \(kind) resource", at: type)
        }
        if InputContent.hasListInOtherCase(file.value) {
            problems.add(
                "the card file has a second member whose name differs from `verifiableCredential` only in case",
                at: file.value)
        }
        if !CardParameters(beside: file.value).parameters.isEmpty {
            problems.add("the card file also has a member `parameter` with cards, as `Parameters` has", at: file.value)
        }
        return problems
    }

    static let repeatedCard = Rule("schema-error/repeated-card", RuleCheck.file) { file in
        var seen: Set<ArraySlice<UInt8>> = []
        return file.value.list("verifiableCredential").compactMap { element in
            element.kind != .string || seen.insert(element.rawBytes).inserted
                ? nil : Problem("an earlier element of `verifiableCredential` is the same card", at: element)
        }
    }

    // MARK: Parameters

    /// A resource without any parameter is the answer if there is no card (SHC "$health-cards-issue").
    static let parametersCredential = Rule("schema-error/parameters-credential", RuleCheck.parameters) { resource in
        let cards = CardParameters(resource.value)
        var problems: [Problem] = []
        if let parameter = resource.value["parameter"] {
            if parameter.elements == nil {
                problems.add("`parameter` is not an array but \(parameter.described)", at: parameter)
            } else if cards.parameters.isEmpty {
                problems.add("no element of `parameter` has the name verifiableCredential", at: parameter)
            }
        } else if cards.parameters.isEmpty {
            let isResource = resource.value["resourceType"]?.isString("Parameters") == true
            problems.add(
                isResource ? "the `Parameters` resource contains no card" : "this is not a `Parameters` resource",
                at: resource.value, severity: isResource ? .warning : nil)
        }
        problems += cards.nested.map {
            Problem(
                "a parameter named verifiableCredential is inside another parameter or resource, so many programs do "
                    + "not find it", at: $0)
        }
        return problems + cards.parameters.compactMap { problem(with: $0) }
    }

    private static func problem(with parameter: CardParameters.Parameter) -> Problem? {
        switch parameter {
        case .ambiguous(let card, let words): Problem("a parameter named verifiableCredential \(words)", at: card)
        case .misplaced(let value, _):
            Problem("verifiableCredential is the name of something that is not a parameter", at: value)
        case .card(nil, let card):
            Problem("a parameter named verifiableCredential has no `valueString`", at: card, member: "valueString")
        case .card(let text?, _):
            text.kind == .string
                ? nil
                : Problem("the `valueString` of a verifiableCredential is not a string but \(text.described)", at: text)
        }
    }

    static let resourceLink = Rule("schema-error/resource-link", RuleCheck.parameters) { resource in
        let parameters = resource.value.list("parameter")
        let cards = parameters.count { $0["name"]?.isString("verifiableCredential") == true }
        return parameters.filter { $0["name"]?.isString("resourceLink") == true }.flatMap {
            problems(in: $0, cards: cards)
        }
    }

    private static func problems(in link: JSONValue, cards: Int) -> [Problem] {
        guard let parts = link["part"]?.elements.map({ Array($0) }) else {
            return .found("the resourceLink has no array `part`", at: link, member: "part")
        }
        var problems: [Problem] = []
        for name in ["bundledResource", "hostedResource"] {
            guard let part = parts.first(where: { $0["name"]?.isString(name) == true }) else {
                problems.add("the resourceLink has no part named \(name)", at: link)
                continue
            }
            if part["valueUri"]?.kind != .string {
                problems.add(
                    "the part \(name) of the resourceLink has no string `valueUri`", at: part, member: "valueUri")
            }
        }
        if let index = parts.first(where: { $0["name"]?.isString("vcIndex") == true }) {
            guard let number = index["valueInteger"]?.number?.integer else {
                return problems + [
                    Problem(
                        "the part vcIndex of the resourceLink has no integer `valueInteger`", at: index,
                        member: "valueInteger")
                ]
            }
            if !(0..<Int64(cards)).contains(number) {
                problems.add(
                    "the vcIndex of the resourceLink is \(number), but no card has this index; number of cards: "
                        + "\(cards)", at: index)
            }
        }
        return problems
    }
}
