public import Foundation

/// An issuer's web server on 127.0.0.1, well behaved and hostile; see `issuer.py` for what it serves.
///
/// It runs as long as this object, and at most as long as the process.
public final class TestIssuer: Sendable {
    /// A request that the server has received.
    public struct Request: Sendable, Decodable {
        /// The name of the port it arrived at.
        public let port: String
        public let method: String
        public let path: String
        public let headers: [String: String]
    }

    private struct Description: Decodable {
        let ports: [String: Int]
        let directory: String
        let authority: String
        let log: String
    }

    struct NotStarted: Error {}

    /// What is served: the files in here, by their paths.
    public let directory: URL
    /// The PEM file of the authority that the server's certificates come from.
    public let authorityFile: String
    private let ports: [String: Int]
    private let log: URL
    private let process: Process
    private let input: FileHandle

    public init() throws {
        process = Process()
        // Debian's own Python: python3-cryptography belongs to it.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("issuer.py")
        process.arguments = ["-B", script.path]
        let (toServer, fromServer) = (Pipe(), Pipe())
        process.standardInput = toServer
        process.standardOutput = fromServer
        try process.run()
        input = toServer.fileHandleForWriting

        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try fromServer.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                throw NotStarted()
            }
            line.append(byte)
        }
        let description = try JSONDecoder().decode(Description.self, from: line)
        ports = description.ports
        directory = URL(fileURLWithPath: description.directory)
        authorityFile = description.authority
        log = URL(fileURLWithPath: description.log)
    }

    deinit { stop() }

    /// Ends the server, so that nothing answers at its addresses any more. What it served and its authority are gone.
    public func stop() {
        try? input.close()
        process.waitUntilExit()
    }

    /// Serves a file, in place of what was served there before.
    ///
    /// - Parameters:
    ///   - content: its content.
    ///   - path: with its leading slash.
    ///   - headers: fields that are sent with it besides Content-Type, ETag and the permission for every origin, or in
    ///     place of those; nil takes one away.
    public func serve(_ content: Data, at path: String, headers: [String: String?] = [:]) throws {
        let file = directory.appendingPathComponent(String(path.drop { $0 == "/" }))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(headers).write(to: file.appendingPathExtension("headers.json"), options: .atomic)
        try content.write(to: file, options: .atomic)
    }

    /// Serves a text; see `serve(_:at:headers:)`.
    public func serve(_ content: String, at path: String, headers: [String: String?] = [:]) throws {
        try serve(Data(content.utf8), at: path, headers: headers)
    }

    /// The number of a port; 0 where there is none of that name.
    public func port(_ name: String = "good") -> Int { ports[name] ?? 0 }

    /// An https URL that leads to the server.
    ///
    /// - Parameters:
    ///   - path: with its leading slash.
    ///   - port: the name of the port, which says how the server behaves.
    ///   - host: a name or address of this machine.
    public func url(_ path: String, port name: String = "good", host: String = "localhost") -> String {
        "https://\(host):\(port(name))\(path)"
    }

    /// All requests so far, in the order they came; those whose path holds `part`.
    public func requests(for part: String = "") throws -> [Request] {
        try Data(contentsOf: log).split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Request.self, from: Data($0)) }
            .filter { $0.path.contains(part) }
    }
}
