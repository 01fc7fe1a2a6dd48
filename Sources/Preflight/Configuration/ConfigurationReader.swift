package import Conformance
internal import Flows
package import Profiles
internal import SignIn
internal import Transport

/// Reads a `preflight.yaml`; every problem is told at once, with its line and the nearest right word.
package struct ConfigurationReader: Sendable {
    let environment: Environment
    let readsSecrets: Bool

    /// - Parameters:
    ///   - environment: Where variables and files are read.
    ///   - readsSecrets: False for what sends nothing: its variables need not be set.
    package init(_ environment: Environment, readsSecrets: Bool = true) {
        self.environment = environment
        self.readsSecrets = readsSecrets
    }

    /// More seconds than this are milliseconds without their unit.
    private static let longestPause = 60.0

    /// The response types that this version signs in with.
    package static let knownFlows = [
        "code", "id_token", "id_token token", "code id_token", "code token", "code id_token token",
    ]

    /// - Parameters:
    ///   - octets: The file, in UTF-8.
    ///   - file: Its name, for messages.
    ///   - issuer: The issuer given on the command line, which wins over the file's.
    ///   - profile: The profile given on the command line, which wins over the file's.
    ///   - checks: The identifiers of all checks, for waivers.
    package func read(
        _ octets: some Collection<UInt8>,
        file: String,
        issuer: String? = nil,
        profile: String? = nil,
        checks: [CheckID]
    ) throws(ConfigurationError) -> Configuration {
        let root = try StrictYAML.parse(octets, file: file)
        let stated = issuer == nil ? root.required("issuer")?.string() : root["issuer"]?.string()
        var configuration = Configuration(target: Target(issuer: issuer ?? stated ?? ""))
        configuration.profile = root["profile"].flatMap(profiles)
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
        if readsSecrets { refusePlaceholders(root) }
        configuration.places = root.reader.places.mapValues { SourcePlace(file: file, line: $0.line) }
        try root.reader.finish()
        return configuration
    }

    /// Reads a text, as `read` of its UTF-8 octets does.
    package func read(
        _ text: String,
        file: String,
        issuer: String? = nil,
        profile: String? = nil,
        checks: [CheckID]
    ) throws(ConfigurationError) -> Configuration {
        try read(text.utf8, file: file, issuer: issuer, profile: profile, checks: checks)
    }

    /// A profile, or several: `[supabase, kubernetes]` is the same as `supabase,kubernetes`.
    private func profiles(_ value: StrictYAML.Value) -> String? {
        let list = value.isScalar ? value.string() : value.strings()?.joined(separator: ",")
        if let problem = list.flatMap(JointRun.problem(ofList:)) { value.report(problem) }
        let names = JointRun.names(in: list ?? "")
        for name in names {
            if let problem = ProfileLibrary.problem(ofName: name) { value.report(problem) }
        }
        return names.isEmpty
            ? list
            : names.map { ProfileLibrary.isFile($0) ? RelativePath.beside(value.reader.file, $0) : $0 }
                .joined(separator: ",")
    }

    // MARK: Target

    private func readTarget(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        configuration.target.redirectURI = root["redirect_uri"]?.string()
        configuration.target.otherRedirectURIs = root["other_redirect_uris"]?.strings()
        if let scopes = root["scopes"]?.strings() { configuration.target.scopes = scopes }
        if let mapping = root["custom_parameters"]?.mapping() {
            configuration.target.customParameters = mapping.pairs.compactMap { key, value in
                value.string().map { Field(key, $0) }
            }
        }
        if let flows = root["flows"]?.list() {
            configuration.target.flows = flows.compactMap(responseType)
        }
    }

    private func responseType(_ value: StrictYAML.Value) -> ResponseType? {
        value.string().flatMap { responseType($0, report: value.report) }
    }

    private func responseType(_ text: String, report: (String) -> Void) -> ResponseType? {
        let type = ResponseType(text)
        // The canonical spelling, so that “token id_token” and “id_token token” are one flow with one name.
        if let known = Self.knownFlows.first(where: { ResponseType($0) == type }) { return ResponseType(known) }
        report("“\(text)” is no response type that can be tried" + NearestWord.hint(for: text, among: Self.knownFlows))
        return nil
    }

    // MARK: Clients

    private func readClient(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        configuration.target.client = root["client"]?.mapping().flatMap { client($0, &configuration.secrets) }
    }

    private func readFurtherClients(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        let clients = root["clients"]?.mapping()
        configuration.target.otherClient = root["other_client"]?.mapping()
            .flatMap { client($0, &configuration.secrets) }
        for (key, value) in clients?.pairs ?? [] {
            guard let type = responseType(key, report: value.report), let mapping = value.mapping(),
                let client = client(mapping, &configuration.secrets)
            else { continue }
            configuration.target.clients.append(ResponseTypeClient(responseType: type, client: client))
        }
    }

    private func client(_ mapping: StrictYAML.Mapping, _ secrets: inout Secrets) -> Client? {
        let id = mapping.required("id")?.string()
        let secret = mapping["secret"].flatMap(secret)
        if let secret, let id { secrets.clientSecrets[id] = secret }
        let hasSecret = mapping["secret"] != nil
        let hasKey = mapping["private_key"] != nil
        // client_secret_basic is the default of OpenID Connect Registration section 2; a key has one use alone.
        let usual: ClientAuthentication? = hasSecret ? .clientSecretBasic : hasKey ? .privateKeyJWT : Optional.none
        let authentication = mapping["authentication"].map(authentication) ?? usual
        if let value = mapping["authentication"], let authentication {
            checkCredentials(value, authentication, hasSecret: hasSecret, hasKey: hasKey)
        }
        var client = Client(id: id ?? "", authentication: authentication ?? .none, hasSecret: hasSecret)
        readAssertions(mapping, &client, &secrets)
        client.idTokenSignedResponseAlg = mapping["id_token_signed_response_alg"]?.string()
        client.idTokenEncryptedResponseAlg = mapping["id_token_encrypted_response_alg"]?.string()
        client.userInfoSignedResponseAlg = mapping["userinfo_signed_response_alg"]?.string()
        client.sendsPKCE = mapping["pkce"]?.boolean()
        return id == nil ? nil : client
    }

    private func authentication(_ value: StrictYAML.Value) -> ClientAuthentication? {
        guard let text = value.string() else { return nil }
        if let method = ClientAuthentication(rawValue: text) { return method }
        let known = ClientAuthentication.allCases.map(\.rawValue)
        value.report(
            "“\(text)” is no client authentication that can be tried" + NearestWord.hint(for: text, among: known)
        )
        return nil
    }

    /// A secret from the environment or a file; never from the text itself.
    func secret(_ value: StrictYAML.Value) -> Secret? {
        guard !value.isScalar else {
            value.report("a secret is never written here: use { env: NAME } or { file: PATH }")
            return nil
        }
        guard let mapping = value.mapping() else { return nil }
        let (variable, file) = (mapping["env"], mapping["file"])
        if variable != nil, file != nil {
            value.report("“\(value.path)” names both env and file; keep one")
            return nil
        }
        if let source = variable {
            guard let name = source.string() else { return nil }
            guard readsSecrets else { return Secret("") }
            guard let text = environment.variable(name).map(Self.withoutLineEnd), !text.isEmpty else {
                source.report("the environment variable \(name) is not set: export it before the run")
                return nil
            }
            return Secret(text)
        }
        guard let source = file, let path = source.string() else {
            value.report("“\(value.path)” must name env or file")
            return nil
        }
        guard readsSecrets else { return Secret("") }
        switch environment.readFile(RelativePath.beside(source.reader.file, path)) {
        case .success(let octets):
            let text = Self.withoutLineEnd(String(decoding: octets, as: UTF8.self))
            if text.isEmpty { source.report("the file \(path) is empty") }
            return Secret(text)
        case .failure(let error):
            source.report("the secret cannot be read: \(error)")
            return nil
        }
    }

    /// Without the one line end that editors and shells put there; all else may be part of the secret.
    private static func withoutLineEnd(_ text: String) -> String {
        text.last == "\n" || text.last == "\r\n" ? String(text.dropLast()) : text
    }

    // MARK: Platform, sign-in, network

    private func readRegistration(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root["registration"]?.mapping() else { return }
        configuration.target.registration.providerID = mapping["provider_id"]?.string()
        if let types = mapping["response_types"]?.strings() {
            configuration.target.registration.responseTypes = types.map { ResponseType($0) }
        }
    }

    private func readLogout(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root["logout"]?.mapping() else { return }
        if let value = mapping["post_logout_redirect_uri"], let uri = value.string() {
            configuration.target.logout.postLogoutRedirectURI = uri
            if WebURL(uri) == nil { value.report("“\(uri)” must be an absolute URL, exactly as it is registered") }
        }
        if let value = mapping["back_channel_listener"], let place = value.string() {
            configuration.target.logout.backChannelListener = place
            if WebURL("http://" + place)?.port == nil {
                value.report("“\(place)” must be HOST:PORT, as in 127.0.0.1:8765")
            }
        }
    }

    private func readLimits(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root["limits"]?.mapping() else { return }
        let whole = { (value: StrictYAML.Value) -> Int? in
            guard let number = value.number() else { return nil }
            guard number >= 1, number == number.rounded(), number <= 1e12 else {
                value.report("\(value.path) must be a whole number from 1 up")
                return nil
            }
            return Int(number)
        }
        configuration.limits.requests = mapping["requests"].flatMap(whole)
        configuration.limits.bytes = mapping["bytes"].flatMap(whole)
        if let value = mapping["seconds"], let seconds = value.duration() {
            configuration.limits.seconds = seconds
            if seconds < 1 { value.report("\(value.path) must be at least 1 s: nothing could be asked in less") }
        }
    }

    private func readNetwork(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root["network"]?.mapping() else { return }
        if let value = mapping["ca_file"], let path = value.string() {
            let file = RelativePath.beside(value.reader.file, path)
            configuration.network.certificateAuthorityFile = file
            if readsSecrets, let why = environment.problem(ofAuthorities: file) { value.report(why) }
        }
        if let seconds = mapping["connect_timeout"]?.duration() { configuration.network.connectTimeout = seconds }
        if let seconds = mapping["total_timeout"]?.duration() { configuration.network.totalTimeout = seconds }
        if let value = mapping["pause"], let seconds = value.duration() {
            configuration.network.pause = seconds
            if seconds > Self.longestPause {
                value.report("a pause of \(Int(min(seconds, 1e9))) s between requests is too long: the most is 60s")
            }
        }
        if let bytes = mapping["body_limit"]?.number() { configuration.network.bodyLimit = Int(min(bytes, 1e9)) }
        if let bytes = mapping["header_limit"]?.number() { configuration.network.headerLimit = Int(min(bytes, 1e9)) }
        for value in mapping["resolve"]?.list() ?? [] {
            guard let text = value.string() else { continue }
            if let entry = HostOverride(text) {
                configuration.network.resolve.append(entry)
            } else {
                value.report("“\(text)” must be HOST:PORT:ADDRESS, as in idp.example.com:443:192.0.2.7")
            }
        }
        for value in mapping["connect_to"]?.list() ?? [] {
            guard let text = value.string() else { continue }
            if let entry = HostOverride(connectTo: text) {
                configuration.network.resolve.append(entry)
            } else {
                value.report("“\(text)” must be \(Configuration.connectToForm)")
            }
        }
        configuration.network.addressPolicy.allowedHosts = mapping["allowed_hosts"]?.strings() ?? []
        if let value = mapping["concurrency"], let text = value.string() {
            if let number = Int(text), (1...64).contains(number) {
                configuration.concurrency = number
            } else {
                value.report("“\(value.path)” must be a number from 1 to 64, not “\(text)”")
            }
        }
    }

    // MARK: Waivers

    private func readWaivers(_ root: StrictYAML.Mapping, file: String, checks: [CheckID]) -> [Waiver] {
        (root["waivers"]?.list() ?? [])
            .compactMap { value in
                guard let mapping = value.mapping() else { return nil }
                let check = mapping.required("check")
                let id = check?.string()
                if let check, let id, !checks.contains(CheckID(written: id)) {
                    check.report(
                        "no check is called “\(id)”" + NearestWord.hint(for: id, among: checks.map(\.rawValue))
                    )
                }
                let because = mapping.required("because")?.string()
                var until: CalendarDay?
                if let day = mapping["until"], let text = day.string() {
                    until = CalendarDay(text)
                    if until == nil { day.report("“\(text)” is no day; write it as 2027-03-31") }
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

    /// False for a profile whose provider is none of OpenID Connect to the platform; a profile that cannot be read is
    /// told elsewhere.
    private func needsOpenID(_ profile: String?) -> Bool {
        guard let profile else { return true }
        return JointRun.names(in: profile)
            .contains { (try? environment.profiles.profile($0))?.parameters.readsDiscovery ?? true }
    }

    /// A file of `init` that nobody has filled in: every finding would be about made-up values.
    private func refusePlaceholders(_ root: StrictYAML.Mapping) {
        let values = [
            (root["client"]?.mapping()?["id"], "the client's identifier, as it is registered at the provider"),
            (root["redirect_uri"], "the redirect URI, exactly as it is registered at the provider"),
            (root["sign_in"]?.mapping()?["username"], "the name that the test user signs in with"),
        ]
        for (value, what) in values {
            guard let value, value.isScalar, let problem = Placeholder.problem(in: value.string(), for: what) else {
                continue
            }
            value.report(problem)
        }
    }

    /// What is right key by key and wrong together.
    private func checkConsistency(_ root: StrictYAML.Mapping, _ configuration: Configuration, profile: String?) {
        let target = configuration.target
        if let flows = root["flows"], !target.flows.isEmpty {
            if let type = target.flows.first(where: { target.client(for: $0) == nil }) {
                flows.report("the flow \(type) needs a client: add  client: { id: … }")
            }
            if target.redirectURI == nil { flows.report("flows need a redirect_uri: add the one that is registered") }
        }
        if let scopes = root["scopes"], !target.scopes.contains("openid"),
            needsOpenID(profile ?? configuration.profile)
        {
            scopes.report("scopes must hold openid: without it a request is not OpenID Connect (Core section 3.1.2.1)")
        }
        if let signIn = root["sign_in"]?.mapping(), configuration.secrets.username != nil {
            let missing = configuration.missing(for: .full).joined(separator: ", ")
            if !missing.isEmpty {
                root.reader.report("nobody would sign in: “sign_in” needs also \(missing)", at: signIn.place)
            }
        }
        if let value = root["other_client"], let other = target.otherClient, other.id == target.client?.id {
            value.report("other_client must be another registration than client: it tries what belongs to client")
        }
        if let issuer = root["issuer"], let text = issuer.string(), let why = Configuration.problem(ofIssuer: text) {
            issuer.report(why)
        }
    }
}
