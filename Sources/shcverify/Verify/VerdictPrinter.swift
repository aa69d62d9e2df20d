import CredentialReports
import Credentials
import Verification

/// Prints the verdicts of a run as its options say, and on standard error what their format cannot say.
struct VerdictPrinter {
    private let options: OutputOptions
    private var report: (any Report<Verdict>)?
    /// The file of `--handover`, and what is written to it; nil if none is asked for.
    private var handover: (file: OutputFile, report: any Report<Verdict>)?
    private var tally: VerdictTally
    /// The containers of which it was said what is left out. They are kept, so that no other gets the same identity.
    private var containers: [ObjectIdentifier: any Container] = [:]

    /// - Parameters:
    ///   - options: the format.
    ///   - policy: what decides about the verdicts.
    ///   - lists: the names of the lists of trusted issuers.
    ///   - file: the file of `--handover`.
    init(_ options: OutputOptions, policy: VerificationPolicy, trusting lists: [String], handover file: OutputFile?) {
        self.options = options
        tally = VerdictTally(policy.time)
        handover = file.map { file in
            let report = VerdictFormat.handover.report(
                time: policy.time, names: policy.codeNames, to: Destination(isTerminal: false), by: .shcverify,
                includingUnsigned: options.includeUnsigned)
            return (file, report)
        }
        guard !options.quiet else { return }
        report = options.format.report(
            time: policy.time, names: policy.codeNames, to: StandardStreams.destination(isColoured: options.color.isOn),
            by: .shcverify, trusting: lists, includingUnsigned: options.includeUnsigned, isBrief: options.brief)
    }

    /// Begins the report, before the first verdict.
    mutating func begin() throws { try report?.begin(to: StandardStreams.write) }

    /// Prints a verdict.
    mutating func add(_ verdict: Verdict) throws {
        explainMissing(verdict)
        explainLeftOut(verdict)
        tally.add(verdict)
        try report?.add(verdict, to: StandardStreams.write)
        // It writes nothing before its end.
        try handover?.report.add(verdict) { _ in }
    }

    /// Ends the report.
    mutating func finish() throws {
        try report?.finish(to: StandardStreams.write)
        explainPasses()
        guard let file = handover?.file else { return }
        var bundle: [UInt8] = []
        try handover?.report.finish { bundle += $0 }
        if !bundle.isEmpty { try file.write(bundle) }
    }

    // MARK: Standard error

    /// Says what a hand-over leaves out, a line for each card and for each file that nobody signed.
    private mutating func explainLeftOut(_ verdict: Verdict) {
        guard handover != nil || options.format == .handover && !options.quiet else { return }
        let presented = verdict.examined.presented
        if let words = Handover.leftOut(of: verdict) {
            StandardStreams.warn("\(presented.source): handover-left-out: \(words)")
        }
        guard options.includeUnsigned, let container = presented.place?.container,
            containers.updateValue(container, forKey: ObjectIdentifier(container)) == nil
        else { return }
        let form = container.inputForm
        for item in container.unsigned {
            guard let words = Handover.leftOut(of: item, from: form) else { continue }
            let name = "\(type(of: container).itemName) \(item.item + 1) of the \(form.rawValue)"
            StandardStreams.warn("\(container.source): handover-left-out: \(name): \(words)")
        }
    }

    /// Says that a verified credential has no FHIR Bundle, if that is the format that was asked for.
    private func explainMissing(_ verdict: Verdict) {
        guard options.format == .fhir, !options.quiet, verdict.verified != nil, verdict.claims?.fhirBundle == nil
        else { return }
        StandardStreams.warn(
            "\(verdict.examined.presented.source): a health certificate has no FHIR Bundle, so nothing is printed"
        )
    }

    /// Says what the Bundles that were printed cannot say: that issuers or revocation were not checked, or that it is about another
    /// time.
    private func explainPasses() {
        guard options.format == .fhir, !options.quiet, let caution = tally.caution else { return }
        StandardStreams.warn("shcverify: \(caution)")
    }
}
