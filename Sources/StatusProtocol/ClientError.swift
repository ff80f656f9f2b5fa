/// Why the daemon could not be asked.
public enum ClientError: Error, Equatable {
    /// The path is no address of a socket.
    case address(UnixAddress.Invalid)
    /// Nothing listens there: no such socket, or one that a dead process left behind.
    case notRunning(path: String)
    /// The socket is there and this user may not use it.
    case noPermission(path: String)
    /// No answer in time.
    case timedOut
    /// The daemon closed the connection.
    case closed
    /// The answer is not what the protocol says.
    case malformed(String)
    /// The daemon answered with an error.
    case refused(RPCError)
    /// A call to the system failed.
    case system(call: String, code: Int32)
}
