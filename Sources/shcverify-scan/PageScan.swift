import CPictures
import Encodings

/// The search for codes on one page.
///
/// It makes passes over changed copies of the page, from the fastest to the slowest, and stops when it has found a whole
/// credential.
struct PageScan {
    /// A code that was read.
    struct Code {
        let text: [UInt8]
        let corners: Quadrilateral
        var codewords: [UInt8]
        var level: UInt8
    }

    /// The codes that were read.
    private(set) var codes: [Code] = []
    /// Whether two passes read different texts from one code.
    private(set) var isAmbiguous = false
    /// Whether a code is cut off at the edge, and nothing else is there.
    private(set) var isCutOff = false
    /// Whether passes were left out because the time was up.
    private(set) var isCutShort = false

    /// The places of codes that were seen, but not read.
    private var seen: [Quadrilateral] = []
    /// The places of codes that were read differently by two passes.
    private var disputed: [Quadrilateral] = []

    private let page: Picture
    private let depth: ScanRequest.Depth
    /// The processor time in milliseconds at which no further pass begins.
    private let latest: Int

    /// - Parameters:
    ///   - page: the page, not yet turned as EXIF says.
    ///   - latest: the processor time in milliseconds at which no further pass begins.
    init(_ page: Picture, depth: ScanRequest.Depth, latest: Int) {
        self.page = page
        self.depth = depth
        self.latest = latest
    }

    /// The places of codes that were seen, but not read, each once.
    var unread: [Quadrilateral] {
        seen.reduce(into: []) { places, place in
            guard !codes.contains(where: { $0.corners.isAt(place) }), !places.contains(where: { $0.isAt(place) }) else {
                return
            }
            places.append(place)
        }
    }

    /// Looks for codes until enough are found.
    mutating func run() {
        for pass in Self.quick { pass(&self) }
        guard depth != .quick else { return }
        isCutOff = codes.isEmpty && page.limited(to: 1_500_000).map { CutOffCode.isIn($0) } ?? false
        guard !isCutOff else { return }
        // Another card may be beside the one that was read.
        if isEnough { readSeen() }
        for pass in Self.thorough {
            guard !isEnough else { return }
            guard hasTime else {
                isCutShort = true
                return
            }
            pass(&self)
        }
    }

    /// Whether there is time for another pass.
    private var hasTime: Bool { Self.hasTime(until: latest) }

    /// Whether there is time left until so many milliseconds of processor time. On a busy machine, wall time passes faster.
    static func hasTime(until latest: Int) -> Bool {
        Int(scan_sandbox_milliseconds_used()) < latest && Int(scan_sandbox_milliseconds_passed()) < latest + 1500
    }

    /// Whether no further pass is needed.
    private var isEnough: Bool {
        let texts = CredentialTexts(codes.map(\.text))
        return depth == .exhaustive ? texts.areWhole : !texts.areNone
    }

    // MARK: Passes

    private typealias Pass = @Sendable (inout PageScan) -> Void

    private enum Decoder { case zxing, zbar, grid }

    private static let quick: [Pass] = [
        { $0.read($0.page, by: .zxing) },
        { scan in
            guard scan.isEnough, scan.unread.isEmpty else { return scan.read(scan.page, by: .zbar) }
            // Other decoders may see codes that zxing did not. They take longer, so they get a smaller copy.
            let small = scan.page.limited(to: 1_500_000)
            scan.read(small, by: .grid)
            if scan.page.area <= 3_000_000 { scan.read(small, by: .zbar) }
        },
        { scan in
            // On a sheet of cards, some of them are often missed. On other pictures this is the first thorough pass.
            guard scan.codes.count + scan.unread.count > 1 else { return }
            scan.read(scan.base, by: .grid)
        },
    ]

    private static let thorough: [Pass] = [
        { $0.read($0.base, by: .grid) },
        { scan in
            let inverse = scan.base?.inverted
            scan.read(inverse, by: .zxing, .zbar, .grid)
        },
        { scan in
            guard let large = scan.enlarged else { return }
            scan.read(large, by: .zxing)
            scan.read(large.thresholded(window: 31), by: .zbar)
        },
        { scan in
            let blurred = scan.base?.blurred(0.8)
            scan.read(blurred, by: .zbar, .zxing)
        },
        { scan in
            for factor in [0.5, 0.33] where Double(scan.page.area) * factor * factor > 200_000 {
                let small = scan.page.scaled(by: factor)
                scan.read(small, by: .zxing, .zbar, .grid)
            }
        },
        { $0.readSeen() },
        { scan in
            guard let large = scan.enlarged else { return }
            scan.read(large, by: .zbar, .grid)
            scan.read(large.thresholded(window: 61), by: .zxing)
        },
        { scan in
            scan.read(scan.base?.thresholded(window: 15), by: .zbar)
            let even = scan.base?.median?.equalized(window: 48)
            scan.read(even, by: .zxing, .zbar, .grid)
        },
        { scan in
            guard let mirrored = scan.base?.mirrored else { return }
            scan.read(mirrored, by: .zbar, isMirrored: true)
        },
        { scan in
            guard let small = scan.base?.limited(to: 1_500_000) else { return }
            for diameter in [3.5, 5.0, 7.0] {
                let sharp = small.focused(diameter: diameter, steps: 8)
                scan.read(sharp, by: .zxing, .grid)
            }
            scan.readSeen()
        },
        { scan in
            guard let small = scan.base?.limited(to: 1_000_000) else { return }
            for length in [5.0, 9.0] {
                for angle in 0..<6 {
                    let sharp = small.steadied(length: length, angle: Double(angle) * .pi / 6, steps: 6)
                    scan.read(sharp, by: .zxing, .grid)
                }
            }
            scan.readSeen()
        },
    ]

    /// The page, or a smaller copy of a large one.
    private var base: Picture? { page.limited(to: 6_000_000) }

    /// The page, enlarged twice if the result has at most 16 megapixels.
    private var enlarged: Picture? { page.area <= 4_000_000 ? page.scaled(by: 2) : nil }

    /// Reads the codes of a changed copy of the page, by one decoder after the other. Nothing happens if there was no memory for the
    /// copy.
    private mutating func read(_ copy: Picture?, by decoders: Decoder..., isMirrored: Bool = false) {
        guard let copy else { return }
        let across = Double(page.width) / Double(copy.width)
        let down = Double(page.height) / Double(copy.height)
        for decoder in decoders {
            let found =
                switch decoder {
                case .zxing: copy.codesByZXing()
                case .zbar: copy.codesByZBar()
                case .grid: copy.codesByGrid()
                }
            add(found) { ((isMirrored ? Double(copy.width) - $0.x : $0.x) * across, $0.y * down) }
        }
    }

    // MARK: Codes that were seen, but not read

    /// Looks closely at the codes that zxing saw, but could not read: each is drawn as an upright square, and sharpened in
    /// several ways.
    private mutating func readSeen() {
        for place in unread.prefix(4) {
            let frame = place.enlarged(by: 1.25)
            let size = min(max(Int(frame.side * 1.5), 300), 900)
            guard let close = page.rectified(frame, size: size) else { continue }
            for change in Self.changes {
                guard hasTime else {
                    isCutShort = true
                    return
                }
                guard let changed = change(close) else { continue }
                let found = changed.codesByZXing() + changed.codesByZBar()
                // The corners as zxing saw them are exact enough.
                add(found.filter { $0.text != nil }, at: place) { $0 }
                if codes.contains(where: { $0.corners.isAt(place) }) { break }
            }
        }
    }

    private static let changes: [@Sendable (Picture) -> Picture?] = [
        { $0 },
        { $0.sharpened(2, amount: 2) },
        { $0.blurred(1) },
        { $0.thresholded(window: 25) },
        { $0.focused(diameter: 5, steps: 10) },
        { $0.focused(diameter: 8, steps: 12) },
        { $0.median?.focused(diameter: 6, steps: 8) },
        { $0.focused(diameter: 11, steps: 14) },
        { $0.steadied(length: 8, angle: 0, steps: 10) },
        { $0.steadied(length: 8, angle: .pi / 4, steps: 10) },
        { $0.steadied(length: 8, angle: .pi / 2, steps: 10) },
        { $0.steadied(length: 8, angle: 3 * .pi / 4, steps: 10) },
    ]

    // MARK: Results

    /// Adds what a decoder found.
    ///
    /// - Parameters:
    ///   - place: where all of them are on the page, if that is known.
    ///   - map: turns a point of the changed copy into one of the page.
    private mutating func add(
        _ found: [Picture.Found], at place: Quadrilateral? = nil,
        _ map: ((x: Double, y: Double)) -> (x: Double, y: Double)
    ) {
        for found in found {
            let corners = place ?? found.corners.mapped(map)
            guard let text = found.text else {
                seen.append(corners)
                continue
            }
            if let same = codes.firstIndex(where: { $0.text == text }) {
                if codes[same].codewords.isEmpty {
                    codes[same].codewords = found.codewords
                    codes[same].level = found.level
                }
                continue
            }
            guard !disputed.contains(where: { $0.isAt(corners) }) else { continue }
            if let other = codes.firstIndex(where: { $0.corners.isAt(corners) }) {
                // One code cannot have two texts, so neither is used.
                disputed.append(codes.remove(at: other).corners)
                isAmbiguous = true
                continue
            }
            codes.append(Code(text: text, corners: corners, codewords: found.codewords, level: found.level))
        }
    }
}

extension Picture {
    /// The picture, or a smaller copy if it has more than `most` pixels.
    func limited(to most: Int) -> Picture? {
        area <= most ? self : scaled(by: (Double(most) / Double(area)).squareRoot())
    }
}
