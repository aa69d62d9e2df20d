import CPictures
import ScanProtocol

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
    /// thoroughly.
    ///
    /// - Parameters:
    ///   - pages: the numbers of the pages, from 0.
    static func run(_ picture: [UInt8], depth: ScanRequest.Depth, pages: Range<Int>) -> ScanAnswer {
        let hasPages =
            pages.count > 1 && (try? Picture.decode(picture, page: pages.lowerBound + 1, mostPixels: mostPixels)) != nil
        guard hasPages, depth != .quick else { return answer(about: picture, depth: depth, pages: pages) }
        let quick = answer(about: picture, depth: .quick, pages: pages)
        let texts = CredentialTexts(quick.codes.map(\.text))
        guard depth == .exhaustive ? !texts.areWhole : texts.areNone, quick.problem == nil || quick.problem == .damaged
        else {
            return quick
        }
        return answer(about: picture, depth: depth, pages: pages)
    }

    private static func answer(about picture: [UInt8], depth: ScanRequest.Depth, pages: Range<Int>) -> ScanAnswer {
        var answer = ScanAnswer()
        for page in pages {
            do throws(Picture.DecodingError) {
                add(try Picture.decode(picture, page: page, mostPixels: mostPixels), page: page, depth, to: &answer)
            } catch {
                switch error {
                case .noPage:
                    if answer.pages.isEmpty { answer.note(.damaged) }
                    return answer
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
        return answer
    }

    private static func add(
        _ decoded: Picture.Decoded, page: Int, _ depth: ScanRequest.Depth, to answer: inout ScanAnswer
    ) {
        var scan = PageScan(decoded.picture, depth: depth, latest: latest)
        scan.run()
        let turn = Turn(decoded)
        answer.pages.append(
            ScanAnswer.Page(number: page, width: turn.width, height: turn.height, unreadCodes: scan.unread.count))
        for code in scan.codes {
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
