"""Signs in by hand, as a user does: opens an address, fills the fields, and ends where a browser would.

    sign_in_by_hand.py CA-FILE|- ADDRESS USER-NAME PASSWORD

A page without a form is treated as Glewlwyd's, whose script signs in by requests; these are sent instead.

At a redirect URI on loopback it does as a browser: it goes there, posts a form, hands a fragment over as the page's script would, and
prints what the page says then. For every other redirect URI it prints the address, or "form" where the response is one.
"""
import html.parser
import http.cookiejar
import json
import re
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request


class Page(html.parser.HTMLParser):
    """The forms of a page: address, method, fields with their types, and buttons with their words."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.button = [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append({"action": attributes.get("action", ""), "fields": [], "buttons": []})
        if not self.forms:
            return
        form, kind = self.forms[-1], attributes.get("type", "text" if tag == "input" else "submit").lower()
        if tag == "button" or tag == "input" and kind in ("submit", "image"):
            self.button = [attributes.get("name", ""), attributes.get("value", ""), attributes.get("value", "")]
            form["buttons"].append(self.button)
        elif tag == "input":
            form["fields"].append((attributes.get("name", ""), kind, attributes.get("value", ""), "checked" in attributes))

    def handle_data(self, data):
        if self.button:
            self.button[2] += data

    def handle_endtag(self, tag):
        if tag == "button":
            self.button = None


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


authorities, address, username, password = sys.argv[1:5]
context = ssl.create_default_context(cafile=None if authorities == "-" else authorities)
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), Stay, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
    urllib.request.HTTPSHandler(context=context),
)
redirect_uri = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["redirect_uri"][0]


def ask(address, body=None, page=None):
    # Django takes a form over https from its own pages only, which it knows by the Referer.
    request = urllib.request.Request(address.split("#")[0], body, {"Referer": page} if page else {})
    try:
        return opener.open(request)
    except urllib.error.HTTPError as error:
        return error


def is_end(address):
    return address.split("?")[0].split("#")[0] == redirect_uri.split("?")[0]


def end(address, body=None):
    """At the redirect URI."""
    place = urllib.parse.urlsplit(address)
    if place.scheme != "http" or place.hostname not in ("127.0.0.1", "::1", "localhost"):
        sys.exit(print("form" if body else address))
    text = ask(address, body).read().decode()
    if over := re.search(r"fetch\('([^']+)'", text):
        to = urllib.parse.urljoin(address, over[1])
        text = ask(to, ("#" + place.fragment if place.fragment else "").encode()).read().decode()
    sys.exit(print(text))


def values(form):
    """The values that a user sends with the form."""
    sent, yes = [], re.compile(r"\b(accept|allow|yes|authori[sz]e|continue|sign in|log ?in|next|consent)\b", re.I)
    for name, kind, value, checked in form["fields"]:
        if not name or kind in ("checkbox", "radio") and not checked:
            continue
        if kind == "password":
            value = password
        elif kind in ("text", "email") and not value:
            value = username
        sent.append((name, value))
    buttons = sorted(form["buttons"], key=lambda button: not yes.search(button[2]))
    return sent + [tuple(button[:2]) for button in buttons[:1] if button[0]]


def by_script(address):
    """The requests of the script of Glewlwyd's page at sign-in and consent; returns the address that follows."""
    query = {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlsplit(address).query).items()}
    if "callback_url" not in query:
        sys.exit(f"a page without a form at {address}")
    for method, path, value in [
        ("POST", "/api/auth/", {"username": username, "password": password}),
        ("PUT", f"/api/auth/grant/{query['client_id']}/", {"scope": query["scope"]}),
    ]:
        request = urllib.request.Request(
            urllib.parse.urljoin(address, path), json.dumps(value).encode(), {"Content-Type": "application/json"}, method=method
        )
        opener.open(request)
    return urllib.parse.urljoin(address, query["callback_url"] + "&g_continue")


body, page = None, None
for _ in range(20):
    answer, page = ask(address, body, page), address
    if place := answer.headers.get("Location"):
        address, body = urllib.parse.urljoin(address, place), None
        if is_end(address):
            end(address)
        continue
    forms = Page(answer.read().decode()).forms
    if not forms:
        address, body = by_script(address), None
        continue
    # A sign-in before a consent, and both before a search.
    form = max(forms, key=lambda form: (any(field[1] == "password" for field in form["fields"]), bool(values(form))))
    address, body = urllib.parse.urljoin(address, form["action"]), urllib.parse.urlencode(values(form)).encode()
    if is_end(address):
        end(address, body)
sys.exit("no end in twenty pages")
