/// Stands in for the executable's own, which knows the network.
enum Version {
    static let number = "0"
}
