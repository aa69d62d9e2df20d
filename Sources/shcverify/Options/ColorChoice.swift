import ArgumentParser
import FoundationEssentials
import Glibc

/// Whether text is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// What `auto` comes to: colour on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    var isOn: Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            let environment = ProcessInfo.processInfo.environment
            return StandardStreams.isTerminal && environment["NO_COLOR", default: ""].isEmpty
                && environment["TERM"] != "dumb"
        }
    }
}
