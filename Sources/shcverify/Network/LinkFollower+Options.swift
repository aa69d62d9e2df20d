import ArgumentParser
import Credentials
import Evidence
import Verification

extension LinkFollower {
    /// Follows links as the options of a command say.
    ///
    /// - Parameters:
    ///   - now: the moment at which links must be valid.
    ///   - mayAsk: whether standard input is free for the question for a passcode.
    ///   - keepsUnsigned: whether FHIR content that nobody signed is kept for a hand-over.
    init(
        _ options: any LinkChoices, network: any NetworkChoices, now: NumericDate, mayAsk: Bool,
        keepsUnsigned: Bool = false
    ) throws {
        let passcode = try LinkPasscode(options, mayAsk: mayAsk)
        let requests = Requests(network)
        let recipient = options.namedRecipient ?? "shcverify"
        let client = LinkClient(
            transport: requests.transport(isSecret: true), limits: try requests.linkLimits(options),
            recipient: recipient)
        self.init(
            client, now: now,
            passcode: { try passcode.value(for: $0) },
            prepare: {
                try LinkOptions.check(recipient: recipient)
                ProcessSetup.requireThreads()
            },
            severalPasscodes: ValidationError(
                "Two links need a passcode, and a passcode is sent to one link only: give them in two runs."),
            scanner: .installed, keepsUnsigned: keepsUnsigned)
    }
}
