import CPictures

/// A picture in grey.
///
/// All functions of `CPictures` on pictures are called here. It keeps the pixels as long as it lives.
@safe final class Picture {
    private var grey: grey_picture

    /// The width in pixels.
    var width: Int { unsafe Int(grey.width) }
    /// The height in pixels.
    var height: Int { unsafe Int(grey.height) }
    /// The number of pixels.
    var area: Int { width * height }

    /// Nil if there was not enough memory for the pixels.
    private init?(_ grey: grey_picture) {
        guard unsafe grey.pixels != nil else { return nil }
        unsafe self.grey = grey
    }

    deinit { unsafe grey_release(&grey) }

    /// A page of a file with facts about it.
    struct Decoded {
        let picture: Picture
        /// The EXIF orientation, 1 to 8, that still has to be applied.
        let orientation: Int
        /// By how much the picture was made smaller while it was decoded.
        let reduction: Int
        let isDamaged: Bool
    }

    /// Why a page could not be decoded.
    enum DecodingError: Error {
        case noPage, damaged, tooLarge, unsupported
    }

    /// Decodes one page of a picture.
    ///
    /// - Parameters:
    ///   - page: the number of the page, from 0.
    ///   - mostPixels: the limit on width times height.
    static func decode(_ bytes: [UInt8], page: Int, mostPixels: Int) throws(DecodingError) -> Decoded {
        var decoded = unsafe decoded_picture()
        let result = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe picture_decode(buffer.baseAddress, buffer.count, Int32(page), Int64(mostPixels), &decoded)
        }
        switch result {
        case picture_decoded:
            guard let picture = unsafe Picture(decoded.picture) else { throw .tooLarge }
            return unsafe Decoded(
                picture: picture, orientation: Int(decoded.orientation), reduction: Int(decoded.reduction),
                isDamaged: decoded.is_damaged)
        case picture_no_page: throw .noPage
        case picture_too_large: throw .tooLarge
        case picture_unsupported: throw .unsupported
        default: throw .damaged
        }
    }

    /// Decodes what there is besides the first page: the further frames of an animation, and the further pictures of a HEIC.
    ///
    /// - Parameters:
    ///   - mostPixels: the limit on width times height.
    ///   - use: is called with each and its number, from 1. It returns whether to go on.
    /// - Returns: whether the file is damaged, so that there may be more.
    static func decodeFrames(
        _ bytes: [UInt8], mostPixels: Int, _ use: @escaping (Int, Decoded) -> Bool
    ) throws(DecodingError) -> Bool {
        var isDamaged = false
        var lacksMemory = false
        // Unsafe: the function calls back only while it runs. Each picture that it passes on is released by its `deinit`.
        var take: (decoded_picture, Int32) -> Bool = { frame, number in
            guard let picture = unsafe Picture(frame.picture) else {
                lacksMemory = true
                return false
            }
            let decoded = unsafe Decoded(
                picture: picture, orientation: Int(frame.orientation), reduction: Int(frame.reduction),
                isDamaged: frame.is_damaged)
            return use(Int(number), decoded)
        }
        let result = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe withUnsafeMutablePointer(to: &take) { context in
                unsafe picture_frames(
                    buffer.baseAddress, buffer.count, Int64(mostPixels),
                    { context, number, frame in
                        let take = unsafe context?.assumingMemoryBound(to: ((decoded_picture, Int32) -> Bool).self)
                        return unsafe take?.pointee(frame, number) ?? false
                    }, context, &isDamaged)
            }
        }
        if lacksMemory { throw .tooLarge }
        switch result {
        case picture_decoded, picture_no_page: return isDamaged
        case picture_too_large: throw .tooLarge
        case picture_unsupported: throw .unsupported
        default: throw .damaged
        }
    }

    // MARK: Changed copies. Each is nil if there is not enough memory for it.

    var inverted: Picture? { unsafe Picture(grey_inverted(&grey)) }
    var mirrored: Picture? { unsafe Picture(grey_mirrored(&grey)) }
    /// The median of each square of 3 by 3 pixels, which removes noise.
    var median: Picture? { unsafe Picture(grey_median(&grey)) }

    func resized(width: Int, height: Int) -> Picture? {
        unsafe Picture(grey_resized(&grey, Int32(clamping: width), Int32(clamping: height)))
    }

    /// A picture that is larger or smaller by a factor.
    func scaled(by factor: Double) -> Picture? {
        resized(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded())))
    }

    func blurred(_ sigma: Double) -> Picture? { unsafe Picture(grey_blurred(&grey, sigma)) }

    func sharpened(_ sigma: Double, amount: Double) -> Picture? {
        unsafe Picture(grey_sharpened(&grey, sigma, amount))
    }

    func thresholded(window: Int, offset: Int = 2) -> Picture? {
        unsafe Picture(grey_thresholded(&grey, Int32(window), Int32(offset)))
    }

    func equalized(window: Int) -> Picture? { unsafe Picture(grey_equalized(&grey, Int32(window))) }

    /// Takes back a blur by a lens that was out of focus.
    ///
    /// - Parameter diameter: the size of a point's image in pixels.
    func focused(diameter: Double, steps: Int) -> Picture? {
        unsafe Picture(grey_deconvolved(&grey, diameter, 0, true, Int32(steps)))
    }

    /// Takes back a blur by motion.
    ///
    /// - Parameters:
    ///   - length: how far a point moved, in pixels.
    ///   - angle: in which direction, in radians.
    func steadied(length: Double, angle: Double, steps: Int) -> Picture? {
        unsafe Picture(grey_deconvolved(&grey, length, angle, false, Int32(steps)))
    }

    /// The part within four corners, drawn as a square.
    func rectified(_ corners: Quadrilateral, size: Int) -> Picture? {
        unsafe Picture(grey_rectified(&grey, corners.coordinates, Int32(size)))
    }

    // MARK: Codes

    /// A code that a decoder found.
    struct Found {
        /// The text; nil if the code was seen, but could not be read.
        let text: [UInt8]?
        let corners: Quadrilateral
        /// The data codewords; empty if the decoder does not give them.
        let codewords: [UInt8]
        /// The error correction level as a letter; 0 if it is not known.
        let level: UInt8
    }

    /// The largest number of codes that are asked for.
    private static let mostCodes: Int32 = 100

    func codesByZXing(triesHarder: Bool = true, usesGlobalThreshold: Bool = false, isPure: Bool = false) -> [Found] {
        unsafe Self.list(codes_by_zxing(&grey, triesHarder, usesGlobalThreshold, isPure, Self.mostCodes))
    }

    func codesByZBar() -> [Found] {
        unsafe Self.list(codes_by_zbar(&grey, Self.mostCodes))
    }

    func codesByGrid() -> [Found] {
        unsafe Self.list(codes_by_grid(&grey, Self.mostCodes))
    }

    private static func list(_ codes: found_codes) -> [Found] {
        var codes = unsafe codes
        defer { unsafe codes_release(&codes) }
        return unsafe UnsafeBufferPointer(start: codes.codes, count: codes.count).map { code in
            let coordinates = unsafe [
                code.corners.0, code.corners.1, code.corners.2, code.corners.3, code.corners.4, code.corners.5,
                code.corners.6, code.corners.7,
            ]
            return unsafe Found(
                text: code.text.map { unsafe Array(UnsafeBufferPointer(start: $0, count: code.text_size)) },
                corners: Quadrilateral(coordinates: coordinates),
                codewords: Array(UnsafeBufferPointer(start: code.codewords, count: code.codewords_size)),
                level: UInt8(bitPattern: code.level))
        }
    }

    /// The brightness of a pixel; nil if it is outside the picture.
    func brightness(x: Int, y: Int) -> UInt8? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        return unsafe grey.pixels[y * width + x]
    }
}
