package import Credentials
package import Encodings
import HTTPSFetch
package import Inputs

/// How SMART Health Links are followed: who asks, and with which passcode.
public struct LinkSettings: Sendable {
    let client: LinkClient
    let recipient: String
    let passcode: @Sendable (_ origin: String) -> [UInt8]?

    /// - Parameters:
    ///   - client: what opens links, with its limits.
    ///   - recipient: who asks, which is shown to the person who shared the link. The same as the client's.
    ///   - passcode: gives the passcode of a link at an origin (`https://host`), in UTF-8; nil if there is none. It is asked only for a
    ///     link that needs one.
    public init(
        client: LinkClient, recipient: String,
        passcode: @escaping @Sendable (_ origin: String) -> [UInt8]? = { _ in nil }
    ) {
        self.client = client
        self.recipient = recipient
        self.passcode = passcode
    }

    /// No link is followed.
    package static let none = LinkSettings(
        client: LinkClient(
            transport: NoTransport(), limits: LinkClient.Limits(disabledReason: "links are not followed here"),
            recipient: "none"),
        recipient: "none")

    private struct NoTransport: Transport {
        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            throw TransportFailure(.refusedAddress, "nothing is fetched here")
        }
    }
}

/// What says what is known of the attestation of an app in a FHIR file; nil if there is none.
package protocol AttestationReporter {
    /// - Throws: `InstallationFault` if keys must be fetched and the installation cannot fetch.
    nonisolated(nonsending) mutating func report(onFile content: [UInt8]) async throws -> AttestationReport?
}

/// A link of a run, after it was read, and opened as far as possible if it was followed. Nothing in it is verified.
package struct FollowedLink: Sendable {
    /// The link as it was read.
    package let reading: LinkReading
    /// What is known of it and of its files.
    package let opened: OpenedLink
    /// The files with their content; nil if it was not followed.
    package var files: [LinkClient.Opening.File]?
    /// The cards of each file; nil if there was no room for them.
    package var credentials: [[PresentedCredential]?] = []
    /// The first file that has cards for which there was no room; nil if there was room for all.
    package var cutFile: Int?

    /// Describes a link that is not followed.
    package init(_ reading: LinkReading, _ opened: OpenedLink) {
        self.reading = reading
        self.opened = opened
    }

    /// The first failure: of the link itself, or of a file.
    package var failure: VerificationFailure? {
        let ofLink = opened.reason.flatMap { $0.code == .noSignedContent && files != nil ? nil : $0 }
        return ofLink ?? opened.files.lazy.compactMap(\.reason).first
    }
}

/// Opens the links among inputs.
package struct LinkFollower {
    private let client: LinkClient
    private let recipient: String
    private let now: NumericDate
    private let time: Duration?
    private let passcode: (_ origin: String) throws -> SecretBytes?
    private let prepare: () throws -> Void
    private let severalPasscodes: (any Error)?
    private let scanner: PictureScanner
    private let keepsUnsigned: Bool
    /// What checks the attestations of apps; nil to say nothing of them.
    package var attestations: (any AttestationReporter)?

    /// - Parameters:
    ///   - client: what opens links.
    ///   - recipient: who asks.
    ///   - now: the moment at which links must be valid.
    ///   - time: how long the links of an input may take, besides the limits of the client; nil for those alone.
    ///   - passcode: gives the passcode of the link at an origin; nil if there is none.
    ///   - prepare: is called before anything else if there are links.
    ///   - severalPasscodes: the error if more than one link needs a passcode, which is sent to one link only; nil to open none of
    ///     these links.
    ///   - scanner: what reads pictures and PDFs in links.
    ///   - keepsUnsigned: whether FHIR content that nobody signed is kept for a hand-over.
    package init(
        _ client: LinkClient, recipient: String, now: NumericDate, within time: Duration? = nil,
        passcode: @escaping (_ origin: String) throws -> SecretBytes?, prepare: @escaping () throws -> Void = {},
        severalPasscodes: (any Error)? = nil, scanner: PictureScanner, keepsUnsigned: Bool = false
    ) {
        self.client = client
        self.recipient = recipient
        self.now = now
        self.time = time
        self.passcode = passcode
        self.prepare = prepare
        self.severalPasscodes = severalPasscodes
        self.scanner = scanner
        self.keepsUnsigned = keepsUnsigned
    }

    /// - Parameter time: how long the links of an input may take, besides the limits of the client.
    package init(_ settings: LinkSettings, now: NumericDate, within time: Duration, scanner: PictureScanner) {
        self.init(
            settings.client, recipient: settings.recipient, now: now, within: time,
            passcode: { origin in
                settings.passcode(origin).map { bytes in
                    var bytes = bytes
                    return SecretBytes(&bytes)
                }
            }, scanner: scanner)
    }

    /// Opens links one after the other, in their order.
    ///
    /// - Parameters:
    ///   - links: the links. Those of an input follow each other.
    ///   - rooms: the number of cards that the links of each input may hold together, by the number of the input.
    ///   - take: is called with each link.
    /// - Throws: `severalPasscodes` if two links need a passcode, before any request, if there is such an error. `InstallationFault` if nothing can be fetched on this
    ///   machine. What the closures throw.
    package nonisolated(nonsending) func follow(
        _ links: [PresentedContainer], rooms: [Int: Int], _ take: (FollowedLink) throws -> Void
    ) async throws {
        guard !links.isEmpty else { return }
        try prepare()
        let readings = links.map(Self.reading)
        // Each link is judged by what it says itself, such as when it expires. Only what was fetched is shared.
        var refusals = readings.map { reading in reading.link.flatMap { client.refusal(of: $0, at: now) } }
        // A link that is given twice is opened once.
        var known: [[UInt8]: Int] = [:]
        let firsts = readings.enumerated().map { index, reading in
            guard refusals[index] == nil, let identity = reading.identity else { return index }
            if let first = known[identity] { return first }
            known[identity] = index
            return index
        }
        let lasts = Dictionary(firsts.enumerated().map { ($0.element, $0.offset) }) { $1 }
        let needingPasscode = readings.indices.filter { index in
            firsts[index] == index && refusals[index] == nil && readings[index].link?.needsPasscode == true
        }
        if needingPasscode.count > 1 {
            if let severalPasscodes { throw severalPasscodes }
            for index in readings.indices where readings[index].link?.needsPasscode == true && refusals[index] == nil {
                refusals[index] = VerificationFailure(
                    .passcodeRequired,
                    "several links of the input need a passcode, and a passcode is sent to one link only: give them one by one"
                )
            }
        }
        var openings: [Int: LinkClient.Opening] = [:]
        var input: (number: Int, budget: ContainerBudget)?
        var pictures = PictureTime()
        var judge = attestations
        var unsignedRoom = keepsUnsigned ? Bounds.inputPayloadSize : 0
        for (index, reading) in readings.enumerated() {
            let number = links[index].input
            var budget = client.budget
            if let time { budget.time = min(budget.time, time) }
            budget.cards = rooms[number] ?? 0
            if let input, input.number == number { budget = input.budget }
            var opening: LinkClient.Opening
            if let refusal = refusals[index] {
                opening = LinkClient.Opening(reason: refusal)
            } else if let known = openings[firsts[index]] {
                opening = known
            } else {
                opening = try await open(reading, within: &budget)
                try await scan(&opening, &pictures, within: &budget)
                try await checkAttestations(&opening, by: &judge)
                openings[index] = opening
            }
            // The content is kept only if the link is given again.
            if lasts[firsts[index]] == index { openings[firsts[index]] = nil }
            keepUnsigned(&opening, &unsignedRoom)
            let link = followed(reading, index, links[index].source, opening, within: &budget)
            input = (number, budget)
            try take(link)
        }
    }

    /// A link without any request.
    package func inspection(of link: PresentedContainer, index: Int) -> FollowedLink {
        inspection(of: Self.reading(link), source: link.source, index: index, warnings: link.warnings)
    }

    /// A link that was read, such as that in a certificate of which nothing is verified, without any request.
    package func inspection(
        of reading: LinkReading, source: String, index: Int, warnings: [CredentialWarning] = []
    ) -> FollowedLink {
        let opened = OpenedLink(
            index: index, source: source, form: reading.form, scheme: reading.scheme, origin: reading.origin,
            label: reading.label, flags: reading.flags, version: reading.version, expires: reading.expires,
            recipient: recipient, reason: reading.problems.first?.failure, warnings: warnings + reading.warnings)
        return FollowedLink(reading, opened)
    }

    private static func reading(_ link: PresentedContainer) -> LinkReading {
        link.wrapper.map { LinkReading(inCertificate: link.text, scheme: $0.scheme) } ?? LinkReading(link.text)
    }

    /// Opens a link that `LinkClient.refusal(of:at:)` does not refuse.
    private nonisolated(nonsending) func open(
        _ reading: LinkReading, within budget: inout ContainerBudget
    ) async throws -> LinkClient.Opening {
        guard let link = reading.link, reading.problems.isEmpty else {
            let failure = reading.problems.first?.failure
            return LinkClient.Opening(reason: failure ?? VerificationFailure(.malformedLink, "the link is malformed"))
        }
        var passcode: SecretBytes?
        if link.needsPasscode {
            passcode = try self.passcode(reading.origin ?? "")
            guard passcode != nil else {
                return LinkClient.Opening(
                    reason: VerificationFailure(
                        .passcodeRequired, "the link needs a passcode, and none was given; no request was made"))
            }
        }
        return try await client.open(link, passcode: passcode, within: &budget)
    }

    /// Searches the pictures and PDFs of a link for cards, as if they were inputs. One for which the time was not enough fails: a
    /// server could hide a forged card behind slow pictures. Any other that was not read gives a warning, since a file that is no
    /// card may be anything.
    ///
    /// - Parameters:
    ///   - pictures: the time for the pictures of all links.
    ///   - budget: what the links of the input may still use. The time of the pictures is subtracted.
    private nonisolated(nonsending) func scan(
        _ opening: inout LinkClient.Opening, _ pictures: inout PictureTime, within budget: inout ContainerBudget
    ) async throws(InstallationFault) {
        for number in opening.files.indices {
            guard let content = opening.files[number].content, content.kind == .other,
                let form = InputForm.scanned(content.bytes[...])
            else { continue }
            let name = "file \(number + 1) of the link"
            let warn = { (why: String) in
                CredentialWarning(
                    .codesNotRead,
                    "\(name) is \(form.words), which was not read, so it may hold cards that were not judged: \(why)")
            }
            guard budget.time > .zero else {
                opening.files[number].fail(
                    because: VerificationFailure(
                        .pictureUnreadable,
                        "\(name) is \(form.words), which was not read: the files before it have used up the time for all links of an "
                            + "input"))
                continue
            }
            let limit = min(budget.time, pictures.next, DocumentScanner.shortestLimit)
            let start = ContinuousClock.now
            let scanned = try await pictures.scan(
                content.bytes, as: form, source: name, within: budget.time, by: scanner)
            let time = ContinuousClock.now - start
            budget.time -= time
            switch scanned {
            case .failure(let failure) where failure.code == .pictureUnreadable && time >= limit:
                opening.files[number].fail(because: failure)
            case .success(let document):
                let texts = DocumentTexts(document)
                // A link in a link is not followed.
                let hasCards = texts.codes.contains { !SMARTHealthLinkText.begins($0.text[...].trimmingWhiteSpace()) }
                if hasCards || !texts.attachments.isEmpty {
                    opening.files[number].document = document
                    opening.files[number].summary.kind = .healthCard
                } else if let failure = texts.failure, !document.problems.isEmpty {
                    opening.files[number].fail(because: failure)
                } else if content.claimsCard {
                    opening.files[number].fail(because: LinkContent.unknownCard)
                } else if let failure = texts.failure, failure.code == .pictureUnreadable || document.unreadCodes > 0 {
                    opening.files[number].warnings.append(warn(failure.message))
                }
            case .failure(let failure): opening.files[number].warnings.append(warn(failure.message))
            }
        }
    }

    /// Checks what apps say of themselves in the FHIR files.
    private nonisolated(nonsending) func checkAttestations(
        _ opening: inout LinkClient.Opening, by judge: inout (any AttestationReporter)?
    ) async throws {
        guard judge != nil else { return }
        for number in opening.files.indices where opening.files[number].summary.kind == .fhir {
            guard let content = opening.files[number].content else { continue }
            opening.files[number].summary.attestation = try await judge?.report(onFile: content.bytes)
        }
    }

    /// Keeps the FHIR content of files that nobody signed, if it was asked for, and as long as there is room.
    private func keepUnsigned(_ opening: inout LinkClient.Opening, _ room: inout Int) {
        guard keepsUnsigned else { return }
        for number in opening.files.indices where opening.files[number].summary.kind == .fhir {
            guard let content = opening.files[number].content, content.bytes.count <= room else { continue }
            room -= content.bytes.count
            opening.files[number].summary.content = content.bytes
        }
    }

    /// Describes an opened link, and reads its cards.
    ///
    /// - Parameter budget: what the links of the input may still use. The cards that are read are subtracted.
    private func followed(
        _ reading: LinkReading, _ index: Int, _ source: String, _ opening: LinkClient.Opening,
        within budget: inout ContainerBudget
    ) -> FollowedLink {
        var opening = opening
        var read = [[PresentedCredential]?](repeating: nil, count: opening.files.count)
        var cutFile: Int?
        for number in opening.files.indices where opening.files[number].holdsCredentials {
            let (credentials, isCut) = budget.take { opening.files[number].credentials(atMost: $0) }
            if isCut { cutFile = cutFile ?? number }
            guard !credentials.isEmpty else { continue }
            read[number] = credentials
            opening.files[number].summary.cardCount = credentials.count
            // Without a single JWS, nothing in the file can be verified.
            guard let failure = credentials.first?.failure, failure.code == .malformedInput,
                credentials.allSatisfy({ $0.failure?.code == .malformedInput })
            else { continue }
            opening.files[number].summary.cardCount = 0
            opening.files[number].fail(because: failure)
            read[number] = nil
        }
        var warnings = reading.warnings + opening.warnings + opening.files.flatMap(\.warnings)
        let summaries = opening.files.map(\.summary)
        let unread = warnings.count { $0.code == .codesNotRead }
        let unsigned = summaries.filter { $0.kind != nil && $0.kind != .healthCard }
        if let warning = CredentialWarning(
            unsigned: unsigned.count, of: "file", in: "link", holdingCards: unsigned.contains { $0.cardCount > 0 })
        {
            warnings.append(warning)
        }
        let holdsNothingSigned =
            opening.reason == nil && summaries.allSatisfy { $0.reason == nil }
            && !opening.files.contains(where: \.holdsCredentials)
        let reason =
            holdsNothingSigned
            ? VerificationFailure(
                .noSignedContent,
                summaries.isEmpty
                    ? "the link holds no files, so there is nothing to verify"
                    : unread > 0
                        ? "no health card was found in the link, but \(unread == 1 ? "a file" : "\(unread) files") of it could not be read "
                            + "and may hold one: see the warnings"
                        : "the link holds no health card, so there is nothing to verify") : opening.reason
        let opened = OpenedLink(
            index: index, source: source, form: reading.form, scheme: reading.scheme, origin: reading.origin,
            label: reading.label, flags: reading.flags, version: reading.version, expires: reading.expires,
            recipient: recipient,
            status: opening.status, reason: reason, remainingAttempts: opening.remainingAttempts, files: summaries,
            warnings: warnings)
        var link = FollowedLink(reading, opened)
        (link.files, link.credentials, link.cutFile) = (opening.files, read, cutFile)
        return link
    }
}

extension PresentedCredential {
    /// Why the credential cannot be read; nil if it can.
    fileprivate var failure: VerificationFailure? {
        guard case .failure(let failure) = text else { return nil }
        return failure
    }
}

extension LinkClient.Opening.File {
    /// Makes this a file that could not be read.
    fileprivate mutating func fail(because failure: VerificationFailure) {
        summary.kind = nil
        summary.reason = failure
        content = nil
        document = nil
    }

    /// Whether the file holds credentials, or what is refused as one.
    fileprivate var holdsCredentials: Bool { document != nil || !(content?.credentials ?? []).isEmpty }

    /// The credentials of the file, or more than the limit if it holds more.
    fileprivate func credentials(atMost limit: Int) -> [PresentedCredential] {
        guard let document else {
            return CredentialReader.credentials(in: content?.credentials ?? [], atMost: limit)
        }
        var reader = CredentialReader()
        reader.add(document, source: "file")
        return reader.cards()
    }
}

extension CredentialReader {
    /// Opens the links among the inputs, and puts their cards in their places.
    ///
    /// - Parameter take: is called with each link.
    package nonisolated(nonsending) mutating func follow(
        by follower: LinkFollower, take: (FollowedLink) -> Void = { _ in }
    ) async throws {
        let links = containers(.link)
        let rooms = Dictionary(links.map { ($0.input, room(for: .link, of: $0.input)) }) { first, _ in first }
        var opened: [(any Container, [ContainedCredential])] = []
        try await follower.follow(links, rooms: rooms) { link in
            take(link)
            let warnings = links[opened.count].warnings
            opened.append(
                (link.opened, Self.cards(of: link).map { ($0.credential, $0.item, warnings + $0.warnings) }))
        }
        put(opened, as: .link)
    }

    /// The cards of a link: the link itself if it could not be opened or holds no card, else the cards of its files, and a card
    /// for each file that could not be read, and one if there was no room for all cards.
    private static func cards(of link: FollowedLink) -> [ContainedCredential] {
        // Warnings about other files stand with the first card only, or they would multiply with the cards.
        let ofFiles = (link.files ?? []).flatMap(\.warnings)
        let ofLink = link.opened.warnings.filter { !ofFiles.contains($0) }
        let end = ofLink.lastIndex { $0.code == .unsignedContent } ?? ofLink.endIndex
        var cards: [ContainedCredential] = []
        for (number, file) in (link.files ?? []).enumerated() {
            let warnings = ofLink[..<end] + file.warnings + ofLink[end...]
            var found: [PresentedCredential] = []
            if let reason = file.summary.reason { found.append(PresentedCredential(failure: reason, source: "")) }
            found += link.credentials[number] ?? []
            if number == link.cutFile { found.append(PresentedCredential(failure: restIsLeftOut, source: "")) }
            for credential in found {
                cards.append((credential, number, cards.isEmpty ? link.opened.warnings : Array(warnings)))
            }
        }
        return cards.isEmpty ? [(nothing(in: link.opened), nil, link.opened.warnings)] : cards
    }
}
