"""One ordinary sign-in with each of seven clients, written like their quick starts.

A worker for one library: it reads a line of JSON for each provider (issuer, client_id, client_secret, redirect_uri, ca),
signs the user in once, and writes a line of JSON: the outcome, "+" or the step at which the library failed, and its message.
"""

import html.parser
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse
import warnings

import requests

USER = {"username": "alice", "password": "correct horse battery staple"}
SCOPES = ["openid", "profile", "email"]
SECONDS = 20
"""The time limit of one sign-in."""


class Refused(Exception):
    """The sign-in stopped at a step that the worker can name and the library cannot."""

    def __init__(self, step, words):
        super().__init__(words)
        self.step = step


class Forms(html.parser.HTMLParser):
    """The first form of a page: its action and its fields."""

    def __init__(self):
        super().__init__()
        self.action = None
        self.fields = {}

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = named.get("action") or ""
        if tag in ("input", "button") and self.action is not None and named.get("name"):
            pressed = tag == "button" or named.get("type") == "submit"
            if not pressed or not any(name == named["name"] for name in self.fields):
                self.fields.setdefault(named["name"], named.get("value") or "on")


def browse(url, redirect_uri):
    """Fills in and submits the provider's pages, and returns the URL with which it redirects to the client."""
    browser = requests.Session()
    answer = browser.get(url, allow_redirects=False, timeout=5)
    for _ in range(12):
        if answer.is_redirect or "Location" in answer.headers and 300 <= answer.status_code < 400:
            target = urllib.parse.urljoin(answer.url, answer.headers["Location"])
            if target.startswith(redirect_uri):
                return target
            answer = browser.get(target, allow_redirects=False, timeout=5)
            continue
        page = Forms()
        page.feed(answer.text)
        if page.action is None:
            raise Refused("browser", f"a page with status {answer.status_code} and no form")
        fields = {**page.fields, **{name: value for name, value in USER.items() if name in page.fields}}
        target = urllib.parse.urljoin(answer.url, page.action)
        answer = browser.post(target, data=fields, allow_redirects=False, timeout=5)
    raise Refused("browser", "more than twelve pages")


class Asked:
    """The URLs that the library has requested since the browser returned: the last one identifies the step."""

    def __init__(self):
        self.paths = []
        original = requests.Session.send
        asked = self

        def send(session, request, **options):
            asked.paths.append(urllib.parse.urlsplit(request.url).path)
            return original(session, request, **options)

        requests.Session.send = send

    def step(self, metadata):
        """The step of the last request, by the endpoints of the discovery document."""
        last = self.paths[-1] if self.paths else None
        if last is None:
            return "callback"
        for member, step in [("token_endpoint", "token"), ("userinfo_endpoint", "userinfo"), ("jwks_uri", "id_token")]:
            if urllib.parse.urlsplit(str(metadata.get(member, ""))).path == last:
                return step
        return "callback"


def authlib(provider, progress):
    import flask
    from authlib.integrations.flask_client import OAuth

    app = flask.Flask("relying party")
    app.secret_key = "of a test"
    oauth = OAuth(app)
    oauth.register(
        "op",
        client_id=provider["client_id"],
        client_secret=provider["client_secret"],
        server_metadata_url=provider["issuer"] + "/.well-known/openid-configuration",
        client_kwargs={"scope": " ".join(SCOPES)},
    )
    progress("discovery")
    with app.test_request_context("/login"):
        address = oauth.op.authorize_redirect(provider["redirect_uri"]).headers["Location"]
        session = dict(flask.session)
    back = progress("browser", address)
    with app.test_request_context("/callback?" + urllib.parse.urlsplit(back).query):
        flask.session.update(session)
        token = oauth.op.authorize_access_token()
        if not token.get("userinfo"):
            raise Refused("id_token", "no ID Token was read")


def idpyoidc(provider, progress):
    from idpyoidc.client.rp_handler import RPHandler

    configuration = {
        "issuer": provider["issuer"],
        "client_id": provider["client_id"],
        "client_secret": provider["client_secret"],
        "redirect_uris": [provider["redirect_uri"]],
        "scope": SCOPES,
        "response_types": ["code"],
        "client_type": "oidc",
    }
    handler = RPHandler(base_url="https://relying-party.invalid", client_configs={"op": configuration})
    progress("discovery")
    # The configured scope is not used for the request.
    address = handler.begin("op", req_args={"scope": SCOPES})
    address = address["url"] if isinstance(address, dict) else address
    back = progress("browser", address)
    result = handler.finalize(provider["issuer"], query(back))
    if result.get("error"):
        raise RuntimeError(str(result["error"]))
    user = result.get("userinfo")
    if not user or "sub" not in user:
        raise RuntimeError("no user came of it")


def oic(provider, progress):
    from oic.oic import Client
    from oic.oic.message import AuthorizationResponse, OpenIDSchema, RegistrationResponse
    from oic.utils.authn.client import CLIENT_AUTHN_METHOD
    from oic.utils.settings import OicClientSettings

    progress("discovery")
    client = Client(client_authn_method=CLIENT_AUTHN_METHOD, settings=OicClientSettings())
    client.provider_config(provider["issuer"])
    client.store_registration_info(
        RegistrationResponse(
            client_id=provider["client_id"],
            client_secret=provider["client_secret"],
            redirect_uris=[provider["redirect_uri"]],
        )
    )
    client.redirect_uris = [provider["redirect_uri"]]
    progress("authorization")
    state, nonce = "state-of-a-sign-in-0123456789", "nonce-of-a-sign-in-0123456789"
    arguments = {
        "client_id": client.client_id, "response_type": "code", "scope": SCOPES, "nonce": nonce,
        "redirect_uri": provider["redirect_uri"], "state": state,
    }
    request = client.construct_AuthorizationRequest(request_args=arguments)
    back = progress("browser", request.request(client.authorization_endpoint))
    answer = client.parse_response(
        AuthorizationResponse, info=urllib.parse.urlsplit(back).query, sformat="urlencoded"
    )
    must_be(answer)
    if answer["state"] != state:
        raise Refused("callback", "another state came back")
    tokens = client.do_access_token_request(
        state=state,
        request_args={"code": answer["code"], "redirect_uri": provider["redirect_uri"]},
        authn_method="client_secret_basic",
    )
    must_be(tokens)
    if "id_token" not in tokens:
        raise Refused("token", "no ID Token came")
    # A POST, the library's default.
    answer = client.do_user_info_request(state=state)
    must_be(answer)
    # A rejection without an error code is an ErrorResponse too.
    if not isinstance(answer, OpenIDSchema):
        raise Refused("userinfo", "no claims came")


def must_be(message):
    """Error responses are messages as well."""
    if "error" in message:
        raise RuntimeError(str(message["error"]))


def social(provider, progress):
    from social_core.backends.open_id_connect import OpenIdConnectAuth
    from social_core.storage import AssociationMixin, BaseStorage
    from social_core.strategy import BaseStrategy

    session = {}

    class Nonces:
        """Single-use values, stored between the two requests of the browser."""

        kept = set()

        @classmethod
        def use(cls, server_url, timestamp, salt):
            cls.kept.add((server_url, timestamp, salt))
            return True

        @classmethod
        def get(cls, server_url, salt):
            return next((kept for kept in cls.kept if (kept[0], kept[2]) == (server_url, salt)), None)

        @classmethod
        def delete(cls, nonce):
            cls.kept.discard(nonce)

        @classmethod
        def consume(cls, server_url, timestamp, salt):
            known = (server_url, timestamp, salt) in cls.kept
            cls.kept.discard((server_url, timestamp, salt))
            return known

    class Associations:
        """Pairs of state and nonce, stored the same way."""

        kept = []

        @classmethod
        def store(cls, server, association):
            row = AssociationMixin()
            for name in ("handle", "secret", "issued", "lifetime", "assoc_type"):
                setattr(row, name, getattr(association, name))
            row.id = len(cls.kept)
            cls.kept.append((server, row))

        @classmethod
        def get(cls, server_url=None, handle=None, **_):
            return [kept for server, kept in cls.kept if handle in (None, kept.handle)]

        @classmethod
        def remove(cls, _):
            cls.kept = []

    class Storage(BaseStorage):
        association = Associations
        nonce = Nonces

    class Strategy(BaseStrategy):
        values = {
            "SOCIAL_AUTH_OIDC_OIDC_ENDPOINT": provider["issuer"],
            "SOCIAL_AUTH_OIDC_KEY": provider["client_id"],
            "SOCIAL_AUTH_OIDC_SECRET": provider["client_secret"],
        }
        data = {}

        def get_setting(self, name):
            return self.values[name]

        def get_pipeline(self, backend=None):
            return ()

        def session_get(self, name, default=None):
            return session.get(name, default)

        def session_set(self, name, value):
            session[name] = value

        def session_pop(self, name):
            return session.pop(name, None)

        def request_data(self, merge=True):
            return self.data

        def request_is_secure(self):
            return True

        def request_host(self):
            return urllib.parse.urlsplit(provider["redirect_uri"]).netloc

        def build_absolute_uri(self, path=None):
            return provider["redirect_uri"]

        def redirect(self, url):
            return url

        def authenticate(self, backend, *arguments, **named):
            # An application's pipeline begins by identifying the user, by subject and by names.
            backend.get_user_id(backend.get_user_details(named["response"]), named["response"])
            return named["response"]

    strategy = Strategy(Storage)
    progress("discovery")
    address = OpenIdConnectAuth(strategy, redirect_uri=provider["redirect_uri"]).start()
    back = progress("browser", address)
    strategy.data = query(back)
    answer = OpenIdConnectAuth(strategy, redirect_uri=provider["redirect_uri"]).complete()
    if not answer:
        raise RuntimeError("no user came of it")


def mozilla(provider, progress):
    import types

    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.test import RequestFactory
    from django.urls import clear_url_caches, path, set_urlconf

    if not settings.configured:
        settings.configure(
            SECRET_KEY="of a test", ALLOWED_HOSTS=["*"], USE_TZ=True, LOGIN_REDIRECT_URL="/in", LOGIN_REDIRECT_URL_FAILURE="/out",
            INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "mozilla_django_oidc"],
            DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
            SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
            AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
            OIDC_RP_SIGN_ALGO="RS256", OIDC_RP_SCOPES=" ".join(SCOPES),
        )
        django.setup()
        call_command("migrate", verbosity=0)
    from django.contrib.sessions.backends.signed_cookies import SessionStore
    from mozilla_django_oidc.views import OIDCAuthenticationCallbackView, OIDCAuthenticationRequestView

    # It reads no discovery document: the URLs are copied into its configuration.
    progress("discovery")
    document = requests.get(provider["issuer"] + "/.well-known/openid-configuration", timeout=5).json()
    settings.OIDC_OP_AUTHORIZATION_ENDPOINT = document["authorization_endpoint"]
    settings.OIDC_OP_TOKEN_ENDPOINT = document["token_endpoint"]
    settings.OIDC_OP_USER_ENDPOINT = document["userinfo_endpoint"]
    settings.OIDC_OP_JWKS_ENDPOINT = document["jwks_uri"]
    settings.OIDC_RP_CLIENT_ID = provider["client_id"]
    settings.OIDC_RP_CLIENT_SECRET = provider["client_secret"]
    address = urllib.parse.urlsplit(provider["redirect_uri"])
    callback = OIDCAuthenticationCallbackView.as_view()
    urls = types.ModuleType("urls")
    urls.urlpatterns = [path(address.path.lstrip("/"), callback, name="oidc_authentication_callback")]
    sys.modules["urls"] = urls
    settings.ROOT_URLCONF = "urls"
    clear_url_caches()
    set_urlconf(None)
    session = SessionStore()

    def asked(where, parameters):
        request = RequestFactory().get(where, parameters, secure=True, HTTP_HOST=address.netloc)
        request.session = session
        return request

    begun = OIDCAuthenticationRequestView.as_view()(asked("/login", {}))
    back = progress("browser", begun["Location"])
    if callback(asked(address.path, query(back)))["Location"] != "/in":
        raise RuntimeError("no user was signed in")


def ruby(provider, progress):
    """The gem openid_connect from Debian, in a process of its own."""
    script = pathlib.Path(__file__).resolve().parent / "openid_connect.rb"
    worker = subprocess.Popen(
        ["/usr/bin/ruby", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )

    def told(line):
        worker.stdin.write(line + "\n")
        worker.stdin.flush()
        return json.loads(worker.stdout.readline() or '{"outcome": "callback", "words": "it ended"}')

    try:
        answer = told(json.dumps(provider))
        if "address" in answer:
            answer = told(progress("browser", answer["address"]))
        if answer["outcome"] != "+":
            raise Refused(answer["outcome"], answer["words"])
    finally:
        worker.kill()
        worker.wait()


APACHE = """
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/pid
ErrorLog {folder}/error.log
LogLevel warn
ServerName {host}
Listen 127.0.0.1:{port}
{user}
{modules}
DocumentRoot {folder}/pages
OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client_id}
OIDCClientSecret {client_secret}
OIDCRedirectURI {redirect_uri}
OIDCScope "{scopes}"
OIDCCryptoPassphrase of-a-test
OIDCCABundlePath {ca}
OIDCXForwardedHeaders X-Forwarded-Proto X-Forwarded-Port
<Location "/">
    AuthType openid-connect
    Require valid-user
</Location>
"""


def apache(provider, progress):
    """mod_auth_openidc from Debian, in its own Apache; the browser reaches it as if behind a proxy that terminates TLS."""
    redirect = urllib.parse.urlsplit(provider["redirect_uri"])
    with tempfile.TemporaryDirectory() as name, socket.socket() as free:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        (folder / "pages").mkdir()
        (folder / "pages/index.html").write_text("signed in")
        (folder / "ca.pem").write_bytes(pathlib.Path(provider["ca"]).read_bytes())
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        places = ["mpm_event", "authn_core", "authz_core", "authz_user", "dir", "auth_openidc"]
        text = APACHE.format(
            folder=folder, host=redirect.netloc, port=port, scopes=" ".join(SCOPES), ca=folder / "ca.pem",
            user="User www-data\nGroup www-data" if os.geteuid() == 0 else "",
            modules="\n".join(f"LoadModule {place}_module /usr/lib/apache2/modules/mod_{place}.so" for place in places),
            **{key: provider[key] for key in ("issuer", "client_id", "client_secret", "redirect_uri")},
        )
        (folder / "apache.conf").write_text(text)
        server = subprocess.Popen(
            ["/usr/sbin/apache2", "-f", str(folder / "apache.conf"), "-DFOREGROUND"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        cookies = {}

        def ask(target):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            fields = {"Host": redirect.netloc, "X-Forwarded-Proto": "https", "X-Forwarded-Port": "443", "Accept": "text/html"}
            if cookies:
                fields["Cookie"] = "; ".join(f"{key}={value}" for key, value in cookies.items())
            connection.request("GET", target, headers=fields)
            answer = connection.getresponse()
            answer.read()
            for field in answer.headers.get_all("Set-Cookie") or []:
                key, _, value = field.split(";")[0].partition("=")
                cookies[key] = value
            connection.close()
            return answer

        def words():
            lines = (folder / "error.log").read_text(errors="replace").splitlines()
            return next((line.partition("oidc_")[2] for line in reversed(lines) if "oidc_" in line), "no sign-in")

        try:
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            progress("discovery")
            begun = ask("/")
            if begun.status not in (302, 303):
                raise Refused("discovery", words())
            back = urllib.parse.urlsplit(progress("browser", begun.headers["Location"]))
            came = ask(back.path + "?" + back.query)
            if came.status not in (302, 303) or ask("/").status != 200:
                raise Refused("callback", words())
        finally:
            server.terminate()
            server.wait(10)


def query(address):
    """The parameters of a URL."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


LIBRARIES = {
    "authlib": authlib, "idpyoidc": idpyoidc, "pyoidc": oic, "social-auth-core": social,
    "mozilla-django-oidc": mozilla, "ruby-openid_connect": ruby, "mod_auth_openidc": apache,
}


def outcome(library, provider, asked):
    """"+" or the step of the failure, and its message."""
    step = ["discovery"]
    os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = provider["ca"]

    def progress(name, address=None):
        step[0] = name
        if address is None:
            return None
        back = browse(address, provider["redirect_uri"])
        step[0] = "callback"
        asked.paths.clear()
        return back

    try:
        library(provider, progress)
        return "+", ""
    except Refused as refusal:
        return refusal.step, str(refusal)
    except TimeoutError:
        return step[0], "no answer in time"
    except Exception as error:  # any exception of a library is a failed sign-in
        if os.environ.get("TRACE"):
            traceback.print_exc()
        name = asked.step(provider["metadata"]) if step[0] == "callback" else step[0]
        return name, f"{type(error).__name__}: {error}"


def main():
    warnings.simplefilter("ignore")
    library = LIBRARIES[sys.argv[1]]
    out, sys.stdout = sys.stdout, sys.stderr
    asked = Asked()

    def late(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    for line in sys.stdin:
        provider = json.loads(line)
        signal.alarm(SECONDS)
        try:
            result, words = outcome(library, provider, asked)
        except TimeoutError:
            result, words = "callback", "no answer in time"
        finally:
            signal.alarm(0)
        out.write(json.dumps({"outcome": result, "words": words[:300]}) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
