package import Credentials
package import Encodings
import HTTPSFetch
package import Inputs

/// What says what is known of the attestation of an app in a FHIR file; nil if there is none.
package protocol AttestationReporter {
    /// - Throws: `InstallationFault` if keys must be fetched and the installation cannot fetch.
    nonisolated(nonsending) mutating func report(onFile content: [UInt8]) async throws -> AttestationReport?
}

/// Opens the links among inputs.
package struct LinkFollower {
    private let client: LinkClient
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
    ///   - now: the moment at which links must be valid.
    ///   - time: how long the links of an input may take, besides the limits of the client; nil for those alone.
    ///   - passcode: gives the passcode of the link at an origin, in the place of the client; nil if there is none.
    ///   - prepare: is called before anything else if there are links.
    ///   - severalPasscodes: the error if more than one link needs a passcode, which is sent to one link only; nil to open none of
    ///     these links.
    ///   - scanner: what reads pictures and PDFs in links.
    ///   - keepsUnsigned: whether FHIR content that nobody signed is kept for a hand-over.
    package init(
        _ client: LinkClient, now: NumericDate, within time: Duration? = nil,
        passcode: ((_ origin: String) throws -> SecretBytes?)? = nil, prepare: @escaping () throws -> Void = {},
        severalPasscodes: (any Error)? = nil, scanner: PictureScanner, keepsUnsigned: Bool = false
    ) {
        self.client = client
        self.now = now
        self.time = time
        self.passcode =
            passcode ?? { origin in
                client.passcode(origin).map { bytes in
                    var bytes = bytes
                    return SecretBytes(&bytes)
                }
            }
        self.prepare = prepare
        self.severalPasscodes = severalPasscodes
        self.scanner = scanner
        self.keepsUnsigned = keepsUnsigned
    }

    /// The budget of the links of an input.
    ///
    /// - Parameter room: the cards and bytes that they may have together.
    package func budget(
        _ room: (cards: Int, size: Int) = (Bounds.cards, Bounds.containerSize)
    ) -> ContainerBudget {
        var budget = ContainerBudget(room, time: max(Bounds.linksTime, client.limits.timeout))
        budget.time = min(budget.time, time ?? budget.time)
        return budget
    }

    /// Opens links one after the other, in their order.
    ///
    /// - Parameters:
    ///   - presented: the links.
    ///   - budgets: what the links of an input may use together, by the number of the input; else it is `budget(_:)`.
    ///   - take: is called with each link.
    /// - Throws: `severalPasscodes` if two links need a passcode, before any request, if there is such an error. `InstallationFault` if
    ///   nothing can be fetched on this machine. What the closures throw.
    package nonisolated(nonsending) func follow(
        _ presented: [PresentedContainer], within budgets: [Int: ContainerBudget] = [:],
        _ take: (OpenedLink, LinkClient.Opening) throws -> Void
    ) async throws {
        guard !presented.isEmpty else { return }
        try prepare()
        let links = presented.map(Self.link)
        // Each link is judged by what it says itself, such as when it expires. Only what was fetched is shared.
        var refusals = links.map { client.refusal(of: $0, at: now) }
        // A link that is given twice is opened once.
        var known: [[UInt8]: Int] = [:]
        let firsts = links.enumerated().map { index, link in
            guard refusals[index] == nil, let identity = link.identity else { return index }
            if let first = known[identity] { return first }
            known[identity] = index
            return index
        }
        let lasts = Dictionary(firsts.enumerated().map { ($0.element, $0.offset) }) { $1 }
        let needingPasscode = links.indices.filter { refusals[$0] == nil && links[$0].needsPasscode }
        if needingPasscode.count(where: { firsts[$0] == $0 }) > 1 {
            if let severalPasscodes { throw severalPasscodes }
            for index in needingPasscode {
                refusals[index] = VerificationFailure(
                    .passcodeRequired,
                    "several links of the input need a passcode, and a passcode is sent to one link only: give them one by one"
                )
            }
        }
        var openings: [Int: LinkClient.Opening] = [:]
        var budgets = budgets
        var pictures = PictureTime()
        var judge = attestations
        for (index, link) in links.enumerated() {
            var budget = budgets[presented[index].input] ?? budget()
            var opening: LinkClient.Opening
            if let refusal = refusals[index] {
                opening = LinkClient.Opening(link, reason: refusal)
            } else if let known = openings[firsts[index]] {
                opening = known
                opening.link = link
            } else {
                opening = try await open(link, within: &budget)
                try await scan(&opening, &pictures, within: &budget)
                try await checkAttestations(&opening, by: &judge)
                openings[index] = opening
            }
            // The content is kept only if the link is given again.
            if lasts[firsts[index]] == index { openings[firsts[index]] = nil }
            let opened = describe(&opening, index, presented[index].source, within: &budget)
            budgets[presented[index].input] = budget
            try take(opened, opening)
        }
    }

    /// A link without any request.
    package func inspection(of link: PresentedContainer, index: Int) -> (OpenedLink, LinkClient.Opening) {
        inspection(of: Self.link(link), source: link.source, index: index, warnings: link.warnings)
    }

    /// A link that was read, such as that in a certificate of which nothing is verified, without any request.
    package func inspection(
        of link: HealthLink, source: String, index: Int, warnings: [CredentialWarning] = []
    ) -> (OpenedLink, LinkClient.Opening) {
        let opening = LinkClient.Opening(unfollowed: link)
        let opened = OpenedLink(
            opening, index: index, source: source, recipient: client.recipient, warnings: warnings + link.warnings)
        return (opened, opening)
    }

    private static func link(_ presented: PresentedContainer) -> HealthLink {
        presented.wrapper.map { HealthLink(inCertificate: presented.text, scheme: $0.scheme) }
            ?? HealthLink(presented.text)
    }

    /// Opens a link that `LinkClient.refusal(of:at:)` does not refuse.
    private nonisolated(nonsending) func open(
        _ link: HealthLink, within budget: inout ContainerBudget
    ) async throws -> LinkClient.Opening {
        var passcode: SecretBytes?
        if link.needsPasscode {
            passcode = try self.passcode(link.origin ?? "")
            guard passcode != nil else {
                return LinkClient.Opening(
                    link,
                    reason: VerificationFailure(
                        .passcodeRequired,
                        "the link needs a passcode: give --passcode-file or SHCVERIFY_PASSCODE; no request was made"))
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
            guard opening.files[number].summary.kind == .other, let content = opening.files[number].bytes,
                let form = InputForm.scanned(content[...])
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
                content, as: form, source: name, within: budget.time, by: scanner)
            let time = ContinuousClock.now - start
            budget.time -= time
            switch scanned {
            case .failure(let failure) where failure.code == .pictureUnreadable && time >= limit:
                opening.files[number].fail(because: failure)
            case .success(let document):
                do throws(VerificationFailure) {
                    try budget.spend(document.size)
                } catch {
                    opening.files[number].fail(because: error)
                    continue
                }
                let texts = DocumentTexts(document)
                // A link in a link is not followed.
                let hasCards = texts.codes.contains { !SMARTHealthLinkText.begins($0.text[...].trimmingWhiteSpace()) }
                if hasCards || !texts.attachments.isEmpty {
                    opening.files[number].document = document
                    opening.files[number].summary.kind = .healthCard
                } else if let failure = texts.failure, !document.problems.isEmpty {
                    opening.files[number].fail(because: failure)
                } else if opening.files[number].claimsCard {
                    opening.files[number].fail(because: LinkClient.Opening.File.unknownCard)
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
            guard let content = opening.files[number].bytes else { continue }
            opening.files[number].summary.attestation = try await judge?.report(onFile: content)
        }
    }

    /// Describes an opened link, and reads its cards.
    ///
    /// - Parameter budget: what the links of the input may still use. The cards that are read are subtracted.
    private func describe(
        _ opening: inout LinkClient.Opening, _ index: Int, _ source: String, within budget: inout ContainerBudget
    ) -> OpenedLink {
        for number in opening.files.indices {
            if keepsUnsigned, opening.files[number].summary.kind == .fhir {
                opening.files[number].summary.content = opening.files[number].bytes
            }
            guard opening.files[number].holdsCredentials else { continue }
            let (credentials, isCut) = budget.take { opening.files[number].credentials(atMost: $0) }
            if isCut { opening.cutFile = opening.cutFile ?? number }
            opening.files[number].cards = credentials
            opening.files[number].summary.cardCount = credentials.count
            // Without a single JWS, nothing in the file can be verified.
            guard let failure = credentials.first?.text.failure,
                credentials.allSatisfy({ $0.text.failure?.code == .malformedInput })
            else { continue }
            opening.files[number].summary.cardCount = 0
            opening.files[number].fail(because: failure)
        }
        var warnings = opening.link.warnings + opening.warnings + opening.files.flatMap(\.warnings)
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
                        : "the link holds no health card, so there is nothing to verify") : nil
        return OpenedLink(
            opening, index: index, source: source, recipient: client.recipient, reason: reason, warnings: warnings)
    }
}

extension CredentialReader {
    /// Opens the links among the inputs, and puts their cards in their places.
    ///
    /// - Parameter take: is called with each link.
    package nonisolated(nonsending) mutating func follow(
        by follower: LinkFollower, take: (OpenedLink, LinkClient.Opening) -> Void = { _, _ in }
    ) async throws {
        let links = containers(.link)
        let budgets = Dictionary(
            links.map { ($0.input, follower.budget(room(for: .link, of: $0.input))) }
        ) { first, _ in first }
        var opened: [(any Container, [ContainedCredential])] = []
        try await follower.follow(links, within: budgets) { link, opening in
            take(link, opening)
            let warnings = links[opened.count].warnings
            opened.append(
                (link, Self.cards(of: link, opening).map { ($0.credential, $0.item, warnings + $0.warnings) }))
        }
        put(opened, as: .link)
    }

    /// The cards of a link: the link itself if it could not be opened or holds no card, else the cards of its files, and a card
    /// for each file that could not be read, and one if there was no room for all cards.
    private static func cards(of link: OpenedLink, _ opening: LinkClient.Opening) -> [ContainedCredential] {
        // Only the first card has the warnings about other files, or they would multiply with the cards.
        let ofFiles = opening.files.flatMap(\.warnings)
        let ofLink = link.warnings.filter { !ofFiles.contains($0) }
        let end = ofLink.lastIndex { $0.code == .unsignedContent } ?? ofLink.endIndex
        var cards: [ContainedCredential] = []
        for (number, file) in opening.files.enumerated() {
            let warnings = ofLink[..<end] + file.warnings + ofLink[end...]
            var found: [PresentedCredential] = []
            if let reason = file.summary.reason { found.append(PresentedCredential(failure: reason, source: "")) }
            found += file.cards
            if number == opening.cutFile { found.append(PresentedCredential(failure: restIsLeftOut, source: "")) }
            for credential in found {
                cards.append((credential, number, cards.isEmpty ? link.warnings : Array(warnings)))
            }
        }
        return cards.isEmpty ? [(nothing(in: link), nil, link.warnings)] : cards
    }
}
