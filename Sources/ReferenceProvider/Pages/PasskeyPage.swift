import Conformance
import JOSE

extension Page {
    /// A page whose script requests a passkey at once and submits the assertion, or reports that it got none.
    static func passkey(action: String, hidden: [Field], challenge: String, message: String?) -> HTTPAnswer {
        let alert = message.map { "<p role=\"alert\">\(escape($0))</p>" } ?? ""
        let data = hidden.map { " data-\($0.name)=\"\(escape($0.value))\"" }.joined()
        let challenge = Base64URL.encode(Array(challenge.utf8))
        let isLast = message == nil ? "" : " data-over=\"yes\""
        return scripted(
            title: "Use your passkey",
            """
            <p>Your device asks for your fingerprint, face or screen lock.</p>
            <div id="root" data-action="\(escape(action))"\(data) data-challenge="\(challenge)"\(isLast)>\(alert)</div>
            """,
            requestsPasskey
        )
    }

    /// After a rejection the script does not ask again, which would never end.
    private static let requestsPasskey = """
        const root = document.getElementById('root');
        const octets = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0));
        const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer || new ArrayBuffer(0))))
          .replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '');
        async function ask() {
          const credential = await navigator.credentials.get({ publicKey: {
            challenge: octets(root.dataset.challenge), rpId: location.hostname, userVerification: 'required', timeout: 20000
          } });
          const form = document.createElement('form');
          form.method = 'post';
          form.action = root.dataset.action;
          const values = {
            request: root.dataset.request, token: root.dataset.token, credential: text(credential.rawId),
            client_data: text(credential.response.clientDataJSON), signature: text(credential.response.signature),
            authenticator_data: text(credential.response.authenticatorData), user_handle: text(credential.response.userHandle)
          };
          for (const [name, value] of Object.entries(values)) {
            const field = document.createElement('input');
            Object.assign(field, { type: 'hidden', name, value });
            form.append(field);
          }
          root.append(form);
          form.submit();
        }
        if (!root.dataset.over) ask().catch(error => {
          const alert = document.createElement('p');
          alert.setAttribute('role', 'alert');
          alert.textContent = 'No passkey was given.';
          root.append(alert);
        });

        """
}
