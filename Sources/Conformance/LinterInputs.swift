package import Credentials
package import Encodings
import Inputs

/// Reading inputs.
extension Linter {
    /// Checks an input in all its layers.
    ///
    /// - Parameters:
    ///   - bytes: the whole input.
    ///   - source: the name of the input.
    ///   - kind: the form of the input; nil to recognise it by its content.
    package mutating func add(_ bytes: [UInt8], source: String, as kind: InputForm? = nil) {
        add(bytes, parsed: nil, source: source, as: kind)
    }

    /// - Parameter parsed: the JSON of the input, without white space and byte-order marks around it; nil to parse it.
    private mutating func add(_ bytes: [UInt8], parsed: JSONValue?, source: String, as kind: InputForm?) {
        let section = newSection()
        if place != .picture, place != .link { beginInput() }
        let recognition = kind == nil ? Recognition(bytes[...]) : nil
        // White space is not trimmed from a CBOR Web Token: it may be a part of it.
        let isToken = kind == .cwt || recognition?.form == .cwt
        let content = isToken ? bytes[...] : bytes[...].trimmingByteOrderMarks()
        let range = content.isEmpty ? 0..<0 : content.startIndex..<content.endIndex
        let whole = Document(source: source, layer: .input, text: bytes, in: (bytes, 0))
        guard bytes.count <= Bounds.size(of: kind) else {
            return addBound(
                "the input was not checked: it has more than \(Bounds.size(of: kind)) bytes", in: whole, to: section)
        }
        var value: JSONValue?
        var error: JSONError?
        if let parsed {
            value = parsed
        } else if content.first == UInt8(ascii: "{") || kind?.isJSON == true {
            let most = kind == nil ? Bounds.listValues : Bounds.values(of: kind)
            guard hasFewValues(bytes, most, in: whole, section) else { return }
            let json = JSONReading(Array(content), maximumDepth: Bounds.nesting, takesBeginning: true)
            (value, error) = (json.value, json.error)
        }
        // A file that is called a card has to be one. What is meant to be signed is none yet.
        var found = kind ?? recognition.flatMap { Self.form(of: $0, value) }
        let isUnsigned = kind == nil && (found == .payload || found == .bundle)
        if isUnsigned, place == .input, InputSubject.isCardFile(source) { found = .file }
        if kind == nil, parsed == nil {
            guard value == nil || hasFewValues(bytes, Bounds.values(of: found), in: whole, section) else { return }
            let texts = Self.texts(in: bytes, of: found, content: content, error == nil ? value : nil)
            for (number, (text, warnings)) in texts.enumerated() {
                let around = warnings.map(\.message).joined(separator: "; ")
                let problem = Problem(
                    "a card was found in the input, but \(around)",
                    remedy: "Write the card alone into the file, in UTF-8 without a byte-order mark.")
                add([problem], of: .unknownInput, in: whole, to: section)
                lint(scanned: text, source: texts.count > 1 ? "\(source)#\(number)" : source, section: section)
            }
            guard texts.isEmpty else { return }
        }
        var certificates: CredentialLines?
        if case .lines(let lines)? = recognition?.kind { certificates = lines }
        if kind == .hc1, content.first != UInt8(ascii: "{") { certificates = CredentialLines(content) }
        let input = InputSubject(
            document: whole, kind: found, content: range, jsonError: error, json: value,
            ambiguity: found == nil ? value.flatMap { DocumentKind.ambiguity(of: $0) } : nil,
            isInside: place == .link || place == .picture,
            isNamed: place == .input || place == .picture,
            cardLines: found == nil && error?.reason == .trailingBytes && value?["card"] != nil
                ? Self.lineCount(of: content) : nil)
        apply(RuleCheck.input, to: input, in: whole, section: section)
        guard let found else { return }
        guard content.count <= Bounds.size(of: found) else {
            return addBound(
                "the input was not checked: it has \(content.count) bytes, too many for \(found.words)", in: whole,
                to: section)
        }
        let part = (bytes: bytes, offset: range.lowerBound)
        if found.isJSON {
            guard let value else { return }
            lint(value, as: found, source: source, in: part, section: section)
        } else if let certificates {
            lint(certificates, source: source, input: bytes, section: section)
        } else {
            lint(text: content, as: found, source: source, in: part, section: section)
        }
    }

    /// Whether an input has no more JSON values than it may have. If it has, that is a finding.
    private mutating func hasFewValues(_ bytes: [UInt8], _ most: Int, in whole: Document, _ section: Int) -> Bool {
        guard bytes.holdsMoreJSONValues(than: most) else { return true }
        addBound("the input was not checked: its JSON has more than \(most) values", in: whole, to: section)
        return false
    }

    /// The cards that `verify` reads in an input that is more than a card, and what is said of each; empty for other inputs.
    ///
    /// - Parameters:
    ///   - form: what the input is as a whole; nil if it is nothing that lint reads.
    ///   - value: its JSON; nil if it is no object, or not acceptable.
    private static func texts(
        in bytes: [UInt8], of form: InputForm?, content: ArraySlice<UInt8>, _ value: JSONValue?
    ) -> [(text: [UInt8], warnings: [CredentialWarning])] {
        guard bytes.count <= Bounds.inputSize + 3, form?.isContainer != true, form != .file,
            form != .jws || content.trimmingWhiteSpace().contains(0x0A) || !InputForm.isJWS(bytes[...])
        else { return [] }
        let scanned = ScannedText(bytes)
        let text = scanned.content[...].trimmingByteOrderMarks()
        if form == nil ? !scanned.warnings.isEmpty : scanned.isJoined {
            let form = text.first == UInt8(ascii: "{") ? .file : InputForm(text)
            return form.map { InputForm.linted.contains($0) } ?? false ? [(Array(text), scanned.warnings)] : []
        }
        let isOther = value.map { !CardParameters.namesCards($0) && OtherCredential($0) == nil } ?? false
        return (isOther ? value.map { CardSearch($0) } : CardSearch(array: content))?.found ?? []
    }

    /// Checks what was found in an input that is more than a card. Places are those in the text of the card.
    private mutating func lint(scanned content: [UInt8], source: String, section: Int) {
        let part = (bytes: content, offset: 0)
        guard content.first == UInt8(ascii: "{") else {
            if let search = CardSearch(array: content[...]) {
                for (text, _) in search.found { lint(scanned: text, source: source, section: section) }
                return
            }
            guard let form = InputForm(content[...]) else { return }
            return lint(text: content[...], as: form, source: source, in: part, section: section)
        }
        let whole = Document(source: source, layer: .input, text: content)
        guard hasFewValues(content, Bounds.inputValues, in: whole, section),
            let value = JSONReading(content, maximumDepth: Bounds.nesting, takesBeginning: true).value
        else { return }
        guard let form = InputForm(value), InputForm.linted.contains(form) else {
            for (text, _) in CardSearch(value).found { lint(scanned: text, source: source, section: section) }
            return
        }
        lint(value, as: form, source: source, in: part, section: section)
    }

    private mutating func beginInput() {
        inputCount += 1
        currentInput = inputCount
        linksOfInput = 0
    }

    /// Adds an input that was not read, because it is one line and longer than a line may be.
    package mutating func add(tooLong limit: Int, source: String) {
        let document = Document(source: source, layer: .input, text: [])
        addBound("the input was not checked: the line has more than \(limit) bytes", in: document, to: newSection())
    }

    /// Checks the texts of a picture or PDF, and the QR symbols that carry them.
    ///
    /// - Parameters:
    ///   - document: the texts.
    ///   - source: the name of the picture or PDF.
    package mutating func add(_ document: ScannedDocument, source: String) {
        let section = newSection()
        let outer = place
        if outer != .link {
            beginInput()
            place = .picture
        }
        defer { place = outer }
        let texts = DocumentTexts(document)
        if let failure = texts.failure {
            let whole = Document(source: source, layer: .input, text: [])
            add([Problem(failure.message)], of: .codeOnPicture, in: whole, to: section)
        }
        for (number, code) in texts.codes.enumerated() {
            let text = code.text
            let isCode = InputForm.begins(text[...], with: "shc:")
            // A card in another form is none that scanners read, but is checked all the same.
            if !isCode { add(text, source: "\(source)#\(number)") }
            guard isCode || CredentialContent(text).kind == .cards && Recognition(text[...]).form != .qr else {
                continue
            }
            let subject = Document(source: source, card: number, layer: .qr, text: text, in: (text, 0))
            if let symbol = code.symbol {
                let symbol = QRSymbolSubject(document: subject, symbol: symbol)
                apply(RuleCheck.qrSymbol, to: symbol, in: subject, section: section)
            } else {
                let problem = Problem(
                    "the QR code itself was not checked: the library that read it does not report its version and segments",
                    severity: .unchecked)
                add([problem], of: .symbolSegments, in: subject, to: section)
            }
            if isCode {
                lintCode(subject, section: section)
            } else {
                apply(RuleCheck.qrCode, to: QRCodeSubject(document: subject), in: subject, section: section)
            }
        }
        for attachment in texts.attachments { add(attachment, source: source) }
    }

    /// Checks a document that was given to judge cards by. Its findings are not repeated for the cards.
    ///
    /// - Parameters:
    ///   - bytes: the whole document.
    ///   - json: its JSON, without white space and byte-order marks around it, if it was parsed; nil to parse it.
    ///   - source: the name of the document.
    ///   - kind: the form of the document.
    ///   - issuer: the issuer of the document; nil for the one in the policy, if any.
    package mutating func add(
        given bytes: [UInt8], json: JSONValue? = nil, source: String, as kind: InputForm, of issuer: Issuer? = nil
    ) {
        let policyIssuer = policy.issuer
        policy.issuer = issuer ?? policyIssuer
        place = .given
        add(bytes, parsed: json, source: source, as: kind)
        place = .input
        policy.issuer = policyIssuer
    }

    /// What is wrong in a credential itself, in order, from its text to its claims: the errors, but not those inside its Bundle, for which no
    /// verifier looks. Begins again.
    package mutating func defects(of credential: PresentedCredential) -> [Finding] {
        guard let text = try? credential.text.get() else { return [] }
        let certificate: InputForm = InputForm.begins(text[...], with: "hc1:") ? .hc1 : .cwt
        lint(
            text: text[...], as: credential.kind == .healthCertificate ? certificate : .jws, source: credential.source,
            in: (text, 0), section: newSection())
        let errors = takeFindings().filter { $0.severity == .error }
        let type = "vc.credentialSubject.fhirBundle.resourceType"
        return errors.filter { $0.rule.check.subject !== RuleCheck.bundle || $0.path == type }
    }

    /// Checks the cards that are split over several QR codes. Call it when all inputs have been added.
    package mutating func finishReading() {
        for set in splitCards {
            apply(RuleCheck.qrSet, to: set, in: set.document, section: set.section)
            if set.card.conflicts.isEmpty, let jws = set.reordered ?? set.card.jws {
                let document = Document(source: set.document.source, card: set.document.card, layer: .jws, text: jws)
                lint(document, kind: .qr, in: set.section)
            }
        }
        splitCards = []
    }

    // MARK: Recognition

    /// The form of an input; nil if lint does not read it.
    ///
    /// - Parameter value: the input as JSON; nil if it is none.
    private static func form(of input: Recognition, _ value: JSONValue?) -> InputForm? {
        let form: InputForm? =
            switch input.kind {
            case .json: value.flatMap { InputForm($0) }
            // What is meant as a JWS is linted as one.
            case .otherKeyboard, .fileNames: InputForm(input.content)
            case .unknown: InputForm.isBareCertificate(input.content) ? .hc1 : nil
            case .empty, .token, .unsupported, .utf16, .lines, .text: input.form
            }
        return form.flatMap { InputForm.linted.contains($0) ? $0 : nil }
    }

    /// The number of lines that are not empty.
    private static func lineCount(of content: ArraySlice<UInt8>) -> Int {
        content.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).count { !$0.trimmingWhiteSpace().isEmpty }
    }

    // MARK: JSON

    private mutating func lint(
        _ value: JSONValue, as kind: InputForm, source: String, in input: (bytes: [UInt8], offset: Int), section: Int
    ) {
        let layer = Document.Layer(rawValue: kind.rawValue) ?? .input
        let document = Document(source: source, layer: layer, text: value.text, root: value, in: input)
        switch kind {
        case .file, .parameters:
            lintCards(in: JSONSubject(document: document, value: value), as: kind, section: section)
        case .payload:
            lint(PayloadSubject(JSONReading(value), source: source, in: input, settings: settings), in: section)
        case .bundle:
            lint(BundleSubject(document: document, value: value, fhirVersion: nil, settings: settings), in: section)
        case .jwks:
            let set = KeySetSubject(document: document, value: value, policy: policy, isGiven: place == .given)
            apply(KeySetRules.all, to: set, in: document, section: section)
        case .crl:
            let list = RevocationListSubject(document: document, value: value, policy: policy)
            apply(RuleCheck.revocationList, to: list, in: document, section: section)
        case .directory:
            let directory = DirectorySubject(document: document, value: value, policy: policy)
            apply(RuleCheck.directory, to: directory, in: document, section: section)
        case .trustList:
            let list = TrustListSubject(document: document, value: value, policy: policy)
            apply(RuleCheck.trustList, to: list, in: document, section: section)
        // The others are no JSON, or not linted, so nothing leads here.
        default: break
        }
    }

    /// Checks a card file or a `Parameters` resource, and the cards in it.
    private mutating func lintCards(in subject: JSONSubject, as kind: InputForm, section: Int) {
        let rules = kind == .parameters ? RuleCheck.parameters : RuleCheck.file
        apply(rules, to: subject, in: subject.document, section: section)
        let values = InputContent.credentials(in: subject.value, of: kind) ?? []
        if values.count > Bounds.cards {
            addBound(
                "the input has \(values.count) cards; only the first \(Bounds.cards) were checked",
                in: subject.document, to: section)
        }
        for (number, value) in values.prefix(Bounds.cards).enumerated() {
            guard let text = value.stringBytes else { continue }
            lint(
                Document(
                    source: subject.document.source, card: number, layer: .jws, text: text,
                    in: position(of: text, in: value, of: subject.document),
                    pathPrefix: String(subject.value.path(to: value).dropFirst())), kind: kind, in: section)
        }
    }

    /// The place of a string's text in the input; nil if the input has it only with escapes, or not at all.
    private func position(of text: [UInt8], in value: JSONValue, of document: Document) -> (
        bytes: [UInt8], offset: Int
    )? {
        guard value.byteRange.count == text.count + 2, let input = document.input, let offset = document.inputOffset
        else { return nil }
        return (input, offset + value.byteRange.lowerBound + 1)
    }

    // MARK: Text

    private mutating func lint(
        text content: ArraySlice<UInt8>, as kind: InputForm, source: String, in input: (bytes: [UInt8], offset: Int),
        section: Int
    ) {
        switch kind {
        case .jws:
            let document = Document(source: source, layer: .jws, text: Array(content), in: input)
            lint(document, kind: .jws, in: section)
        case .qr: lintCodes(content, source: source, input: input.bytes, section: section)
        case .deeplink: lintDeepLink(content, source: source, in: input, section: section)
        case .link:
            lintLinks(QRCodeText.lines(of: content).lines, source: source, input: input.bytes, section: section)
        case .hc1, .cwt:
            let layer: Document.Layer = kind == .cwt ? .cwt : .hc1
            lintHCERT(Document(source: source, layer: layer, text: Array(content), in: input), in: section)
        // The others are JSON, or not linted, so nothing leads here.
        default: break
        }
    }

    private mutating func lintDeepLink(
        _ content: ArraySlice<UInt8>, source: String, in input: (bytes: [UInt8], offset: Int), section: Int
    ) {
        let document = Document(source: source, layer: .deeplink, text: Array(content), in: input)
        let link = DeepLinkSubject(document: document)
        apply(RuleCheck.deepLink, to: link, in: document, section: section)
        guard case .success(let file)? = link.content.lintedFile else { return }
        let place: (bytes: [UInt8], offset: Int)? =
            link.content.isEncoded ? nil : link.content.fragment.map { (input.bytes, input.offset + $0.startIndex) }
        let inside = Document(source: source, layer: .file, text: file.text, root: file, in: place)
        lintCards(in: JSONSubject(document: inside, value: file), as: .deeplink, section: section)
    }

    /// Checks the texts of QR codes, one in each line.
    private mutating func lintCodes(_ content: ArraySlice<UInt8>, source: String, input: [UInt8], section: Int) {
        let (lines, isCut) = QRCodeText.lines(of: content)
        let parts = lines.map { QRCodeText($0) }
        let jws = parts.flatMap(\.characters)
        let areParts = parts.allSatisfy { $0.hasScheme && $0.fields.isEmpty && $0.firstBadPair == nil }
        if parts.count > 1, areParts, QRCodeText.isCard(jws) {
            let document = Document(
                source: source, card: 0, layer: .qr, text: Array(lines[0]), in: (input, lines[0].startIndex))
            let problem = Problem(
                "the \(parts.count) texts lack part numbers: together, in this order, they are one card", offset: 5,
                remedy: "Begin the parts with shc:/1/\(parts.count)/ to shc:/\(parts.count)/\(parts.count)/.")
            add([problem], of: .qrPart, in: document, to: section)
            return lint(Document(source: source, card: 0, layer: .jws, text: jws), kind: .qr, in: section)
        }
        for (number, line) in lines.enumerated() {
            lintCode(line, number: number, source: source, input: input, section: section)
        }
        guard isCut else { return }
        let whole = Document(source: source, layer: .qr, text: input, in: (input, 0))
        addBound(
            "the input has more than \(Bounds.lines) lines of QR codes; the rest was not checked", in: whole,
            to: section)
    }

    /// Checks the text of one QR code, which may be that of an EU certificate.
    mutating func lintCode(_ line: ArraySlice<UInt8>, number: Int, source: String, input: [UInt8], section: Int) {
        let isCertificate = InputForm.begins(line, with: "hc1:")
        let document = Document(
            source: source, card: number, layer: isCertificate ? .hc1 : .qr, text: Array(line),
            in: (input, line.startIndex))
        if isCertificate {
            lintHCERT(document, in: section)
        } else {
            lintCode(document, section: section)
        }
    }

    /// Checks the text of one QR code of a card.
    private mutating func lintCode(_ document: Document, section: Int) {
        let code = QRCodeSubject(document: document)
        apply(RuleCheck.qrCode, to: code, in: document, section: section)
        if code.content.wrongOffset == nil { collect(code, in: section) }
    }

    /// Collects the parts of a split card, or checks the card if the code contains all of it.
    private mutating func collect(_ code: QRCodeSubject, in section: Int) {
        let (document, code) = (code.document, code.content)
        guard let part = code.part, part.count > 1 else {
            guard code.fields.isEmpty || code.part != nil, !code.characters.isEmpty else { return }
            let document = Document(source: document.source, card: document.card, layer: .jws, text: code.characters)
            return lint(document, kind: .qr, isCut: code.firstBadPair != nil, in: section)
        }
        guard part.count <= Bounds.chunks else { return }
        let known = splitCards.firstIndex { $0.card.count == part.count }
        if known == nil {
            splitCards.append(QRSetSubject(section: section, document: document, card: SplitCard(count: part.count)))
        }
        let place = known ?? splitCards.count - 1
        // A part with a bad pair does not count, unless it is given again.
        if code.firstBadPair == nil || splitCards[place].card.parts[part.index] != nil {
            splitCards[place].card.add(code.characters, as: part.index)
        } else {
            splitCards[place].undecoded.insert(part.index)
        }
    }
}
