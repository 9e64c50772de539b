"""click_through.py PAGE SMALL_PAGE [PICTURES]: opens the page of a report of ten thousand records, and one of a few, and uses them.

Would catch: a page that needs the network, that is slow, that lists what a filter does not ask for, or that is wider
than the screen. With a folder PICTURES it leaves pictures for people there.
"""
import os
import sys

from browser import Browser

page, small_page = sys.argv[1:3]
pictures = sys.argv[3] if len(sys.argv) > 3 else None
most_seconds = 2.0
failures = []


def expect(is_right, what):
    if not is_right:
        failures.append(what)
        print("FAILED:", what)


def take(browser, name, whole=True):
    if pictures:
        os.makedirs(pictures, exist_ok=True)
        browser.picture(os.path.join(pictures, name + ".png"), whole)


def count(browser):
    listed, of, all_records = browser.evaluate("document.getElementById('count').textContent").split()
    return int(listed)


def choose(browser, control, value):
    browser.evaluate(f"(() => {{ const one = document.getElementById('{control}'); one.value = {value!r}; one.dispatchEvent(new Event('input')); }})()")


def click(browser, selector):
    """As a mouse does, at the middle of the element."""
    place = browser.evaluate(f"""(() => {{ const one = document.querySelector({selector!r}); one.scrollIntoView({{block: 'center'}});
        const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
    for kind in ("mousePressed", "mouseReleased"):
        browser.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)


def rows_say(browser, column):
    return browser.evaluate(f"[...document.querySelectorAll('#rows tr.row')].map(row => row.querySelector('[data-part={column}]').textContent)")


def is_painted(browser, selector):
    """Whether a canvas has anything on it."""
    return browser.evaluate(f"""(() => {{ const one = document.querySelector({selector!r}); if (!one || one.width === 0) return false;
        return one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some(byte => byte !== 0); }})()""")


def use_filters(browser):
    everything = count(browser)
    choose(browser, "outcome", "failed")
    failed = count(browser)
    expect(0 < failed < everything, f"the filter for failures lists {failed} of {everything}")
    expect(all("passed" != text for text in rows_say(browser, "state")), "passed records under the filter for failures")
    choose(browser, "mode", "forward")
    expect(all(text.startswith("forward: ") for text in rows_say(browser, "combination")), "other modes under the filter for forward mode")
    choose(browser, "outcome", "")
    choose(browser, "mode", "")
    choose(browser, "search", "kernel_07 reverse")
    expect(all("kernel_07" in text for text in rows_say(browser, "what")) and 0 < count(browser) < everything, "the search lists other functions")
    choose(browser, "search", "no such words")
    expect(count(browser) == 0, "a search for nothing finds something")
    choose(browser, "search", "")
    expect(count(browser) == everything, "the filters do not go away again")
    click(browser, "#records th button[data-key=ratio]")
    numbers = [float(text) for text in rows_say(browser, "ratio") if text not in ("", "inf", "NaN", "Infinity")]
    expect(numbers == sorted(numbers, reverse=True), "sorted by error: " + str(numbers[:8]))
    click(browser, "#records th button[data-key=rank]")
    click(browser, "#more")
    expect(browser.evaluate("document.querySelectorAll('#rows tr.row').length") == 400, "'show more' does not show more")


def use_matrix(browser):
    everything = count(browser)
    click(browser, "#matrix tbody tr:nth-child(1) td:nth-child(1) button")
    name = browser.evaluate("document.querySelector('#matrix tbody tr:nth-child(1) td:nth-child(1) button').textContent")
    of_function = count(browser)
    expect(0 < of_function < everything, f"the function's row lists {of_function}")
    expect(not browser.evaluate("document.getElementById('activities').hidden"), "the activities of the function do not show")
    squares = browser.evaluate("document.querySelectorAll('#activity-table button.cell').length")
    expect(squares == of_function, f"{squares} squares for the {of_function} combinations of {name}")
    browser.evaluate("document.getElementById('matrix-card').scrollIntoView()")
    expect("Not seen: the comparison at dot.c:7" in browser.evaluate("document.getElementById('unseen').textContent"), "what was not seen of the function")
    take(browser, "activities", whole=False)
    click(browser, "#activity-table button.cell.failed")
    expect(count(browser) == 1, "a square lists more than its record")
    expect(browser.evaluate("location.hash") == "" and browser.evaluate("document.querySelectorAll('tr.details').length") == 1, "its details do not open")
    while browser.evaluate("document.querySelector('#chosen button') !== null"):
        click(browser, "#chosen button")
    expect(count(browser) == everything, "what was chosen does not go away again")
    click(browser, "#matrix thead tr:last-child th:nth-child(3) button")
    variant = browser.evaluate("document.querySelector('#matrix thead tr:last-child th:nth-child(3) button').ariaLabel")
    expect(0 < count(browser) < everything, f"the column {variant} lists {count(browser)}")
    click(browser, "#matrix thead tr:last-child th:nth-child(3) button")
    click(browser, "#matrix tbody tr:nth-child(1) button.cells")
    expect(0 < count(browser) <= of_function, "a cell lists other records than its own")
    click(browser, "#matrix tbody tr:nth-child(1) button.cells")
    expect(count(browser) == everything, "the cell's choice does not go away again")


def use_details(browser):
    choose(browser, "outcome", "failed")
    click(browser, "#rows tr.row [data-part=what]")
    details = "#rows tr.details "
    text = browser.evaluate(f"document.querySelector('{details}').innerText")
    for part in ("assay check", "Inputs, shrunk as far as it still fails", "x = {0.1", "times the function's", "3 digits lost", "second oracle",
                 "the comparison at dot.c:7", "Taylor remainder", "reverse is the odd one", "The last nights"):
        expect(part in text, f"the details of a failure lack '{part}'")
    for plot in ("steps", "taylor"):
        expect(is_painted(browser, details + f"[data-part={plot}]"), f"the plot '{plot}' is empty")
    expect(browser.evaluate(f"document.querySelectorAll('{details}.strip i').length") == 12, "the nights of the case do not show")
    browser.evaluate(f"document.querySelector('{details}').scrollIntoView()")
    take(browser, "details", whole=False)
    browser.evaluate("document.querySelector('#rows tr.row').focus()")
    for kind in ("keyDown", "keyUp"):
        browser.ask("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13)
    expect(browser.evaluate("document.querySelectorAll('tr.details').length") == 0, "Enter does not close the details")
    choose(browser, "outcome", "")


def use_rest(browser):
    for plot in ("#nights", "#distribution"):
        expect(is_painted(browser, plot), f"the plot {plot} is empty")
    options = browser.evaluate("[...document.querySelectorAll('#measure option')].map(one => one.textContent)")
    expect(options == ["error / tolerance", "relative error", "error in ULP", "oracle against oracle", "digits lost", "Taylor slope", "gradient / primal"], f"measures: {options}")
    for option in options:
        choose(browser, "measure", option)
        expect(is_painted(browser, "#distribution") and not browser.evaluate("document.getElementById('measure-note').textContent").count(" 0 of"), f"nothing of {option}")
    for change in ("newly failing", "slower", "less accurate", "failing before, too"):
        everything = count(browser)
        click(browser, f"button[data-change='{change}']")
        expect(0 < count(browser) < everything, f"nothing is {change}")
        click(browser, f"button[data-change='{change}']")
        expect(count(browser) == everything, f"'{change}' does not go away again")


def main():
    with Browser() as browser:
        seconds = browser.open(page)
        for _ in range(9):  # Other work on the machine takes its part.
            if seconds >= most_seconds / 2:
                seconds = min(seconds, browser.open(page))
        records = browser.evaluate("records.length")
        print(f"{records} records, {os.path.getsize(page) / 1e6:.1f} MB, open in {seconds:.2f} s")
        expect(records == 10000, f"{records} records")
        expect(seconds < most_seconds, f"{seconds:.2f} s until the page is there")
        expect(browser.requests == [browser.evaluate("location.href")] or all(url.startswith("data:") for url in browser.requests[1:]),
               f"the page asks for {browser.requests[1:]}")
        use_filters(browser)
        use_matrix(browser)
        use_details(browser)
        use_rest(browser)
        for file, name in ((page, "large"), (small_page, "small")):
            for width in (400, 1280):
                for dark in (False, True):
                    browser.open(file, width=width, dark=dark)
                    wide = browser.evaluate("document.documentElement.scrollWidth")
                    expect(wide <= width, f"{name} page: {wide} pixels wide on a screen of {width}")
                    background = browser.evaluate("getComputedStyle(document.body).backgroundColor")
                    expect((sum(int(part) for part in background[4:-1].split(",")) < 380) == dark, f"background {background}, dark: {dark}")
                    take(browser, f"{name}-{width}-{'dark' if dark else 'light'}", whole=name == "small")
                    click(browser, "#rows tr.row [data-part=state]")
                    wide = browser.evaluate("document.documentElement.scrollWidth")
                    expect(wide <= width, f"{name} page with details: {wide} pixels wide on a screen of {width}")
                    if name == "small":
                        take(browser, f"{name}-open-{width}-{'dark' if dark else 'light'}")
        failed = browser.evaluate("records.findIndex(record => record.outcome === 'failed')") + 1
        browser.ask("Page.navigate", url="about:blank")
        browser.open(page + f"#record-{failed}")
        expect(count(browser) == 1 and browser.evaluate("document.querySelectorAll('tr.details').length") == 1, "the link of a record opens something else")
        use_details_in_dark(browser)
        expect(not browser.troubles, f"scripts: {browser.troubles[:3]}")
    sys.exit(1 if failures else 0)


def use_details_in_dark(browser):
    """Plots are drawn again in the colours of the dark page."""
    pixels = "document.querySelector('[data-part=steps]').toDataURL()"
    light = browser.evaluate(pixels)
    browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.evaluate("new Promise(done => setTimeout(done, 200))")
    expect(browser.evaluate(pixels) != light, "plots keep the colours of the light page")


main()
