import CBuild
import Containers
import CredentialReports
import Cryptography
import FHIR
import Processes

/// What `--version` prints: the version in the first line, then what verdicts can depend on, and what is installed.
enum ProgramVersion {
    static var text: String {
        let rows =
            [("commit", commit)] + codes + [
                ("OpenSSL", OpenSSLProcess.version),
                ("crypto_mb", InstalledLanes.load().words),
                ("requests", place(of: "shcverify-fetch")),
                ("pictures", place(of: "shcverify-scan")),
                ("PDF", words(isInstalled: DocumentScanner.readsPDF, "poppler-utils")),
                ("SVG", words(isInstalled: DocumentScanner.readsSVG, "librsvg2-bin")),
            ] + contact
        let lines = rows.map { name, value in
            "\(name)\(String(repeating: " ", count: max(1, 10 - name.utf8.count)))\(TerminalText.printable(value))"
        }
        return ([Tool.shcverify.version] + lines).joined(separator: "\n")
    }

    /// The commit that the program was built from, or that it is not known.
    static var commit: String {
        // Unsafe: the text is a constant, and ends with a zero byte.
        unsafe String(cString: build_commit())
    }

    /// To whom bugs and weaknesses are reported: whom the one who built the program has named, or that builder.
    private static var contact: [(String, String)] {
        // Unsafe: the texts are constants, and end with a zero byte.
        let (maintainer, homepage) = unsafe (String(cString: build_maintainer()), String(cString: build_homepage()))
        let named = [("maintainer", maintainer), ("homepage", homepage)].filter { !$0.1.isEmpty }
        return named.isEmpty ? [("reports", "to whoever built this program")] : named
    }

    /// One row for each list of codes that is in use.
    private static var codes: [(String, String)] {
        var names = CodeNames.builtIn
        names.add(InstalledCodes.newest())
        return names.lists.map { list in
            let date = list.date.map { " of \($0)" } ?? ""
            return ("codes", "\(list.name)\(date), \(list.source.rawValue)")
        }
    }

    /// Where a program of this installation is.
    private static func place(of program: String) -> String {
        guard let path = try? InstalledProgram.path(of: program) else { return "\(program) is not installed" }
        return InstalledProgram.canStart(path) ? path : "\(path) cannot be started"
    }

    private static func words(isInstalled: Bool, _ package: String) -> String {
        isInstalled ? "installed" : "\(package) is not installed"
    }
}
