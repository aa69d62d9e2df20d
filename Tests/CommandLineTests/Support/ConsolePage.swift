import Foundation
import Testing

/// A page with commands: one of the documentation, or one of `Tests/Sessions`.
struct ConsolePage: Sendable {
    /// The path of the page in the repository.
    let name: String
    let lines: [String]
    let blocks: [Block]
    /// The headings of the second level, in their order.
    let sections: [String]

    /// What is between two fences.
    struct Block: Sendable {
        /// What follows the opening fence.
        let language: String
        let lines: [String]
        /// The place of its first line in the page, from 0.
        let start: Int
        /// The heading of the second level above it.
        let section: String?
        /// The heading of the third level above it, if there is no other block between them.
        let heading: String?
    }

    /// A command with what is expected of it.
    struct Command: Sendable {
        let text: String
        /// The lines after it, up to the next command.
        let expected: [String]
        /// The place of these lines in the page, from 0.
        let place: Range<Int>
        /// The place of the command, from 1.
        let line: Int
    }

    var text: String { lines.joined(separator: "\n") }

    init(_ name: String) throws {
        let text = try String(contentsOf: Paths.root.appendingPathComponent(name), encoding: .utf8)
        try self.init(name: name, text: text)
    }

    init(name: String, text: String) throws {
        self.name = name
        lines = text.components(separatedBy: "\n")
        var (blocks, sections): ([Block], [String]) = ([], [])
        var heading: String?
        var open: (fence: String, language: String, start: Int)?
        for (number, line) in lines.enumerated() {
            if let block = open {
                guard line == block.fence else { continue }
                blocks.append(
                    Block(
                        language: block.language, lines: Array(lines[block.start..<number]), start: block.start,
                        section: sections.last, heading: heading))
                (open, heading) = (nil, nil)
            } else if line.hasPrefix("```") {
                let fence = String(line.prefix { $0 == "`" })
                open = (fence, String(line.dropFirst(fence.count)), number + 1)
            } else if line.hasPrefix("## ") {
                sections.append(String(line.dropFirst(3)))
                heading = nil
            } else if line.hasPrefix("### ") {
                heading = String(line.dropFirst(4))
            }
        }
        (self.blocks, self.sections) = (blocks, sections)
        try #require(open == nil, "\(name): a block does not end")
    }

    /// The commands of a block. A command goes on in the lines after it that begin with `> `.
    static func commands(_ block: Block) -> [Command] {
        var commands: [Command] = []
        for (number, line) in block.lines.enumerated() {
            let place = block.start + number
            if line.hasPrefix("$ ") {
                let end = place + 1
                commands.append(
                    Command(text: String(line.dropFirst(2)), expected: [], place: end..<end, line: end))
            } else if let last = commands.popLast() {
                let goesOn = line.hasPrefix("> ") && last.expected.isEmpty
                commands.append(
                    Command(
                        text: goesOn ? "\(last.text)\n\(line.dropFirst(2))" : last.text,
                        expected: goesOn ? [] : last.expected + [line],
                        place: goesOn ? place + 1..<place + 1 : last.place.lowerBound..<place + 1, line: last.line))
            } else {
                Issue.record("a console block begins with its first command, not with \(line)")
            }
        }
        return commands
    }

    /// All commands.
    var commands: [Command] { blocks.filter { $0.language == "console" }.flatMap(Self.commands) }
}
