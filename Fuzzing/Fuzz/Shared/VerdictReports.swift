import CredentialReports
import Credentials
import Encodings
import FHIR
import SMARTHealthCards

/// All reports on a verdict.
enum VerdictReports {
    static let tool = Tool(name: "fuzz", version: "0")

    /// Checks each report.
    ///
    /// - Returns: the JSON report; nil if it is not JSON.
    static func check(_ verdict: Verdict) -> JSONValue? {
        let report = { (format: VerdictFormat, width: Int?) in
            let destination = Destination(isTerminal: format != .text || width != nil, width: width)
            return format.report(now: FixedPolicy.now, names: .builtIn, to: destination, by: tool).text(of: [verdict])
        }
        for width in [nil, 40] as [Int?] { ReportOracle.isInert(report(.text, width)) }
        ReportOracle.isInert(report(.html, nil))
        let bundle = report(.fhir, nil)
        ReportOracle.isInert(bundle)
        // A certificate has no Bundle.
        let hasBundle = verdict.verified?.claims.fhirBundle != nil
        require(bundle.isEmpty == !hasBundle, "a Bundle is printed if the card verified, and only then")
        let transaction = report(.handover, nil)
        ReportOracle.isInert(transaction)
        require(verdict.verified != nil || transaction.isEmpty, "only what verified is handed over")
        if !transaction.isEmpty { _ = ReportOracle.json(transaction) }
        let document = report(.json, nil)
        ReportOracle.isInert(document)
        let value = ReportOracle.json(document)
        require(value?["verdict"]?.string == UTF8Text(verdict.name), "the report states the verdict")
        let claimsVerified = value?["cards"]?.elements?.first { _ in true }?["claimsVerified"]?.boolean
        require(claimsVerified == (verdict.verified != nil), "the report states whether the claims are verified")
        return value
    }
}
