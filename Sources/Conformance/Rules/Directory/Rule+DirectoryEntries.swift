import JOSE
import JSON
import SMARTHealthCards

extension Rule {
    /// An issuer that no card can name is listed in vain.
    static let directoryEntries = Rule(
        "directory-error", "entry", .d1,
        requirement: "An entry has the issuer's URL (\"iss\") and its \"name\", and may have \"website\" and "
            + "\"canonical_iss\".",
        remedy: "Write iss as the issuer's cards have it: https, and no slash at the end.",
        check: .directory { directory in
            var problems: [Problem] = []
            for entry in directory.entries where entry.kind == .object {
                guard problems.count < Bounds.problems else { break }
                problems += Self.problems(ofURL: "iss", in: entry, isRequired: true)
                problems += Self.problems(ofURL: "canonical_iss", in: entry, isRequired: false)
                if let name = entry["name"] {
                    if name.stringBytes?.isEmpty != false {
                        problems.append(Problem(#""name" is not a name but \#(name.excerpt)"#, at: name))
                    }
                } else {
                    problems.append(Problem(#"the entry has no "name""#, at: entry, member: "name"))
                }
                if let website = entry["website"], website.kind != .string {
                    problems.append(Problem(#""website" is a string, this is \#(website.excerpt)"#, at: website))
                }
            }
            return problems
        })

    private static func problems(ofURL name: String, in entry: JSONValue, isRequired: Bool) -> [Problem] {
        guard let value = entry[name] else {
            return isRequired ? [Problem(#"the entry has no "\#(name)""#, at: entry, member: name)] : []
        }
        guard let url = value.string else {
            return [Problem(#""\#(name)" is a string, this is \#(value.excerpt)"#, at: value)]
        }
        do throws(VerificationFailure) {
            _ = try Issuer(url)
            return []
        } catch {
            return [Problem(#"no card can name this "\#(name)": \#(error.message)"#, at: value)]
        }
    }
}
