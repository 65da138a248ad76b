"""A headless Chromium that a test drives: opens pages, types, clicks, and tells what is on them."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request


def missing():
    """-> why no browser can be driven here, or None"""
    if not shutil.which("chromedriver") or not (shutil.which("chromium") or shutil.which("google-chrome")):
        return "there is no Chromium with its driver"
    return None


class Browser:
    """A headless Chromium: https://www.w3.org/TR/webdriver2."""

    def __init__(self, width=1280, height=900):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.home = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.home))
        self.base, self.session = f"http://127.0.0.1:{port}", None
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--window-size={width},{height}", f"--user-data-dir={self.home}/profile"]
        for _ in range(100):
            try:
                self.ask("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"args": arguments}}}})["sessionId"]

    def ask(self, method, path, data=None):
        request = urllib.request.Request(self.base + path, method=method, headers={"Content-Type": "application/json"},
                                         data=None if data is None else json.dumps(data).encode())
        return json.load(urllib.request.urlopen(request, timeout=120))["value"]

    def call(self, method, path, data=None):
        return self.ask(method, f"/session/{self.session}{path}", data)

    def open(self, address):
        self.call("POST", "/url", {"url": address})
        for _ in range(300):
            if self.script("return document.documentElement.getAttribute('data-ready')") == "yes":
                return
            time.sleep(0.1)
        raise AssertionError(f"the page never became ready: {self.log('browser')}")

    def script(self, text):
        return self.call("POST", "/execute/sync", {"script": text, "args": []})

    def until(self, text):
        """Waits until a script's result is true -> that; what is there after 10 s"""
        for _ in range(100):
            got = self.script(text)
            if got:
                break
            time.sleep(0.1)
        return got

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def keys(self, *keys):
        actions = [{"type": kind, "value": k} for k in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "k", "actions": actions}]})

    def drag(self, element, x0, y0, x1, y1):
        at = {k: self.script(f"return document.getElementById('{element}').getBoundingClientRect().{k}")
              for k in ("left", "top")}
        point = lambda x, y: {"type": "pointerMove", "x": int(at["left"] + x), "y": int(at["top"] + y)}
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "p", "actions": [
            point(x0, y0), {"type": "pointerDown", "button": 0}, point(x1, y1), {"type": "pointerUp", "button": 0}]}]})

    def print(self):
        """-> the number of pages, and the bytes, of a PDF of what is shown"""
        paper = base64.b64decode(self.call("POST", "/print", {"orientation": "landscape", "background": True}))
        return paper.count(b"/Type /Page\n"), paper

    def picture(self):
        return base64.b64decode(self.call("GET", "/screenshot"))

    def end(self):
        try:
            if self.session:
                self.ask("DELETE", f"/session/{self.session}")
        finally:
            self.driver.kill()
            self.driver.wait()
            shutil.rmtree(self.home, ignore_errors=True)
