import JSON

extension Record {
    /// Why the record does not count as something that was so: it was not done, was cancelled, refuted, or entered in
    /// error; or its vaccine is CVX 998, "no vaccine administered". Nil where it counts. The words are this project's.
    public var objection: String? {
        if isNotDone { return "not done" }
        for code in [status, verificationStatus] {
            switch code {
            case "entered-in-error": return "entered in error"
            case "cancelled": return "cancelled"
            case "refuted": return "refuted"
            default: continue
            }
        }
        let isNoVaccine = type == .immunization && codes.contains { $0.code == "998" && $0.system == Code.cvx }
        return isNoVaccine ? "no vaccine administered" : nil
    }
}
