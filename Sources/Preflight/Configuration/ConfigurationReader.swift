package import Conformance
internal import Flows
package import Profiles
internal import Transport

/// Reads a `preflight.yaml`; reports all problems at once, with line numbers and suggestions.
package struct ConfigurationReader: Sendable {
    let environment: Environment
    let readsSecrets: Bool
    let needsIssuer: Bool
    let isFilledIn: Bool
    let driver: PageDriver?
    let allowedIssuers: [String]

    /// - Parameters:
    ///   - environment: Reads variables and files.
    ///   - readsSecrets: False for commands that send nothing; variables need not be set.
    ///   - needsIssuer: False if the issuer is known.
    ///   - driver: The sign-in driver from the command line, which overrides the file.
    ///   - isFilledIn: Whether placeholders of `init` are rejected; `nil` for the value of `readsSecrets`.
    ///   - allowedIssuers: The issuers and hosts that may receive secrets; empty for any.
    package init(
        _ environment: Environment,
        readsSecrets: Bool = true,
        needsIssuer: Bool = true,
        driver: PageDriver? = nil,
        isFilledIn: Bool? = nil,
        allowedIssuers: [String] = []
    ) {
        self.driver = driver
        self.allowedIssuers = allowedIssuers
        self.environment = environment
        self.readsSecrets = readsSecrets
        self.needsIssuer = needsIssuer
        self.isFilledIn = isFilledIn ?? readsSecrets
    }

    /// A greater number of seconds is probably milliseconds without the unit.
    private static let longestPause = 60.0

    /// The supported response types.
    static let knownFlows = [
        "code", "id_token", "id_token token", "code id_token", "code token", "code id_token token",
    ]

    /// The only configuration of a file, or that of the only selected target.
    ///
    /// - Parameters:
    ///   - bytes: The file, in UTF-8.
    ///   - file: Its name, for messages.
    ///   - issuer: The issuer from the command line, which overrides the file's.
    ///   - profile: The profile from the command line, which overrides the file's.
    ///   - checks: The identifiers of all checks, for waivers.
    package func read(
        _ bytes: some Collection<UInt8>,
        file: String,
        targets: [String] = [],
        issuer: String? = nil,
        profile: String? = nil,
        checks: [CheckID]
    ) throws(ConfigurationError) -> Configuration {
        let all = try readAll(bytes, file: file, targets: targets, issuer: issuer, profile: profile, checks: checks)
        guard all.count == 1 else { throw Self.severalTargets(all.compactMap(\.name), file: file) }
        return all[0]
    }

    /// Reads a text instead of UTF-8 bytes.
    package func read(
        _ text: String,
        file: String,
        issuer: String? = nil,
        profile: String? = nil,
        checks: [CheckID]
    ) throws(ConfigurationError) -> Configuration {
        try read(text.utf8, file: file, issuer: issuer, profile: profile, checks: checks)
    }

    /// The configuration of one target, or of a file without targets.
    func configuration(
        _ document: StrictYAML.Document,
        _ issuer: String?,
        _ profile: String?,
        _ checks: [CheckID]
    ) throws(ConfigurationError) -> Configuration {
        let file = document.file
        let root = try document.mapping(variables: environment.variables)
        try demandAllowedIssuers(root, stated: issuer)
        let stated = issuer == nil && needsIssuer ? root[Keys.issuer]?.string() : root.optional(Keys.issuer)?.string()
        var configuration = Configuration(target: Target(issuer: issuer ?? stated ?? ""))
        configuration.allow(issuers: allowedIssuers)
        configuration.profile = root[Keys.profile].flatMap(profiles)
        readClient(root, into: &configuration)
        readTarget(root, into: &configuration)
        readFurtherClients(root, into: &configuration)
        readRegistration(root, into: &configuration)
        readDynamicRegistration(root, into: &configuration)
        readLogout(root, into: &configuration)
        readSignIn(root, into: &configuration)
        configuration.waivers = readWaivers(root, file: file, checks: checks)
        readNetwork(root, into: &configuration)
        readLimits(root, into: &configuration)
        readEndpoints(root, into: &configuration)
        configuration.needsNoFlows = signsInByOAuth1(profile ?? configuration.profile)
        checkConsistency(root, configuration, profile: profile)
        if isFilledIn { refusePlaceholders(root) }
        configuration.places = root.reader.places.mapValues { SourcePlace(file: file, line: $0.line) }
        let isRegistering = configuration.target.dynamicRegistration?.isEnabled ?? false
        configuration.secretSources = secretSources(
            root,
            Keys.all.filter { $0.name != Keys.dynamicRegistration.name || isRegistering }
        )
        // Marks the key as known, for suggestions; it was removed before.
        _ = root.optional(Keys.targets)
        try root.reader.finish()
        return configuration
    }

    /// A profile, or several: `[supabase, kubernetes]` is the same as `supabase,kubernetes`.
    private func profiles(_ value: StrictYAML.Value) -> String? {
        let parts = value.isScalar ? [value] : value.list() ?? []
        if parts.isEmpty, value.isList, let problem = JointRun.problem(ofList: "") { value.report(problem) }
        var names: [String] = []
        for part in parts {
            guard let text = part.string() else { continue }
            if let problem = JointRun.problem(ofList: text) { part.report(problem) }
            for name in JointRun.profiles(in: text) {
                if let problem = ProfileLibrary.problem(ofName: name) { part.report(problem) }
                names.append(ProfileLibrary.isFile(name) ? RelativePath.beside(value.reader.file, name) : name)
            }
        }
        return names.isEmpty ? nil : names.joined(separator: ",")
    }

    // MARK: Target

    private func readTarget(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        if let value = root[Keys.redirectURI], let uri = value.string() {
            configuration.target.redirectURI = uri
            // OAuth 1.0a also has the callback oob (RFC 5849 section 2.1).
            if let problem = Configuration.problem(ofRedirectURI: uri) { value.report(problem) }
        }
        configuration.target.otherRedirectURIs = root[Keys.otherRedirectURIs]?.strings()
        if let scopes = root[Keys.scopes]?.strings() { configuration.target.scopes = scopes }
        if let fields = fields(root[Keys.customParameters]) { configuration.target.customParameters = fields }
        configuration.target.tokenParameters = fields(root[Keys.tokenParameters])
        if let value = root[Keys.resource], let resource = value.string() {
            if let problem = Configuration.problem(ofResource: resource) { value.report("“resource” \(problem)") }
            configuration.target.resource = resource
        }
        if let value = root[Keys.webFinger], let address = value.string() {
            configuration.target.webFinger = address
            if configuration.target.webFingerAddress.flatMap({ WebURL($0) }) == nil {
                value.report("“webfinger” must be an address such as alice@example.com")
            }
        }
        if let flows = root[Keys.flows]?.list() {
            configuration.target.flows = flows.compactMap(responseType)
        }
    }

    private func fields(_ value: StrictYAML.Value?) -> [Field]? {
        value?.mapping()?.pairs.compactMap { key, value in value.string().map { Field(key, $0) } }
    }

    private func responseType(_ value: StrictYAML.Value) -> ResponseType? {
        value.string().flatMap { responseType($0, report: value.report) }
    }

    private func responseType(_ text: String, report: (String) -> Void) -> ResponseType? {
        let type = ResponseType(text)
        // The canonical spelling, so that “token id_token” and “id_token token” are one flow with one name.
        if let known = Self.knownFlows.first(where: { ResponseType($0) == type }) { return ResponseType(known) }
        report("“\(text)” is not a supported response type" + NearestWord.hint(for: text, among: Self.knownFlows))
        return nil
    }

    // MARK: Clients

    private func readClient(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        configuration.target.client = root[Keys.client]?.mapping().map { client($0, &configuration.secrets) }
    }

    private func readFurtherClients(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        let clients = root[Keys.clients]?.mapping()
        configuration.target.otherClient = root[Keys.otherClient]?.mapping()
            .map { client($0, &configuration.secrets) }
        for (key, value) in clients?.pairs ?? [] {
            guard let type = responseType(key, report: value.report), let mapping = value.mapping() else { continue }
            let client = client(mapping, &configuration.secrets)
            configuration.target.clients.append(ResponseTypeClient(responseType: type, client: client))
        }
    }

    /// A client without an ID counts as a client, so that only the missing ID is reported.
    private func client(_ mapping: StrictYAML.Mapping, _ secrets: inout Secrets) -> Client {
        let id = mapping[Keys.Client.id]?.string()
        let secret = mapping[Keys.Client.secret].flatMap(secret)
        if let secret, let id { secrets.clientSecrets[id] = secret }
        let hasSecret = mapping[Keys.Client.secret] != nil
        let hasKey = mapping[Keys.Client.privateKey] != nil
        // client_secret_basic is the default of OpenID Connect Registration section 2; a key has only one use.
        let usual: ClientAuthentication? = hasSecret ? .clientSecretBasic : hasKey ? .privateKeyJWT : Optional.none
        let authentication = mapping[Keys.Client.authentication].map(authentication) ?? usual
        if let value = mapping[Keys.Client.authentication], let authentication {
            let signsRequests = mapping[Keys.Client.requestObjectAlgorithm] != nil
            checkCredentials(value, authentication, hasSecret: hasSecret, hasKey: hasKey, signsRequests: signsRequests)
        }
        var client = Client(id: id ?? "", authentication: authentication ?? .none, hasSecret: hasSecret)
        readAssertions(mapping, &client, &secrets)
        client.idTokenSignedResponseAlg = mapping[Keys.Client.idTokenAlgorithm]?.string()
        client.idTokenEncryptedResponseAlg = mapping[Keys.Client.idTokenEncryption]?.string()
        client.userInfoSignedResponseAlg = mapping[Keys.Client.userInfoAlgorithm]?.string()
        client.requiresPushedRequests = mapping[Keys.Client.pushedRequests]?.boolean()
        client.usesDPoP = mapping[Keys.Client.dpop]?.boolean()
        client.sendsPKCE = mapping[Keys.Client.pkce]?.boolean()
        return client
    }

    private func authentication(_ value: StrictYAML.Value) -> ClientAuthentication? {
        guard let text = value.string() else { return nil }
        if let method = ClientAuthentication(rawValue: text) { return method }
        let known = ClientAuthentication.allCases.map(\.rawValue)
        value.report(
            "“\(text)” is not a supported client authentication" + NearestWord.hint(for: text, among: known)
        )
        return nil
    }

    // MARK: Platform, sign-in, network

    private func readRegistration(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.registration]?.mapping() else { return }
        configuration.target.registration.providerID = mapping[Keys.Registration.providerID]?.string()
        if let types = mapping[Keys.Registration.responseTypes]?.strings() {
            configuration.target.registration.responseTypes = types.map { ResponseType($0) }
        }
    }

    private func readLogout(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.logout]?.mapping() else { return }
        if let value = mapping[Keys.Logout.postLogoutRedirectURI], let uri = value.string() {
            configuration.target.logout.postLogoutRedirectURI = uri
            if WebURL(uri) == nil || Configuration.problem(ofRedirectURI: uri) != nil {
                value.report("“\(uri)” must be an absolute URL, exactly as it is registered")
            }
        }
        if let value = mapping[Keys.Logout.backChannelListener], let place = value.string() {
            configuration.target.logout.backChannelListener = place
            if WebURL("http://" + place)?.port == nil {
                value.report("“\(place)” must be HOST:PORT, such as 127.0.0.1:8765")
            }
        }
    }

    private func readLimits(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.limits]?.mapping() else { return }
        let whole = { (value: StrictYAML.Value) -> Int? in
            guard let number = value.number() else { return nil }
            guard number >= 1, number == number.rounded(), number <= 1e12 else {
                value.report("\(value.path) must be an integer of 1 or more")
                return nil
            }
            return Int(number)
        }
        configuration.limits.requests = mapping[Keys.Limits.requests].flatMap(whole)
        configuration.limits.bytes = mapping[Keys.Limits.bytes].flatMap(whole)
        configuration.limits.signInsPerMinute = mapping[Keys.Limits.signInsPerMinute]
            .flatMap { value in
                guard let number = whole(value) else { return nil }
                if number > 600 { value.report("\(value.path) must be at most 600") }
                return number
            }
        if let value = mapping[Keys.Limits.seconds], let seconds = value.duration() {
            configuration.limits.seconds = seconds
            if seconds < 1 { value.report("\(value.path) must be at least 1 s") }
        }
    }

    private func readNetwork(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.network]?.mapping() else { return }
        if let value = mapping[Keys.Network.caFile], let path = value.string() {
            let file = RelativePath.beside(value.reader.file, path)
            configuration.network.certificateAuthorityFile = file
            if readsSecrets, let why = environment.problem(ofAuthorities: file) { value.report(why) }
        }
        if let seconds = mapping[Keys.Network.connectTimeout]?.duration() {
            configuration.network.connectTimeout = seconds
        }
        if let seconds = mapping[Keys.Network.totalTimeout]?.duration() { configuration.network.totalTimeout = seconds }
        if let value = mapping[Keys.Network.pause], let seconds = value.duration() {
            configuration.network.pause = seconds
            if seconds > Self.longestPause {
                value.report("a pause of \(Int(min(seconds, 1e9))) s between requests is too long; the maximum is 60s")
            }
        }
        if let bytes = mapping[Keys.Network.bodyLimit]?.number() {
            configuration.network.bodyLimit = Int(min(bytes, 1e9))
        }
        if let bytes = mapping[Keys.Network.headerLimit]?.number() {
            configuration.network.headerLimit = Int(min(bytes, 1e9))
        }
        for value in mapping[Keys.Network.resolve]?.list() ?? [] {
            guard let text = value.string() else { continue }
            if let entry = HostOverride(text) {
                configuration.network.resolve.append(entry)
            } else {
                value.report("“\(text)” must be HOST:PORT:ADDRESS, such as idp.example.com:443:192.0.2.7")
            }
        }
        for value in mapping[Keys.Network.connectTo]?.list() ?? [] {
            guard let text = value.string() else { continue }
            if let entry = HostOverride(connectTo: text) {
                configuration.network.resolve.append(entry)
            } else {
                value.report("“\(text)” must be \(Configuration.connectToForm)")
            }
        }
        configuration.network.addressPolicy.allowedHosts = mapping[Keys.Network.allowedHosts]?.strings() ?? []
        if let value = mapping[Keys.Network.concurrency], let text = value.string() {
            if let number = Int(text), (1...64).contains(number) {
                configuration.concurrency = number
            } else {
                value.report("“\(value.path)” must be a number from 1 to 64, not “\(text)”")
            }
        }
    }

    // MARK: Waivers

    private func readWaivers(_ root: StrictYAML.Mapping, file: String, checks: [CheckID]) -> [Waiver] {
        (root[Keys.waivers]?.list() ?? [])
            .compactMap { value in
                guard let mapping = value.mapping() else { return nil }
                let check = mapping[Keys.Waiver.check]
                let id = check?.string()
                if let check, let id, !checks.contains(CheckID(written: id)) {
                    check.report(
                        id.contains("*")
                            ? "a waiver is for one check, and “\(id)” is a pattern; --skip accepts patterns"
                            : "unknown check “\(id)”" + NearestWord.hint(for: id, among: checks.map(\.rawValue))
                    )
                }
                let because = mapping[Keys.Waiver.because]?.string()
                var until: CalendarDay?
                if let day = mapping[Keys.Waiver.until], let text = day.string() {
                    until = CalendarDay(text)
                    if until == nil { day.report("“\(text)” is not a date such as 2027-03-31") }
                }
                guard let id, let because else { return nil }
                return Waiver(
                    check: CheckID(written: id),
                    because: because,
                    until: until,
                    source: "\(file):\(value.place.line)"
                )
            }
    }

    /// False for a profile that uses plain OAuth; an unreadable profile is reported elsewhere.
    private func needsOpenID(_ profile: String?) -> Bool {
        guard let profile else { return true }
        return JointRun.profiles(in: profile)
            .contains { (try? environment.profiles.profile($0))?.parameters.readsDiscovery ?? true }
    }

    /// Rejects placeholders of `init`, which would cause meaningless findings.
    private func refusePlaceholders(_ root: StrictYAML.Mapping) {
        let values = [
            (root[Keys.client]?.mapping()?[Keys.Client.id], "the client ID registered at the provider"),
            (root[Keys.resource], "the URL of the protected resource, such as https://mcp.example.com/mcp"),
            (root[Keys.redirectURI], "the redirect URI, exactly as registered at the provider"),
            (root[Keys.signIn]?.mapping()?.optional(Keys.SignIn.username), "the user name of the test user"),
        ]
        for (value, what) in values {
            guard let value, value.isScalar, let problem = Placeholder.problem(in: value.string(), for: what) else {
                continue
            }
            value.report(problem)
        }
    }

    /// Reports conflicts between keys that are valid one by one.
    ///
    /// A misspelt key is reported already, and counts as present.
    private func checkConsistency(_ root: StrictYAML.Mapping, _ configuration: Configuration, profile: String?) {
        let target = configuration.target
        if let flows = root[Keys.flows], !target.flows.isEmpty {
            if !root.isMisspelt(Keys.client.name),
                let type = target.flows.first(where: { target.client(for: $0) == nil })
            {
                flows.report("the flow \(type) needs a client: add  client: { id: … }")
            }
            if target.redirectURI == nil, root[Keys.redirectURI] == nil, !root.isMisspelt(Keys.redirectURI.name) {
                flows.report("flows need a redirect_uri: add the registered one")
            }
        }
        if let scopes = root[Keys.scopes], !target.scopes.contains("openid"),
            needsOpenID(profile ?? configuration.profile)
        {
            scopes.report(
                "scopes must contain openid: without it a request is not OpenID Connect (Core section 3.1.2.1)"
            )
        }
        if let signIn = root[Keys.signIn]?.mapping(), configuration.secrets.username != nil {
            let missing = configuration.missing(for: .full)
                .filter { !root.isMisspelt($0) && ($0 == "flows" || root[$0] == nil) }
            if !missing.isEmpty {
                let list = missing.joined(separator: ", ")
                root.reader.report("no sign-in would take place: “sign_in” also needs \(list)", at: signIn.place)
            }
        }
        if let value = root[Keys.otherClient], let other = target.otherClient, !other.id.isEmpty,
            other.id == target.client?.id
        {
            value.report("other_client must differ from client: it tries the codes and tokens of client")
        }
        if let issuer = root.optional(Keys.issuer), let text = issuer.string(),
            let why = Configuration.problem(ofIssuer: text)
        {
            issuer.report(why)
        }
    }
}
