"""Opens HTML pages in Chromium, and says what is wrong with them.

    pages.py PAGE...

Every page is opened on a phone and on a desk (360 and 1280 pixels), light, dark and printed, and printed on A4 (718 pixels
between the margins). It must write no message to the console, make no request, have only the elements and attributes that
reports write, keep every element inside the window, and give every text a contrast that WCAG 2.2 AA accepts (1.4.3). Each fault
is a line on standard output. The exit code is 1 if there are faults.

Chromium is driven by the DevTools protocol over pipes. It ends when they close, so it never outlives this script.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VIEWS = [(width, medium, scheme) for width in (360, 718, 1280) for medium in ("screen", "print") for scheme in ("light", "dark")
         if width != 718 or medium == "print"]
SECONDS = 1800

# Runs in the page. DevTools may run scripts even if the page's policy forbids them.
CHECK = r"""
(() => {
  const faults = [], width = window.innerWidth, allowed = {
    elements: new Set(('html head meta title style body main header footer section article div details summary h1 h2 h3 h4 p ul li ' +
      'dl dt dd pre table thead tbody tr th td a span strong code bdi').split(' ')),
    attributes: new Set('charset http-equiv content name lang class data-column colspan scope id href rel aria-hidden open'.split(' ')),
  };
  const name = e => e.tagName.toLowerCase() + (e.className ? '.' + e.className : '') + ' ' + JSON.stringify((e.textContent || '').trim().slice(0, 40));
  const channels = text => {
    const match = text.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/);
    if (!match) throw new Error('colour ' + text);
    return [+match[1], +match[2], +match[3], match[4] === undefined ? 1 : +match[4]];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const over = (top, bottom) => [0, 1, 2].map(i => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
  const background = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(channels(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const contrast = (element, style, words) => {
    const back = background(element), [a, b] = [luminance(over(channels(style.color), back)), luminance(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    if (ratio < (isLarge ? 3 : 4.5)) faults.push('contrast ' + ratio.toFixed(2) + ': ' + words);
  };
  document.querySelectorAll('details').forEach(e => { e.open = true; });
  if (document.documentElement.scrollWidth > width) faults.push('the page is ' + document.documentElement.scrollWidth + ' pixels wide');
  for (const element of document.querySelectorAll('*')) {
    if (!allowed.elements.has(element.localName)) faults.push('element ' + name(element));
    for (const attribute of element.attributes)
      if (!allowed.attributes.has(attribute.name)) faults.push('attribute ' + attribute.name + ' of ' + name(element));
    if (element.hasAttribute('href') && !/^(https:\/\/|#part-\d+$)/.test(element.getAttribute('href'))) faults.push('link ' + name(element));
    if (!document.body.contains(element)) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (box.width && box.height && (box.left < -0.5 || box.right > width + 0.5)) faults.push('outside the window: ' + name(element));
    if (style.opacity !== '1' || style.filter !== 'none' || style.backgroundImage !== 'none') faults.push('contrast is not known: ' + name(element));
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) contrast(element, style, name(element));
    for (const part of ['::before', '::after', '::marker']) {
      const own = getComputedStyle(element, part);
      if (own.content !== 'none' && own.content !== 'normal' || part === '::marker' && style.display === 'list-item')
        contrast(element, own, name(element) + part);
    }
  }
  return [...new Set(faults)];
})()
"""


class Browser:
    """A Chromium with one window."""

    def __init__(self, profile):
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()

        def connect():
            # High numbers first, so that neither pipe is overwritten by the other.
            commands, answers = os.dup(read_commands), os.dup(write_answers)
            while commands < 5 or answers < 5:
                commands, answers = os.dup(commands), os.dup(answers)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen(
            ["/usr/bin/chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--disable-breakpad",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe", f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            start_new_session=True, preexec_fn=connect, env={**os.environ, "HOME": profile})
        os.close(read_commands)
        os.close(write_answers)
        self.deadline = time.monotonic() + SECONDS
        self.pending, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(f"{domain}.enable")

    def receive(self):
        """The next message of Chromium."""
        while b"\0" not in self.pending:
            rest = self.deadline - time.monotonic()
            if rest <= 0 or not select.select([self.answers], [], [], rest)[0]:
                sys.exit("pages.py: Chromium does not answer")
            part = os.read(self.answers, 1 << 16)
            if not part:
                sys.exit("pages.py: Chromium has ended")
            self.pending += part
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """Calls a method, and notes the events that come before its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                sys.exit(f"pages.py: {method}: {answer['error']}")
            else:
                return answer["result"]

    def open(self, url):
        """Opens a page, and waits until it is loaded."""
        self.events = []
        frame = self.call("Page.navigate", url=url)
        if "errorText" in frame:
            sys.exit(f"pages.py: {url}: {frame['errorText']}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def noise(self, url):
        """What the page did that it must not do."""
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded"):
                yield f"{method}: {json.dumps(parameters)[:300]}"
            elif method == "Network.requestWillBeSent" and parameters["request"]["url"] != url:
                yield f"request: {parameters['request']['url'][:200]}"

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def faults(browser, page):
    url = Path(page).resolve().as_uri()
    for width, medium, scheme in VIEWS:
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
        browser.call("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.open(url)
        result = browser.call("Runtime.evaluate", expression=CHECK, returnByValue=True)
        found = [str(result["exceptionDetails"])] if "exceptionDetails" in result else result["result"]["value"]
        for fault in found + list(browser.noise(url)):
            yield f"{page}: {width} pixels, {medium}, {scheme}: {fault}"


profile = tempfile.mkdtemp(prefix="pages-")
browser, lines = None, []
try:
    browser = Browser(profile)
    for page in sys.argv[1:]:
        browser.deadline = time.monotonic() + SECONDS
        lines += faults(browser, page)
finally:
    if browser:
        browser.end()
    shutil.rmtree(profile, ignore_errors=True)
print("\n".join(lines[:200]) if lines else f"{len(sys.argv) - 1} pages are as they should be")
sys.exit(1 if lines else 0)
