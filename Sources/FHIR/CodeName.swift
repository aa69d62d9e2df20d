/// What a code is called, and who says so.
public struct CodeName: Sendable, Hashable {
    /// The name a person reads.
    public let display: String
    /// The list it is from.
    public let source: DisplaySource
    /// What the code has in common with others, where they are to be counted together: of a vaccine, its group.
    /// `CodeNames.group(of:)` knows more of them, since a code may have a group and no name.
    public let group: String?

    public init(display: String, source: DisplaySource, group: String? = nil) {
        self.display = display
        self.source = source
        self.group = group
    }
}
