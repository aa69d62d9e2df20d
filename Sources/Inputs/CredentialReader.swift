package import Credentials
import Encodings

/// Reads inputs in any form, and returns the cards in them in input order.
///
/// The parts of a card that is split over several QR codes may come in any order and in several inputs. Such a card takes the
/// position of the part that came first.
package struct CredentialReader: Sendable {
    /// The inputs, each with what was read from it.
    private var inputs: [Input] = []
    /// The split cards whose parts are being collected. Their parts may be in several inputs.
    private var splitCards: [Collected] = []
    /// The index in `splitCards` of the card with this number of parts. All parts with the same number belong to one card.
    private var splitCardsByCount: [Int: Int] = [:]
    /// The number of cards so far with the name of an input.
    private var numbers: [String: Int] = [:]

    /// What was read from an input so far, with all its texts, codes and attachments.
    private struct Input: Sendable {
        var slots: [Slot] = []
        /// The number of cards. A container counts as one until it is opened.
        var cards = 0
        /// The bytes of the codes and attachments of a document.
        var size = 0
        /// Whether it had more links than are opened. Then none of them is.
        var hasTooManyLinks = false

        /// The number of links.
        var links: Int { slots.count { $0.held?.presented.form == .link } }
    }

    /// A place in an input, in which one or several cards stand.
    private enum Slot: Sendable {
        /// A whole card, and the link in it if it is a certificate that has one.
        case card(PresentedCredential, Held?)
        /// A split card, by its index in `splitCards`.
        case split(Int)
        /// A container.
        case container(Held)

        /// The container.
        var held: Held? {
            get {
                switch self {
                case .card(_, let held): held
                case .split: nil
                case .container(let held): held
                }
            }
            set {
                switch self {
                case .card(let card, _): self = .card(card, newValue)
                case .split: break
                case .container(let held): self = .container(newValue ?? held)
                }
            }
        }
    }

    /// A container, and its cards after it was opened.
    private struct Held: Sendable {
        let presented: PresentedContainer
        var cards: [PresentedCredential]?
    }

    /// A split card, with its name and the warnings about its QR codes.
    private struct Collected: Sendable {
        let source: String
        /// The form of the input with the first part.
        let form: InputForm
        /// The number of the input with the first part.
        let input: Int
        var card: SplitCard
        var warnings: [CredentialWarning]
        var places: [CodePlace]
    }

    /// Creates a reader without cards.
    package init() {}

    /// Where the cards of a text are from.
    private struct Origin {
        /// The name of the input.
        let source: String
        /// The form of the document whose texts are inputs themselves; nil if each text has its own form.
        var form: InputForm?
        /// Warnings about all cards of the text.
        var warnings: [CredentialWarning] = []
        /// The places of the text's code; empty if it is not from a picture.
        var places: [CodePlace] = []
        /// Whether containers are opened. What is found in JSON must not cause a request to a server.
        var opensContainers = true
    }

    /// Adds one input.
    ///
    /// - Parameters:
    ///   - bytes: the whole input.
    ///   - source: the name of the input. Its cards are named `source#0`, `source#1` and so on.
    package mutating func add(_ bytes: [UInt8], source: String) {
        beginInput()
        // Byte-order marks around an input do not count.
        guard bytes.count <= Bounds.inputSize + 3 else {
            return append(PresentedCredential(failure: Self.tooLarge, source: name(source)))
        }
        let scanned = ScannedText(bytes)
        let recognition = Recognition(scanned.content[...])
        guard recognition.content.count <= Bounds.inputSize else {
            return append(PresentedCredential(failure: Self.tooLarge, source: name(source)))
        }
        var origin = Origin(source: source)
        if recognition.content.count < scanned.content[...].trimmingWhiteSpace().count {
            origin.warnings.add(.byteOrderMark, "there is a byte-order mark around the card")
        }
        origin.warnings += scanned.warnings
        add(scanned.content, recognition, from: origin)
    }

    /// Adds the cards of a text in any form, or of the octets of a certificate.
    ///
    /// - Parameters:
    ///   - bytes: the text, with nothing trimmed.
    ///   - recognition: what it is.
    private mutating func add(_ bytes: [UInt8], _ recognition: Recognition, from origin: Origin) {
        do throws(VerificationFailure) {
            switch try InputContent(recognition) {
            case .cards(let form, let cards):
                for card in cards {
                    guard hasRoom else { return leaveOutRest(form: origin.form ?? form, source: origin.source) }
                    append(card, kind: form.kind, form: form, from: origin)
                }
            case .container(let form): add(Array(recognition.content), as: form, from: origin)
            case .token:
                guard hasRoom else { return leaveOutRest(form: origin.form ?? .cwt, source: origin.source) }
                var origin = origin
                // Octets at the end of a token are a part of it, also if they look like a byte-order mark.
                if origin.form == nil { origin.warnings = [] }
                append(.success(bytes), kind: .healthCertificate, form: .cwt, from: origin)
            case .qr(let lines): add(codes: lines, from: origin)
            case .links(let lines): for line in lines { add(link: line, from: origin) }
            case .inside(let search):
                for (text, warnings) in search.found {
                    guard hasRoom else { return leaveOutRest(form: origin.form, source: origin.source) }
                    var origin = origin
                    origin.warnings += warnings
                    origin.opensContainers = false
                    add(text, Recognition(text[...]), from: origin)
                }
            case .mixed(let lines): add(lines, from: origin)
            }
        } catch {
            append(.failure(error), kind: nil, form: nil, from: origin)
        }
    }

    /// Adds an input that could not be read, as one card with this failure.
    ///
    /// - Parameters:
    ///   - failure: why it could not be read.
    ///   - source: the name of the input.
    ///   - form: the form of the input, if it was recognised.
    package mutating func add(failure: VerificationFailure, source: String, form: InputForm? = nil) {
        beginInput()
        append(PresentedCredential(failure: failure, form: form, source: source))
    }

    /// The failure of an input that is larger than `Bounds.inputSize`.
    package static let tooLarge = VerificationFailure(
        .malformedInput, "the input is larger than \(Bounds.inputSize >> 20) MiB, the limit for an input")

    private mutating func name(_ source: String) -> String {
        let number = numbers[source, default: 0]
        numbers[source] = number + 1
        return "\(source)#\(number)"
    }

    private mutating func append(
        _ text: Result<[UInt8], VerificationFailure>, kind: CredentialKind?, form: InputForm?, from origin: Origin,
        notes: [CredentialWarning] = []
    ) {
        append(
            PresentedCredential(
                text, kind: kind, form: origin.form ?? form, source: name(origin.source),
                warnings: origin.warnings + notes, places: origin.places))
    }

    private mutating func append(_ card: PresentedCredential) {
        var card = card
        card.input = inputs.count - 1
        append(.card(card, nil))
    }

    // MARK: Limits

    private mutating func beginInput() { inputs.append(Input()) }

    private mutating func append(_ slot: Slot) {
        inputs[inputs.count - 1].slots.append(slot)
        inputs[inputs.count - 1].cards += 1
    }

    /// Whether the input may hold more cards.
    private var hasRoom: Bool { inputs[inputs.count - 1].cards < Bounds.cards }

    /// What the containers of a kind in an input may hold together: cards, and bytes beside those of the input's own codes and attachments.
    package func room(for form: InputForm, of input: Int) -> (cards: Int, size: Int) {
        let containers = inputs[input].slots.count { $0.held?.presented.form == form }
        return (
            max(0, Bounds.cards - inputs[input].cards + containers), max(0, Bounds.containerSize - inputs[input].size)
        )
    }

    // MARK: Containers

    private mutating func add(_ text: [UInt8], as form: InputForm, from origin: Origin) {
        guard origin.opensContainers else {
            let failure = VerificationFailure(
                .malformedInput,
                "what stands in JSON as a card file is \(form.words), which is opened only as an input itself")
            return append(.failure(failure), kind: nil, form: nil, from: origin)
        }
        let presented = PresentedContainer(
            form, source: origin.source, text: text, warnings: origin.warnings, places: origin.places,
            input: inputs.count - 1)
        append(.container(Held(presented: presented)))
    }

    private mutating func add(link text: ArraySlice<UInt8>, from origin: Origin) {
        let input = inputs.count - 1
        guard !inputs[input].hasTooManyLinks else { return }
        guard inputs[input].links < Bounds.links else {
            // Which of them to open would be a guess.
            inputs[input].hasTooManyLinks = true
            inputs[input].slots.removeAll { $0.held?.presented.form == .link }
            inputs[input].cards -= Bounds.links
            return append(
                PresentedCredential(
                    failure: Self.tooManyLinks, form: .link, source: name(origin.source), warnings: origin.warnings))
        }
        add(Array(text), as: .link, from: origin)
    }

    private static let tooManyLinks = VerificationFailure(
        .malformedLink, "the input has more than \(Bounds.links) links, so none of them is opened")

    /// The containers of a kind, in input order. They hold further cards, and have to be opened.
    package func containers(_ form: InputForm) -> [PresentedContainer] {
        inputs.flatMap { $0.slots.compactMap { $0.held?.presented } }.filter { $0.form == form }
    }

    /// Puts cards in the place of each container of a kind.
    ///
    /// - Parameter opened: the containers after they were opened, in the order of `containers(_:)`. Each has its cards with the index of
    ///   their item, or nil for the card that stands for the container itself; and the warnings before those of the card.
    package mutating func put(_ opened: [(container: any Container, cards: [ContainedCredential])], as form: InputForm)
    {
        var left = opened[...]
        for input in inputs.indices {
            for place in inputs[input].slots.indices {
                guard let presented = inputs[input].slots[place].held?.presented, presented.form == form,
                    let (container, cards) = left.popFirst()
                else { continue }
                let named = cards.map { card in
                    var credential = card.credential.from(
                        PlaceInContainer(container, item: card.item), source: name(presented.source),
                        warnings: card.warnings, places: presented.places)
                    credential.input = input
                    return credential
                }
                inputs[input].slots[place].held?.cards = named
                inputs[input].cards += named.count - 1
            }
        }
    }

    /// A credential in a container.
    package typealias ContainedCredential = (
        credential: PresentedCredential, item: Int?, warnings: [CredentialWarning]
    )

    /// The card that stands for a container that nobody opened.
    private static func unopened(_ container: PresentedContainer, source: String) -> PresentedCredential {
        var card = PresentedCredential(
            failure: VerificationFailure(.malformedInput, container.form.advice ?? ""), form: container.form,
            source: source, warnings: container.warnings, places: container.places)
        card.input = container.input
        return card
    }

    // MARK: Links in certificates

    /// The health certificates that were given themselves, and not by a link.
    package var certificates: some Sequence<PresentedCredential> {
        inputs.lazy.flatMap(\.slots).compactMap { slot in
            if case .card(let card, _) = slot, card.kind == .healthCertificate { card } else { nil }
        }
    }

    /// Adds the links that are in certificates, each after its certificate. No link may have been opened before, and no input may be
    /// added afterwards.
    ///
    /// - Parameter link: the text of the link in a certificate, and the certificate after it has passed; nil if there is none. It is not
    ///   called for certificates of an input that has as many links as are opened.
    package mutating func addLinks(
        _ link: (PresentedCredential) -> (text: [UInt8], wrapper: PresentedContainer.Wrapper)?
    ) {
        for input in inputs.indices {
            var count = inputs[input].links
            for place in inputs[input].slots.indices {
                guard case .card(let card, nil) = inputs[input].slots[place], card.kind == .healthCertificate,
                    count < Bounds.links, inputs[input].cards < Bounds.cards, let (text, wrapper) = link(card)
                else { continue }
                inputs[input].cards += 1
                count += 1
                // Its number follows the last number sign.
                let source = card.source.lastIndex(of: "#").map { String(card.source[..<$0]) } ?? card.source
                let presented = PresentedContainer(
                    .link, source: source, text: text, wrapper: wrapper, places: card.places, input: input)
                inputs[input].slots[place] = .card(card, Held(presented: presented))
            }
        }
    }

    /// The credentials in what stands together in a file of a link or an artifact of a check-in.
    ///
    /// - Parameters:
    ///   - contents: the inputs.
    ///   - limit: the number of credentials that are wanted. If there are more, more are returned, and not all are read.
    package static func credentials(in contents: [[UInt8]], atMost limit: Int) -> [PresentedCredential] {
        var credentials: [PresentedCredential] = []
        for content in contents where credentials.count <= limit {
            var reader = CredentialReader()
            reader.add(content, source: "file")
            credentials += reader.cards()
        }
        return credentials
    }

    // MARK: Certificates

    /// Adds texts of which at least one is that of an EU Digital COVID Certificate.
    private mutating func add(_ lines: CredentialLines, from origin: Origin) {
        for text in lines.texts {
            guard hasRoom else { return leaveOutRest(form: origin.form ?? .hc1, source: origin.source) }
            switch text {
            case .certificate(let text, let isWrapped, _):
                append(
                    Self.certificate(
                        text, isWrapped: isWrapped, form: origin.form ?? .hc1, source: name(origin.source),
                        warnings: origin.warnings, places: origin.places))
            case .code(let line): add(code: line, from: origin)
            case .jws(let line): append(.success(Array(line)), kind: .smartHealthCard, form: .jws, from: origin)
            case .link(let line): add(link: line, from: origin)
            case .other(let line):
                append(.failure(InputContent.noCredential(in: line)), kind: nil, form: nil, from: origin)
            }
        }
        if lines.isCut { leaveOutRest(form: origin.form ?? .hc1, source: origin.source) }
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
            warnings.add(.prefixCase, "the prefix HC1: is not in upper case")
        }
        if isWrapped {
            warnings.add(.textWrapped, "the text of the certificate is wrapped over several lines, which were joined")
        }
        return PresentedCredential(
            text: Array(text[...].trimmingWhiteSpace()), kind: .healthCertificate, form: form, source: source,
            warnings: warnings, places: places)
    }

    // MARK: QR codes

    /// Adds the texts of codes, one in each line.
    private mutating func add(codes lines: [ArraySlice<UInt8>], from origin: Origin) {
        for line in lines {
            // A further part of a card needs no room.
            guard hasRoom || QRCodeText(line).part.map({ splitCardsByCount[$0.count] != nil }) ?? false else {
                return leaveOutRest(form: origin.form ?? .qr, source: origin.source)
            }
            add(code: line, from: origin)
        }
    }

    /// The card in the text of one code that holds the whole of it; nil for a part of a card, and for a text that is not in order.
    package static func card(wholeCode text: ArraySlice<UInt8>, source: String) -> PresentedCredential? {
        let code = QRCodeText(text)
        guard case (nil, let notes)? = try? code.validated() else { return nil }
        return PresentedCredential(
            .success(code.characters), kind: .smartHealthCard, form: .qr, source: source, warnings: notes)
    }

    /// Adds the text of one code.
    private mutating func add(code text: ArraySlice<UInt8>, from origin: Origin) {
        let code = QRCodeText(text)
        do throws(VerificationFailure) {
            let (part, notes) = try code.validated()
            guard let part, part.count > 1 else {
                return append(
                    .success(code.characters), kind: .smartHealthCard, form: .qr, from: origin, notes: notes)
            }
            add(code.characters, as: part, notes: notes, from: origin)
        } catch {
            append(.failure(error), kind: .smartHealthCard, form: .qr, from: origin)
        }
    }

    private mutating func add(
        _ characters: [UInt8], as part: (index: Int, count: Int), notes: [CredentialWarning], from origin: Origin
    ) {
        let index: Int
        if let known = splitCardsByCount[part.count] {
            index = known
        } else {
            index = splitCards.count
            splitCardsByCount[part.count] = index
            append(.split(index))
            splitCards.append(
                Collected(
                    source: name(origin.source), form: origin.form ?? .qr, input: inputs.count - 1,
                    card: SplitCard(count: part.count), warnings: [], places: []))
        }
        if splitCards[index].card.parts[part.index] == nil { splitCards[index].places += origin.places }
        // Changed in place: with a copy for each part, the time would grow with the square of the number of parts.
        splitCards[index].card.add(characters, as: part.index)
        for warning in origin.warnings + notes where !splitCards[index].warnings.contains(warning) {
            splitCards[index].warnings.append(warning)
        }
    }

    // MARK: Pictures

    /// Adds the texts that were found in a picture or PDF. Each is read as an input of its own kind.
    ///
    /// - Parameters:
    ///   - document: the texts.
    ///   - source: the name of the picture or PDF. Its cards are named `source#0`, `source#1` and so on.
    package mutating func add(_ document: ScannedDocument, source: String) {
        beginInput()
        inputs[inputs.count - 1].size = document.size
        let texts = DocumentTexts(document)
        var origin = Origin(source: source, form: document.form, warnings: texts.warnings)
        // The warnings are about the document, so its first card has them.
        for code in texts.codes {
            add(code, from: origin)
            origin.warnings = []
        }
        for attachment in texts.attachments {
            add(text: attachment, from: origin)
            origin.warnings = []
        }
        if let failure = texts.failure {
            append(PresentedCredential(failure: failure, form: document.form, source: name(source)))
        }
    }

    private mutating func add(_ code: ScannedCode, from origin: Origin) {
        var origin = origin
        origin.places = [code.place]
        add(text: code.text, from: origin)
    }

    /// Adds the cards of a text in a document.
    private mutating func add(text bytes: [UInt8], from origin: Origin) {
        let scanned = ScannedText(bytes)
        var origin = origin
        origin.warnings += scanned.warnings
        let text = scanned.content[...].trimmingByteOrderMarks()
        // A code has one text, so line breaks do not part it.
        if !origin.places.isEmpty, InputForm.begins(text, with: "shc:") { return add(code: text, from: origin) }
        add(scanned.content, Recognition(scanned.content[...]), from: origin)
    }

    /// Says that the rest of an input was not read. It is said once.
    private mutating func leaveOutRest(form: InputForm?, source: String) {
        if case .card(let card, _)? = inputs.last?.slots.last, case .failure(let failure) = card.text,
            failure == Self.restIsLeftOut
        {
            return
        }
        append(PresentedCredential(failure: Self.restIsLeftOut, form: form, source: name(source)))
    }

    /// The failure of the rest of an input that holds more cards than are read.
    package static let restIsLeftOut = VerificationFailure(
        .malformedInput, "at most \(Bounds.cards) cards are read from one input; the rest was not read")

    /// Adds the parts of split cards that are missing so far, and nothing else but a code with two readings.
    ///
    /// - Parameters:
    ///   - document: the texts of a picture or PDF that was added before.
    ///   - source: its name.
    package mutating func addMissingParts(from document: ScannedDocument, source: String) {
        beginInput()
        for code in DocumentTexts(document).codes {
            let text = QRCodeText(code.text[...].trimmingByteOrderMarks())
            // A part that is known already changes nothing, unless its text differs now.
            guard let part = text.part, splitCardsByCount[part.count] != nil else { continue }
            add(code, from: Origin(source: source, form: document.form))
        }
        if !document.problems.isEmpty, let failure = DocumentTexts(document).failure {
            append(PresentedCredential(failure: failure, form: document.form, source: name(source)))
        }
    }

    /// Whether parts of a split card are missing. To look at the pictures again, more thoroughly, may find them.
    package var lacksParts: Bool { splitCards.contains { $0.card.conflicts.isEmpty && !$0.card.missing.isEmpty } }

    // MARK: Cards

    /// The cards in input order; empty only if no input was added.
    package func cards() -> [PresentedCredential] {
        // The containers that were not opened come after the other cards of an input.
        var names = self
        return inputs.flatMap(\.slots).flatMap { slot in
            let contained = slot.held.map { held in
                held.cards ?? [Self.unopened(held.presented, source: names.name(held.presented.source))]
            }
            return switch slot {
            case .card(let card, _): [contained == nil ? card : card.followedByItsLink] + (contained ?? [])
            case .split(let number): [Self.joined(splitCards[number])]
            case .container: contained ?? []
            }
        }
    }

    private static func joined(_ collected: Collected) -> PresentedCredential {
        let card = collected.card
        let text: Result<[UInt8], VerificationFailure>
        if let conflict = card.conflicts.min() {
            text = .failure(
                VerificationFailure(
                    .malformedQR,
                    "two different texts were given for part \(conflict) of \(card.count), so they are parts of two cards"
                ))
        } else if let jws = card.jws {
            text = .success(jws)
        } else {
            text = .failure(
                VerificationFailure(
                    .qrChunkMissing,
                    "the card is split over \(card.count) QR codes; still missing: \(list(card.missing)) of \(card.count)"
                ))
        }
        var joined = PresentedCredential(
            text, kind: .smartHealthCard, form: collected.form, source: collected.source, warnings: collected.warnings,
            places: collected.places)
        joined.input = collected.input
        return joined
    }

    private static func list(_ numbers: [Int]) -> String {
        let shown = numbers.prefix(8).map { String($0) }.joined(separator: ", ")
        return "part" + (numbers.count > 1 ? "s " : " ") + shown + (numbers.count > 8 ? ", …" : "")
    }
}
