"""Signs a user in at the reference provider, as a browser does, and prints the code in the redirect.

    sign_in.py CA-FILE ADDRESS USER-NAME PASSWORD
"""
import html.parser
import http.cookiejar
import ssl
import sys
import urllib.parse
import urllib.request


class Form(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.action, self.fields = None, {}

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.action = attributes.get("action", "")
        if tag in ("input", "button") and attributes.get("name"):
            self.fields.setdefault(attributes["name"], attributes.get("value", ""))


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


authorities, address, username, password = sys.argv[1:]
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), Stay, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
    urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=authorities)),
)
origin = urllib.parse.urlsplit(address).netloc
body = None
for _ in range(10):
    try:
        answer = opener.open(urllib.request.Request(address, body))
    except urllib.error.HTTPError as error:
        answer = error
    place = answer.headers.get("Location")
    if place:
        address, body = urllib.parse.urljoin(address, place), None
        if urllib.parse.urlsplit(address).netloc != origin:
            break
        continue
    form = Form()
    form.feed(answer.read().decode())
    values = {**form.fields, **{name: value for name, value in (("username", username), ("password", password)) if name in form.fields}}
    address, body = urllib.parse.urljoin(address, form.action), urllib.parse.urlencode(values).encode()
print(urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["code"][0])
