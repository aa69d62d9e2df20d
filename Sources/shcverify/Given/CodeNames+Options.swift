import Encodings
import FHIR

/// A list of codes as options name it: a file or an address, and before it what all codes of the list are about, as in
/// `covid19=list.json`.
struct NamedCodeList {
    let disease: TargetDisease?
    let place: String

    init(_ text: String) {
        disease = TargetDisease.allCases.first { text.hasPrefix($0.rawValue + "=") }
        place = disease.map { String(text.dropFirst($0.rawValue.count + 1)) } ?? text
    }
}

extension CodeNames {
    /// The built-in names, those of installed lists, and those from files.
    ///
    /// - Parameters:
    ///   - files: the values of `--codes`.
    ///   - observer: is told each list that can change between two runs.
    init(_ files: [String], observedBy observer: ValueObserver = .nobody) throws {
        self = .builtIn
        let installed = InstalledCodes.newest()
        add(installed)
        for list in installed.newestFirst { observer("codes", list.content, isFile: false) }
        for named in files.map({ NamedCodeList($0) }) {
            let bytes = try OptionFile.read(named.place, option: "--codes", limit: CodeList.maximumSize)
            // What the list is said to be about decides as much as its content. No JSON begins with such a word and a zero byte.
            observer("--codes", (named.disease.map { Array($0.rawValue.utf8) + [0] } ?? []) + bytes)
            do throws(Malformed) {
                let list = try CodeList(bytes, about: named.disease)
                add(list)
                for remark in list.notes { StandardStreams.warn("shcverify: --codes \(named.place): \(remark)") }
            } catch {
                throw OptionFile.unusable(named.place, option: "--codes", "\(error)")
            }
        }
    }
}
