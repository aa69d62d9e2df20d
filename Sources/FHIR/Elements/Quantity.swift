package import Encodings

/// A measured amount (FHIR `Quantity`), with its digits as signed.
package struct Quantity: Sendable, Hashable {
    /// `<`, `<=`, `>=` or `>`.
    package let comparator: UTF8Text?
    /// The number's digits: `6.30` stays `6.30`.
    package let digits: String
    /// The readable unit, or else its code.
    package let unit: UTF8Text?

    /// - Returns: nil if there is no number.
    package init?(_ value: JSONValue) {
        guard let digits = value["value"]?.number?.digits else { return nil }
        self.digits = digits
        comparator = value.text("comparator")
        unit = value.text("unit") ?? value.text("code")
    }

    /// The quantity in one line, such as `<0.5 mg/L`.
    package var text: String { amount + (unit.map { " \($0)" } ?? "") }

    private var amount: String { (comparator?.description ?? "") + digits }

    /// An interval (FHIR `Range`, and the `low` and `high` of a reference range): `3.5 to 5.0 mmol/L`.
    static func range(_ value: JSONValue) -> String? {
        let low = value["low"].flatMap { Quantity($0) }
        let high = value["high"].flatMap { Quantity($0) }
        switch (low, high) {
        case (let low?, let high?):
            return low.unit == nil || low.unit == high.unit
                ? "\(low.amount) to \(high.text)" : "\(low.text) to \(high.text)"
        case (let low?, nil): return ">= " + low.text
        case (nil, let high?): return "<= " + high.text
        case (nil, nil): return nil
        }
    }

    /// A ratio (FHIR `Ratio`): `1:128`.
    static func ratio(_ value: JSONValue) -> String? {
        guard let numerator = value["numerator"].flatMap({ Quantity($0) }),
            let denominator = value["denominator"].flatMap({ Quantity($0) })
        else { return nil }
        let isPlain = numerator.unit == nil && denominator.unit == nil
        return numerator.text + (isPlain ? ":" : " / ") + denominator.text
    }
}
