/// The colours of the text report (ECMA-48 SGR), or none.
struct Palette {
    let isOn: Bool

    enum Style: String {
        case good = "1;32"
        case bad = "1;31"
        case unsure = "1;33"
        case heading = "1"
        case faint = "2"
    }

    func callAsFunction(_ style: Style, _ text: String) -> String {
        isOn ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
