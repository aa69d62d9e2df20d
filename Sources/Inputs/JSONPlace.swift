import Encodings

/// A place in a JSON text, for messages.
struct JSONPlace {
    enum Step {
        case member(UTF8Text)
        case element(Int)
    }

    var steps: [Step] = []

    /// The longest path that is shown. The beginning of a longer one is left out.
    private static let longest = 8

    /// The path, such as `entry[0].resource`. It is safe to print, though strangers have chosen the names.
    var words: String {
        var words = steps.count > Self.longest ? "…" : ""
        for step in steps.suffix(Self.longest) {
            switch step {
            case .element(let index): words += "[\(index)]"
            case .member(let name):
                let isPlain =
                    !name.isEmpty && name.utf8.count <= 40
                    && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
                words += isPlain ? "\(words.isEmpty ? "" : ".")\(name)" : "[\(name.quoted(upTo: 40))]"
            }
        }
        return words
    }
}
