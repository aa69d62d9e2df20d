import SMARTHealthCards

extension NumericDate {
    /// The moment without the fraction of its second.
    var toTheSecond: NumericDate {
        NumericDate(sinceEpoch: .seconds(sinceEpoch.components.seconds))
    }

    /// The moment in RFC 3339; nil if it lies outside the years that have a place there.
    var calendarText: String? {
        NumericDate.range.contains(self) ? description : nil
    }
}
