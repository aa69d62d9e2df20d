import ArgumentParser
import SMARTHealthCards

/// `shcverify explain CODE`: what a code means.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what a reason or warning code means, what causes it and what to do about it.")

    @Argument(help: "The code, as in \"signature-invalid\". Without one, all codes are listed.")
    var code: String?

    func run() throws {
        guard let code else {
            let lines =
                ReasonCode.allCases.map { "\($0.rawValue) (exit code \($0.exitCode))" }
                + CardWarning.Code.allCases.map { "\($0.rawValue) (warning)" }
            return try StandardStreams.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        }
        guard let explanation = Explanation.of(code) else {
            throw ValidationError("There is no such code. \"shcverify explain\" lists them all.")
        }
        var lines = [code, "", explanation.meaning, "", "Causes:"]
        lines += explanation.causes.map { "  - \($0)" }
        lines += ["", "What to do:", "  \(explanation.remedy)"]
        if let reason = ReasonCode(rawValue: code) { lines += ["", "Exit code: \(reason.exitCode)"] }
        try StandardStreams.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }
}
