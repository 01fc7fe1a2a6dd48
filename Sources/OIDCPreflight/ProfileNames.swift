internal import Profiles

/// The rules for a provider.
public enum Profile {
    /// A built-in profile, by its name in `oidc-preflight profiles list`; for a profile without a constant use
    /// ``init(rawValue:)``.
    public struct Name: Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// The name in a configuration: `firebase-oidc`.
        public let rawValue: String

        private init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The built-in profile with that name; `nil` if there is none.
        public init?(rawValue: String) {
            guard ProfileLibrary.builtIn.contains(where: { $0.name == rawValue }) else { return nil }
            self.rawValue = rawValue
        }

        /// Every built-in profile, in the order in which they are listed.
        public static var allCases: [Name] { ProfileLibrary.builtIn.map { Name($0.name) } }

        /// The name.
        public var description: String { rawValue }

        /// The OpenID Connect specifications, for any relying party.
        public static let openid = Name("openid")
        /// Best current practice for OAuth 2.0 security (RFC 9700).
        public static let oauthSecurityBCP = Name("oauth-security-bcp")
        /// FAPI 2.0 Security Profile.
        public static let fapi2Security = Name("fapi2-security")
        /// A custom OpenID Connect provider at Firebase Authentication.
        public static let firebaseOIDC = Name("firebase-oidc")
        /// GitHub at Firebase Authentication.
        public static let firebaseGitHub = Name("firebase-github")
        /// Microsoft at Firebase Authentication.
        public static let firebaseMicrosoft = Name("firebase-microsoft")
        /// Yahoo at Firebase Authentication.
        public static let firebaseYahoo = Name("firebase-yahoo")
        /// Twitter with OAuth 1.0a at Firebase Authentication.
        public static let firebaseTwitter = Name("firebase-twitter")
        /// An AI host (MCP client).
        public static let mcpHost = Name("mcp-host")
        /// Claude as an MCP client.
        public static let claude = Name("claude")
        /// ChatGPT as an MCP client.
        public static let chatGPT = Name("chatgpt")
        /// Visual Studio Code as an MCP client.
        public static let vsCode = Name("vscode")
        /// X with OAuth 2.0.
        public static let xOAuth2 = Name("x-oauth2")
        /// Google Identity Platform.
        public static let googleIdentityPlatform = Name("google-identity-platform")
        /// Supabase Auth.
        public static let supabase = Name("supabase")
        /// User pools of Amazon Cognito.
        public static let awsCognito = Name("aws-cognito")
        /// Microsoft Entra External ID.
        public static let entraExternalID = Name("entra-external-id")
        /// Enterprise connections of Auth0.
        public static let auth0Enterprise = Name("auth0-enterprise")
        /// Relying parties in Go that use coreos/go-oidc.
        public static let goOIDC = Name("go-oidc")
        /// Argo CD.
        public static let argoCD = Name("argo-cd")
        /// Dex as a relying party.
        public static let dexConnector = Name("dex-connector")
        /// Headscale.
        public static let headscale = Name("headscale")
        /// Harbor.
        public static let harbor = Name("harbor")
        /// Pomerium.
        public static let pomerium = Name("pomerium")
        /// Relying parties that sign users in with the code flow.
        public static let relyingParty = Name("relying-party")
        /// Relying parties in Python that use Authlib.
        public static let authlib = Name("authlib")
        /// Backstage.
        public static let backstage = Name("backstage")
        /// better-auth.
        public static let betterAuth = Name("better-auth")
        /// caddy-security.
        public static let caddySecurity = Name("caddy-security")
        /// django-allauth.
        public static let djangoAllauth = Name("django-allauth")
        /// Flask-AppBuilder, as in Superset and Airflow.
        public static let flaskAppBuilder = Name("flask-appbuilder")
        /// Gitea.
        public static let gitea = Name("gitea")
        /// Home Assistant.
        public static let homeAssistant = Name("home-assistant")
        /// Jenkins.
        public static let jenkins = Name("jenkins")
        /// JupyterHub.
        public static let jupyterHub = Name("jupyterhub")
        /// Brokers of Apache Kafka.
        public static let kafka = Name("kafka")
        /// Keycloak as a relying party.
        public static let keycloakBroker = Name("keycloak-broker")
        /// MinIO.
        public static let minIO = Name("minio")
        /// MLflow with mlflow-oidc-auth.
        public static let mlflow = Name("mlflow")
        /// Open WebUI.
        public static let openWebUI = Name("open-webui")
        /// pgAdmin.
        public static let pgAdmin = Name("pgadmin")
        /// PocketBase.
        public static let pocketBase = Name("pocketbase")
        /// Synapse.
        public static let synapse = Name("synapse")
        /// traefik-oidc-auth.
        public static let traefikOIDCAuth = Name("traefik-oidc-auth")
        /// Trino.
        public static let trino = Name("trino")
        /// oauth2-proxy.
        public static let oauth2Proxy = Name("oauth2-proxy")
        /// Users who sign in to HashiCorp Vault.
        public static let vaultSignIn = Name("vault-sign-in")
        /// Applications that run in browsers.
        public static let spa = Name("spa")
        /// Native applications with AppAuth.
        public static let appAuth = Name("appauth")
        /// Services that verify tokens but start no sign-in.
        public static let tokenVerifier = Name("token-verifier")
        /// Web identity federation of AWS IAM.
        public static let awsIAM = Name("aws-iam")
        /// Workload identity federation of Google Cloud.
        public static let googleWorkloadIdentity = Name("google-workload-identity")
        /// The API server of Kubernetes.
        public static let kubernetes = Name("kubernetes")
        /// Workload tokens for HashiCorp Vault.
        public static let vault = Name("vault")
        /// Sigstore's Fulcio, for workloads.
        public static let sigstoreFulcio = Name("sigstore-fulcio")
        /// Sigstore's Fulcio, for users identified by e-mail address.
        public static let sigstoreFulcioEmail = Name("sigstore-fulcio-email")
    }
}
