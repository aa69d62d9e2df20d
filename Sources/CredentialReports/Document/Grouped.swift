extension Sequence {
    /// The elements in groups, in the order of the first element of each.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
        let groups = Dictionary(grouping: self, by: key)
        var seen: Set<Key> = []
        return map(key).filter { seen.insert($0).inserted }.compactMap { groups[$0] }
    }
}
