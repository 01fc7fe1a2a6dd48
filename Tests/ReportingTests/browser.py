"""A headless browser, driven by the WebDriver protocol with chromium and chromedriver of the system.

    with Browser() as page:
        page.open("/tmp/report.html", width=360, height=740, theme="dark")
        page.run("return document.title")
"""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, scripts=True):
        self.folder = tempfile.mkdtemp(prefix="oidc-preflight-browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "HOME": self.folder},
        )
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.address = f"http://127.0.0.1:{found.group(1)}"
                break
        else:
            raise RuntimeError("chromedriver did not start")
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", f"--user-data-dir={self.folder}/profile",
        ]
        options = {"args": arguments}
        if not scripts:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        capabilities = {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
        }
        self.session = ""
        value = self.send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}}, whole=True)
        self.session = "/session/" + value["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, path, body=None, whole=False):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + self.session + path, data, {"Content-Type": "application/json"}, method=method
        )
        # No proxy stands between this machine and itself.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:1000]) from error

    def command(self, name, **parameters):
        """A command of the developer tools' protocol."""
        return self.send("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, file, width=1280, height=900, theme="light"):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.send("POST", "/url", {"url": "about:blank"})
        self.send("POST", "/url", {"url": pathlib.Path(file).resolve().as_uri()})

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        """Runs a script that calls its last argument when it is done."""
        return self.send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def inject(self, source):
        """Runs a script outside the page's policy, as an extension does."""
        self.command("Runtime.evaluate", expression=source)

    def press(self, *keys):
        actions = [action for key in keys for action in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, selector):
        element = self.send("POST", "/element", {"using": "css selector", "value": selector})
        self.send("POST", f"/element/{element[ELEMENT]}/click", {})

    def complaints(self):
        """The console messages of the browser: violations of the page's policy, and script errors."""
        return [entry["message"] for entry in self.send("POST", "/se/log", {"type": "browser"})]

    def picture(self, file, whole=True):
        size = self.run("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": min(size[1], 12000), "scale": 1}
        options = {"format": "png", "captureBeyondViewport": True, **({"clip": clip} if whole else {})}
        pathlib.Path(file).write_bytes(base64.b64decode(self.command("Page.captureScreenshot", **options)["data"]))

    def paper(self, file):
        answer = self.command("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)
        pathlib.Path(file).write_bytes(base64.b64decode(answer["data"]))
