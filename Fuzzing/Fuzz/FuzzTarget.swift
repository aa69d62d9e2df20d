/// One thing to fuzz: a function that takes any bytes. It must not trap, and its oracles must hold.
protocol FuzzTarget: SendableMetatype {
    /// Its name in `FUZZ_TARGET`, and the name of its folders of seeds and regressions.
    static var name: String { get }
    /// Tries one input. If an oracle does not hold, `require` ends the process.
    static func run(_ bytes: [UInt8])
}

/// Ends the process if the condition does not hold, so that libFuzzer keeps the input.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError("oracle: \(rule())")
}
