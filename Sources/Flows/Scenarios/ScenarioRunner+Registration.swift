import Conformance
import JOSE
import JSONTree
import Transport

/// Scenarios that run with a client of their own (RFC 7591, OpenID Connect Registration).
extension ScenarioRunner {
    /// Registers a client, runs the scenario with it, and deletes it again whatever happened.
    func run(withOwn metadata: ClientMetadata) async -> CollectedRun {
        let (endpoint, reason) = endpoint("registration_endpoint")
        guard let endpoint else { return notRun(reason) }
        if let why = whyNotRegistered(metadata) { return notRun(.notAttempted(why)) }
        guard !metadata.served.isEmpty else { return await run(withOwn: metadata, at: endpoint) }
        switch collection.documents.folder() {
        case .failure(let unavailable): return notRun(.notAttempted(unavailable.why))
        case .success(let folder):
            folder.publish(redirectURI: target.redirectURI ?? "")
            var runner = self
            runner.folder = folder
            var collected = await runner.run(withOwn: metadata, at: endpoint)
            collected.run.fetches = folder.fetches
            return collected
        }
    }

    /// Serves the metadata of a client, and runs the scenario with the document's address as its identifier.
    func run(describedBy document: ClientDocument) async -> CollectedRun {
        if let why = whyUnmet(scenario.requires) { return notRun(why) }
        if collection.instructions == nil { return notRun(.notAttempted("no sign_in in the configuration")) }
        switch collection.documents.folder() {
        case .failure(let unavailable): return notRun(.notAttempted(unavailable.why))
        case .success(let folder):
            let name = "oidc-preflight \(scenario.id)"
            // Every document has the first one's address as client_id, so that any other document is about another client.
            folder.publish(metadataNamed: name, at: document, for: folder.address(of: .metadata))
            var runner = self
            runner.folder = folder
            runner.own = EphemeralClient(describedAt: folder.address(of: document), name: name)
            var collected = runner.notRun(.notAttempted("this step was not reached"))
            await runner.runSteps(&collected)
            collected.run.fetches = folder.fetches
            return collected
        }
    }

    private func run(withOwn metadata: ClientMetadata, at endpoint: String) async -> CollectedRun {
        let name = "oidc-preflight \(scenario.id) \(Hexadecimal.text(of: Hashes.randomBytes(6)))"
        let wanted: ClientToRegister
        let answer: RecordingClient.Answer
        do throws(JOSEError) {
            (wanted, answer) = try await register(metadata, name: name, at: endpoint)
        } catch {
            return notRun(.absent("no keys could be made for the client: \(error)"))
        }
        let sent = Body(Array(wanted.members.serialized().utf8))
        var registration = RegistrationRun(
            sent: sent,
            answer: Self.endpointAnswer(answer),
            because: "no client was registered"
        )
        guard let response = answer.raw.response, answer.failure == nil, (200...299).contains(response.status),
            var own = EphemeralClient(response.body, wanted: wanted)
        else {
            var collected = notRun(Self.whyNotRegistered(after: answer))
            collected.run.registration = registration
            if let reason = Self.reasonClientMayRemain(answer) {
                collected.left = [UndeletedClient(name: name, reason: reason)]
            }
            return collected
        }
        var runner = self
        runner.own = own
        await runner.learnCredentials(own)
        registration.reading = .notAttempted("this scenario does not read it")
        if metadata.isRead {
            let answer = await runner.manage("GET", own)
            registration.reading = answer.observation
            if let body = answer.body { own.renew(by: body) }
            let withoutToken = await runner.manage("GET", own, withToken: false)
            registration.readingWithoutToken = withoutToken.observation
            if let body = withoutToken.body { own.renew(by: body) }
            runner.own = own
            await runner.learnCredentials(own)
        }
        var collected = runner.notRun(.notAttempted("this step was not reached"))
        collected.run.registration = registration
        collected.owesDeletion = true
        await runner.runSteps(&collected)
        if collected.owesDeletion { _ = await runner.deleteClient(&collected) }
        return collected
    }

    /// Deletes the scenario's own client (RFC 7592 section 2.3); one that still exists is reported as left.
    func deleteClient(_ collected: inout CollectedRun) async -> Observation<EndpointAnswer> {
        guard let own else { return .notAttempted("no client was registered") }
        collected.owesDeletion = false
        // A task of its own: an interrupted run deletes what it registered.
        let deletion = await Task { [self] in await manage("DELETE", own).observation }.value
        collected.run.registration?.deletion = deletion
        if let why = await whyLeft(deletion) {
            var address: String?
            if let management = own.management { address = await http.recorder.redact(url: management.address) }
            collected.left = [UndeletedClient(name: own.name, clientID: own.client.id, address: address, reason: why)]
        }
        return deletion
    }

    /// Why no client is registered for this scenario; `nil` when one is.
    private func whyNotRegistered(_ metadata: ClientMetadata) -> String? {
        if target.dynamicRegistration?.isEnabled != true {
            return Scenario.Condition.dynamicRegistration.whyUnmet(target)
        }
        if target.redirectURI == nil { return "no redirect_uri in the configuration" }
        let signsIn = scenario.authorizations.contains { ![.none, .asItIs, .signInIfAsked].contains($0.session) }
        if signsIn, collection.instructions == nil { return "no sign_in in the configuration" }
        return metadata.reasonItIsRedundant(at: provider.metadata ?? [:])
    }

    /// Requests the registration, in the variant that is known to be accepted; if an ordinary one is rejected, in the next.
    ///
    /// The response is that to the last request, or to the first if all were rejected.
    private func register(
        _ metadata: ClientMetadata,
        name: String,
        at endpoint: String
    ) async throws(JOSEError) -> (ClientToRegister, RecordingClient.Answer) {
        var variant = await collection.variants.found
        var first: (ClientToRegister, RecordingClient.Answer)?
        while true {
            let wanted = try ClientToRegister(
                metadata,
                name: name,
                redirectURI: target.redirectURI ?? "",
                scopes: target.scopes,
                provider: provider.metadata ?? [:],
                variant: variant,
                makeKey: options.makeKey,
                address: { folder?.address(of: $0) }
            )
            if wanted.servesKeys { folder?.publish(keys: wanted.keys) }
            let answer = await register(wanted, metadata, at: endpoint)
            var outcome: Outcome?
            if let observed = Self.endpointAnswer(answer).value {
                outcome = await http.recorder.outcome(of: observed, at: "registration_endpoint")
            }
            // A wrong token or address is wrong in every variant.
            let isWrongAnyway = [401, 404].contains(answer.raw.response?.status)
            let mayBeForThat = outcome?.isRefused == true && !isWrongAnyway && !scenario.requestsRefusal
            if outcome == .granted { await collection.variants.learn(variant) }
            guard mayBeForThat, let next = variant.next else {
                return mayBeForThat ? first ?? (wanted, answer) : (wanted, answer)
            }
            first = first ?? (wanted, answer)
            variant = next
        }
    }

    private func register(
        _ wanted: ClientToRegister,
        _ metadata: ClientMetadata,
        at endpoint: String
    ) async -> RecordingClient.Answer {
        var headers = [
            HTTPField(name: "Accept", value: "application/json"),
            HTTPField(name: "Content-Type", value: "application/json"),
        ]
        if let token = collection.secrets.initialAccessToken, !metadata.leavesOutInitialToken {
            headers.append(HTTPField(name: "Authorization", value: "Bearer \(token.reveal())"))
        }
        let body = Array(wanted.members.serialized().utf8)
        let request = HTTPRequest(method: "POST", url: endpoint, headers: headers, body: body)
        let (http, lane, step) = (http, lane, scenario.title + ": registration request")
        // A task of its own: an interrupted response would leave a client that the run does not know.
        return await Task { await http.send(request, step: step, lane: lane, content: .api) }.value
    }

    private func learnCredentials(_ own: EphemeralClient) async {
        if let secret = own.secret {
            await http.recorder.learn("client secret", secret.reveal(), .credential)
            let pair = BasicCredentials.encoded(id: own.client.id, secret: secret)
            await http.recorder.learn("credentials", pair, .credential)
        }
    }

    /// A request to the client configuration endpoint (RFC 7592 section 2).
    private func manage(
        _ method: String,
        _ own: EphemeralClient,
        withToken: Bool = true
    ) async -> (observation: Observation<EndpointAnswer>, body: [UInt8]?) {
        guard let (address, token) = own.management else {
            let why = "the provider did not return registration_client_uri with registration_access_token"
            return (.notAttempted(why), nil)
        }
        var headers = [HTTPField(name: "Accept", value: "application/json")]
        if withToken { headers.append(HTTPField(name: "Authorization", value: "Bearer \(token.reveal())")) }
        let request = HTTPRequest(method: method, url: address, headers: headers)
        let what = method == "GET" ? "reading the registration" : "deleting the client"
        let step = "\(scenario.title): \(what)" + (withToken ? "" : " without the registration access token")
        let answer = await http.send(request, step: step, lane: lane, content: .api)
        let isSuccess = answer.failure == nil && answer.raw.response?.status == 200
        return (Self.endpointAnswer(answer), isSuccess ? answer.raw.response?.body : nil)
    }

    /// Why the client is still registered; `nil` when it was deleted.
    private func whyLeft(_ deletion: Observation<EndpointAnswer>) async -> String? {
        switch deletion {
        case .absent, .notAttempted: return deletion.whyNot?.text
        case .observed(let answer):
            let status = await http.recorder.status(of: answer.exchange) ?? 0
            let isDeleted = await http.recorder.outcome(of: answer, at: "registration_client_uri") == .granted
            return isDeleted ? nil : "the provider returned HTTP status \(status)"
        }
    }

    private static func whyNotRegistered(after answer: RecordingClient.Answer) -> Reason {
        guard let response = answer.raw.response, answer.failure == nil else {
            return .absent(answer.failure ?? "the registration endpoint sent no response")
        }
        return .notAttempted("the provider registered no client (HTTP status \(response.status))")
    }

    /// Why there may be a client though none is known; `nil` when the provider rejected it.
    private static func reasonClientMayRemain(_ answer: RecordingClient.Answer) -> String? {
        guard let response = answer.raw.response, answer.failure == nil else {
            return "the response to its registration did not arrive, so it may exist"
        }
        return (200...299).contains(response.status)
            ? "the response to its registration (HTTP status \(response.status)) has no client_id" : nil
    }
}
