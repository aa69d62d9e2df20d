/// A page of a PDF.
package struct PDFPage {
    /// The number, from 1.
    package let number: Int
    /// The size in points, 72 to an inch.
    let width: Double
    let height: Double

    /// The number of pixels of the drawn page.
    package func pixels(at resolution: Int) -> Int {
        let scale = Double(resolution) / 72
        let pixels = width * scale * height * scale
        return pixels.isFinite && pixels < 1e12 ? Int(pixels) : 1 << 40
    }
}

/// The output of `pdfinfo`, as far as it is needed. The program read a hostile document, so its output is not trusted either.
package struct PDFDescription {
    /// The number of pages that the document claims.
    package let pageCount: Int
    /// The pages whose size can be read, from the first on.
    package let pages: [PDFPage]

    /// Nil if the output says nothing about pages.
    package init?(_ output: [UInt8]) {
        var count: Int?
        var pages: [PDFPage] = []
        for line in output.split(separator: 0x0A) where line.count < 200 {
            let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            if words.count == 2, words[0] == "Pages:" {
                count = count ?? Int(words[1])
            } else if words.count >= 6, words[0] == "Page", words[2] == "size:", words[4] == "x",
                let number = Int(words[1]), let width = Double(words[3]), let height = Double(words[5]),
                number == pages.count + 1, width >= 0, height >= 0
            {
                pages.append(PDFPage(number: number, width: width, height: height))
            }
        }
        guard let count, count >= 0 else { return nil }
        pageCount = count
        self.pages = pages
    }
}
