import Foundation
import GNSS
import Testing

/// Pictures and pages, looked at as files and in a browser.
@Suite struct ToolPictureTests {
    private let folder: TemporaryFolder
    private let store: ToolStore

    init() throws {
        folder = try TemporaryFolder()
        store = try ToolStore(fixes: 40, every: 11)
    }

    private func export(_ name: String, _ arguments: String...) throws -> (URL, String) {
        let file = folder.url.appending(path: name)
        let program = try Program(
            "tracklog", ["export", "--database", store.path, "-o", file.path] + arguments)
        #expect(program.status == 0 && program.errors.isEmpty, "\(program.errors)")
        return (file, try String(contentsOf: file, encoding: .utf8))
    }

    @Test func `a picture is well-formed and draws the line, its ends, the stop and the hole`()
        throws
    {
        let (file, text) = try export("t.svg", "--name", "a <b> & \"c\"")
        let lint = try Program("/usr/bin/xmllint", ["--noout", "--nonet", file.path])
        #expect(lint.status == 0, "\(lint.errors)")
        #expect(text.contains("<title>a &lt;b&gt; &amp; &quot;c&quot;</title>"))
        #expect(text.contains("class=\"start\"") && text.contains("class=\"end\""))
        #expect(text.contains("no sky, 1 min 29 s"))
        #expect(text.matches(of: #/class="way s[0-5]"/#).count >= 2)
        #expect(!text.contains("nan") && !text.contains("inf") && !text.contains("null"))
    }

    @Test func `a page asks nothing of anybody`() throws {
        let (_, text) = try export("t.html")
        #expect(
            text.contains(
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'"
            ))
        // Nothing in it names a place to go to, but XML's own names.
        let addresses = text.matches(
            of: #/(?:href|src|url|action|ping|poster)\s*[=(]\s*["']?[a-z]+:/#)
        #expect(addresses.isEmpty)
        #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("@import"))
        #expect(!text.contains("fetch(") && !text.contains("XMLHttpRequest"))
    }

    @Test func `tiles are named only when an address is given, and only its host is admitted`()
        throws
    {
        let (_, text) = try export("t.html", "--tiles", "https://tile.example/{z}/{x}/{y}.png")
        #expect(text.contains("img-src data: https://tile.example; base-uri"))
        let tiles = text.matches(of: #/href="([^"]*)"/#).map { String($0.1) }
        #expect(!tiles.isEmpty && tiles.count < 100)
        #expect(
            tiles.allSatisfy {
                $0.wholeMatch(of: #/https://tile\.example/\d+/\d+/\d+\.png/#) != nil
            })
        let bad = try store.tool("export", "-f", "html", "--tiles", "javascript://x/{z}{x}{y}")
        #expect(bad.status == 64)
        #expect(try store.tool("export", "-f", "gpx", "--tiles", "x").status == 64)
    }

    @Test func `tiles of an archive are put into the page`() throws {
        let archive = folder.url.appending(path: "m.mbtiles")
        // A PNG's first bytes stand for one; the tile of zoom 3 at 11.5° E just north of the equator, counted as TMS does.
        _ = try SQLite.run(
            """
            CREATE TABLE metadata (name TEXT, value TEXT);
            CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
            INSERT INTO metadata VALUES ('attribution', '<a href="https://x">&copy; Maps</a>'), ('format', 'png');
            INSERT INTO tiles VALUES (3, 4, 4, x'89504E470D0A1A0A'), (3, 4, 3, x'89504E470D0A1A0A');
            """, on: archive)
        let (_, text) = try export("t.html", "--tiles", archive.path)
        // RFC 4648 of those eight bytes, by base64(1).
        #expect(text.contains("href=\"data:image/png;base64,iVBORw0KGgo=\""))
        #expect(text.contains("© Maps") && !text.contains("https://x"))
        #expect(!text.contains("https:"))
    }

    @Test(arguments: [(390, 844), (1280, 900)])
    func `a browser draws it at the width of a phone and of a desk`(width: Int, height: Int) throws
    {
        let browsers = ["chromium", "chromium-browser", "google-chrome"].map { "/usr/bin/\($0)" }
        guard let browser = browsers.first(where: FileManager.default.isExecutableFile) else {
            print("skipped: no chromium")
            return
        }
        let (file, _) = try export("t.html")
        // What is drawn is asked of the page itself, which a test may do where the page's own policy does not hold.
        var text = try String(contentsOf: file, encoding: .utf8)
        text = text.replacing(
            "</body>",
            with: """
                <script>
                const box=s=>{const r=document.querySelector(s).getBoundingClientRect();return[r.left,r.right,r.width,r.height].map(Math.round)};
                document.querySelectorAll('.plot')[0].dispatchEvent(new PointerEvent('pointermove',{clientX:box('.plot')[0]+20,clientY:300}));
                document.title=JSON.stringify({page:document.documentElement.scrollWidth,window:innerWidth,
                map:box('#map'),way:box('.way'),charts:document.querySelectorAll('.chart .curve').length,
                tip:document.querySelector('.tip').textContent,here:document.querySelector('#here').getAttribute('d')});
                </script></body>
                """)
        let probe = folder.url.appending(path: "probe.html")
        try Data(text.utf8).write(to: probe)
        let program = try Program(
            browser,
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--user-data-dir=\(folder.url.path)/profile-\(width)",
                "--window-size=\(width),\(height)", "--virtual-time-budget=2000", "--dump-dom",
                probe.absoluteString,
            ])
        let dom = String(decoding: program.output, as: UTF8.self)
        let title = try #require(dom.firstMatch(of: #/<title>(\{.*?\})</title>/#)?.1)
        let found = try #require(
            try JSONSerialization.jsonObject(with: Data(title.utf8)) as? [String: Any])
        let window = try #require(found["window"] as? Int)
        #expect(try #require(found["page"] as? Int) <= window, "the page is wider than the window")
        let map = try #require(found["map"] as? [Int])
        #expect(map[2] > window * 6 / 10 && map[3] > 150)
        let way = try #require(found["way"] as? [Int])
        #expect(way[3] > 20 && way[0] >= map[0] && way[1] <= map[1])
        #expect(found["charts"] as? Int == 2)
        // 10 m/s are 36 km/h.
        #expect((found["tip"] as? String)?.contains("36 km/h") == true)
        #expect((found["here"] as? String)?.hasPrefix("M") == true)
    }

    @Test func `nothing to draw is no error`() throws {
        for format in ["svg", "html"] {
            let program = try store.tool("export", "-f", format, "--since", "2030-01-01")
            #expect(program.status == 0 && program.errors.hasSuffix("no such fix\n"))
            #expect(!program.output.isEmpty)
        }
    }

    @Test func `stats draws the track in characters`() throws {
        let program = try store.tool("stats", "--plot")
        let dots = program.lines.filter {
            $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
        }
        #expect(program.status == 0)
        #expect(dots.count >= 15, "a line due north fills the height")
        #expect(program.lines.contains("Speed, km/h") && program.lines.contains("Height, m"))
        #expect(dots.allSatisfy { $0.count <= 80 })
    }
}
