internal import Conformance
internal import Console
internal import JSONTree
internal import SQLite

/// The database of batch runs.
///
/// Documents, key sets and outcomes are stored once, by the digest of their content.
///
/// The schema is described in Documentation/Fleet.md.
package final class FleetStore {
    let database: Database

    /// The migration steps of the schema; a published step never changes.
    static let schema: [[String]] = [
        [
            """
            CREATE TABLE run (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                -- The earliest and the latest of its issuers, seconds since 1970.
                started_at REAL NOT NULL,
                ended_at REAL NOT NULL
            )
            """,
            """
            CREATE TABLE shard (
                run INTEGER NOT NULL REFERENCES run,
                shard TEXT NOT NULL,
                issuers INTEGER NOT NULL,
                list TEXT NOT NULL,
                PRIMARY KEY (run, shard, issuers, list)
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE issuer (
                id INTEGER PRIMARY KEY,
                issuer TEXT NOT NULL,
                -- As the list names them; empty for none.
                profile TEXT NOT NULL,
                configuration TEXT NOT NULL,
                UNIQUE (issuer, profile, configuration)
            )
            """,
            """
            CREATE TABLE document (
                id INTEGER PRIMARY KEY,
                kind TEXT NOT NULL CHECK (kind IN ('discovery', 'keys')),
                -- Of its octets, in hexadecimal.
                sha256 TEXT NOT NULL,
                -- Of a discovery document: the issuer that it states, and its algorithms as a JSON array.
                issuer TEXT,
                algorithms TEXT,
                UNIQUE (kind, sha256)
            )
            """,
            """
            CREATE TABLE published_key (
                document INTEGER NOT NULL REFERENCES document,
                position INTEGER NOT NULL,
                -- RFC 7638; empty for what is no key.
                thumbprint TEXT NOT NULL,
                kid TEXT,
                kty TEXT,
                alg TEXT,
                PRIMARY KEY (document, position)
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE certificate (
                id INTEGER PRIMARY KEY,
                host TEXT NOT NULL,
                not_after REAL NOT NULL,
                UNIQUE (host, not_after)
            )
            """,
            """
            CREATE TABLE outcome (
                id INTEGER PRIMARY KEY,
                sha256 TEXT NOT NULL UNIQUE,
                gate TEXT NOT NULL CHECK (gate IN ('open', 'closed', 'undecided')),
                -- Findings that close gates of any platform, and remarks.
                closing INTEGER NOT NULL,
                remarks INTEGER NOT NULL
            )
            """,
            """
            CREATE TABLE judgement (
                outcome INTEGER NOT NULL REFERENCES outcome,
                position INTEGER NOT NULL,
                profile TEXT NOT NULL,
                gate TEXT NOT NULL CHECK (gate IN ('open', 'closed', 'undecided')),
                summary TEXT NOT NULL,
                sign_in TEXT NOT NULL,
                safety TEXT NOT NULL,
                conformance TEXT NOT NULL,
                findings_left INTEGER NOT NULL,
                PRIMARY KEY (outcome, position)
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE finding (
                outcome INTEGER NOT NULL,
                judgement INTEGER NOT NULL,
                position INTEGER NOT NULL,
                effect TEXT NOT NULL CHECK (effect IN ('closes', 'undecided', 'remark')),
                check_id TEXT NOT NULL,
                level TEXT NOT NULL,
                message TEXT NOT NULL,
                pointer TEXT NOT NULL,
                PRIMARY KEY (outcome, judgement, position),
                FOREIGN KEY (outcome, judgement) REFERENCES judgement
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE result (
                run INTEGER NOT NULL REFERENCES run,
                issuer INTEGER NOT NULL REFERENCES issuer,
                started_at REAL NOT NULL,
                duration REAL NOT NULL,
                requests INTEGER NOT NULL,
                tool TEXT NOT NULL,
                outcome INTEGER NOT NULL REFERENCES outcome,
                discovery INTEGER REFERENCES document,
                keys INTEGER REFERENCES document,
                -- The one that ends first.
                certificate INTEGER REFERENCES certificate,
                -- Of the whole record: which of two of one issuer and run is kept.
                sha256 TEXT NOT NULL,
                PRIMARY KEY (run, issuer)
            ) WITHOUT ROWID
            """, "CREATE INDEX result_of_issuer ON result (issuer, run)",
        ]
    ]

    /// Opens a database for writing, and creates it if it is missing.
    package convenience init(_ path: String) throws { try self.init(path, .readWrite) }

    init(_ path: String, _ access: Database.Access) throws {
        database = try Database(Files.place(path), access)
        if access == .readWrite {
            try database.migrate(Self.schema)
        } else if try database.schemaVersion() != Self.schema.count {
            throw SQLiteError(
                code: 20,
                message: "it is not a database of batch results, or belongs to another version of this program"
            )
        }
    }

    /// Opens a database without changing it.
    package static func reading(_ path: String) throws -> FleetStore { try FleetStore(path, .readOnly) }

    /// A database that exists only during the process.
    package static func inMemory() throws -> FleetStore { try FleetStore(Database.inMemory) }

    /// Adds the lines of result files, all or none of them.
    ///
    /// - Parameter lines: Provides each line; called once.
    package func add(_ lines: ((ResultLines.Line) throws -> Void) throws -> Void) throws {
        try database.transaction {
            let inserter = try RecordInserter(database)
            try lines { line in
                switch line {
                case .result(let record): try inserter.add(record)
                case .shard(let head): try inserter.add(head)
                case .unreadable: break
                }
            }
        }
    }
}

/// Statements that are prepared once for many records.
private final class RecordInserter {
    private let database: Database
    private let run: Statement
    private let shard: Statement
    private let issuer: Statement
    private let document: Statement
    private let key: Statement
    private let certificate: Statement
    private let outcome: Statement
    private let judgement: Statement
    private let finding: Statement
    private let result: Statement
    private let find: [String: Statement]

    init(_ database: Database) throws(SQLiteError) {
        self.database = database
        run = try database.prepare(
            """
            INSERT INTO run (name, started_at, ended_at) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET
                started_at = min(started_at, excluded.started_at), ended_at = max(ended_at, excluded.ended_at)
            """
        )
        shard = try database.prepare("INSERT OR IGNORE INTO shard VALUES (?, ?, ?, ?)")
        issuer = try database.prepare("INSERT OR IGNORE INTO issuer (issuer, profile, configuration) VALUES (?, ?, ?)")
        document = try database.prepare(
            "INSERT OR IGNORE INTO document (kind, sha256, issuer, algorithms) VALUES (?, ?, ?, ?)"
        )
        key = try database.prepare("INSERT INTO published_key VALUES (?, ?, ?, ?, ?, ?)")
        certificate = try database.prepare("INSERT OR IGNORE INTO certificate (host, not_after) VALUES (?, ?)")
        outcome = try database.prepare(
            "INSERT OR IGNORE INTO outcome (sha256, gate, closing, remarks) VALUES (?, ?, ?, ?)"
        )
        judgement = try database.prepare("INSERT INTO judgement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        finding = try database.prepare("INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        // Of two records of the same issuer and run, the later one is kept; at the same time, the one with the greater digest. So
        // the order in which results are added does not matter.
        result = try database.prepare(
            """
            INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, issuer) DO UPDATE SET
                started_at = excluded.started_at, duration = excluded.duration, requests = excluded.requests,
                tool = excluded.tool, outcome = excluded.outcome, discovery = excluded.discovery, keys = excluded.keys,
                certificate = excluded.certificate, sha256 = excluded.sha256
            WHERE (excluded.started_at, excluded.sha256) > (result.started_at, result.sha256)
            """
        )
        find = [
            "run": try database.prepare("SELECT id FROM run WHERE name = ?"),
            "issuer": try database.prepare(
                "SELECT id FROM issuer WHERE issuer = ? AND profile = ? AND configuration = ?"
            ),
            "document": try database.prepare("SELECT id FROM document WHERE kind = ? AND sha256 = ?"),
            "certificate": try database.prepare("SELECT id FROM certificate WHERE host = ? AND not_after = ?"),
            "outcome": try database.prepare("SELECT id FROM outcome WHERE sha256 = ?"),
        ]
    }

    func add(_ head: Journal.Head) throws(SQLiteError) {
        // A shard without results waits for its run, whose times come from the results.
        let known = try id("run", [.text(head.run)])
        guard known != .null else { return pending.append(head) }
        try shard.run([known, .text("\(head.shard)"), .integer(Int64(head.issuers)), .text(head.list)])
    }

    /// Shards whose run has no result yet.
    private var pending: [Journal.Head] = []

    func add(_ record: FleetRecord) throws(SQLiteError) {
        try run.run([.text(record.run), .real(record.startedAt), .real(record.startedAt + record.duration)])
        let runID = try id("run", [.text(record.run)])
        let waiting = pending
        pending = []
        for head in waiting { try add(head) }
        let names: [SQLValue] = [.text(record.issuer), .text(record.profile), .text(record.configuration)]
        try issuer.run(names)
        var ends = SQLValue.null
        if let end = record.certificate {
            try certificate.run([.text(end.host), .real(end.notAfter)])
            ends = try id("certificate", [.text(end.host), .real(end.notAfter)])
        }
        try result.run([
            runID, try id("issuer", names), .real(record.startedAt), .real(record.duration),
            .integer(Int64(record.requests)), .text(record.tool), try add(record.judgements, gate: record.gate),
            try record.discovery.map(add) ?? .null, try record.keys.map(add) ?? .null, ends,
            .text(Digest.sha256(Array(record.line.utf8))),
        ])
    }

    private func add(_ facts: FleetRecord.DiscoveryFacts) throws(SQLiteError) -> SQLValue {
        let algorithms = JSON.array(facts.algorithms.map(JSON.string)).serialized()
        try document.run([.text("discovery"), .text(facts.sha256), SQLValue(facts.issuer), .text(algorithms)])
        return try id("document", [.text("discovery"), .text(facts.sha256)])
    }

    private func add(_ facts: FleetRecord.KeySetFacts) throws(SQLiteError) -> SQLValue {
        try document.run([.text("keys"), .text(facts.sha256), .null, .null])
        let isNew = database.changes > 0
        let place = try id("document", [.text("keys"), .text(facts.sha256)])
        guard isNew else { return place }
        for (position, one) in facts.keys.enumerated() {
            try key.run([
                place, .integer(Int64(position)), .text(one.thumbprint), SQLValue(one.kid), SQLValue(one.kty),
                SQLValue(one.alg),
            ])
        }
        return place
    }

    private func add(_ judgements: [FleetRecord.Judgement], gate: Report.Gate) throws(SQLiteError) -> SQLValue {
        let digest = FleetRecord.digest(of: judgements)
        let findings = judgements.flatMap(\.findings)
        try outcome.run([
            .text(digest), .text(gate.rawValue), .integer(Int64(findings.count { $0.effect == "closes" })),
            .integer(Int64(findings.count { $0.effect == "remark" })),
        ])
        let isNew = database.changes > 0
        let place = try id("outcome", [.text(digest)])
        guard isNew else { return place }
        for (position, one) in judgements.enumerated() {
            let number = SQLValue.integer(Int64(position))
            try judgement.run([
                place, number, .text(one.profile), .text(one.gate.rawValue), .text(one.summary), .text(one.signIn),
                .text(one.safety), .text(one.conformance), .integer(Int64(one.left)),
            ])
            for (index, found) in one.findings.enumerated() {
                try finding.run([
                    place, number, .integer(Int64(index)), .text(found.effect), .text(found.check), .text(found.level),
                    .text(found.message), .text(found.pointer),
                ])
            }
        }
        return place
    }

    private func id(_ table: String, _ values: [SQLValue]) throws(SQLiteError) -> SQLValue {
        var id = SQLValue.null
        try find[table]?.forEach(values) { id = $0[0] }
        return id
    }
}
