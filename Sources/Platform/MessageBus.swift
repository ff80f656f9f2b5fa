import CSystemd
import Glibc
public import Scheduling

/// Why a call over the bus failed.
public struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
    /// As `org.freedesktop.DBus.Error.ServiceUnknown`.
    public let name: String
    /// What the service says of it.
    public let message: String

    /// The name and what the service says.
    public var description: String { message.isEmpty ? name : message }
}

/// The system's message bus on the daemon's loop; nothing waits for it, and nothing needs it.
///
/// Without a bus calls fail and signals do not come. The C functions are those of sd-bus(3).
@safe public final class MessageBus {
    /// Told once when the bus is gone; make another one then.
    public var onGone: () -> Void = {}

    private let bus: OpaquePointer
    private var calls: [UInt64: BusSlot] = [:]
    private var matches: [BusSlot] = []
    private var numbered: UInt64 = 0

    /// Connects to the system bus, or to the one at `address`; the greeting is exchanged on the loop.
    ///
    /// - Throws: when there is none.
    public init(on loop: EventLoop, address: String? = nil) throws(PlatformError) {
        var made: OpaquePointer?
        var code = unsafe sd_bus_new(&made)
        guard code >= 0, let bus = unsafe made else {
            throw PlatformError(call: "sd_bus_new", code: -code)
        }
        unsafe self.bus = bus
        let chosen =
            unsafe address ?? getenv("DBUS_SYSTEM_BUS_ADDRESS").map { unsafe String(cString: $0) }
            ?? "unix:path=/run/dbus/system_bus_socket"
        code = unsafe sd_bus_set_address(bus, chosen)
        if code >= 0 { code = unsafe sd_bus_set_bus_client(bus, 1) }
        if code >= 0 { code = unsafe sd_bus_negotiate_fds(bus, 1) }
        if code >= 0 { code = unsafe sd_bus_set_connected_signal(bus, 0) }
        if code >= 0 { code = unsafe sd_bus_start(bus) }
        if code >= 0 { code = unsafe sd_bus_attach_event(bus, loop.event, 0) }
        // Whole by now: what fails is closed by deinit.
        guard code >= 0 else {
            throw PlatformError(call: "sd_bus_start", subject: chosen, code: -code)
        }
        subscribe(
            "type='signal',sender='org.freedesktop.DBus.Local',"
                + "interface='org.freedesktop.DBus.Local',member='Disconnected'"
        ) { [unowned self] _ in
            let gone = onGone
            onGone = {}
            gone()
        }
    }

    deinit {
        calls = [:]
        matches = []
        unsafe sd_bus_detach_event(bus)
        unsafe sd_bus_close(bus)
        unsafe sd_bus_unref(bus)
    }

    /// Calls a method; `reply` is called once, later, with what came back.
    public func call(
        _ service: String, _ path: String, _ interface: String, _ method: String,
        _ arguments: [BusArgument] = [], within limit: TimeSpan = .seconds(10),
        _ reply: @escaping (Result<[BusValue], BusError>) -> Void
    ) {
        numbered += 1
        let number = numbered
        let slot = BusSlot { [unowned self] message in
            calls[number] = nil
            reply(message.result)
        }
        var message: OpaquePointer?
        var code = unsafe sd_bus_message_new_method_call(
            bus, &message, service, path, interface, method)
        for argument in arguments where code >= 0 {
            code = unsafe MessageBus.append(argument, to: message)
        }
        if code >= 0 {
            code = unsafe sd_bus_call_async(
                bus, &slot.handle, message,
                { message, context, _ in unsafe BusSlot.call(context, message) }, slot.context,
                UInt64(max(1, limit.nanoseconds / 1000)))
        }
        unsafe sd_bus_message_unref(message)
        guard code >= 0 else {
            return reply(
                .failure(BusError(name: "call", message: PlatformError.words(for: -code))))
        }
        calls[number] = slot
    }

    /// Calls `handler` with the arguments of each signal that a match rule takes.
    ///
    /// The C function is `sd_bus_add_match_async`.
    public func subscribe(_ rule: String, _ handler: @escaping ([BusValue]) -> Void) {
        let slot = BusSlot { message in
            handler(message.values)
        }
        let code = unsafe sd_bus_add_match_async(
            bus, &slot.handle, rule,
            { message, context, _ in unsafe BusSlot.call(context, message) },
            { _, _, _ in 0 }, slot.context)
        if code >= 0 { matches.append(slot) }
    }

    /// Reads one property, or `nil` when it cannot be had.
    public func property(
        _ service: String, _ path: String, _ interface: String, _ name: String,
        _ reply: @escaping (BusValue?) -> Void
    ) {
        call(
            service, path, "org.freedesktop.DBus.Properties", "Get",
            [.text(interface), .text(name)]
        ) { result in
            reply((try? result.get())?.first)
        }
    }

    private static func append(_ argument: BusArgument, to message: OpaquePointer?) -> Int32 {
        switch argument {
        case .text(let text):
            return unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), text)
        case .boolean(let value):
            var word: Int32 = value ? 1 : 0
            return unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &word)
        case .unsigned(var value):
            return unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &value)
        }
    }
}

/// A message that has come, while it is being handled.
@safe private struct BusMessage {
    let handle: OpaquePointer?

    /// Its arguments.
    var values: [BusValue] {
        unsafe handle.map { unsafe BusValue.readAll($0) } ?? []
    }

    /// Its arguments, or the error that it is.
    var result: Result<[BusValue], BusError> {
        guard let error = unsafe sd_bus_message_get_error(handle) else { return .success(values) }
        func text(_ pointer: UnsafePointer<CChar>?) -> String {
            unsafe pointer.map { unsafe String(cString: $0) } ?? ""
        }
        return .failure(
            unsafe BusError(name: text(error.pointee.name), message: text(error.pointee.message)))
    }
}

/// One call or match of sd-bus with the closure it calls; it ends with its owner.
@safe private final class BusSlot {
    var handle: OpaquePointer?

    private let action: (BusMessage) -> Void

    init(_ action: @escaping (BusMessage) -> Void) {
        self.action = action
    }

    deinit {
        unsafe sd_bus_slot_unref(handle)
    }

    var context: UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    static func call(_ context: UnsafeMutableRawPointer?, _ message: OpaquePointer?) -> Int32 {
        guard let context = unsafe context else { return 0 }
        // Retained while the closure runs: it may drop the last reference.
        let slot = unsafe Unmanaged<BusSlot>.fromOpaque(context).takeUnretainedValue()
        withExtendedLifetime(slot) { slot.action(unsafe BusMessage(handle: message)) }
        return 0
    }
}
