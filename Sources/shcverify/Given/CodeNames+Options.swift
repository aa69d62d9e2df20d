import Bytes
import FHIR

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
        for path in files {
            let bytes = try OptionFile.read(path, option: "--codes", limit: CodeList.maximumSize)
            observer("--codes", bytes)
            do throws(Malformed) {
                let list = try CodeList(bytes)
                add(list)
                for remark in list.notes { StandardStreams.warn("shcverify: --codes \(path): \(remark)") }
            } catch {
                throw OptionFile.unusable(path, option: "--codes", "\(error)")
            }
        }
    }
}
