import JSON

extension RequiredRecordType {
    /// Whether a card holds what is asked for.
    func isMet(by contents: CardContents, names: CodeNames) -> Bool {
        if case .resource(let type) = self, contents.supportingTypes.contains(type) { return true }
        return contents.records.contains { isMet(by: $0, names: names) }
    }

    /// Whether a record is what is asked for. One that does not count (`Record.objection`) never is.
    func isMet(by record: Record, names: CodeNames) -> Bool {
        guard record.objection == nil else { return false }
        switch self {
        case .immunization:
            return record.type == .immunization && [nil, "completed"].contains(record.status)
                && record.isSubpotent != true
        // One that is registered has no result yet.
        case .laboratory: return record.type == .laboratory && record.status != "registered"
        case .covid19: return record.isOfCOVID19(names)
        case .recovery: return record.showsPastCOVID19(names)
        case .resource(let type): return record.resourceType == type
        }
    }
}

extension Record {
    /// By what the record is of, or by what a part of it is of: a panel may have one test for COVID-19 among others.
    fileprivate func isOfCOVID19(_ names: CodeNames) -> Bool {
        codes.contains { names.isCOVID19($0) }
            || results.contains { $0.label?.codes.contains { names.isCOVID19($0) } == true }
    }

    fileprivate func showsPastCOVID19(_ names: CodeNames) -> Bool {
        switch resourceType {
        case "Observation", "DiagnosticReport":
            guard [nil, "final", "amended", "corrected", "appended"].contains(status) else { return false }
            return results.contains { result in
                (result.label?.codes ?? codes).contains { names.isCOVID19($0) } && result.isPositive(names)
            }
        case "Condition":
            return ["resolved", "inactive"].contains(status) && [nil, "confirmed"].contains(verificationStatus)
                && codes.contains { names.isCOVID19($0) }
        default: return false
        }
    }
}

extension RecordResult {
    /// Whether the answer is a code that says so, and no other code of it says otherwise.
    fileprivate func isPositive(_ names: CodeNames) -> Bool {
        let answers = coded?.codes.compactMap { names.isPositive($0) } ?? []
        return !answers.isEmpty && !answers.contains(false)
    }
}
