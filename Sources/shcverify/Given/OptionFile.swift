import Credentials
import Encodings
import Processes

/// Reads the files that options name. If one cannot be read or parsed, the command ends before any card is verified.
enum OptionFile {
    /// Reads a file that an option names.
    ///
    /// - Parameters:
    ///   - largeFile: what gives the exit code for a file that is larger than the limit.
    ///   - consequence: the end of the message about such a file.
    static func read(
        _ path: String, option: String, limit: Int, largeFile: RunReason = .usage, consequence: String = "",
        by read: (String, Int) throws(InputReader.Failure) -> [UInt8] = InputReader.read
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(InputReader.Failure) {
            bytes = try read(path, limit)
        } catch {
            throw unreadable(path, option: option, error)
        }
        guard bytes.count <= limit else {
            throw tooLarge(path, option: option, limit: limit, consequence: consequence, as: largeFile)
        }
        return bytes
    }

    /// Makes what a file holds.
    static func use<T>(
        _ path: String, option: String, _ body: () throws(Malformed) -> T
    ) throws(CommandFailure) -> T {
        do throws(Malformed) {
            return try body()
        } catch {
            throw unusable(path, option: option, error.description)
        }
    }

    /// The error for a file that cannot be read.
    static func unreadable(_ path: String, option: String, _ failure: InputReader.Failure) -> CommandFailure {
        unusable(path, option: option, "cannot be read: \(failure.message)", as: .unreadable)
    }

    /// The error for a file that is larger than a limit.
    static func tooLarge(
        _ path: String, option: String, limit: Int, consequence: String = "", as reason: RunReason = .usage
    ) -> CommandFailure {
        unusable(path, option: option, "it is larger than \(limit.sizeInWords)\(consequence)", as: reason)
    }

    /// The error for a file that cannot be used. Its message names the option.
    static func unusable(
        _ path: String, option: String, _ problem: String, as reason: RunReason = .usage
    ) -> CommandFailure {
        CommandFailure(reason, "\(option) \(InputReader.shown(path)): \(problem)")
    }
}
