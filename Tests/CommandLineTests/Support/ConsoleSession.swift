import Foundation
import Testing

/// Runs the steps of a page one after the other, in one shell.
struct ConsoleSession {
    enum Step {
        case command(String)
        /// A file that the page shows. It can be started if it begins with `#!`.
        case file(name: String, text: String)
    }

    /// What a command printed on both streams, in the order of writing, and how it ended.
    struct Output {
        let text: String
        let exitCode: Int
    }

    /// What separates the output of a command, its exit code and the next output.
    private static let separator = "\u{1E}"

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

    /// Runs the steps in a folder.
    ///
    /// - Parameters:
    ///   - path: the folders in which programs are looked up before those of the system.
    ///   - options: commands for the shell at the beginning.
    /// - Returns: the output of each command. There are fewer than commands if one of them ends the shell; `rest` is then
    ///   what else was printed.
    static func run(
        _ steps: [Step], in folder: URL, path: [String], environment: [String: String?], options: String = ""
    ) async throws -> (outputs: [Output], rest: String) {
        var script = "cd \(quoted(folder.path))\nexec 2>&1\n\(options)\n"
        for step in steps {
            switch step {
            case .command(let text):
                // A command that is wrong in itself must not spoil the script.
                script += "eval \(quoted(text))\n__code=$?; printf '\\036%s\\036' $__code; (exit $__code)\n"
            case .file(let name, let text):
                script += "printf %s \(quoted(text)) > \(quoted(name))\n"
                if text.hasPrefix("#!") { script += "chmod +x \(quoted(name))\n" }
            }
        }
        var environment = environment
        // A page compiles Swift, whose compiler may be in a folder of its own.
        let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
        environment["PATH"] = (path + ["/usr/bin", "/bin"] + [compiler].compactMap(\.self)).joined(separator: ":")
        let result = try await Shcverify.run(["-c", script], environment: environment, executable: "/bin/bash")
        let text = result.stdout.replacing(/(?m)^LLVM Profile .*\n/, with: "")
        let parts = text.components(separatedBy: separator)
        let outputs = (0..<parts.count / 2).map { Output(text: parts[2 * $0], exitCode: Int(parts[2 * $0 + 1]) ?? -1) }
        return (outputs, parts[(2 * outputs.count)...].joined() + result.stderr)
    }
}
