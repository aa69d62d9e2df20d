import Foundation

/// Waits until something is so.
///
/// It waits for an event, and not for a time: up to half an hour, because a machine may be busy.
///
/// - Returns: whether it has become so.
package func eventually(_ condition: () throws -> Bool) async throws -> Bool {
    for _ in 0..<180_000 {
        if try condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return try condition()
}

/// Waits until something is so, without giving up the thread.
@discardableResult
package func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<180_000 {
        if try condition() { return true }
        usleep(10_000)
    }
    return try condition()
}
