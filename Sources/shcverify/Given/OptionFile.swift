import ArgumentParser
import Bytes
import LocalFiles

/// Reads the files that options name. If one cannot be read or parsed, the command ends before any card is verified.
enum OptionFile {
    /// Reads a file that an option names.
    ///
    /// - Parameters:
    ///   - largeFile: the exit code for a file that is larger than the limit.
    ///   - consequence: the end of the message about such a file.
    static func read(
        _ path: String, option: String, limit: Int, largeFile: ExitCode = CommandExit.usage, consequence: String = "",
        by read: (String, Int) throws(InputReader.Failure) -> [UInt8] = InputReader.read
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try read(path, limit)
        } catch {
            throw unreadable(path, option: option, error)
        }
        guard bytes.count <= limit else {
            throw tooLarge(path, option: option, limit: limit, consequence: consequence, exitCode: largeFile)
        }
        return bytes
    }

    /// The error for a file that cannot be read, after a line on standard error.
    static func unreadable(_ path: String, option: String, _ failure: InputReader.Failure) -> any Error {
        StandardStreams.warn("shcverify: \(option) \(InputReader.shown(path)): cannot be read: \(failure.message)")
        return CommandExit.unreadable
    }

    /// The error for a file that is larger than a limit, after a line on standard error.
    static func tooLarge(
        _ path: String, option: String, limit: Int, consequence: String = "", exitCode: ExitCode = CommandExit.usage
    ) -> any Error {
        unusable(path, option: option, "it is larger than \(limit.sizeInWords)\(consequence)", exitCode: exitCode)
    }

    /// The error for a file that cannot be used, after a line on standard error that names the option.
    static func unusable(
        _ path: String, option: String, _ problem: String, exitCode: ExitCode = CommandExit.usage
    ) -> any Error {
        StandardStreams.warn("shcverify: \(option) \(InputReader.shown(path)): \(problem)")
        return exitCode
    }
}
