/// One thing to fuzz: a function that takes any bytes, does not trap, and holds to its oracles.
protocol FuzzTarget: SendableMetatype {
    /// What `FUZZ_TARGET` and the folders of seeds and regressions call it.
    static var name: String { get }
    /// Looks at one input. Whatever is wrong ends the process, by `require`.
    static func run(_ bytes: [UInt8])
}

/// Ends the process, so that libFuzzer keeps the input, unless the condition holds.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError("oracle: \(rule())")
}
