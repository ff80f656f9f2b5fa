import Compression
import Glibc

/// The bytes of a log, with the gzip members in it unpacked wherever they lie.
///
/// A log may be packed for yesterday and plain for today, and a member that a power cut ended has the next one
/// appended to it: what can be read behind a fault is read.
@safe final class UnpackedInput {
    /// Whether the log begins as a gzip stream.
    let isCompressed: Bool
    /// What went wrong with a member.
    private(set) var warning: ReplayWarning?

    private enum Mode {
        case plain
        case member
        /// A member has ended; what may follow is the zeros of a tape block, another one, or plain text.
        case between
        /// A member broke off; another one or text is looked for.
        case lost
    }

    private let input: LogInput
    private var mode: Mode
    private var inflater: Inflater?
    /// Bytes that were read; those of ``ahead`` are not taken yet.
    private let store: UnsafeMutableRawBufferPointer
    private var ahead = 0..<0
    /// Up to where of ``store`` the member was seen to go on.
    private var seenTo = 0
    /// Whether the member holds its text as it is (level 0).
    private var isStored = false
    /// Whether nothing of the member was looked at.
    private var isFresh = false
    private var inputEnded = false

    private static let storeSize = LogReader.blockSize

    init(_ input: LogInput) throws(ReplayError) {
        self.input = input
        unsafe store = .allocate(byteCount: Self.storeSize, alignment: 16)
        mode = .plain
        do throws(ReplayError) {
            var head = 0
            // A pipe may give less than it was asked for.
            while head < 3 {
                let count = try unsafe input.read(into: .init(rebasing: store[head..<3]))
                if count == 0 { break }
                head += count
            }
            isCompressed = unsafe Inflater.isGzip(.init(rebasing: store[..<head]))
        } catch {
            unsafe store.deallocate()
            throw error
        }
        try rewind()
    }

    deinit { unsafe store.deallocate() }

    /// Goes back to the first byte.
    func rewind() throws(ReplayError) {
        try input.rewind()
        ahead = 0..<0
        inputEnded = false
        warning = nil
        mode = .plain
        if isCompressed { try beginMember() }
    }

    /// Fills `block`, which has room for more than ``MemberBreak/reach``, from its front.
    ///
    /// - Returns: how many bytes; 0 at the end, or when the input is starved.
    func read(into block: UnsafeMutableRawBufferPointer) throws(ReplayError) -> Int {
        var made = 0
        input.isStarved = false
        while block.count - made >= MemberBreak.reach {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: block[made...])
            let wasEnded = inputEnded && ahead.isEmpty
            switch mode {
            case .plain where ahead.isEmpty:
                // What a live pipe has given is not kept waiting for more.
                if made > 0 || inputEnded { return made }
                made = try unsafe readPlain(into: room)
                if ahead.isEmpty { return made }
            case .plain:
                made += try unsafe pass(into: room)
            case .member:
                made += try unsafe inflateOn(into: room)
            case .between:
                if ahead.isEmpty { try refill() }
                while let first = ahead.first, unsafe store[first] == 0 { ahead.removeFirst() }
                if !ahead.isEmpty { mode = .plain }
            case .lost:
                try seek()
            }
            if input.isStarved || wasEnded && ahead.isEmpty { break }
        }
        return made
    }

    /// Bytes of a log that is not packed, as they are, up to what may begin a member.
    private func readPlain(into room: UnsafeMutableRawBufferPointer) throws(ReplayError) -> Int {
        let count = try unsafe input.read(into: room)
        inputEnded = count == 0 && !input.isStarved
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
        guard let start = unsafe Self.memberStart(in: bytes) else { return count }
        unsafe store.copyMemory(from: .init(rebasing: bytes[start...]))
        ahead = 0..<count - start
        return start
    }

    /// Begins the member that is ahead, or takes the bytes before the next that may be one.
    private func pass(into room: UnsafeMutableRawBufferPointer) throws(ReplayError) -> Int {
        if ahead.count < Inflater.headerSize, !inputEnded {
            try refill()
            return 0
        }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: store[ahead])
        if bytes.count >= Inflater.headerSize, unsafe Inflater.mayBegin(bytes) {
            try beginMember()
            return 0
        }
        let next = unsafe Self.memberStart(in: .init(rebasing: bytes[1...])).map { $0 + 1 }
        let count = min(next ?? bytes.count, room.count)
        unsafe room.copyMemory(from: .init(rebasing: bytes[..<count]))
        ahead = ahead.lowerBound + count..<ahead.upperBound
        return count
    }

    /// Inflates up to where the member breaks off, if it does.
    ///
    /// A member that was cut is not inflated into what follows it: copies of earlier lines would come of that.
    private func inflateOn(into room: UnsafeMutableRawBufferPointer) throws(ReplayError) -> Int {
        if ahead.count <= MemberBreak.reach { try refill() }
        // Its own header is none that breaks it off.
        seenTo = max(seenTo, isFresh && !ahead.isEmpty ? ahead.lowerBound + 1 : ahead.lowerBound)
        if !ahead.isEmpty { isFresh = false }
        var limit = ahead.upperBound
        var breaksOff = false
        if !isStored {
            let unseen = unsafe UnsafeRawBufferPointer(rebasing: store[seenTo..<ahead.upperBound])
            if let place = unsafe MemberBreak.find(in: unseen) {
                limit = seenTo + place
                breaksOff = true
            } else if !inputEnded {
                // The end of these may be the beginning of a break.
                limit = max(seenTo, ahead.upperBound - MemberBreak.reach)
            }
            seenTo = limit
        }
        if breaksOff, limit == ahead.lowerBound { return unsafe breakOff(into: room) }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: store[ahead.lowerBound..<limit])
        guard let step = unsafe inflater?.inflate(bytes, into: room) else { return 0 }
        ahead = ahead.lowerBound + step.taken..<ahead.upperBound
        switch inflater?.state {
        case .ended: mode = .between
        case .damaged:
            warning = .damagedGzip(path: input.path)
            mode = .lost
        default:
            if ahead.isEmpty, inputEnded, step.made == 0 {
                warning = warning ?? .truncatedGzip(path: input.path)
            }
        }
        return step.made
    }

    /// Leaves the member at what does not look as if it belonged to it, unless it is text that the member holds as it is.
    private func breakOff(into room: UnsafeMutableRawBufferPointer) -> Int {
        let bytes = unsafe UnsafeRawBufferPointer(
            rebasing: store[ahead].prefix(min(MemberBreak.reach, room.count)))
        let step = unsafe inflater?.inflate(bytes, into: .init(rebasing: room[..<bytes.count]))
        let made = unsafe UnsafeRawBufferPointer(rebasing: room[..<(step?.made ?? 0)])
        if made.count == bytes.count, unsafe made.elementsEqual(bytes) {
            isStored = true
            ahead = ahead.lowerBound + bytes.count..<ahead.upperBound
            return made.count
        }
        warning = .damagedGzip(path: input.path)
        mode = .between
        return 0
    }

    /// Passes over what is left of a damaged member.
    private func seek() throws(ReplayError) {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: store[ahead])
        if let place = unsafe MemberBreak.find(in: bytes) {
            ahead = ahead.lowerBound + place..<ahead.upperBound
            mode = .between
            return
        }
        // The end of these may be the beginning of what is looked for.
        let kept = inputEnded ? 0 : min(ahead.count, MemberBreak.reach)
        ahead = ahead.upperBound - kept..<ahead.upperBound
        try refill()
    }

    private func beginMember() throws(ReplayError) {
        if inflater == nil {
            inflater = Inflater()
            guard inflater != nil else { throw .unreadable(path: input.path, code: ENOMEM) }
        } else {
            inflater?.restart()
        }
        seenTo = 0
        isStored = false
        isFresh = true
        mode = .member
    }

    /// Reads on behind what is ahead.
    private func refill() throws(ReplayError) {
        guard !inputEnded else { return }
        unsafe store.copyMemory(from: .init(rebasing: store[ahead]))
        seenTo -= ahead.lowerBound
        ahead = 0..<ahead.count
        let count = try unsafe input.read(into: .init(rebasing: store[ahead.upperBound...]))
        inputEnded = count == 0 && !input.isStarved
        ahead = 0..<ahead.count + count
    }

    /// Where in `bytes` a member may begin, be it with the last of them.
    private static func memberStart(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var from = 0
        while let hit = unsafe memchr(base + from, 0x1F, bytes.count - from) {
            let start = unsafe UnsafeRawPointer(hit) - base
            if unsafe Inflater.mayBegin(.init(rebasing: bytes[start...])) { return start }
            from = start + 1
        }
        return nil
    }
}
