import ArgumentParser
import CredentialReports
import Credentials
import Encodings
import FHIR
import HTTPSFetch
import Inputs
import SystemPackage
import Verification

/// `shcverify fetch-cards BASE --patient ID`: asks a provider for a patient's cards, and verifies them.
struct FetchCardsCommand: WaitingCommand, VerifyingCommand {
    static let configuration = CommandConfiguration.of("fetch-cards")

    @Argument(help: .of("base.fetchcards")) var base: String

    @Option(help: ArgumentHelp("The id of the patient on the server.", valueName: "id")) var patient: String

    @Option(name: .customLong("type"), help: .of("type"), completion: .list(RequiredRecordType.resourceNames))
    var types: [GivenValues] = []

    @Option(name: .customLong("value-set"), help: .of("value-set")) var valueSets: [GivenValues] = []

    @Option(help: .of("token-file"), completion: .file()) var tokenFile: String?

    @Option(name: .customLong("output"), help: .of("output.fetchcards"), completion: .file()) var outputFile: String?

    @OptionGroup(title: "Keys") var keys: KeyOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Network") var network: ServerNetworkOptions
    @Option(help: .of("at.moment"), completion: .list(["issued"]), transform: VerificationTime.Moment.ofOption)
    var at: VerificationTime.Moment?
    @OptionGroup(title: "Output") var output: OutputOptions

    private static let longestToken = 4096

    func validate() throws {
        let isID =
            (1...64).contains(patient.utf8.count)
            && patient.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".")
            }
        guard isID, ![".", ".."].contains(where: { $0.utf8.elementsEqual(patient.utf8) }) else {
            throw ValidationError("--patient needs a FHIR id: 1 to 64 letters, digits, hyphens and dots.")
        }
        guard !network.offline else {
            throw ValidationError("fetch-cards asks a server, so --offline cannot be given.")
        }
        try validateTrust()
    }

    nonisolated(nonsending) func perform() async throws -> RunOutcome {
        let policy = try VerificationPolicy(self)
        let requests = Requests(network)
        let (token, limits) = (try token(), try requests.linkLimits(nil))
        let client: ProviderClient
        do throws(TransportFailure) {
            // The address of the request identifies the patient.
            client = try ProviderClient(
                base: base, token: token, transport: requests.transport(isSecret: true), limits: limits)
        } catch {
            throw ValidationError("The address of the FHIR server cannot be used: \(error.message).")
        }
        ProcessSetup.requireThreads()
        // The provider is asked only once, so everything that the result needs must be ready before. Only the owner may read the file,
        // because it is a health record.
        let file = try outputFile.map { try OutputFile($0, option: "--output", permissions: [.ownerReadWrite]) }
        var printer = VerdictPrinter(
            output, policy: policy, trusting: trust.directory.all, handover: try output.handoverFile())
        var reader = CredentialReader()
        switch try await client.cards(query) {
        case .failure(let failure): reader.add(failure: failure, source: "provider")
        case .success(let answer): read(answer, into: &reader)
        }
        try printer.begin()
        let run = VerifyRun(
            network: network, policy: policy, isQuiet: output.quiet, showsReasons: output.isForPeople)
        let outcome = try await run.verify(reader.cards()) { try printer.add($0) }
        try printer.finish()
        if let file { try save(reader.cards().compactMap { try? $0.text.get() }, to: file) }
        return outcome
    }

    /// What is asked for. A server may ignore the date, so `verify` checks it on the cards too.
    private var query: ProviderClient.Query {
        ProviderClient.Query(
            patient: patient, types: types.isEmpty ? ["Immunization"] : types.all, valueSets: valueSets.all,
            since: records.since)
    }

    /// Reads the cards in the provider's answer.
    private func read(_ answer: ProviderClient.Answer, into reader: inout CredentialReader) {
        if !answer.hasCapability {
            StandardStreams.warn(
                "provider: \(CredentialWarning.Code.providerCapability.rawValue): the provider does not list health-cards "
                    + "among its capabilities")
        }
        guard answer.holdsNoCards else { return reader.add(answer.parameters, source: "provider") }
        reader.add(
            failure: VerificationFailure(
                .noCardsIssued, "the provider has no health cards of the wanted types for this patient"),
            source: "provider")
    }

    /// Writes a card file. If there is no card, an existing file is kept.
    private func save(_ cards: [[UInt8]], to file: OutputFile) throws {
        guard !cards.isEmpty else { return }
        try file.write(CardFileJSON.text(cards))
    }

    /// The access token; nil if there is none.
    private func token() throws -> SecretBytes? {
        let input = SecretInput(option: "--token-file", variable: "SHCVERIFY_TOKEN") { bytes in
            (1...Self.longestToken).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
        }
        let wrong = ValidationError(
            "An access token (--token-file, SHCVERIFY_TOKEN) has 1 to \(Self.longestToken) characters of ASCII, without "
                + "blanks.")
        guard let tokenFile else { return try input.secretOfEnvironment(else: wrong) }
        return try input.secret(ofFile: tokenFile, else: wrong)
    }
}
