/// Which versions of TLS a request may be made with.
///
/// Everything but `standard` is for finding out what a server accepts; what it answers is not to be relied on.
public enum TLSVersions: String, Sendable, CaseIterable {
    /// 1.2 or later (SHC-K4).
    case standard
    /// 1.3 and nothing else.
    case only13
    /// 1.2 and nothing else.
    case only12
    /// 1.0 or 1.1, with whatever else was acceptable in their time.
    case legacy
}
