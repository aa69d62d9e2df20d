import Foundation

/// Expected lines of output. In them, `…` stands for any text in a line, or for any number of lines if it is alone.
struct OutputPattern {
    let lines: [String]

    init(_ lines: some Sequence<String>) { self.lines = Array(lines) }

    /// Whether the pattern describes an output.
    func matches(_ output: [String]) -> Bool { output == lines || steps(to: output).cost == 0 }

    /// The pattern after as few changes as make it match an output. Lines with `…` that still match stay.
    func corrected(for output: [String]) -> [String] {
        steps(to: output).path.compactMap { step in
            switch step {
            case .keep(let line), .replace(let line): line
            case .drop, .swallow: nil
            }
        }
    }

    private enum Step {
        /// A line of the pattern describes what was printed, or is an ellipsis.
        case keep(String)
        /// A line that was printed takes a place in the pattern.
        case replace(String)
        /// A line of the pattern describes nothing.
        case drop
        /// A line that was printed is part of an ellipsis.
        case swallow
    }

    /// The cheapest way from the pattern to an output. A line with `…` costs more to replace, since someone chose it.
    private func steps(to output: [String]) -> (cost: Int, path: [Step]) {
        let (rows, columns) = (lines.count, output.count)
        let replacement = { (row: Int) in lines[row].contains("…") ? 2 : 1 }
        // What is left to pay if `row` lines of the pattern and `column` lines of the output are done.
        var costs = [[Int]](repeating: [Int](repeating: 0, count: columns + 1), count: rows + 1)
        var describes = [[Bool]](repeating: [], count: rows)
        for column in 0...columns { costs[rows][column] = columns - column }
        for row in (0..<rows).reversed() {
            let isEllipsis = Self.isEllipsis(lines[row])
            let pieces = lines[row].components(separatedBy: "…")
            if !isEllipsis { describes[row] = output.map { Self.describes(pieces, $0) } }
            for column in (0...columns).reversed() {
                if isEllipsis {
                    let end = costs[row + 1][column]
                    costs[row][column] = column < columns ? min(end, costs[row][column + 1]) : end
                } else {
                    var cost = costs[row + 1][column] + 2
                    if column < columns {
                        cost = min(cost, costs[row + 1][column + 1] + (describes[row][column] ? 0 : replacement(row)))
                        cost = min(cost, costs[row][column + 1] + 1)
                    }
                    costs[row][column] = cost
                }
            }
        }
        var path: [Step] = []
        var (row, column) = (0, 0)
        while row < rows || column < columns {
            if row == rows {
                path.append(.replace(output[column]))
                column += 1
            } else if Self.isEllipsis(lines[row]) {
                let isEnd = costs[row][column] == costs[row + 1][column]
                path.append(isEnd ? .keep(lines[row]) : .swallow)
                if isEnd { row += 1 } else { column += 1 }
            } else if column < columns, describes[row][column], costs[row][column] == costs[row + 1][column + 1] {
                path.append(.keep(lines[row]))
                (row, column) = (row + 1, column + 1)
            } else if column < columns, costs[row][column] == costs[row + 1][column + 1] + replacement(row) {
                path.append(.replace(output[column]))
                (row, column) = (row + 1, column + 1)
            } else if column < columns, costs[row][column] == costs[row][column + 1] + 1 {
                path.append(.replace(output[column]))
                column += 1
            } else {
                path.append(.drop)
                row += 1
            }
        }
        return (costs[0][0], path)
    }

    private static func isEllipsis(_ line: String) -> Bool { line.trimmingCharacters(in: .whitespaces) == "…" }

    /// Whether a line consists of the pieces, in this order, with any text between them.
    private static func describes(_ pieces: [String], _ line: String) -> Bool {
        guard pieces.count > 1 else { return line == pieces[0] }
        guard line.hasPrefix(pieces[0]) else { return false }
        var rest = line.dropFirst(pieces[0].count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.range(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(pieces[pieces.count - 1])
    }
}
