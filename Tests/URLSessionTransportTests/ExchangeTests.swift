import Foundation
import FoundationNetworking
import HTTPSFetch
import Testing

@testable import shcverify_fetch

struct ExchangeTests {
    /// URLSession traps if a task ends while it asks about a redirect. So the question must be answered before anybody
    /// who could end the task hears of the redirect.
    @Test func answersTheQuestionAboutARedirectBeforeItEnds() async throws {
        let url = try #require(URL(string: "https://issuer.example/a"))
        let request = HTTPRequest(url: url.absoluteString, timeout: .seconds(600), maximumBodySize: 10)
        let exchange = Exchange(request, url: try HTTPSURL(request.url), isProxied: false)
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 302, httpVersion: "HTTP/1.1", headerFields: ["Location": "/b"]))
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: url)
        var answer: URLRequest?? = .none
        exchange.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: URLRequest(url: url)
        ) {
            answer = $0
            #expect(!exchange.isSettled)
        }
        #expect(answer == .some(nil), "the response is the redirect itself")
        // It arrives once the task has gone on.
        exchange.urlSession(session, dataTask: task, didReceive: response) { _ in }
        #expect(exchange.isSettled)
    }
}
