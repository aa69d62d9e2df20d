import ArgumentParser

/// Whether text is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// What `auto` comes to: colour on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    var isOn: Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            return StandardStreams.isTerminal && (EnvironmentVariable.value(of: "NO_COLOR") ?? "").isEmpty
                && EnvironmentVariable.value(of: "TERM") != "dumb"
        }
    }
}
