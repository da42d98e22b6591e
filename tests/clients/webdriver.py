"""A headless Chromium, driven through chromedriver: the W3C WebDriver protocol, as much of it as the
tests of pages need. Nothing but the standard library."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
        "Home": "\ue011", "End": "\ue010", "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE_S = 60


class Missing(Exception):
    """There is no browser here."""


def find_program(*names):
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise Missing(f"{' or '.join(names)} is not installed")


class Browser:
    """Use as a context: the browser ends with it."""

    def __init__(self):
        self.chromium = find_program("chromium", "chromium-browser", "google-chrome")
        self.program = find_program("chromedriver", "chromium.chromedriver")
        self.session = None
        self.driver = None
        self.folder = None

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Settings of whoever runs this are neither read nor written.
        environment = dict(os.environ, HOME=self.folder.name, XDG_CONFIG_HOME=self.folder.name,
                           XDG_CACHE_HOME=self.folder.name)
        self.log = open(os.path.join(self.folder.name, "driver.log"), "w+", encoding="utf-8")
        self.driver = subprocess.Popen([self.program, "--port=0"], stdin=subprocess.DEVNULL,
                                       stdout=self.log, stderr=self.log, env=environment)
        try:
            self.address = self.wait_for_driver()
            arguments = ["--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                         "--disable-background-networking", "--disable-component-update",
                         f"--user-data-dir={self.folder.name}/profile"]
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": self.chromium, "args": arguments}}}})
            self.session = answer["sessionId"]
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.command("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.log.close()
            self.folder.cleanup()

    def wait_for_driver(self):
        """The driver picks a free port and says which."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with open(self.log.name, encoding="utf-8") as log:
                found = re.search(r"started successfully on port (\d+)", log.read())
            if found:
                return f"http://127.0.0.1:{found[1]}"
            if self.driver.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError("chromedriver does not start")

    def ask(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=2 * PATIENCE_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:600]}") from None

    def command(self, method, path, body=None):
        return self.ask(method, f"/session/{self.session}{path}", body)

    def cdp(self, name, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, url):
        self.command("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The value of a script's `return`."""
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, what):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"waited in vain for {what}")

    def find(self, selector):
        return self.command("POST", "/element",
                            {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.command("POST", f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        self.command("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Keys by name, to whatever has the focus."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.command("POST", "/actions",
                     {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def drag(self, start, end):
        """With the mouse, between points of the window."""
        point = {"type": "pointerMove", "duration": 0, "origin": "viewport"}
        halfway = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        actions = [dict(point, x=round(start[0]), y=round(start[1])),
                   {"type": "pointerDown", "button": 0},
                   dict(point, x=round(halfway[0]), y=round(halfway[1])),
                   dict(point, x=round(end[0]), y=round(end[1])),
                   {"type": "pointerUp", "button": 0}]
        self.command("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
             "actions": actions}]})

    def resize(self, width, height, scale=1, dark=False):
        """The size of the page itself, as a phone has it."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=scale, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def complaints(self):
        """What the browser wrote to its console since it was asked last."""
        return [entry["message"] for entry in self.command("POST", "/se/log", {"type": "browser"})]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.command("GET", "/screenshot")))
