"""Drives a headless Chromium over its pipe: pages are opened, scripts run in them, pictures taken."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="assay-browser-")
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()

        def connect():  # Chromium reads from 3 and writes to 4.
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--user-data-dir=" + self.profile],
            close_fds=False, preexec_fn=connect, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.pending, self.number, self.requests, self.troubles = b"", 0, [], []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def read(self):
        while b"\0" not in self.pending:
            more = os.read(self.back, 1 << 20)
            if not more:
                raise RuntimeError("Chromium has ended")
            self.pending += more
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        """Requests that a page makes, and what goes wrong in its scripts."""
        parameters = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.troubles.append(parameters["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.troubles.append(parameters["entry"]["text"])

    def evaluate(self, script):
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']['exception']['description']}")
        return result["result"].get("value")

    def open(self, file, width=1280, height=900, dark=False):
        """Gives the seconds until the page's scripts are done."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.requests = []
        self.ask("Page.navigate", url="about:blank")
        begin = time.monotonic()
        self.ask("Page.navigate", url="file://" + os.path.abspath(file))
        while not self.evaluate("document.documentElement && document.documentElement.dataset.ready || ''"):
            if time.monotonic() - begin > 60:
                raise RuntimeError(f"{file}: the scripts of the page do not end")
            time.sleep(0.005)
        # Until it is on the screen.
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return time.monotonic() - begin

    def picture(self, file, whole=True):
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                        **({"clip": {**self.size(), "x": 0, "y": 0, "scale": 1}} if whole else {}))
        with open(file, "wb") as stream:
            stream.write(base64.b64decode(shot["data"]))

    def size(self):
        return self.evaluate("({width: document.documentElement.clientWidth, height: Math.min(6000, document.documentElement.scrollHeight)})")
