/// A picture whose code is known. A scanner that cannot read it does not work.
enum KnownPicture {
    /// The text of the code.
    static let text = Array("SHCVERIFY".utf8)

    /// The picture as PGM, the format in which the pages of PDF documents are drawn, too.
    static var content: [UInt8] {
        let rows = modules.split(separator: "\n").map { Array($0.utf8) }
        let side = (rows.count + 2 * margin) * pitch
        var pixels = [UInt8](repeating: 0xFF, count: side * side)
        for (row, modules) in rows.enumerated() {
            for (column, module) in modules.enumerated() where module == UInt8(ascii: "#") {
                for line in 0..<pitch {
                    let start = ((row + margin) * pitch + line) * side + (column + margin) * pitch
                    for place in start..<start + pitch { pixels[place] = 0 }
                }
            }
        }
        return Array("P5\n\(side) \(side)\n255\n".utf8) + pixels
    }

    /// The pixels of a module's side.
    private static let pitch = 4
    /// The modules of the margin (ISO/IEC 18004 §9.1).
    private static let margin = 4

    /// A code of version 1 with error correction M, a row a line, as the Python library "qrcode" makes it.
    private static let modules = """
        #######..####.#######
        #.....#.##.#..#.....#
        #.###.#..#.#..#.###.#
        #.###.#..##.#.#.###.#
        #.###.#.#...#.#.###.#
        #.....#...#.#.#.....#
        #######.#.#.#.#######
        .........####........
        #.#.#.#..#.#....#..#.
        .####..#..#...##.....
        ###########.#...#.##.
        ##.#...##.....##....#
        #.#...#.#.#.#.#.##.#.
        ........####.#.#...#.
        #######...##.####..#.
        #.....#..#.###.#.###.
        #.###.#.#.##.###...##
        #.###.#..#....##...#.
        #.###.#.#.#.#..#..#.#
        #.....#..#....#....##
        #######.#.#.#.#..##.#
        """
}
