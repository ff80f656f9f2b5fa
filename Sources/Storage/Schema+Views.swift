import GNSS

/// The views: the same values in degrees, metres, metres a second and text, named as in JSON.
extension Schema {
    static var views: [View] {
        [
            View(name: "fixes", query: fixes), View(name: "track", query: track),
            View(name: "segments", query: segments), View(name: "gaps", query: gaps),
            View(name: "cycles", query: cycles), View(name: "runs", query: runs),
            View(name: "marks", query: marks), View(name: "removals", query: removals),
            View(name: "blocks", query: blocks), View(name: "days", query: days),
        ]
    }

    /// A view, as it is made and as the file keeps it.
    struct View {
        let name: String
        let query: String

        var sql: String { "CREATE VIEW \(name) AS \(query)" }
    }

    private static var fixes: String {
        """
        SELECT f.sequence,
        \(iso("f.time", "f.ms_lag & 1023")) AS time,
        f.lat / \(degree) AS lat,
        f.lon / \(degree) AS lon,
        f.quality & 3 AS mode,
        \(statuses) AS status,
        \(height) / 1000.0 AS alt_msl,
        coalesce(\(height) + \(separation) + CASE f.quality >> \(FixRow.Quality.ellipsoid) & 3
        WHEN 1 THEN 0 WHEN 2 THEN 1 WHEN 3 THEN -1 END, d.alt_hae) / 1000.0 AS alt_hae,
        \(separation) / 1000.0 AS geoid_separation,
        (nullif(f.speed_course / 36001, 0) - 1) / 1000.0 AS speed,
        (nullif(f.speed_course % 36001, 0) - 1) / 100.0 AS course,
        coalesce(nullif(f.eph_epv_climb >> 32, 0) - 16384, d.climb) / 1000.0 AS climb,
        d.heading / 100.0 AS heading,
        \(part("eph_epv_climb", 0, 65535, "eph", 1000)),
        \(part("eph_epv_climb", 16, 65535, "epv", 1000)),
        \(part("eps_epc_ept", 0, 65535, "eps", 1000)),
        \(part("eps_epc_ept", 16, 65535, "epc", 100)),
        \(part("eps_epc_ept", 32, 65535, "ept", 1_000_000)),
        \(part("dop", 0, 1023, "hdop", 100)),
        \(part("dop", 10, 1023, "vdop", 100)),
        \(part("dop", 20, 1023, "pdop", 100)),
        \(part("dop", 30, 1023, "tdop", 100)),
        \(part("dop", 40, 1023, "gdop", 100)),
        nullif(f.quality >> \(FixRow.Quality.used) & 255, 0) - 1 AS satellites_used,
        nullif(f.quality >> \(FixRow.Quality.seen) & 255, 0) - 1 AS satellites_seen,
        f.quality >> \(FixRow.Quality.device) & 255 AS device,
        d.time_of_day,
        c.boot + (f.ms_lag >> 10)
        + coalesce(f.time * 1000 + (f.ms_lag & 1023) - c.time, 0) AS received_at,
        c.run,
        CASE WHEN f.flags & 65535 = 0 THEN (SELECT s.id FROM segment s WHERE s.first_sequence =
        (SELECT max(first_sequence) FROM segment WHERE first_sequence <= f.sequence)
        AND coalesce(s.last_sequence, f.sequence) >= f.sequence) END AS segment,
        f.flags & 65535 = 0 AS kept,
        CASE WHEN f.flags & 65535 THEN (SELECT value FROM json_each(\(flagNames))
        WHERE f.flags >> key & 1 ORDER BY key LIMIT 1) END AS reason,
        CASE WHEN f.flags THEN (SELECT coalesce(group_concat(value, ' '), '') FROM json_each(\(flagNames))
        WHERE f.flags >> key & 1) ELSE '' END AS flags,
        k.lat / 1e9 AS corrected_lat,
        k.lon / 1e9 AS corrected_lon,
        k.alt_msl / 1000.0 AS corrected_alt_msl,
        k.alt_hae / 1000.0 AS corrected_alt_hae,
        k.correction,
        CASE WHEN k.alt_msl IS NULL THEN NULL
        WHEN \(separation) IS NOT NULL OR \(height) IS NOT NULL AND d.alt_hae IS NOT NULL
        THEN 'receiver'
        ELSE (SELECT CASE WHEN instr(text, 'geoid_source=grid') THEN 'grid' ELSE 'table' END
        FROM correction WHERE id = k.correction) END AS corrected_separation_source
        FROM fix f
        LEFT JOIN detail d USING (sequence)
        LEFT JOIN corrected k USING (sequence)
        LEFT JOIN clock c ON c.sequence =
        (SELECT max(sequence) FROM clock WHERE sequence <= f.sequence)
        """
    }

    private static var track: String {
        """
        SELECT sequence, time, lat, lon, alt_msl, alt_hae, speed, course, climb,
        eph, epv, hdop, satellites_used, segment, corrected_lat, corrected_lon
        FROM fixes WHERE kept
        """
    }

    private static var segments: String {
        """
        SELECT id AS segment, first_sequence, last_sequence,
        \(iso("time_from")) AS time_from, \(iso("time_to")) AS time_to,
        (time_to - time_from) / 1000.0 AS seconds, fixes,
        south / 1e7 AS south, west / 1e7 AS west, north / 1e7 AS north, east / 1e7 AS east,
        last_sequence IS NULL AS recording
        FROM segment
        """
    }

    private static var gaps: String {
        """
        SELECT id AS gap, run, after_sequence,
        \(iso("time_from")) AS time_from, \(iso("time_to")) AS time_to,
        duration / 1000.0 AS seconds,
        CASE reason \(GapReason.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }
            .joined(separator: " ")) END AS reason
        FROM gap
        """
    }

    private static var cycles: String {
        """
        SELECT c.id AS cycle, c.run,
        \(iso("(\(cycleBegan))")) AS began,
        (c.ended - c.began) / 1000.0 AS seconds, c.began_because, c.ended_because,
        c.time_to_first_fix / 1000.0 AS seconds_to_first_fix, c.fixes, c.kept,
        c.best_eph / 1000.0 AS best_eph, c.lever, c.start, c.heard
        FROM cycle c LEFT JOIN run r ON r.id = c.run
        """
    }

    /// When a cycle `c` of a run `r` began, ms since 1970.
    ///
    /// By the fixes' clock, as they had it up to its end or first after it, else by the host's: so it lies among its
    /// fixes in a replay and on a machine without a clock.
    static var cycleBegan: String {
        func clock(_ which: String) -> String {
            "(SELECT time + c.began - boot FROM clock WHERE run = c.run AND time NOT NULL \(which) LIMIT 1)"
        }
        return """
            coalesce(\(clock("AND boot <= coalesce(c.ended, c.began) ORDER BY sequence DESC")),
            \(clock("ORDER BY sequence")), r.started + c.began - r.started_boot)
            """
    }

    private static var runs: String {
        """
        SELECT id AS run, \(iso("started")) AS started, source, version, config,
        boot_id, coalesce(ended, 'running') AS ended
        FROM run
        """
    }

    private static var marks: String {
        """
        SELECT id AS mark, run, sequence, \(iso("time")) AS time, lat / 1e7 AS lat, lon / 1e7 AS lon,
        title, note, photo
        FROM mark
        """
    }

    private static var removals: String {
        """
        SELECT id AS removal, \(iso("time")) AS time, cause, fixes, marks FROM removal
        """
    }

    private static var blocks: String {
        """
        SELECT id AS block, first_sequence, last_sequence,
        \(iso("time_from")) AS time_from, \(iso("time_to")) AS time_to, fixes, kept,
        south / 1e7 AS south, west / 1e7 AS west, north / 1e7 AS north, east / 1e7 AS east,
        length(data) AS bytes
        FROM block
        """
    }

    /// Kept fixes by day, as the reader's zone counts days; those sealed are not among them.
    private static var days: String {
        """
        SELECT day, printf('%s%02d:%02d', CASE WHEN ahead < 0 THEN '-' ELSE '+' END,
        abs(ahead) / 3600, abs(ahead) / 60 % 60) AS time_zone,
        fixes, \(iso("first", "0")) AS time_from, \(iso("last", "0")) AS time_to,
        south, west, north, east
        FROM (SELECT date(f.time, 'unixepoch', 'localtime') AS day,
        CAST(strftime('%s', min(f.time), 'unixepoch', 'localtime') AS INTEGER) - min(f.time) AS ahead,
        count(*) AS fixes, min(f.time) AS first, max(f.time) AS last,
        min(f.lat / \(degree)) AS south, min(f.lon / \(degree)) AS west,
        max(f.lat / \(degree)) AS north, max(f.lon / \(degree)) AS east
        FROM fix f WHERE f.flags & 65535 = 0 AND f.time NOT NULL GROUP BY 1)
        """
    }

    private static let degree =
        "CASE f.quality >> \(FixRow.Quality.fine) & 1 WHEN 1 THEN 1e9 ELSE 1e7 END"

    private static var height: String {
        """
        CASE f.heights & 1 WHEN 0 THEN (f.heights >> 13) * 100 WHEN 1 THEN f.heights >> 20
        ELSE d.alt_msl END
        """
    }

    private static var separation: String {
        """
        CASE f.heights & 1 WHEN 0 THEN (nullif(f.heights >> 1 & 4095, 0) - 2048) * 100
        WHEN 1 THEN nullif(f.heights >> 1 & 524287, 0) - 262144 ELSE d.geoid_separation END
        """
    }

    // Whoever opens the file reads these texts first: a list in a string costs nothing then, a CASE of many cases does.

    private static var statuses: String {
        let names = FixStatus.allCases.map { "\"\($0.rawValue)\":\"\($0.name)\"" }
        let number = "(f.quality >> \(FixRow.Quality.status) & 15)"
        return "json_extract('{\(names.joined(separator: ","))}', '$.\"' || \(number) || '\"')"
    }

    /// The names of the flags in the order of their bits.
    private static var flagNames: String {
        let names = (0..<32).map { bit -> String in
            let known = FixFlags.names.first { $0.flag.rawValue == 1 << UInt32(bit) }
            return known.map { "\"\($0.name)\"" } ?? "null"
        }
        return "'[\(names.joined(separator: ","))]'"
    }

    private static func part(
        _ column: String, _ shift: Int, _ mask: Int, _ name: String, _ scale: Int
    ) -> String {
        "coalesce(nullif(f.\(column) >> \(shift) & \(mask), 0), d.\(name)) / \(scale).0 AS \(name)"
    }

    /// Milliseconds since 1970 as text.
    private static func iso(_ milliseconds: String) -> String {
        iso(
            "((\(milliseconds)) - ((\(milliseconds)) % 1000 + 1000) % 1000) / 1000",
            "((\(milliseconds)) % 1000 + 1000) % 1000")
    }

    private static func iso(_ seconds: String, _ rest: String) -> String {
        "strftime('%Y-%m-%dT%H:%M:%S', \(seconds), 'unixepoch') || printf('.%03dZ', \(rest))"
    }
}
