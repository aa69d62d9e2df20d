import ArgumentParser
import Credentials
import IssuerNetwork
import Verification

extension LinkFollower {
    /// Follows links as the options of a command say.
    ///
    /// - Parameters:
    ///   - now: the moment at which links must be valid.
    ///   - mayAsk: whether standard input is free for the question for a passcode.
    ///   - keepsUnsigned: whether FHIR content that nobody signed is kept for a hand-over.
    init<Offline, Cache>(
        _ options: LinkOptions, network: NetworkOptionsOf<Offline, Cache>, now: NumericDate, mayAsk: Bool,
        keepsUnsigned: Bool = false
    ) throws {
        let ofFile = try options.passcodeOfFile()
        let recipient = options.recipient
        let client = LinkClient(
            transport: network.transport(isSecret: true), limits: try network.linkLimits(options), recipient: recipient)
        self.init(
            client, recipient: recipient, now: now,
            passcode: { origin in
                if let passcode = try ofFile ?? LinkOptions.passcodeOfEnvironment() { return passcode }
                return mayAsk ? LinkOptions.askForPasscode(of: origin) : nil
            },
            prepare: {
                try LinkOptions.check(recipient: recipient)
                ProcessSetup.requireThreads()
            },
            severalPasscodes: ValidationError(
                "Two links need a passcode, and a passcode is sent to one link only: give them in two runs."),
            scanner: .installed, keepsUnsigned: keepsUnsigned)
    }
}
