#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The programs that read PDF and SVG documents. `shcverify-scan` starts them from these fixed paths.
enum Program: String {
    case pdfInfo = "/usr/bin/pdfinfo"
    case pdfToPPM = "/usr/bin/pdftoppm"
    case rsvgConvert = "/usr/bin/rsvg-convert"

    /// Whether the program is installed.
    var isInstalled: Bool { unsafe access(rawValue, X_OK) == 0 }

    /// Throws if a program is not installed.
    func require() throws(ScanFailure) {
        guard !isInstalled else { return }
        let (kind, package) =
            self == .rsvgConvert ? ("SVG pictures", "librsvg2-bin") : ("PDF documents", "poppler-utils")
        throw .notInstalled("to read \(kind), \(rawValue) is needed. Install it: apt-get install \(package)")
    }
}
