import Deflate
import JSON
public import SMARTHealthCards

/// Reading inputs: what they are, and what is in them.
extension Linter {
    /// Looks at an input, as deep as it goes.
    ///
    /// - Parameters:
    ///   - bytes: the whole input.
    ///   - source: what to call it.
    ///   - kind: what it is; nil for what its content says.
    public mutating func add(_ bytes: [UInt8], source: String, as kind: LintKind? = nil) {
        let section = newSection()
        let content = bytes[...].trimmingByteOrderMarks()
        let range = content.isEmpty ? 0..<0 : content.startIndex..<content.endIndex
        let whole = Document(source: source, layer: .input, text: bytes, in: (bytes, 0))
        guard bytes.count <= Bounds.listSize(kind) else {
            return add(
                [Problem("the input is larger than anything that a card is made of")], of: .inputBounds, in: whole,
                to: section)
        }
        var value: JSONValue?
        var error: JSONError?
        if content.first == UInt8(ascii: "{") || kind?.isJSON == true {
            guard !bytes.holdsMoreJSONValues(than: Bounds.listValues) else {
                return add(
                    [Problem("the JSON holds more than \(Bounds.listValues) values")], of: .inputBounds, in: whole,
                    to: section)
            }
            (value, error) = Self.json(Array(content))
        }
        let found = kind ?? Self.kind(of: content, value)
        let input = InputSubject(document: whole, kind: found, content: range, jsonError: error)
        for rule in Rule.all {
            if case .input(let check) = rule.check { add(check(input), of: rule, in: whole, to: section) }
        }
        guard let found else { return }
        guard content.count <= Bounds.listSize(found) else {
            return add(
                [Problem("this is larger than any \(found.rawValue): \(content.count) bytes")], of: .inputBounds,
                in: whole,
                to: section)
        }
        let part = (bytes: bytes, offset: range.lowerBound)
        if found.isJSON {
            guard let value else { return }
            lint(value, as: found, source: source, in: part, section: section)
        } else {
            lint(text: content, as: found, source: source, in: part, section: section)
        }
    }

    /// Looks at a document that cards are judged by, as deep as it goes. What is found in it is not said of the cards again.
    ///
    /// - Parameters:
    ///   - bytes: the whole document.
    ///   - source: what to call it.
    ///   - kind: what it is.
    ///   - issuer: whose it is; nil if the policy says it, or nobody does.
    public mutating func add(given bytes: [UInt8], source: String, as kind: LintKind, of issuer: Issuer? = nil) {
        let policyIssuer = policy.issuer
        policy.issuer = issuer ?? policyIssuer
        isReadingGiven = true
        add(bytes, source: source, as: kind)
        isReadingGiven = false
        policy.issuer = policyIssuer
    }

    /// Looks at the cards whose parts were spread over several QR codes. To be called once all inputs have been added.
    public mutating func finishReading() {
        for card in splitCards {
            let set = QRSetSubject(
                document: card.document, count: card.count, parts: card.parts, conflicts: card.conflicts.sorted())
            for rule in Rule.all {
                if case .qrSet(let check) = rule.check {
                    add(check(set), of: rule, in: card.document, to: card.section)
                }
            }
            if set.conflicts.isEmpty, let jws = set.jws {
                let document = Document(source: card.document.source, card: card.document.card, layer: .jws, text: jws)
                lint(document, kind: .qr, in: card.section)
            }
        }
        splitCards = []
    }

    /// Parses JSON; where something follows the value, the value all the same.
    private static func json(_ text: [UInt8]) -> (JSONValue?, JSONError?) {
        do throws(JSONError) {
            return (try JSONDocument.parse(text, maximumDepth: Bounds.nesting), nil)
        } catch {
            guard case .trailingBytes = error.reason else { return (nil, error) }
            return (try? JSONDocument.parse(Array(text[..<error.offset]), maximumDepth: Bounds.nesting), error)
        }
    }

    // MARK: Recognition

    /// What content is; nil if it is nothing that a card is made of.
    private static func kind(of content: ArraySlice<UInt8>, _ value: JSONValue?) -> LintKind? {
        if content.first == UInt8(ascii: "{") { return value.flatMap { kind(of: $0) } }
        if content.prefix(4).map({ (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }).elementsEqual("shc:".utf8) {
            return .qr
        }
        if content.prefix(32).contains(UInt8(ascii: ":")),
            String(decoding: content.prefix(32), as: UTF8.self).contains("://")
        {
            return .deeplink
        }
        let isJWSCharacter = { (byte: UInt8) in
            RevocationID.isInAlphabet(CollectionOfOne(byte)) || ".+/=".utf8.contains(byte)
        }
        let isJWS = content.contains(UInt8(ascii: ".")) && content.allSatisfy(isJWSCharacter)
        return isJWS || content.starts(with: "eyJ".utf8) ? .jws : nil
    }

    private static func kind(of object: JSONValue) -> LintKind? {
        if object["verifiableCredential"] != nil { return .file }
        if object["resourceType"]?.isString("Bundle") == true { return .bundle }
        if object["resourceType"]?.isString("Parameters") == true { return .parameters }
        if object["keys"] != nil || object["kty"] != nil { return .jwks }
        if object["vc"] != nil || object["iss"] != nil { return .payload }
        if object["rids"] != nil || object["method"] != nil { return .crl }
        if object["participating_issuers"] != nil || object["issuerInfo"] != nil { return .directory }
        return nil
    }

    // MARK: JSON

    private mutating func lint(
        _ value: JSONValue, as kind: LintKind, source: String, in input: (bytes: [UInt8], offset: Int), section: Int
    ) {
        let layer = Document.Layer(rawValue: kind.rawValue) ?? .input
        let document = Document(source: source, layer: layer, text: value.text, root: value, in: input)
        switch kind {
        case .file, .parameters:
            lintCards(in: JSONSubject(document: document, value: value), as: kind, section: section)
        case .payload:
            lint(PayloadSubject(value.text, source: source, in: input, policy: policy), in: section)
        case .bundle:
            lint(BundleSubject(document: document, value: value, fhirVersion: nil, policy: policy), in: section)
        case .jwks: lint(KeySetSubject(document: document, value: value, policy: policy), in: section)
        case .crl: lint(RevocationListSubject(document: document, value: value, policy: policy), in: section)
        case .directory: lint(DirectorySubject(document: document, value: value, policy: policy), in: section)
        case .jws, .qr, .deeplink: break
        }
    }

    /// Looks at a file or a Parameters resource, and at the cards in it.
    private mutating func lintCards(in subject: JSONSubject, as kind: LintKind, section: Int) {
        for rule in Rule.all {
            switch (kind, rule.check) {
            case (.file, .file(let check)), (.parameters, .parameters(let check)), (.deeplink, .file(let check)):
                add(check(subject), of: rule, in: subject.document, to: section)
            default: break
            }
        }
        let values: [(JSONValue, InputKind)] =
            kind == .parameters
            ? (subject.value["parameter"]?.elements ?? nil).map { elements in
                elements.filter { $0["name"]?.isString("verifiableCredential") == true }
                    .compactMap { $0["valueString"] }.map { ($0, .parameters) }
            } ?? []
            : (subject.value["verifiableCredential"]?.elements.map { Array($0) } ?? [])
                .map { ($0, kind == .deeplink ? .deeplink : .file) }
        if values.count > Bounds.cards {
            add(
                [Problem("the input holds \(values.count) cards; the first \(Bounds.cards) were looked at")],
                of: .inputBounds,
                in: subject.document, to: section)
        }
        for (number, (value, inputKind)) in values.prefix(Bounds.cards).enumerated() {
            guard let text = value.stringBytes else { continue }
            lint(
                Document(
                    source: subject.document.source, card: number, layer: .jws, text: text,
                    in: position(of: text, in: value, of: subject.document),
                    pathPrefix: String(subject.value.path(to: value).dropFirst())),
                kind: inputKind, in: section)
        }
    }

    /// Where a string's text stands in the input, where it stands there as it is.
    private func position(of text: [UInt8], in value: JSONValue, of document: Document) -> (
        bytes: [UInt8], offset: Int
    )? {
        guard value.byteRange.count == text.count + 2, let input = document.input, let offset = document.inputOffset
        else { return nil }
        return (input, offset + value.byteRange.lowerBound + 1)
    }

    // MARK: Text

    private mutating func lint(
        text content: ArraySlice<UInt8>, as kind: LintKind, source: String, in input: (bytes: [UInt8], offset: Int),
        section: Int
    ) {
        switch kind {
        case .jws:
            let document = Document(source: source, layer: .jws, text: Array(content), in: input)
            lint(document, kind: .jws, in: section)
        case .qr: lintCodes(content, source: source, input: input.bytes, section: section)
        case .deeplink: lintDeepLink(content, source: source, in: input, section: section)
        default: break
        }
    }

    private mutating func lintDeepLink(
        _ content: ArraySlice<UInt8>, source: String, in input: (bytes: [UInt8], offset: Int), section: Int
    ) {
        let document = Document(source: source, layer: .deeplink, text: Array(content), in: input)
        let link = DeepLinkSubject(document)
        for rule in Rule.all {
            if case .deepLink(let check) = rule.check { add(check(link), of: rule, in: document, to: section) }
        }
        guard case .success(let file) = link.file else { return }
        let place: (bytes: [UInt8], offset: Int)? =
            link.isEncoded ? nil : link.fragment.map { (input.bytes, input.offset + $0.startIndex) }
        let inside = Document(source: source, layer: .file, text: file.text, root: file, in: place)
        lintCards(in: JSONSubject(document: inside, value: file), as: .deeplink, section: section)
    }

    /// Looks at the texts of QR codes, one a line.
    private mutating func lintCodes(_ content: ArraySlice<UInt8>, source: String, input: [UInt8], section: Int) {
        var rest = content
        var number = 0
        while !rest.isEmpty, number < Bounds.lines {
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
            let line = rest[..<end].trimmingWhiteSpace()
            rest = rest[end...].dropFirst()
            guard !line.isEmpty else { continue }
            let document = Document(
                source: source, card: number, layer: .qr, text: Array(line), in: (input, line.startIndex))
            number += 1
            let code = QRCodeSubject(document)
            for rule in Rule.all {
                if case .qrCode(let check) = rule.check { add(check(code), of: rule, in: document, to: section) }
            }
            collect(code, in: section)
        }
        guard !rest.trimmingWhiteSpace().isEmpty else { return }
        let whole = Document(source: source, layer: .qr, text: input, in: (input, 0))
        add(
            [Problem("the input has more than \(Bounds.lines) lines of QR codes; the rest was not looked at")],
            of: .inputBounds, in: whole, to: section)
    }

    /// Puts the parts of a card together, or looks at the card that a code holds whole.
    private mutating func collect(_ code: QRCodeSubject, in section: Int) {
        guard let part = code.part, part.count > 1 else {
            guard code.fields.isEmpty || code.part != nil, !code.characters.isEmpty else { return }
            let document = Document(
                source: code.document.source, card: code.document.card, layer: .jws, text: code.characters)
            return lint(document, kind: .qr, isCut: code.firstBadPair != nil, in: section)
        }
        guard part.count <= Bounds.chunks else { return }
        let known = splitCards.firstIndex { $0.count == part.count }
        if known == nil {
            splitCards.append(SplitCard(section: section, document: code.document, count: part.count))
        }
        let index = known ?? splitCards.count - 1
        if let earlier = splitCards[index].parts[part.index] {
            if earlier != code.characters { splitCards[index].conflicts.insert(part.index) }
        } else if code.firstBadPair == nil {
            splitCards[index].parts[part.index] = code.characters
        }
    }
}
