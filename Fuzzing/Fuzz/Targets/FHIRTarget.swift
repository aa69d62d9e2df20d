import Credentials
import Encodings
import FHIR
import SMARTHealthCards

/// A Bundle: its records, and all reports on a card that contains it.
enum FHIRTarget: FuzzTarget {
    static let name = "fhir"

    static func run(_ bytes: [UInt8]) {
        guard let value = try? JSONDocument.parse(bytes) else { return }
        let bundle = FHIRBundle(value)
        let contents = CardContents(bundle, fhirVersion: "4.0.1")
        require(contents.records.count <= bundle.entries.count, "there are no more records than entries")
        for record in contents.records {
            require(bundle.entries.indices.contains(record.entryIndex), "a record names an entry of the Bundle")
        }
        checkAttestation(of: value)
        guard let query = try? RecordQuery(recordTypes: ["covid19", "immunization"], since: "2021-06") else {
            return require(false, "the query is understood")
        }
        if case .match = query.answer(about: contents) {
            require(contents.records.contains { $0.type == .immunization }, "what matches has a vaccination")
        }
        require(query.selections(in: contents).count == contents.records.count, "each record is selected or not")
        guard value.kind == .object, let verifier = try? CardVerifier(policy: FixedPolicy.keysGiven) else { return }
        let examined = verifier.examine(PresentedCredential(jws: unsigned(bytes), source: "fuzz"))
        guard case .verdict(let verdict) = verifier.verify(examined, with: EvidenceAnswers()) else { return }
        require(verdict.verified == nil, "a card that nobody signed does not verify")
        let report = VerdictReports.check(verdict)
        guard let decoded = examined.decoded, let read = decoded.claims.fhirBundle else { return }
        require(JSONTree(read) == JSONTree(value), "the Bundle is read as it was written")
        let printed = report?["cards"]?.elements?.first { _ in true }?["fhirBundle"]
        require(printed.map { JSONTree($0) } == JSONTree(value), "the report contains the Bundle unchanged")
    }

    private static func checkAttestation(of bundle: JSONValue) {
        guard let attestation = AppAttestation(ofBundle: bundle, at: FixedPolicy.now) else { return }
        for var policy in [FixedPolicy.appKeysGiven, CardPolicy(now: FixedPolicy.now)] {
            policy.apps = apps
            var evidence = EvidenceAnswers()
            var finding: AppAttestation.Finding?
            do throws(EvidenceNeeded) {
                finding = try attestation.finding(by: policy, evidence: evidence)
            } catch {
                evidence.refuse(error.request)
                finding = try? attestation.finding(by: policy, evidence: evidence)
            }
            require((finding == nil) == (attestation.defect != nil), "an attestation with a defect is not judged")
            require(
                (attestation.report(finding).status == .invalid) || attestation.defect == nil, "a defect is reported")
            if case .verified? = finding {
                let text = attestation.element["valueString"]?.stringBytes.map { Array($0) } ?? []
                require(attested.contains(text), "only a signed attestation verifies")
            }
        }
    }

    private static let apps: Set<Issuer> = [Issuer(unchecked: "https://app.example")]
    /// The attestations that the app of the test vectors has signed (seeds.py).
    private static let attested = FixedPolicy.lines(of: "signed-attestations.txt")

    private static let header = Array(#"{"zip":"DEF","alg":"ES256","kid":"fuzz"}"#.utf8)
    private static let before = Array(
        #"""
        {"iss":"https://issuer.example","nbf":1620000000,"vc":{"type":["https://smarthealth.cards#health-card"],\#
        "credentialSubject":{"fhirVersion":"4.0.1","fhirBundle":
        """#.utf8)

    /// A card with this Bundle, and with a signature that no key made.
    private static func unsigned(_ bundle: [UInt8]) -> [UInt8] {
        let payload = StoredDeflate.stream(before + bundle + Array("}}}".utf8))
        let signature = [UInt8](repeating: 1, count: 64)
        return Array([header, payload, signature].map { Base64URL.encode($0) }.joined(separator: ".").utf8)
    }
}
