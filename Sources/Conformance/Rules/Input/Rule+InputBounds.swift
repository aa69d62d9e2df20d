import SMARTHealthCards

extension Rule {
    /// Nothing larger than the bounds is looked at; the reading itself finds it.
    static let inputBounds = Rule(
        "input-too-large", "bounds", .bounds,
        requirement: "Inputs are no larger than any real card, key set or list.",
        remedy: "Split the input; a card has a few kilobytes.",
        check: .input { _ in [] })
}
