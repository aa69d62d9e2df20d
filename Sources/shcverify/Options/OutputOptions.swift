import ArgumentParser
import CredentialReports
import Credentials
import FHIR
import SMARTHealthCards

/// The options of `verify` for its output.
struct OutputOptions: ParsableArguments {
    @Option(name: .customLong("format"), help: ArgumentHelp(VerdictFormat.help))
    var format = VerdictFormat.text

    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help:
            "Print nothing to stdout; only the exit code tells the result. Messages leave out persons, records and dates."
    )
    var quiet = false

    @Option(name: .customLong("color"), help: "Whether to colour the report. NO_COLOR is respected.")
    var color = ColorChoice.auto

    @Flag(
        name: .customLong("include-unsigned"),
        help:
            "Also hand over FHIR content of links and check-ins that nobody signed, marked so. Only with --format handover."
    )
    var includeUnsigned = false

    func validate() throws {
        guard !includeUnsigned || format == .handover else {
            throw ValidationError("--include-unsigned has an effect only with --format handover.")
        }
    }

    /// Says on standard error what a hand-over leaves out, a line for each card and for each file that nobody signed.
    ///
    /// - Parameter said: the links and check-ins of which it was said.
    func explainLeftOut(_ verdict: Verdict, but said: inout HandedOver) {
        guard format == .handover, !quiet else { return }
        let presented = verdict.examined.presented
        if let words = Handover.leftOut(of: verdict) {
            StandardStreams.warn("\(presented.source): handover-left-out: \(words)")
        }
        guard includeUnsigned else { return }
        if let link = presented.link?.link, said.links.updateValue(link, forKey: ObjectIdentifier(link)) == nil {
            for (number, file) in link.files.enumerated() {
                guard let words = Handover.leftOut(of: file) else { continue }
                StandardStreams.warn("\(link.source): handover-left-out: file \(number + 1) of the link: \(words)")
            }
        }
        if let checkIn = presented.checkIn?.checkIn,
            said.checkIns.updateValue(checkIn, forKey: ObjectIdentifier(checkIn)) == nil
        {
            for (number, artifact) in checkIn.artifacts.enumerated() {
                guard let words = Handover.leftOut(of: artifact) else { continue }
                StandardStreams.warn(
                    "\(checkIn.source): handover-left-out: artifact \(number + 1) of the check-in: \(words)")
            }
        }
    }

    /// The links and check-ins of a run of which it was said what is left out. They are kept, so that no other gets the same identity.
    struct HandedOver {
        var links: [ObjectIdentifier: OpenedLink] = [:]
        var checkIns: [ObjectIdentifier: CheckIn] = [:]
    }

    /// Says on standard error that a verified credential has no FHIR Bundle, if that is the format that was asked for.
    func explainMissing(_ verdict: Verdict) {
        guard format == .fhir, !quiet, verdict.verified != nil, verdict.claims?.fhirBundle == nil else { return }
        StandardStreams.warn(
            "\(verdict.examined.presented.source): a health certificate has no FHIR Bundle, so nothing is printed"
        )
    }

    /// Says on standard error what the Bundles that were printed cannot say: that issuers or revocation were not checked, or that it is
    /// about another time.
    func explainPasses(_ tally: VerdictTally) {
        guard format == .fhir, !quiet, let caution = tally.caution else { return }
        StandardStreams.warn("shcverify: \(caution)")
    }

    /// The report that was asked for; nil if nothing is to be printed.
    ///
    /// - Parameters:
    ///   - time: as of when the cards are verified.
    ///   - names: names for codes.
    ///   - lists: the names of the lists of trusted issuers.
    func report(time: VerificationTime, names: CodeNames, trusting lists: [String] = []) -> (any Report<Verdict>)? {
        if quiet { return nil }
        return format.report(
            time: time, names: names, to: StandardStreams.destination(isColoured: color.isOn), by: .shcverify,
            trusting: lists, includingUnsigned: includeUnsigned)
    }
}
