import ArgumentParser
import Credentials
import IssuerNetwork
import Reports
import SMARTHealthCards
import SMARTHealthLinks

/// `shcverify inspect INPUT…`: decodes cards and prints them without verifying anything.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Decode cards and print them without verifying. Every output says NOT VERIFIED.",
        discussion: """
            The payload of a SMART Health Link is decoded without any request. With --follow, the link is opened as verify would \
            open it, and the content of all its files is printed, of which nothing is verified.
            """)

    @OptionGroup(title: "Input") var inputs: InputOptions

    @Flag(name: .customLong("follow"), help: "Open SMART Health Links, and print what is in them.")
    var follow = false

    @OptionGroup(title: "Links") var links: LinkOptions
    @OptionGroup(title: "Network") var network: NetworkOptionsOf<OfflineOption, UnusedCacheOptions>
    @OptionGroup var time: TimeOptions

    @Option(name: .customLong("format"), help: ArgumentHelp(InspectionFormat.help))
    var format = InspectionFormat.text

    @Option(name: .customLong("color"), help: "Whether to colour the output. NO_COLOR is respected.")
    var color = ColorChoice.auto

    func validate() throws {
        try inputs.requireInput()
    }

    @MainActor
    func run() async throws {
        let verifier = try CredentialVerifier(
            policy: CredentialPolicy(VerificationTime(madeAt: NumericDate(sinceEpoch: .zero))),
            inputPayloadSize: Bounds.inputPayloadSize)
        var report = format.report(to: StandardStreams.destination(isColoured: color.isOn))
        var exitCode: Int32 = 0
        let warn = { (source: String, failure: VerificationFailure) in
            StandardStreams.warn("\(source): \(failure.code.rawValue): \(failure.message)")
            if exitCode == 0 { exitCode = failure.code.exitCode }
        }
        let follower = try LinkFollower(links, network: network, now: time.now, mayAsk: !inputs.readsStandardInput)
        var reader = try await ArtifactReader(reading: inputs)
        var inspected: [LinkInspection] = []
        if follow {
            try await reader.follow(by: follower) { link in
                inspected.append(
                    LinkInspection(link.reading, link.opened, isFollowed: true, contents: link.files.map(\.content)))
            }
        } else {
            inspected = reader.links.enumerated().map { follower.inspection(of: $0.element, index: $0.offset) }
        }
        try report.begin(to: StandardStreams.write)
        for link in inspected {
            if let failure = link.failure { warn(link.link.source, failure) }
            try report.add(.link(link), to: StandardStreams.write)
        }
        for card in reader.cards() where !card.standsForLink {
            let inspection = verifier.inspect(card)
            if let failure = inspection.failure { warn(card.source, failure) }
            try report.add(.card(inspection), to: StandardStreams.write)
        }
        try report.finish(to: StandardStreams.write)
        if exitCode != 0 { throw ExitCode(exitCode) }
    }
}

extension PresentedCredential {
    /// Whether this is not a credential, but stands for a link, or for a file of one that could not be read.
    fileprivate var standsForLink: Bool {
        guard form == .link, case .failure = text else { return false }
        guard let link, let file = link.file else { return true }
        return link.link.files[file].reason != nil
    }
}
