import GNSS

extension SourceReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("kind", &kind, "gpsd or replay.")
        visitor.text("name", &name, "Address or file.")
        visitor.text(
            "state", &state,
            """
            off, resolving, resolve_failed, connecting, unreachable, greeting, gpsd_silent, \
            no_receiver, starting, receiver_silent, no_fix, old_fix_repeated, time_stands_still \
            or streaming; of a replay connected or ended.
            """)
        visitor.number("state_age", &stateAge, "s", "Time in this state.")
        visitor.text("detail", &detail, "More for a person; absent when there is nothing to add.")
        visitor.text("release", &release, "gpsd's release; absent before its greeting.")
        visitor.list("receivers", &receivers, "The receivers that gpsd has.")
        visitor.report("counts", &counts, "What was read.")
        // Derived: written for people and programs, made anew when read.
        var quality = inputQuality
        visitor.text(
            "input_quality", &quality,
            "What to look at when a third or more of the input is bad; absent when it is fine.")
    }
}

extension InputCounts: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("bytes", &bytes, "B", "Bytes read.")
        visitor.integer("lines", &lines, nil, "Sentences or JSON objects begun.")
        visitor.integer("accepted", &accepted, nil, "Understood and used.")
        visitor.integer("ignored", &ignored, nil, "Sound, with nothing for a fix.")
        visitor.integer("bad_checksum", &badChecksum, nil, "With a wrong checksum.")
        visitor.integer(
            "missing_checksum", &missingChecksum, nil, "Without the checksum asked for.")
        visitor.integer("malformed", &malformed, nil, "Broken otherwise.")
        visitor.integer("overlong", &overlong, nil, "Over the length limit.")
        visitor.integer("errors", &errors, nil, "Complaints of gpsd, its class ERROR.")
        visitor.integer("noise", &noise, "B", "Bytes outside of any line.")
        visitor.integer("fixes", &fixes, nil, "Epochs with a position.")
        visitor.integer("no_fixes", &noFixes, nil, "Epochs without a position.")
    }
}

extension ReceiverReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("state", &state, "stopped, off, waking, acquiring or tracking.")
        visitor.number("state_age", &stateAge, "s", "Time in this state.")
        visitor.text("policy", &policy, "continuous, interval, adaptive or on-demand.")
        visitor.number("next_wake", &nextWake, "s", "Time until it is switched on, when planned.")
        visitor.text("lever", &lever, "What switches it, as gpsd or hexdata; absent for a replay.")
        visitor.text(
            "lever_state", &leverState,
            "untried, checking, verified, no_effect, failed, unknown, or none without a lever.")
        visitor.text("saving", &saving, "What being off saves, and why not more, in words.")
    }
}

extension SupplyReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.flag("external", &isExternal, "Whether it runs on more than its battery, if known.")
        visitor.number("battery", &battery, "%", "What is left in its battery; absent without one.")
    }
}

extension FixReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        if isWithheld, var fix {
            // What says how well it is doing and not where it is.
            visitor.time("time", &fix.time, "")
            var mode = Int64(fix.mode.rawValue)
            visitor.integer("mode", &mode, nil, "")
            visitor.number("eph", &fix.errors.eph, nil, "")
            visitor.number("hdop", &fix.dop.hdop, nil, "")
            visitor.integer("satellites_used", &fix.satellitesUsed, nil, "")
            visitor.integer("satellites_seen", &fix.satellitesSeen, nil, "")
        } else {
            visitor.fix(&fix)
            visitor.number(
                "corrected_lat", &correctedLatitude, "deg", "Latitude after the correction.")
            visitor.number(
                "corrected_lon", &correctedLongitude, "deg", "Longitude after the correction.")
        }
        var withheld = isWithheld ? true : nil
        visitor.flag("withheld", &withheld, "True when place, speed and course are withheld.")
        isWithheld = withheld ?? false
        visitor.flags(&flags)
        visitor.integer(
            "sequence", &sequence, nil, "Row in the database; absent when not recorded.")
        visitor.flag("durable", &isDurable, "Whether it is on the disk.")
        visitor.number("age", &age, "s", "Time since the daemon saw it.")
    }
}

extension VerdictCounts: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("kept", &kept, nil, "Fixes of the clean track.")
        visitor.report("rejected", &rejected, "Fixes kept out of the clean track, by reason.")
    }
}

extension RejectionCounts: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        for (flag, name) in FixFlags.names where FixFlags.rejecting.contains(flag) {
            visitor.integer(name, &self[flag], nil, "Rejected as \(name); absent when none was.")
        }
    }
}

extension TrackReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("segment", &segment, nil, "Segment being recorded, 0 before the first.")
        visitor.text("gap", &gap, "Why no fixes are kept now; absent while they are.")
        visitor.number("gap_age", &gapAge, "s", "Time since the last kept fix, in a gap.")
        visitor.number(
            "gap_reason_age", &gapReasonAge, "s", "How long that has been the reason.")
    }
}

extension StoreReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("path", &path, "File of the database.")
        visitor.text(
            "id", &id, "Name of the database for ever; absent while it cannot be read.")
        visitor.text("state", &state, "ok, or what is wrong, in words.")
        visitor.integer("bytes", &bytes, "B", "Size of the file with its journal.")
        visitor.integer(
            "log_bytes", &logBytes, "B", "Size of the journal; it grows while a reader holds it.")
        visitor.integer("fixes", &fixes, nil, "Fixes in it.")
        visitor.integer(
            "durable_sequence", &durableSequence, nil, "Last sequence certain to be on the disk.")
        visitor.number("last_commit_age", &lastCommitAge, "s", "Time since the last commit.")
        visitor.integer("queue", &queue, nil, "Fixes waiting for the next commit.")
        visitor.integer("dropped", &dropped, nil, "Fixes given up because the queue was full.")
    }
}

extension NextEvent: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("what", &what, "What happens; commit.")
        visitor.number("due", &due, "s", "Time until then, at the earliest.")
    }
}

extension ClientsReport: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("connected", &connected, nil, "Connected now.")
        visitor.integer("accepted", &accepted, nil, "Accepted since the start.")
        visitor.integer("refused", &refused, nil, "Turned away because there were too many.")
        visitor.integer("dropped", &dropped, nil, "Cut because they did not read or did not ask.")
    }
}
