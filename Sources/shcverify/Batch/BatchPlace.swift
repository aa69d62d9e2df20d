/// A place in the input, between two lines.
struct BatchPlace: Sendable, Equatable {
    /// The number of the line that follows, from 1.
    var line: Int
    /// Where it begins, in bytes from where the input begins.
    var offset: Int

    static let beginning = BatchPlace(line: 1, offset: 0)
}
