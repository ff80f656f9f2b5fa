/// Which table each page belongs to, as far as the way to it can be followed.
struct PageOwners {
    /// Per page: 0 unknown, 255 not of any table, else the number of the table from 1.
    private var owners: [UInt8]
    /// Whether every way could be followed to its end, so that pages without an owner hold nothing.
    private(set) var isComplete = true

    private static let none: UInt8 = 255
    private let image: PageImage

    /// Follows the tables of an image from their first pages.
    ///
    /// - Parameter names: the tables that are looked for; their places in this list are their numbers.
    init(_ image: PageImage, names: [String]) throws(StoreError) {
        self.image = image
        owners = [UInt8](repeating: 0, count: image.count + 1)
        var roots: [(page: Int, owner: UInt8)] = []
        try follow(1, PageOwners.none) { (page) throws(StoreError) in
            _ = try page.rows { row in
                guard row.values.count == 5, case .text(let kind) = row.values[0],
                    case .text(let name) = row.values[1], case .integer(let root) = row.values[3],
                    String(decoding: kind, as: UTF8.self) == "table",
                    let page = Int(exactly: root)
                else { return }
                let place = names.firstIndex(of: String(decoding: name, as: UTF8.self))
                roots.append((page, place.map { UInt8($0 + 1) } ?? PageOwners.none))
            }
        }
        if roots.isEmpty { isComplete = false }
        for root in roots where root.page > 1 { try follow(root.page, root.owner) { _ in } }
        markFreePages()
    }

    /// The table of a page: its place in the list of names; `nil` when it has none.
    func table(of page: Int) -> Int? {
        let owner = owners[page]
        return owner == 0 || owner == PageOwners.none ? nil : Int(owner) - 1
    }

    /// Whether a page may hold rows of a table that cannot be told by the way to it.
    func isLost(_ page: Int) -> Bool {
        owners[page] == 0 && !isComplete
    }

    /// Goes through a table's pages from its first one.
    private mutating func follow(
        _ root: Int, _ owner: UInt8, _ leaf: (LeafPage) throws(StoreError) -> Void
    ) throws(StoreError) {
        var pending = [root]
        while let number = pending.popLast() {
            guard number > 0, number <= image.count, owners[number] == 0,
                let bytes = image.page(number)
            else {
                isComplete = false
                continue
            }
            let page = LeafPage(number, bytes, of: image)
            switch page.kind {
            case LeafPage.leaf:
                owners[number] = owner
                try leaf(page)
            case LeafPage.interior:
                owners[number] = PageOwners.none
                pending += page.children
            default: isComplete = false
            }
        }
    }

    /// What was given back holds rows that were removed on purpose: "Database File Format", section 1.5.
    private mutating func markFreePages() {
        var trunk = image.headerNumber(32)
        while trunk > 0, trunk <= image.count, owners[trunk] == 0, let page = image.page(trunk) {
            owners[trunk] = PageOwners.none
            let leaves = min(Int(page.bigEndian32(4)), image.usable / 4 - 2)
            for index in 0..<max(0, leaves) {
                let free = Int(page.bigEndian32(8 + 4 * index))
                if free > 0, free <= image.count, owners[free] == 0 {
                    owners[free] = PageOwners.none
                }
            }
            trunk = Int(page.bigEndian32(0))
        }
    }
}
