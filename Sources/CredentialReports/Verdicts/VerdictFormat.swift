public import Credentials
public import FHIR

/// The formats of a report on verdicts.
public enum VerdictFormat: String, ReportFormat {
    case text, json, fhir, html, handover

    public var summary: String {
        switch self {
        case .text: "a report for people"
        case .json: "one JSON document"
        case .fhir: "only the FHIR Bundle, one per line"
        case .html: "a page to look at"
        case .handover: "a FHIR transaction for a server that stores the records"
        }
    }

    /// A report in this format.
    ///
    /// - Parameters:
    ///   - time: as of when the cards are verified, as their verifier was told.
    ///   - names: names for codes.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    ///   - lists: the names of the lists of trusted issuers, which a page shows.
    ///   - includesUnsigned: whether a hand-over also has the FHIR content of links that nobody signed.
    ///   - isBrief: whether text leaves out the checks and the FHIR Bundle.
    public func report(
        time: VerificationTime, names: CodeNames, to destination: Destination, by tool: Tool,
        trusting lists: [String] = [], includingUnsigned includesUnsigned: Bool = false, isBrief: Bool = false
    ) -> any Report<Verdict> {
        let terms = ReportTerms(
            time: time, names: names, destination: destination, tool: tool, lists: lists,
            includesUnsigned: includesUnsigned, isBrief: isBrief)
        return switch self {
        case .text: VerdictText(terms)
        case .json: VerdictJSON(terms)
        case .fhir: VerdictFHIR(to: destination)
        case .html: VerdictHTML(terms)
        case .handover: VerdictHandover(terms)
        }
    }

    /// A report in this format on cards that are verified as of now.
    ///
    /// - Parameters:
    ///   - now: the time for which the cards are verified.
    ///   - names: names for codes.
    ///   - destination: the output that the report is written to.
    ///   - tool: the program that prints the report.
    ///   - lists: the names of the lists of trusted issuers, which a page shows.
    public func report(
        now: NumericDate, names: CodeNames, to destination: Destination, by tool: Tool, trusting lists: [String] = []
    ) -> any Report<Verdict> {
        report(time: VerificationTime(madeAt: now), names: names, to: destination, by: tool, trusting: lists)
    }
}

/// What a report on cards is made with.
struct ReportTerms {
    /// As of when the cards are verified.
    let time: VerificationTime
    let names: CodeNames
    let destination: Destination
    let tool: Tool
    /// The names of the lists of trusted issuers.
    let lists: [String]
    var includesUnsigned = false
    var isBrief = false

    /// The last line of a page.
    var foot: String { "\(time.words), by \(tool.name) \(tool.version). \(names.listsInWords)" }
}

extension VerificationTime {
    /// When cards were verified, and as of when, in words for a report.
    var words: String {
        let made = "Verified at \(madeAt.toTheSecond)"
        return switch moment {
        case .now: made
        case .given(let time): "\(made) as of \(time.toTheSecond)"
        case .issue: "\(made), each as of its own issue"
        }
    }
}
