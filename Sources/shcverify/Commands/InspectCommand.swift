import ArgumentParser
import Conformance
import Containers
import CredentialReports
import Credentials
import Encodings
import Evidence
import Inputs
import Verification

/// `shcverify inspect INPUT…`: decodes cards and prints them without verifying anything.
struct InspectCommand: WaitingCommand {
    static let configuration = CommandConfiguration.of("inspect")

    @OptionGroup(title: "Input") var inputs: InputOptions

    @Flag(help: "Open SMART Health Links, and print what is in them.") var follow = false

    @OptionGroup(title: "Links") var links: LinkOptions
    @OptionGroup(title: "Network") var network: UncachedNetworkOptions
    @Option(help: .of("at"), transform: NumericDate.ofOption) var at: NumericDate?

    /// What is printed.
    enum Format: String, ReportFormat, ExpressibleByArgument {
        case text, json, qr

        /// The report on decoded cards; nil if only the texts of codes are printed.
        var inspection: InspectionFormat? { InspectionFormat(rawValue: rawValue) }

        var summary: String { inspection?.summary ?? "the texts of the QR codes, one per line" }
    }

    @Option(help: ArgumentHelp(Format.help)) var format = Format.text

    @Option(help: "Whether to colour the output. NO_COLOR is respected.") var color = ColorChoice.auto

    func validate() throws {
        try inputs.requireInput()
        if !follow, let option = links.optionOfRequests {
            throw ValidationError("\(option) is for links that are opened: give --follow with it.")
        }
        guard format == .qr, follow else { return }
        throw ValidationError("--follow cannot be used with --format qr, which opens no links.")
    }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        try CommandSandbox(inputs, mayFetch: follow && !network.offline).enter()
        guard let format = format.inspection else { return try await printCodes() }
        let verifier = try CredentialVerifier(
            policy: VerificationPolicy(VerificationTime(madeAt: NumericDate(sinceEpoch: .zero))),
            inputPayloadSize: Bounds.inputPayloadSize)
        var linter = try Linter(policy: LintPolicy(now: at ?? .now))
        var report = format.report(to: StandardStreams.destination(isColoured: color.isOn))
        var outcome = RunOutcome()
        let follower = try LinkFollower(links, network: network, now: at ?? .now)
        var reader = try await CredentialReader(reading: inputs)
        var inspected: [(OpenedLink, LinkClient.Opening)] = []
        if follow {
            try await reader.follow(by: follower) { inspected.append(($0, $1)) }
        } else {
            inspected = reader.containers(.link).enumerated().map {
                follower.inspection(of: $0.element, index: $0.offset)
            }
        }
        try report.begin(to: StandardStreams.write)
        let isShown = format == .text
        for (link, opening) in inspected {
            if let failure = link.failure { outcome.warn(link.source, failure, isShown: isShown) }
            try report.add(.link(link, opening), to: StandardStreams.write)
        }
        for checkIn in reader.containers(.checkIn) {
            try report.add(.card(CredentialInspection(checkIn)), to: StandardStreams.write)
        }
        for card in reader.cards() where !card.standsForLink && card.form != .checkIn {
            let (inspection, wrapped) = verifier.inspect(card)
            if let failure = inspection.failure { outcome.warn(card.source, failure, isShown: isShown) }
            let defects = linter.defects(of: inspection.presented).map {
                ($0.code, $0.rule.id, $0.message, $0.layer.rawValue, $0.path, $0.offset) as Inspection.Defect
            }
            try report.add(.card(inspection, defects), to: StandardStreams.write)
            // Nothing is verified here, so the link in a certificate is never opened.
            guard let wrapped else { continue }
            let (link, opening) = follower.inspection(
                of: HealthLink(inCertificate: wrapped.text, scheme: wrapped.scheme.rawValue), source: card.source,
                index: inspected.count)
            inspected.append((link, opening))
            if let failure = link.failure { outcome.warn(card.source, failure, isShown: isShown) }
            try report.add(.link(link, opening), to: StandardStreams.write)
        }
        try report.finish(to: StandardStreams.write)
        return outcome
    }
}

extension InspectCommand {
    /// Prints the texts of the QR codes in pictures and PDFs.
    private nonisolated(nonsending) func printCodes() async throws -> RunOutcome {
        var outcome = RunOutcome()
        var search = PictureSearch()
        var lines: [UInt8] = []
        try await inputs.forEachInput(limit: Bounds.inputSize, by: &search) { input in
            switch input.content {
            case .success(.document(let document, _)):
                for code in document.codes { lines += CodeLine.bytes(code.text) }
                if let failure = CodeLine.failure(of: document) { outcome.warn(input.source, failure) }
                if let warning = CodeLine.warning(on: document) {
                    StandardStreams.warn("\(input.source): \(warning.code.rawValue): \(warning.message)")
                }
            // A hand-held scanner has already read the text.
            case .success(.bytes(let text)) where input.isCode: lines += CodeLine.bytes(text)
            case .success(.bytes): outcome.warn(input.source, CodeLine.noDocument)
            case .failure(let failure): outcome.warn(input.source, failure)
            }
        }
        StandardStreams.warn("shcverify: \(InspectionFormat.notice): these are the texts of QR codes as they were read")
        try StandardStreams.write(lines)
        return outcome
    }
}

extension CredentialInspection {
    /// A check-in as it is: the response of a wallet or, if the answer is encrypted, what is outside the encryption.
    fileprivate init(_ checkIn: PresentedContainer) {
        self.init(
            presented: PresentedCredential(.success(checkIn.text), kind: nil, form: .checkIn, source: checkIn.source),
            header: nil, payload: try? JSONDocument.parse(checkIn.text, maximumDepth: Bounds.nesting),
            signatureLength: nil,
            failure: nil)
    }
}

extension PresentedCredential {
    /// Whether this is not a credential, but represents a link, or a file of one that could not be read.
    fileprivate var standsForLink: Bool {
        guard form == .link, case .failure(let failure) = text else { return false }
        // Nothing else mentions links that are too many to be opened.
        guard let place else { return failure.code != .malformedLink }
        return place.item.map { !place.container.isOpened($0) } ?? true
    }
}
