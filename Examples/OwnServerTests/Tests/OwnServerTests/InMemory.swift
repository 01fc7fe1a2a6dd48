import OIDCPreflight
import OwnServer

extension OwnServer {
    /// Calls the server without a socket, and converts the messages of the two frameworks.
    func answer(_ request: Preflight.Request) async -> Preflight.Response {
        let answer = await answer(
            ServerRequest(
                method: request.method,
                path: request.path,
                query: request.queryParameters.map { ($0.name, $0.value) },
                form: request.formParameters.map { ($0.name, $0.value) },
                headers: request.headers.map { ($0.name, $0.value) }
            )
        )
        return Preflight.Response(
            status: answer.status,
            headers: answer.headers.map { Preflight.Header($0.name, $0.value) },
            body: answer.body
        )
    }
}
