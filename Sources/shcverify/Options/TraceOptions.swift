import ArgumentParser

/// The option for a trace of what a run does.
struct TraceOptions: ParsableArguments {
    @Flag(
        name: [.customShort("v"), .customLong("verbose")],
        help: ArgumentHelp(
            "Say on standard error what is done: requests, cache, why a key and an issuer are taken, times. Nothing of a card is named but its "
                + "issuer and key. -vv adds sizes."))
    var verbosity: Int

    /// The trace that was asked for.
    var trace: Trace { Trace(level: Trace.Level(rawValue: min(verbosity, Trace.Level.sizes.rawValue)) ?? .none) }
}
