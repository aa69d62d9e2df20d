import CPictures
import Encodings

/// Finds the codes in the pages of one picture.
enum PictureScan {
    /// The limit on the pixels of a page.
    private static let mostPixels = 50_000_000

    /// The processor time in milliseconds after which no further pass begins. A pass takes up to a second, and the limit for
    /// the process is 8 seconds.
    private static let latest = 4500

    /// Finds the codes.
    ///
    /// If there are several pages, all are looked at quickly first. Only if no credential was found, they are looked at
    /// thoroughly. The frames of an animation are pages, too.
    ///
    /// - Parameters:
    ///   - pages: the numbers of the pages, from 0.
    static func run(_ picture: [UInt8], depth: ScanRequest.Depth, pages: Range<Int>) -> ScanAnswer {
        let hasPages =
            pages.count > 1
            && ((try? Picture.decode(picture, page: pages.lowerBound + 1, mostPixels: mostPixels)) != nil
                || hasFrames(picture))
        guard hasPages, depth != .quick else { return answer(about: picture, depth: depth, pages: pages) }
        let quick = answer(about: picture, depth: .quick, pages: pages)
        let texts = CredentialTexts(quick.codes.map(\.text))
        let mayFindMore = [nil, .damaged, .outOfTime].contains(quick.problem)
        guard depth == .exhaustive ? !texts.areWhole : texts.areNone, mayFindMore else { return quick }
        return answer(about: picture, depth: depth, pages: pages)
    }

    /// Whether there is a frame or picture after the first.
    private static func hasFrames(_ picture: [UInt8]) -> Bool {
        var isFound = false
        _ = try? Picture.decodeFrames(picture, mostPixels: mostPixels) { _, _ in
            isFound = true
            return false
        }
        return isFound
    }

    private static func answer(about picture: [UInt8], depth: ScanRequest.Depth, pages: Range<Int>) -> ScanAnswer {
        var answer = ScanAnswer()
        pages: for page in pages {
            do throws(Picture.DecodingError) {
                add(try Picture.decode(picture, page: page, mostPixels: mostPixels), page: page, depth, to: &answer)
            } catch {
                switch error {
                case .noPage:
                    if answer.pages.isEmpty { answer.note(.damaged) }
                    break pages
                case .damaged: answer.note(page == 0 ? .damaged : .pageUnreadable)
                case .tooLarge: answer.note(.tooLarge)
                case .unsupported: answer.note(.unsupported)
                }
                // The next pages may be readable, if there are pages at all.
                if page == 0, answer.pages.isEmpty { return answer }
            }
            guard answer.problem != .tooManyCodes else { return answer }
        }
        // Any error but this one means that there is a further page.
        do throws(Picture.DecodingError) {
            _ = try Picture.decode(picture, page: pages.upperBound, mostPixels: mostPixels)
            answer.note(.morePages)
        } catch {
            if error != .noPage { answer.note(.morePages) }
        }
        if pages.lowerBound == 0, pages.count > 1 {
            answer = adding(framesOf: picture, depth: depth, most: pages.count, to: answer)
        }
        return answer
    }

    /// Looks for codes in the frames after the first, as many and as long as the limits allow.
    private static func adding(
        framesOf picture: [UInt8], depth: ScanRequest.Depth, most: Int, to earlier: ScanAnswer
    ) -> ScanAnswer {
        var answer = earlier
        // If nothing is found, the time is shared with the thorough search.
        let isShared = depth == .quick
        do throws(Picture.DecodingError) {
            let isDamaged = try Picture.decodeFrames(picture, mostPixels: mostPixels) { number, frame in
                let limit = isShared && answer.codes.isEmpty ? latest / 2 : latest
                guard answer.pages.count < most, PageScan.hasTime(until: limit) else {
                    answer.note(.outOfTime)
                    return false
                }
                add(frame, page: number, depth, isFrame: true, to: &answer)
                return answer.problem != .tooManyCodes
            }
            if isDamaged { answer.note(.damaged) }
        } catch {
            answer.note(error == .tooLarge ? .tooLarge : .pageUnreadable)
        }
        return answer
    }

    /// - Parameter isFrame: whether the page is a frame of an animation. Then a code that stays is added once.
    private static func add(
        _ decoded: Picture.Decoded, page: Int, _ depth: ScanRequest.Depth, isFrame: Bool = false,
        to answer: inout ScanAnswer
    ) {
        var scan = PageScan(decoded.picture, depth: depth, latest: latest)
        scan.run()
        let turn = Turn(decoded)
        answer.pages.append(
            ScanAnswer.Page(number: page, width: turn.width, height: turn.height, unreadCodes: scan.unread.count))
        for code in scan.codes {
            guard !isFrame || !answer.codes.contains(where: { $0.text == code.text }) else { continue }
            guard answer.codes.count < ScanAnswer.mostCodes else {
                answer.note(.tooManyCodes)
                return
            }
            guard code.text.count <= ScanAnswer.longestText else { continue }
            let symbol = SymbolReader.symbol(
                codewords: code.codewords, level: code.level,
                hasQuietZone: QuietZone.isLight(around: code, on: decoded.picture))
            answer.codes.append(
                ScanAnswer.Code(page: page, text: code.text, corners: turn.points(code.corners), symbol: symbol))
        }
        if decoded.isDamaged { answer.note(.damaged) }
        if scan.isCutOff { answer.note(.cutOff) }
        if scan.isAmbiguous { answer.note(.ambiguous) }
        if scan.isCutShort { answer.note(.outOfTime) }
    }
}

/// Turns points of the stored picture into points of the picture as a viewer shows it: turned as EXIF says, and in its full size.
private struct Turn {
    let width: Int
    let height: Int
    private let orientation: Int
    private let reduction: Int
    private let stored: (width: Double, height: Double)

    init(_ decoded: Picture.Decoded) {
        orientation = decoded.orientation
        reduction = decoded.reduction
        stored = (Double(decoded.picture.width), Double(decoded.picture.height))
        let isTurned = decoded.orientation >= 5
        width = (isTurned ? decoded.picture.height : decoded.picture.width) * decoded.reduction
        height = (isTurned ? decoded.picture.width : decoded.picture.height) * decoded.reduction
    }

    func points(_ corners: Quadrilateral) -> [PixelPoint] {
        corners.points.map { point in
            let (x, y) = turned(point.x, point.y)
            return PixelPoint(x: whole(x, limit: width), y: whole(y, limit: height))
        }
    }

    /// EXIF 2.3 §4.6.4, tag 274.
    private func turned(_ x: Double, _ y: Double) -> (Double, Double) {
        switch orientation {
        case 2: (stored.width - x, y)
        case 3: (stored.width - x, stored.height - y)
        case 4: (x, stored.height - y)
        case 5: (y, x)
        case 6: (stored.height - y, x)
        case 7: (stored.height - y, stored.width - x)
        case 8: (y, stored.width - x)
        default: (x, y)
        }
    }

    private func whole(_ value: Double, limit: Int) -> Int {
        guard value.isFinite else { return 0 }
        return Int(min(max(value * Double(reduction), 0), Double(limit)).rounded())
    }
}
