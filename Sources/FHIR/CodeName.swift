public import JSON

/// What a code is called, and who says so.
public struct CodeName: Sendable, Hashable {
    /// The name a person reads.
    public let display: UTF8Text
    /// The list it is from.
    public let source: DisplaySource
    /// What the code has in common with others, where they are to be counted together: of a vaccine, its group.
    /// `CodeNames.group(of:)` knows more of them, since a code may have a group and no name.
    public let group: UTF8Text?

    public init(display: UTF8Text, source: DisplaySource, group: UTF8Text? = nil) {
        self.display = display
        self.source = source
        self.group = group
    }
}
