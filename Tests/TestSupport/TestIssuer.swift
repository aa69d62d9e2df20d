package import Foundation

/// An issuer's web server on 127.0.0.1 that can behave well or be hostile. `issuer.py` describes what it serves.
///
/// It runs as long as this object lives, and at most until the process ends.
package final class TestIssuer: Sendable {
    /// A request that the server has received.
    package struct Request: Sendable, Decodable {
        /// The name of the port on which it arrived.
        package let port: String
        package let method: String
        package let path: String
        package let headers: [String: String]
        package let body: String
    }

    private struct Description: Decodable {
        let ports: [String: Int]
        let directory: String
        let authority: String
        let log: String
    }

    struct NotStarted: Error {}

    /// The directory with the files that are served. Their paths are those of the URLs.
    package let directory: URL
    /// The PEM file of the authority that issued the server's certificates.
    package let authorityFile: String
    private let ports: [String: Int]
    private let log: URL
    private let process: Process
    private let input: FileHandle

    /// A server for all tests of this process. Each test has paths of its own.
    package static let shared = Result { try TestIssuer() }

    /// - Parameter hasWeakCiphers: whether there are also the ports with weak ciphers and keys.
    package init(hasWeakCiphers: Bool = false) throws {
        process = Process()
        // Debian's own Python, which has the package python3-cryptography.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("issuer.py")
        process.arguments = ["-B", script.path] + (hasWeakCiphers ? ["--ciphers"] : [])
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

    /// Stops the server, so that nothing answers at its addresses. Its files and its authority are removed.
    package func stop() {
        try? input.close()
        process.waitUntilExit()
    }

    /// Serves a file, which replaces an earlier one at the same path.
    ///
    /// - Parameters:
    ///   - content: its content.
    ///   - path: the path, with its leading slash.
    ///   - headers: header fields that are added to Content-Type, ETag and the permission for all origins, or replace
    ///     them. Nil removes a field.
    package func serve(_ content: Data, at path: String, headers: [String: String?] = [:]) throws {
        let file = directory.appendingPathComponent(String(path.drop { $0 == "/" }))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(headers).write(to: file.appendingPathExtension("headers.json"), options: .atomic)
        try content.write(to: file, options: .atomic)
    }

    /// Serves a text. See `serve(_:at:headers:)`.
    package func serve(_ content: String, at path: String, headers: [String: String?] = [:]) throws {
        try serve(Data(content.utf8), at: path, headers: headers)
    }

    /// Closes the connections of all who wait below `/held/NAME`, also of those who come later.
    package func release(_ name: String) throws { try serve("", at: "\(name).released") }

    /// The number of a port, or 0 if there is no port of that name.
    package func port(_ name: String = "good") -> Int { ports[name] ?? 0 }

    /// An https URL of the server.
    ///
    /// - Parameters:
    ///   - path: the path, with its leading slash.
    ///   - port: the name of the port, which decides how the server behaves.
    ///   - host: a name or an address of this machine.
    package func url(_ path: String, port name: String = "good", host: String = "localhost") -> String {
        "https://\(host):\(port(name))\(path)"
    }

    /// All requests so far whose path contains `part`, in the order in which they arrived.
    package func requests(for part: String = "") throws -> [Request] {
        // The text after the last line feed is still being written.
        let content = try Data(contentsOf: log)
        let end = content.lastIndex(of: UInt8(ascii: "\n")) ?? content.startIndex
        return try content[..<end].split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Request.self, from: Data($0)) }
            .filter { $0.path.contains(part) }
    }
}
