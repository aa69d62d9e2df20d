// Makes one HTTPS request with URLSession, in a process of its own. `FetchProcess` starts it, writes the request to its
// standard input, and reads the answer (`FetchAnswer`) from its standard output. A server that crashes or floods
// URLSession harms only this process.

import CProcess
import CURLHook
import Foundation
import HTTPSFetch

@main
enum FetchCommand {
    // On the main thread: when the rights are given up, there must be no other one.
    @MainActor
    static func main() async {
        var problem = FetchSandbox.setAtStart()
        guard program_argument_count() == 1, let input = readRequest(), let request = HTTPRequest(wireForm: input)
        else {
            FileHandle.standardError.write(
                Data("shcverify-fetch is started by shcverify, which writes one request to its standard input.\n".utf8))
            exit(64)
        }
        FetchSandbox.set(for: request)
        curl_hook_announce(STDOUT_FILENO, FetchAnswer.contact)
        let transport = URLSessionTransport(environment: ProcessInfo.processInfo.environment)
        let authorities = Result { () throws(TransportFailure) in try RootCertificates(for: request) }
        problem = problem ?? FetchSandbox.giveUpRights() ?? FetchSandbox.endWhenNobodyReads()
        let answer: Result<HTTPResponse, TransportFailure>
        do throws(TransportFailure) {
            if let problem { throw problem }
            answer = .success(try await transport.send(request, authorities: try authorities.get()))
        } catch {
            answer = .failure(error)
        }
        write(answer)
        // Not `exit`: a server can delay the orderly end of URLSession for as long as it likes.
        _exit(0)
    }

    /// The bytes of standard input; nil if it is a terminal, is empty, or is larger than a request can be.
    ///
    /// Ends the process if the reader of standard output closes it meanwhile.
    private static func readRequest() -> [UInt8]? {
        guard isatty(STDIN_FILENO) == 0 else { return nil }
        var input: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while input.count <= HTTPRequest.maximumWireSize {
            FetchSandbox.waitForInput()
            // Unsafe: the call writes within the buffer, whose length it is given.
            let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else { break }
            input += buffer[..<count]
        }
        return input.isEmpty || input.count > HTTPRequest.maximumWireSize ? nil : input
    }

    private static func write(_ answer: Result<HTTPResponse, TransportFailure>) {
        let output = FileHandle.standardOutput
        do {
            try output.write(contentsOf: Data(FetchAnswer.line(for: answer)))
            guard case .success(let response) = answer else { return }
            var rest = response.body[...]
            while !rest.isEmpty {
                try output.write(contentsOf: Data(rest.prefix(1 << 20)))
                rest = rest.dropFirst(1 << 20)
            }
        } catch {
            // The pipe for the answer was closed.
            _exit(1)
        }
    }
}
