import ArgumentParser
import CredentialReports
import Glibc
import SystemPackage

/// The options of `verify` for its output.
struct OutputOptions: ParsableArguments {
    @Option(name: .customLong("format"), help: ArgumentHelp(VerdictFormat.help))
    var format = VerdictFormat.text

    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help:
            "Print nothing to stdout; only the exit code tells the result. Messages leave out persons, records and dates."
    )
    var quiet = false

    @Option(name: .customLong("color"), help: "Whether to colour the report. NO_COLOR is respected.")
    var color = ColorChoice.auto

    @Option(
        name: .customLong("handover"),
        help: ArgumentHelp(
            "Also write the FHIR transaction of --format handover to this file. The file is complete or not written at all, and only you can "
                + "read it. An old file of this name is removed first.", valueName: "file"), completion: .file())
    var handover: String?

    @Flag(
        name: .customLong("include-unsigned"),
        help:
            "Also hand over FHIR content of links and check-ins that nobody signed, marked so. Only with --handover or --format handover."
    )
    var includeUnsigned = false

    func validate() throws {
        guard !includeUnsigned || format == .handover || handover != nil else {
            throw ValidationError("--include-unsigned has an effect only with --handover or --format handover.")
        }
        guard let handover else { return }
        guard format != .handover else {
            throw ValidationError(
                "--handover writes to a file what --format handover prints, so only one of them can be given.")
        }
        guard !handover.isEmpty, handover != "-" else {
            throw ValidationError("--handover needs a file. --format handover writes to standard output.")
        }
    }

    /// The file of the hand-over; nil if none is asked for. It has the rights of its owner alone, since it is a health record.
    ///
    /// An old file goes at once, so that nobody takes it for the result of this run, however that ends.
    ///
    /// - Throws: `CommandFailure` if it cannot be written; `ValidationError` if another argument names it too.
    func handoverFile() throws -> OutputFile? {
        guard let handover else { return nil }
        guard Self.argumentCount(naming: handover) < 2 else {
            throw ValidationError("--handover \(handover): this file is also read, and its content would be lost.")
        }
        let file = try OutputFile(handover, option: "--handover", permissions: [.ownerReadWrite])
        try file.discard()
        return file
    }

    /// How many arguments, or values behind an equals sign, name the same regular file as a path.
    private static func argumentCount(naming path: String) -> Int {
        let file = FileIdentity(path)
        return CommandLine.arguments.dropFirst().count { argument in
            let value = argument.lastIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
            guard let file else { return argument == path || value == path }
            return FileIdentity(argument) == file || value.flatMap { FileIdentity($0) } == file
        }
    }

    /// What tells regular files apart, whatever they are called.
    private struct FileIdentity: Equatable {
        let device: dev_t
        let number: ino_t

        /// - Returns: nil if the path leads to no regular file.
        init?(_ path: String) {
            var status = stat()
            // Unsafe: the C library reads the path and writes the structure, both of which live for the call.
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            (device, number) = (status.st_dev, status.st_ino)
        }
    }
}
