import JOSE
import JSON

extension Rule {
    /// No signature verifies under coordinates that are no point.
    static let keyPoint = Rule(
        "invalid-key-schema", "point", .rfc(7518, "6.2.1"),
        requirement: "\"x\" and \"y\" are the coordinates of a point on the curve P-256.",
        remedy: "Export the public key again; something was lost or changed between the key and the set.",
        check: .key { key in
            guard key.isForCards, key.point == nil, let x = key.x?.padded, let y = key.y?.padded else { return [] }
            let isSwapped = (try? P256PublicKey(x: y, y: x)) != nil
            return [
                Problem(
                    #"the key's "x" and "y" are not a point on P-256"#
                        + (isSwapped ? "; with x and y exchanged they are one" : ""), at: key.value)
            ]
        })
}
