import Encodings
import Foundation
import FoundationNetworking
import HTTPSFetch
import Processes
import Synchronization

/// One request and its response, without following redirects.
///
/// The first of these events settles the result: the response, a body that is too large, an error, the end of the time,
/// or the cancellation of the waiting task. URLSession may take much longer to finish, but nobody waits for it.
///
/// A transfer is never cancelled. URLSession on Linux traps if a task is cancelled while it asks its delegate about a
/// redirect. Cancelling also waits for the work queue, which a flood keeps busy. An abandoned transfer goes on until
/// libcurl's time is up. In `shcverify-fetch` it ends at once, because the process ends.
final class Exchange: NSObject, Sendable {
    /// The result of an exchange that did not fail.
    enum Ending: Sendable {
        case response(HTTPResponse)
        case redirect(status: Int, location: String)
    }

    private struct State {
        var body: [UInt8] = []
        /// A client error whose body is read.
        var clientError: HTTPURLResponse?
        var result: Result<Ending, TransportFailure>?
        var waiting: CheckedContinuation<Result<Ending, TransportFailure>, Never>?
        /// Kept as long as the process lives. The session keeps its delegate, which is this object. Taking a session
        /// down while its last callbacks run could fail in yet another way.
        var session: URLSession?
    }

    private let request: HTTPRequest
    private let url: HTTPSURL
    private let isProxied: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - request: the request, with the limit on the body.
    ///   - url: the URL to fetch: the request's own, or the target of a redirect.
    ///   - isProxied: whether it is made through a proxy.
    init(_ request: HTTPRequest, url: HTTPSURL, isProxied: Bool) {
        self.request = request
        self.url = url
        self.isProxied = isProxied
    }

    /// Makes the exchange. Apply `TransferSettings` first.
    func run(within time: Duration) async -> Result<Ending, TransportFailure> {
        guard let target = URL(string: url.text) else {
            return .failure(TransportFailure(.invalidURL, "the address is no URL"))
        }
        let session = URLSession(configuration: Self.configuration, delegate: self, delegateQueue: nil)
        state.withLock { $0.session = session }
        let task = session.dataTask(with: urlRequest(to: target))
        // libcurl ends the transfer on time and can say what it was waiting for. This timer runs in case it does not.
        let backstop = DispatchTime.now() + .milliseconds(time.milliseconds + 100)
        DispatchQueue.global().asyncAfter(deadline: backstop) { [self] in
            settle(.failure(.timeout(after: request.timeout)))
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(continuation)
                task.resume()
            }
        } onCancel: {
            settle(.failure(TransportFailure(.cancelled, "the fetch was cancelled")))
        }
    }

    /// Whether the result of the exchange is known.
    var isSettled: Bool { state.withLock { $0.result != nil } }

    private func wait(_ continuation: CheckedContinuation<Result<Ending, TransportFailure>, Never>) {
        let result = state.withLock { state in
            if state.result == nil { state.waiting = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    private func settle(_ result: Result<Ending, TransportFailure>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<Ending, TransportFailure>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            state.body = []
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: result)
    }

    // MARK: Sending

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }

    /// The value of the field `Authorization` (RFC 6750 §2.1). URLSession takes only a text, which nothing overwrites. This process ends
    /// after its request.
    private static func authorization(_ token: SecretBytes) -> String {
        token.withBytes { bytes in
            var value = "Bearer "
            for place in bytes.indices { value.unicodeScalars.append(Unicode.Scalar(bytes[place])) }
            return value
        }
    }

    private func urlRequest(to target: URL) -> URLRequest {
        var sent = URLRequest(url: target)
        sent.httpShouldHandleCookies = false
        // URLSession counts whole seconds, and starts again with each byte. It must not end what libcurl lets go on.
        sent.timeoutInterval = Double(request.timeout.milliseconds / 1000 + 60)
        if case .post(let body) = request.method {
            sent.httpMethod = "POST"
            sent.httpBody = Data(body.content)
            sent.setValue(body.mediaType, forHTTPHeaderField: "Content-Type")
        }
        sent.setValue(UserAgent.value, forHTTPHeaderField: "User-Agent")
        sent.setValue(request.accept, forHTTPHeaderField: "Accept")
        sent.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        // URLSession adds these fields by itself. libcurl leaves out a field whose value is white space.
        sent.setValue(" ", forHTTPHeaderField: "Accept-Language")
        sent.setValue(" ", forHTTPHeaderField: "Connection")
        let given = [
            ("If-None-Match", request.entityTag), ("If-Modified-Since", request.lastModified),
            ("Origin", request.origin), ("Authorization", request.bearerToken.map(Self.authorization)),
        ]
        for case (let name, let value?) in given where FetchAnswer.isAcceptable(value) {
            sent.setValue(value, forHTTPHeaderField: name)
        }
        return sent
    }
}

// MARK: Receiving

extension Exchange: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        // A response of status 103 may come first. Most bodies of errors are not needed.
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200, response.statusCode != 200
        else { return }
        guard wantsBody(of: response) else { return settle(ending(of: response)) }
        state.withLock { $0.clientError = response }
    }

    /// Whether the answer is a client error whose body was asked for.
    private func wantsBody(of response: HTTPURLResponse) -> Bool {
        // 404 and 410 say all by themselves.
        request.errorBodySize > 0 && (400...499).contains(response.statusCode)
            && ![404, 410].contains(response.statusCode)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        var clientError: HTTPURLResponse?
        let isTooLarge = state.withLock { state in
            guard state.result == nil else { return false }
            if let response = state.clientError {
                // The beginning is enough: a server may send without end.
                state.body.append(contentsOf: data.prefix(request.errorBodySize - state.body.count))
                if state.body.count == request.errorBodySize { clientError = response }
                return false
            }
            guard data.count <= request.maximumBodySize - state.body.count else { return true }
            state.body.append(contentsOf: data)
            return false
        }
        if let clientError { settle(ending(of: clientError)) }
        if isTooLarge { settle(.failure(.tooLarge(limit: request.maximumBodySize))) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The response is then the redirect itself. It arrives once the task has gone on.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // The challenge is not answered, because refusing it would cancel the task.
        if let response = challenge.failureResponse as? HTTPURLResponse { settle(ending(of: response)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let response = state.withLock({ $0.clientError }) {
            // The status is known, whatever became of the body.
            settle(ending(of: response))
        } else if let error {
            settle(.failure(TransportFailure(urlSession: error, for: request, isProxied: isProxied)))
        } else if let response = task.response as? HTTPURLResponse {
            settle(ending(of: response))
        } else {
            settle(.failure(TransportFailure(.protocolError, "the server gave no answer")))
        }
    }

    private func ending(of response: HTTPURLResponse) -> Result<Ending, TransportFailure> {
        let status = response.statusCode
        guard (200...599).contains(status) else {
            return .failure(
                TransportFailure(
                    .protocolError, "the server answered with the HTTP status \(status), which is not valid"))
        }
        if [301, 302, 303, 307, 308].contains(status), let location = response.value(forHTTPHeaderField: "Location") {
            return .success(.redirect(status: status, location: location))
        }
        var headers: [String: String] = [:]
        for name in FetchAnswer.keptHeaders {
            guard let value = response.value(forHTTPHeaderField: name), FetchAnswer.isAcceptable(value) else {
                continue
            }
            headers[name] = value
        }
        let body = status == 200 || wantsBody(of: response) ? state.withLock { $0.body } : []
        return .success(.response(HTTPResponse(status: status, headers: headers, body: body)))
    }
}
