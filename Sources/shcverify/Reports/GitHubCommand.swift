import JSON

/// Workflow commands of GitHub Actions: lines by which a program's output annotates files.
///
/// The runner takes a line for a command that begins with `::`, white space apart, or else has `##[` anywhere. A value
/// must therefore never begin a line, and never end its own command.
struct GitHubCommand {
    let name: String
    let properties: [(name: String, value: String?)]
    let message: String

    /// The line.
    var line: String {
        let properties = self.properties.compactMap { property in
            // A property without a value makes the runner misread those that follow.
            property.value.flatMap { $0.isEmpty ? nil : "\(property.name)=\(Self.property($0))" }
        }
        return "::\(name) \(properties.joined(separator: ","))::\(Self.data(message))\n"
    }

    private static func data(_ text: String) -> String {
        escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private static func property(_ text: String) -> String {
        escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    /// By scalars: CR and LF together, or a colon that a mark combines with, are one character to Swift.
    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let escape = escapes[scalar] {
                result.append(contentsOf: escape.unicodeScalars)
            } else {
                // Another server that reads along may obey what stands within the line.
                if scalar == "#", result.last == "#" { result.append(" ") }
                result.append(scalar.value != 0x0A && scalar.isUnprintable ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }
}
