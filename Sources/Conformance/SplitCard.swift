/// A card that was split over several QR codes, while its parts are collected.
struct SplitCard {
    let section: Int
    let document: Document
    let count: Int
    var parts: [Int: [UInt8]] = [:]
    var conflicts: Set<Int> = []
}
