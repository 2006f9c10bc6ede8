"""A headless Chromium, steered over the pipe of its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from select import select
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
PATIENCE: Final = 60.0
"""Seconds to wait for an answer on a busy machine."""

PHONE: Final = 500
"""A window narrower than this is one of a phone, with a touch screen."""

_LAUNCHER: Final = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); "
    "os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)
"""The browser reads commands from its descriptor 3 and answers to 4."""

FLAGS: Final = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic "
    "--disable-dev-shm-usage --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars "
    "--remote-debugging-pipe"
)


def find_chromium() -> str | None:
    """Return the path of a Chromium, or ``None`` where there is none.

    Windows hands no descriptors on.
    """
    if os.name == "nt":
        return None
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One tab of a running browser, and what its console has said."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests, self._answers = requests, answers
        self._rest = b""
        self._count = 0
        self._session: str | None = None
        self.errors: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")
        attached = self.send(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command and return its result."""
        self._count += 1
        message: dict[str, Any] = {
            "id": self._count,
            "method": method,
            "params": params,
        }
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._requests, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])

    def _receive(self) -> dict[str, Any]:
        """Return the next message, noting what belongs to the console."""
        while b"\0" not in self._rest:
            if not select([self._answers], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self._answers, 1 << 20)
            if not chunk:
                raise ConnectionError("the browser has ended")
            self._rest += chunk
        text, _, self._rest = self._rest.partition(b"\0")
        message = dict(json.loads(text))
        told = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(told["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if told["type"] != "log":
                self.errors.append(json.dumps(told["args"]))
            case "Log.entryAdded":
                self.errors.append(json.dumps(told["entry"]))
            case "Network.requestWillBeSent":
                address = told["request"]["url"]
                if not address.startswith(("file:", "data:")):
                    self.errors.append(f"a request of {address}")
        return message

    def open(
        self,
        file: Path,
        width: int = 1280,
        height: int = 800,
        scheme: str = "light",
    ) -> None:
        """Load a file in a window of some size, and wait for its picture."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < PHONE,
        )
        self.send(
            "Emulation.setTouchEmulationEnabled",
            enabled=width < PHONE,
            maxTouchPoints=2,
        )
        self.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self.send("Page.navigate", url=file.as_uri())
        self.run(
            "new Promise(done => { if (document.readyState === 'complete') "
            "done(); else addEventListener('load', done); })"
        )
        self.settle()

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        answer = self.send(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def settle(self) -> None:
        """Wait until two frames have been drawn."""
        self.run(
            "new Promise(done => requestAnimationFrame("
            "() => requestAnimationFrame(done)))"
        )

    def mouse(self, kind: str, x: float, y: float, **more: object) -> None:
        """Send one event of the mouse: mouseMoved, mousePressed, ..."""
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        """Press and release the left button."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.settle()

    def touch(self, kind: str, *places: tuple[float, float]) -> None:
        """Send one event of some fingers: touchStart, touchMove, ..."""
        self.send(
            "Input.dispatchTouchEvent",
            type=kind,
            touchPoints=[
                {"x": x, "y": y, "id": number}
                for number, (x, y) in enumerate(places)
            ],
        )

    def type_text(self, text: str) -> None:
        """Write into the focused field."""
        self.send("Input.insertText", text=text)
        self.settle()

    def press(self, key: str) -> None:
        """Press a key by its name in the page."""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key)
        self.settle()

    def shoot(self, file: Path) -> None:
        """Write a screenshot (PNG)."""
        shot = self.send("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def start_browser(folder: Path) -> Iterator[Page]:
    """Start a browser with a profile of its own, and end it."""
    program = find_chromium()
    if program is None:
        raise FileNotFoundError("no Chromium")
    (commands, requests), (answers, replies) = os.pipe(), os.pipe()
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", _LAUNCHER, f"{commands}", f"{replies}"),
            *(
                program,
                *FLAGS.split(),
                f"--user-data-dir={folder / 'profile'}",
            ),
        ],
        pass_fds=(commands, replies),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(commands)
    os.close(replies)
    try:
        yield Page(requests, answers)
    finally:
        os.close(requests)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(answers)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Give a tab of a Chromium; skips where there is none."""
    if find_chromium() is None:
        pytest.skip(f"no Chromium found: {', '.join(NAMES)}")
    with start_browser(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """Give the tab; its console must stay silent, and the network too."""
    browser.errors.clear()
    yield browser
    assert browser.errors == []
