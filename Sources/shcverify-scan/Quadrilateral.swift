/// The corners of a code in a picture: top left, top right, bottom right and bottom left, as the code is read.
struct Quadrilateral {
    var points: [(x: Double, y: Double)]

    init(_ points: [(x: Double, y: Double)]) { self.points = points }

    /// - Parameter coordinates: x and y of the four corners in turn.
    init(coordinates: [Double]) {
        points = stride(from: 0, to: 8, by: 2).map { (coordinates[$0], coordinates[$0 + 1]) }
    }

    var coordinates: [Double] { points.flatMap { [$0.x, $0.y] } }

    var centre: (x: Double, y: Double) {
        (points.reduce(0) { $0 + $1.x } / 4, points.reduce(0) { $0 + $1.y } / 4)
    }

    /// The length of the longest side in pixels.
    var side: Double {
        (0..<4).map { index in
            let a = points[index]
            let b = points[(index + 1) % 4]
            return ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
        }.max() ?? 0
    }

    /// The corners after another map of the plane.
    func mapped(_ map: ((x: Double, y: Double)) -> (x: Double, y: Double)) -> Quadrilateral {
        Quadrilateral(points.map(map))
    }

    /// A larger quadrilateral with the same centre.
    func enlarged(by factor: Double) -> Quadrilateral {
        let centre = centre
        return mapped { (centre.x + ($0.x - centre.x) * factor, centre.y + ($0.y - centre.y) * factor) }
    }

    /// Whether both are about the same code: the centre of one is within the other, or the centres are very close. The latter
    /// is for corners so far from the truth that nothing is within them.
    func isAt(_ other: Quadrilateral) -> Bool {
        let a = centre
        let b = other.centre
        if contains(b) || other.contains(a) { return true }
        let reach = min(side, other.side) / 4
        return abs(a.x - b.x) <= reach && abs(a.y - b.y) <= reach
    }

    /// Whether a point is within, by the number of sides that a line from it to the right crosses.
    private func contains(_ point: (x: Double, y: Double)) -> Bool {
        var isWithin = false
        for index in 0..<4 {
            let a = points[index]
            let b = points[(index + 1) % 4]
            guard (a.y > point.y) != (b.y > point.y) else { continue }
            if point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y) { isWithin.toggle() }
        }
        return isWithin
    }
}
