// Finds the QR codes in one picture, or draws one document, in a process of its own. `PictureScanner` starts it, writes a
// `ScanRequest` to its standard input, and reads the answer from its standard output. A file that crashes, floods or takes over a
// decoder harms only this process, which can neither open files nor reach the network. For many pictures, it is started once as a
// zygote, and each picture gets a copy of that process: `HelperPool`.

import CPictures
import CProcess
import Encodings
import Glibc

@main
enum ScanCommand {
    static func main() {
        // In a zygote, what follows happens in each copy. So a copy has the limits of a process that was started.
        if CommandLine.arguments.dropFirst() == ["zygote"] { zygote_serve() }
        if let problem = unsafe scan_sandbox_limit() { fail(unsafe String(cString: problem)) }
        guard isatty(STDIN_FILENO) == 0, let input = readInput(), let request = ScanRequest(wireForm: input) else {
            write(
                STDERR_FILENO,
                Array("shcverify-scan is started by shcverify, which writes one request to its standard input.\n".utf8))
            exit(64)
        }
        switch request.task {
        case .codes(let depth, let first, let count):
            let isThreaded = request.content.dropFirst(4).starts(with: "ftyp".utf8)
            if isThreaded { picture_prepare_heif() }
            enter(isThreaded ? scan_sandbox_threaded_decoder : scan_sandbox_decoder)
            let answer = PictureScan.run(request.content, depth: depth, pages: first..<(first + count))
            guard write(STDOUT_FILENO, answer.wireForm) else { exit(1) }
            // Not `exit`, which runs the libraries' own code once more.
            _exit(0)
        case .describePDF(let pages): run(.pdfInfo, ["-f", "1", "-l", "\(pages)", "-"], on: request)
        case .drawPages(let first, let last, let size):
            let scale =
                switch size {
                case .resolution(let value): ["-r", "\(value)"]
                case .longerSide(let value): ["-scale-to", "\(value)"]
                }
            run(.pdfToPPM, ["-gray", "-cropbox", "-q", "-f", "\(first)", "-l", "\(last)"] + scale + ["-"], on: request)
        case .attachments(let most, let mostBytes):
            enter(scan_sandbox_decoder)
            let answer = PDFAttachments.read(request.content, most: most, mostBytes: mostBytes)
            guard write(STDOUT_FILENO, answer.wireForm) else { exit(1) }
            _exit(0)
        case .drawSVG:
            let size = "\(ScanRequest.drawnSVGSize)"
            run(.rsvgConvert, ["-w", size, "-h", size, "-a", "-b", "white", "-f", "png"], on: request)
        }
    }

    /// Replaces this process by a program that reads the document.
    private static func run(_ program: DrawingProgram, _ arguments: [String], on request: ScanRequest) -> Never {
        guard unsafe request.content.withUnsafeBytes({ unsafe scan_sandbox_set_input($0.baseAddress, $0.count) }) else {
            fail("standard input")
        }
        enter(scan_sandbox_program)
        // Unsafe: the strings live until the process is replaced, and the list ends with a null pointer.
        let copies = unsafe ([program.rawValue] + arguments).map { unsafe UnsafePointer(strdup($0)) }
        unsafe scan_sandbox_run(program.rawValue, copies + [nil])
        fail("the start of \(program.rawValue)")
    }

    private static func enter(_ kind: scan_sandbox_kind) {
        if let problem = unsafe scan_sandbox_enter(kind) { fail(unsafe String(cString: problem)) }
    }

    /// Ends the process, because it cannot be protected from what it is to read.
    private static func fail(_ problem: String) -> Never {
        _ = write(STDOUT_FILENO, Array("cannot limit \(problem)\n".utf8))
        _exit(ScanRequest.installationFault)
    }

    private static func readInput() -> [UInt8]? {
        var input: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while input.count <= ScanRequest.longestWireForm {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return count == 0 ? input : nil }
            input.append(contentsOf: buffer[..<count])
        }
        return nil
    }

    @discardableResult
    private static func write(_ file: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// The programs that read PDF and SVG, by their fixed paths: PATH is not searched. They belong to Debian's packages poppler-utils and
/// librsvg2-bin.
enum DrawingProgram: String {
    case pdfInfo = "/usr/bin/pdfinfo"
    case pdfToPPM = "/usr/bin/pdftoppm"
    case rsvgConvert = "/usr/bin/rsvg-convert"
}
