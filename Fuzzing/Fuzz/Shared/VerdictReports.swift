import FHIR
import JSON
import SMARTHealthCards

/// All reports on a verdict.
enum VerdictReports {
    /// Requires that each report holds what it has to, and returns the JSON one.
    static func check(_ verdict: Verdict) -> JSONValue? {
        for width in [nil, 40] as [Int?] {
            var text = TextReport(palette: Palette(isOn: false), names: .builtIn, width: width)
            ReportOracle.isInert(text.add(verdict) + text.finish())
        }
        let fhir = FHIRReport(escapesUnprintable: true)
        let bundle = fhir.add(verdict) + fhir.finish()
        ReportOracle.isInert(bundle)
        require(bundle.isEmpty == (verdict.verified == nil), "a Bundle is printed for what was verified, and only that")
        var json = JSONReport(now: FixedPolicy.now, names: .builtIn, escapesUnprintable: true)
        let document = json.add(verdict) + json.finish()
        ReportOracle.isInert(document)
        let value = ReportOracle.json(document)
        require(value?["verdict"]?.string == UTF8Text(verdict.name), "the report says what the verdict is")
        let claimsVerified = value?["cards"]?.elements?.first { _ in true }?["claimsVerified"]?.boolean
        require(claimsVerified == (verdict.verified != nil), "the report says whether the claims are verified")
        return value
    }
}
