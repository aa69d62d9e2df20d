import Bytes
public import Credentials

/// Reads inputs in any form, and returns the cards in them in input order.
///
/// The parts of a card that is split over several QR codes may come in any order and in several inputs. Such a card takes the
/// position of the part that came first.
public struct ArtifactReader: Sendable {
    private var slots: [Slot] = []
    /// The split cards whose parts are being collected.
    private var splitCards: [Collected] = []
    /// The index in `splitCards` of the card with this number of parts. All parts with the same number belong to one card.
    private var splitCardsByCount: [Int: Int] = [:]
    /// The links, in input order. They hold further cards, and have to be opened.
    package private(set) var links: [PresentedLink] = []
    /// The number of cards so far with the name of an input.
    private var numbers: [String: Int] = [:]

    private enum Slot: Sendable {
        /// A whole card.
        case card(PresentedCredential)
        /// A split card, by its index in `splitCards`.
        case split(Int)
        /// A link that was not opened, by its index in `links`.
        case link(Int)
        /// The cards of a link that was opened.
        case opened([PresentedCredential])
    }

    /// A split card, with its name and the warnings about its QR codes.
    private struct Collected: Sendable {
        let source: String
        /// The form of the input with the first part.
        let form: InputForm
        var card: SplitCard
        var warnings: [CredentialWarning]
        var places: [CodePlace]
    }

    /// Creates a reader without cards.
    public init() {}

    /// Adds one input.
    ///
    /// - Parameters:
    ///   - bytes: the whole input.
    ///   - source: the name of the input. Its cards are named `source#0`, `source#1` and so on.
    public mutating func add(_ bytes: [UInt8], source: String) {
        var warnings: [CredentialWarning] = []
        let content = bytes[...].trimmingByteOrderMarks()
        if content.count < bytes[...].trimmingWhiteSpace().count {
            warnings.append(CredentialWarning(.byteOrderMark, "there is a byte-order mark around the card"))
        }
        guard bytes.count <= Bounds.inputSize + 3 else {
            return append(PresentedCredential(failure: Self.tooLarge, source: name(source)))
        }
        guard content.count <= Bounds.inputSize else {
            return append(PresentedCredential(failure: Self.tooLarge, source: name(source)))
        }
        // White space is not trimmed here: it may be a part of the token.
        if InputForm.isCWT(bytes[...]) {
            return append(
                PresentedCredential(text: bytes, kind: .healthCertificate, form: .cwt, source: name(source)))
        }
        do throws(VerificationFailure) {
            switch try Artifact(content) {
            case .cards(let kind, let cards):
                for card in cards {
                    switch card {
                    case .success(let jws):
                        append(PresentedCredential(text: jws, form: kind, source: name(source), warnings: warnings))
                    case .failure(let failure):
                        append(
                            PresentedCredential(failure: failure, form: kind, source: name(source), warnings: warnings))
                    }
                }
            case .qr(let lines):
                add(lines, source: source, warnings: warnings)
            case .links(let lines):
                for line in lines { add(link: line, source: source, warnings: warnings) }
            case .mixed(let lines): add(lines, form: nil, source: source, warnings: warnings)
            }
        } catch {
            append(PresentedCredential(failure: error, source: name(source), warnings: warnings))
        }
    }

    /// Adds an input that could not be read, as one card with this failure.
    ///
    /// - Parameters:
    ///   - failure: why it could not be read.
    ///   - source: the name of the input.
    ///   - form: the form of the input, if it was recognised.
    public mutating func add(failure: VerificationFailure, source: String, form: InputForm? = nil) {
        append(PresentedCredential(failure: failure, form: form, source: source))
    }

    /// The failure of an input that is larger than `Bounds.inputSize`.
    public static let tooLarge = VerificationFailure(
        .malformedInput, "the input is larger than \(Bounds.inputSize >> 20) MiB, the limit for an input")

    private mutating func name(_ source: String) -> String {
        let number = numbers[source, default: 0]
        numbers[source] = number + 1
        return "\(source)#\(number)"
    }

    private mutating func append(_ card: PresentedCredential) {
        slots.append(.card(card))
    }

    // MARK: Links

    private mutating func add(
        link text: ArraySlice<UInt8>, source: String, warnings: [CredentialWarning], places: [CodePlace] = []
    ) {
        slots.append(.link(links.count))
        links.append(PresentedLink(source: source, text: Array(text), warnings: warnings, places: places))
    }

    /// Puts the cards of a link in the place of the link.
    ///
    /// - Parameters:
    ///   - index: the index of the link in `links`.
    ///   - opened: the link after it was opened.
    ///   - cards: the cards with the index of their file, or nil for the card that stands for the link itself; and the warnings
    ///     about the file.
    package mutating func replace(
        link index: Int, by opened: OpenedLink,
        cards: [(credential: PresentedCredential, file: Int?, warnings: [CredentialWarning])]
    ) {
        let link = links[index]
        let named = cards.map { card in
            card.credential.from(
                PlaceInLink(opened, file: card.file), source: name(link.source),
                warnings: link.warnings + card.warnings,
                places: link.places)
        }
        for slot in slots.indices {
            if case .link(index) = slots[slot] { slots[slot] = .opened(named) }
        }
    }

    /// The card that stands for a link that nobody opened.
    private static func unopened(_ link: PresentedLink, source: String) -> PresentedCredential {
        PresentedCredential(
            failure: VerificationFailure(.malformedInput, InputForm.link.advice ?? ""), form: .link,
            source: source, warnings: link.warnings, places: link.places)
    }

    // MARK: Certificates

    /// Adds texts of which at least one is that of an EU Digital COVID Certificate.
    ///
    /// - Parameters:
    ///   - form: the form of the input; nil if each text has its own.
    ///   - last: the number of cards at which the rest is left out.
    private mutating func add(
        _ lines: CredentialLines, form: InputForm?, source: String, warnings: [CredentialWarning],
        places: [CodePlace] = [], upTo last: Int? = nil
    ) {
        let last = last ?? slots.count + Bounds.cards
        for text in lines.texts {
            guard slots.count < last else { return leaveOutRest(form: form ?? .hc1, source: source) }
            switch text {
            case .certificate(let text, let isWrapped, _):
                append(
                    Self.certificate(
                        text, isWrapped: isWrapped, form: form ?? .hc1, source: name(source), warnings: warnings,
                        places: places))
            case .code(let line):
                add(line, form: form ?? .qr, source: source, warnings: warnings, place: places.first)
            case .jws(let line):
                append(
                    PresentedCredential(
                        text: Array(line), form: form ?? .jws, source: name(source), warnings: warnings, places: places)
                )
            case .link(let line): add(link: line, source: source, warnings: warnings, places: places)
            case .other(let line):
                append(
                    PresentedCredential(
                        failure: Artifact.noCard(Artifact.describe(line)), form: form, source: name(source),
                        warnings: warnings, places: places))
            }
        }
        if lines.isCut { leaveOutRest(form: form ?? .hc1, source: source) }
    }

    /// The certificate with a text. Its prefix is in upper case afterwards, and nothing else is changed.
    ///
    /// - Parameter text: the text, which begins with `HC1:` in any case.
    package static func certificate(
        _ text: [UInt8], isWrapped: Bool = false, form: InputForm = .hc1, source: String,
        warnings: [CredentialWarning] = [], places: [CodePlace] = []
    ) -> PresentedCredential {
        var warnings = warnings
        if !text.starts(with: "HC1:".utf8) {
            warnings.append(CredentialWarning(.prefixCase, "the prefix HC1: is not in upper case"))
        }
        if isWrapped {
            warnings.append(
                CredentialWarning(
                    .textWrapped, "the text of the certificate is wrapped over several lines, which were joined"))
        }
        return PresentedCredential(
            text: Array(text[...].trimmingWhiteSpace()), kind: .healthCertificate, form: form, source: source,
            warnings: warnings, places: places)
    }

    // MARK: QR codes

    private mutating func add(_ lines: [ArraySlice<UInt8>], source: String, warnings: [CredentialWarning]) {
        let first = slots.count
        for line in lines {
            add(line, form: .qr, source: source, warnings: warnings)
            guard slots.count - first <= Bounds.cards else {
                let failure = VerificationFailure(
                    .malformedQR, "at most \(Bounds.cards) cards are read from one input; the rest was not read")
                return append(
                    PresentedCredential(failure: failure, form: .qr, source: name(source), warnings: warnings))
            }
        }
    }

    /// Adds the text of one code.
    private mutating func add(
        _ text: ArraySlice<UInt8>, form: InputForm, source: String, warnings: [CredentialWarning],
        place: CodePlace? = nil
    ) {
        let code = QRCodeText(text)
        let places = place.map { [$0] } ?? []
        do throws(VerificationFailure) {
            let (part, notes) = try code.validated()
            guard let part, part.count > 1 else {
                return append(
                    PresentedCredential(
                        text: code.characters, form: form, source: name(source), warnings: warnings + notes,
                        places: places))
            }
            add(code.characters, as: part, form: form, source: source, warnings: warnings + notes, places: places)
        } catch {
            append(
                PresentedCredential(
                    failure: error, form: form, source: name(source), warnings: warnings, places: places))
        }
    }

    private mutating func add(
        _ characters: [UInt8], as part: (index: Int, count: Int), form: InputForm, source: String,
        warnings: [CredentialWarning], places: [CodePlace]
    ) {
        let index: Int
        if let known = splitCardsByCount[part.count] {
            index = known
        } else {
            index = splitCards.count
            splitCardsByCount[part.count] = index
            slots.append(.split(index))
            splitCards.append(
                Collected(
                    source: name(source), form: form, card: SplitCard(count: part.count), warnings: [], places: []))
        }
        if splitCards[index].card.parts[part.index] == nil { splitCards[index].places += places }
        // Changed in place: with a copy for each part, the time would grow with the square of the number of parts.
        splitCards[index].card.add(characters, as: part.index)
        for warning in warnings where !splitCards[index].warnings.contains(warning) {
            splitCards[index].warnings.append(warning)
        }
    }

    // MARK: Pictures

    /// Adds the texts that were found in a picture or PDF. Each is read as an input of its own kind.
    ///
    /// - Parameters:
    ///   - document: the texts.
    ///   - source: the name of the picture or PDF. Its cards are named `source#0`, `source#1` and so on.
    public mutating func add(_ document: ScannedDocument, source: String) {
        let texts = DocumentTexts(document)
        var warnings = texts.warnings
        let last = slots.count + Bounds.cards
        for code in texts.codes {
            add(code, form: document.form, source: source, warnings: warnings, upTo: last)
            warnings = []
        }
        for attachment in texts.attachments {
            add(attachment: attachment, form: document.form, source: source, warnings: warnings, upTo: last)
            warnings = []
        }
        if let failure = texts.failure {
            append(PresentedCredential(failure: failure, form: document.form, source: name(source)))
        }
    }

    private mutating func add(
        _ code: ScannedCode, form: InputForm, source: String, warnings: [CredentialWarning], upTo last: Int
    ) {
        let text = code.text[...].trimmingWhiteSpace()
        if InputForm.begins(text, with: "shc:") {
            return add(text, form: form, source: source, warnings: warnings, place: code.place)
        }
        add(text, form: form, source: source, warnings: warnings, places: [code.place], upTo: last)
    }

    private mutating func add(
        attachment: [UInt8], form: InputForm, source: String, warnings: [CredentialWarning], upTo last: Int
    ) {
        add(
            attachment[...].trimmingByteOrderMarks(), form: form, source: source, warnings: warnings, places: [],
            upTo: last)
    }

    /// Adds the cards of a text in any form.
    ///
    /// - Parameter last: the number of cards at which the rest is left out.
    private mutating func add(
        _ text: ArraySlice<UInt8>, form: InputForm, source: String, warnings: [CredentialWarning], places: [CodePlace],
        upTo last: Int
    ) {
        do throws(VerificationFailure) {
            switch try Artifact(text) {
            case .cards(_, let cards):
                for card in cards {
                    guard slots.count < last else { return leaveOutRest(form: form, source: source) }
                    switch card {
                    case .success(let jws):
                        append(
                            PresentedCredential(
                                text: jws, form: form, source: name(source), warnings: warnings, places: places))
                    case .failure(let failure):
                        append(
                            PresentedCredential(
                                failure: failure, form: form, source: name(source), warnings: warnings, places: places))
                    }
                }
            case .qr(let lines):
                for line in lines {
                    guard slots.count < last else { return leaveOutRest(form: form, source: source) }
                    add(line, form: form, source: source, warnings: warnings)
                }
            case .links(let lines):
                for line in lines { add(link: line, source: source, warnings: warnings, places: places) }
            case .mixed(let lines):
                add(lines, form: form, source: source, warnings: warnings, places: places, upTo: last)
            }
        } catch {
            append(
                PresentedCredential(
                    failure: error, form: form, source: name(source), warnings: warnings, places: places))
        }
    }

    /// Says that the rest of an input was not read. It is said once.
    private mutating func leaveOutRest(form: InputForm, source: String) {
        if case .card(let card)? = slots.last, case .failure(let failure) = card.text, failure == Self.restIsLeftOut {
            return
        }
        append(PresentedCredential(failure: Self.restIsLeftOut, form: form, source: name(source)))
    }

    private static let restIsLeftOut = VerificationFailure(
        .malformedInput, "at most \(Bounds.cards) cards are read from one input; the rest was not read")

    /// Adds the parts of split cards that are missing so far, and nothing else but a code with two readings.
    ///
    /// - Parameters:
    ///   - document: the texts of a picture or PDF that was added before.
    ///   - source: its name.
    public mutating func addMissingParts(from document: ScannedDocument, source: String) {
        for code in DocumentTexts(document).codes {
            let text = QRCodeText(code.text[...].trimmingWhiteSpace())
            // A part that is known already changes nothing, unless its text differs now.
            guard let part = text.part, splitCardsByCount[part.count] != nil else { continue }
            add(code, form: document.form, source: source, warnings: [], upTo: Int.max)
        }
        if document.problem != nil, let failure = DocumentTexts(document).failure {
            append(PresentedCredential(failure: failure, form: document.form, source: name(source)))
        }
    }

    /// Whether parts of a split card are missing. To look at the pictures again, more thoroughly, may find them.
    public var lacksParts: Bool { splitCards.contains { $0.card.conflicts.isEmpty && !$0.card.missing.isEmpty } }

    // MARK: Cards

    /// The cards in input order; empty only if no input was added.
    public func cards() -> [PresentedCredential] {
        // The links that were not opened come after the other cards of an input.
        var names = self
        return slots.flatMap { slot in
            switch slot {
            case .card(let card): [card]
            case .split(let number): [Self.joined(splitCards[number])]
            case .link(let number): [Self.unopened(links[number], source: names.name(links[number].source))]
            case .opened(let cards): cards
            }
        }
    }

    private static func joined(_ collected: Collected) -> PresentedCredential {
        let card = collected.card
        let failure: VerificationFailure
        if let conflict = card.conflicts.min() {
            failure = VerificationFailure(
                .malformedQR,
                "two different texts were given for part \(conflict) of \(card.count), so they are parts of two cards")
        } else if let jws = card.jws {
            return PresentedCredential(
                text: jws, form: collected.form, source: collected.source, warnings: collected.warnings,
                places: collected.places)
        } else {
            failure = VerificationFailure(
                .qrChunkMissing,
                "the card is split over \(card.count) QR codes; still missing: \(list(card.missing)) of \(card.count)")
        }
        return PresentedCredential(
            failure: failure, form: collected.form, source: collected.source, warnings: collected.warnings,
            places: collected.places)
    }

    private static func list(_ numbers: [Int]) -> String {
        let shown = numbers.prefix(8).map { String($0) }.joined(separator: ", ")
        return "part" + (numbers.count > 1 ? "s " : " ") + shown + (numbers.count > 8 ? ", …" : "")
    }
}
