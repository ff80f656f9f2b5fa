import CSystemd

/// One source of an sd-event loop with the closure it calls; the source ends with its owner.
///
/// libsystemd holds a plain pointer to it. The pointer is used only while the source is enabled, and
/// ``deinit`` disables it: see ``call(_:status:events:)`` for a handler that drops its own source.
@safe final class EventSource {
    /// The source of libsystemd, once it was added.
    var handle: OpaquePointer?

    private let action: (_ status: Int32, _ events: UInt32) -> Void

    init(_ action: @escaping (_ status: Int32, _ events: UInt32) -> Void) {
        self.action = action
    }

    deinit {
        end()
    }

    /// Ends the source at once, even while its closure runs and keeps this object.
    ///
    /// The caller may close the descriptor next, and a child process may hold a copy of it: what epoll still
    /// watched then would call for a source that is gone. Inside its own callback libsystemd keeps the source
    /// until the callback has returned.
    func end() {
        unsafe sd_event_source_disable_unref(handle)
        unsafe handle = nil
    }

    /// What libsystemd hands back to the callback.
    var context: UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    /// Calls the closure of the source that `context` stands for.
    ///
    /// - Returns: 0, which keeps the source.
    static func call(
        _ context: UnsafeMutableRawPointer?, status: Int32 = 0, events: UInt32 = 0
    ) -> Int32 {
        guard let context = unsafe context else { return 0 }
        // Retained while the closure runs: it may drop the last reference of the loop's table.
        let source = unsafe Unmanaged<EventSource>.fromOpaque(context).takeUnretainedValue()
        withExtendedLifetime(source) { source.action(status, events) }
        return 0
    }
}
