import JSON

/// What the tables that ship say about a code, in its canonical form.
enum BuiltInCodes {
    /// What the code is called; nil if no table has a name for it. Of what SNOMED CT, LOINC and ICD-11 have, only
    /// answers of laboratories are named, in words of our own.
    static func name(of code: Code) -> CodeName? {
        switch code.system {
        case Code.cvx:
            CodeTable.cvx.fields(of: code.code).map { row in
                CodeName(display: row[1], source: .cvx, group: row[0].isEmpty ? nil : row[0])
            }
        case Code.mvx:
            CodeTable.mvx.fields(of: code.code).map { CodeName(display: $0[0], source: .cvx) }
        default:
            answers(of: code.system)?.fields(of: code.code).map {
                CodeName(display: $0[1], source: .builtIn)
            }
        }
    }

    /// The group of a vaccine; nil if it is counted by its own code, or is none.
    static func group(of code: Code) -> UTF8Text? {
        switch code.system {
        case Code.cvx:
            guard let group = CodeTable.cvx.fields(of: code.code)?.first, !group.isEmpty else { return nil }
            return group
        case Code.snomed: return CodeTable.covid19SNOMED.contains(code.code) ? CodeNames.covid19Group : nil
        case Code.icd11: return CodeTable.covid19ICD11.contains(code.code) ? CodeNames.covid19Group : nil
        default: return nil
        }
    }

    /// The names that a vaccine is sold under.
    static func tradeNames(of code: Code) -> [UTF8Text] {
        guard code.system == Code.cvx else { return [] }
        return CodeTable.tradeNames.fields(of: code.code) ?? []
    }

    /// Whether a record of this code is one of COVID-19.
    static func isCOVID19(_ code: Code) -> Bool {
        code.system == Code.loinc
            ? CodeTable.covid19LOINC.contains(code.code) : group(of: code) == CodeNames.covid19Group
    }

    /// Whether an answer says that the thing looked for is or was there; nil if no table has the answer.
    static func isPositive(_ code: Code) -> Bool? {
        answers(of: code.system)?.fields(of: code.code).map { $0[0] == "positive" }
    }

    /// The table of what laboratories answer in a code system; nil if there is none.
    private static func answers(of system: UTF8Text?) -> CodeTable? {
        switch system {
        case Code.snomed: .resultsSNOMED
        case Code.loinc: .resultsLOINC
        default: nil
        }
    }
}
