// One HTTPS GET by URLSession, in a process of its own. `FetchProcess` starts it: a request comes on standard input,
// and an answer goes to standard output (`FetchAnswer`). What a server can do to URLSession, it does to this process
// only.

import CURLHook
import Foundation
import IssuerNetwork
import ProgramArguments
import URLSessionTransport

@main
enum FetchCommand {
    static func main() async {
        let hindrance = ProcessLimits.setAtStart()
        guard program_argument_count() == 1, let input = readRequest(), let request = HTTPRequest(wireForm: input)
        else {
            FileHandle.standardError.write(
                Data("shcverify-fetch is run by shcverify, which hands it one request on standard input.\n".utf8))
            exit(64)
        }
        ProcessLimits.set(for: request)
        curl_hook_announce(STDOUT_FILENO, FetchAnswer.contact)
        let transport = URLSessionTransport(environment: ProcessInfo.processInfo.environment)
        let answer: Result<HTTPResponse, TransportFailure>
        do throws(TransportFailure) {
            if let hindrance { throw hindrance }
            answer = .success(try await transport.get(request))
        } catch {
            answer = .failure(error)
        }
        write(answer)
        // At once: to end URLSession in good order can take as long as the server likes.
        _exit(0)
    }

    /// All of standard input, or nil if it is a terminal, or holds nothing or too much.
    private static func readRequest() -> [UInt8]? {
        guard isatty(STDIN_FILENO) == 0 else { return nil }
        var input = Data()
        while input.count <= HTTPRequest.maximumWireSize {
            guard let more = try? FileHandle.standardInput.read(upToCount: HTTPRequest.maximumWireSize + 1),
                !more.isEmpty
            else { break }
            input.append(more)
        }
        return input.isEmpty || input.count > HTTPRequest.maximumWireSize ? nil : Array(input)
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
            // Nobody reads the answer any more.
            _exit(1)
        }
    }
}
