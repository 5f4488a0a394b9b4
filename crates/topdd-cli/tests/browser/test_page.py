"""The page of `topdd configure --web` in a headless Chromium. `.ci/run web` runs these tests.

TOPDD is the command; pictures of the page are written into the folder SCREENSHOTS.
"""

import os
import subprocess
import time
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

TOPDD = os.environ["TOPDD"]
SCREENSHOTS = Path(os.environ["SCREENSHOTS"])


@pytest.fixture(scope="session")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ["CHROMIUM"]
    # A container has no sandbox of its own, and little shared memory.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,800"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option(
        "prefs", {"download.default_directory": str(SCREENSHOTS.resolve())}
    )
    service = webdriver.ChromeService(os.environ["CHROMEDRIVER"])
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


class Page:
    """A page on a running server. `limit` is a command of the shell that runs before it."""

    def __init__(self, driver, *args, limit=None):
        words = [TOPDD, "configure", *args, "--web"]
        if limit is not None:
            words = ["sh", "-c", f'{limit}; exec "$0" "$@"', *words]
        self.driver = driver
        self.server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.address = self.server.stdout.readline().strip()
        self.load(self.address)

    def load(self, address):
        # Another fragment alone would not load the page again.
        self.driver.get("about:blank")
        self.driver.get(address)

    def open(self, address):
        self.load(address)
        self.is_ready()

    def is_ready(self):
        """Waits until the diagram is built, and the map is fitted."""
        self.wait(lambda: self.text("left") != "")
        self.is_fitted()
        return self

    def is_fitted(self):
        """Waits until the map is fitted to the bar: each fit is in the frame after the change of a size."""
        self.driver.execute_async_script(
            """const [done] = arguments;
            const wait = (frames) => (frames ? requestAnimationFrame(() => wait(frames - 1)) : done());
            wait(4)"""
        )

    def wait(self, holds):
        """Waits until a condition holds."""
        WebDriverWait(self.driver, 10, 0.02).until(lambda _: holds())

    def text(self, element):
        return self.driver.find_element(By.ID, element).text

    def left(self):
        return self.text("left").split(" ")[0]

    def cell(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f'[data-name="{name}"]')

    def status(self, name):
        return self.cell(name).get_attribute("aria-label").split(": ")[1]

    def settle(self, act):
        """Acts, and waits until no action is open."""
        act()
        self.driver.execute_async_script("const done = arguments[0]; actions(() => {}).then(() => done())")

    def point(self, element):
        """Clicks on an element, which the bar at the top must not cover."""
        self.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def click(self, name):
        self.settle(lambda: self.point(self.cell(name)))

    def press(self, button):
        self.settle(lambda: self.point(self.element("#" + button)))

    def key(self, keys):
        self.settle(lambda: self.driver.switch_to.active_element.send_keys(keys))

    def decisions(self):
        # At once, as the list may be drawn again meanwhile.
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#decisions li')].map((item) => item.firstChild.textContent)"
        )

    def element(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def view(self, button, status, text):
        """Presses a button, and waits for a text in the status of a view."""
        self.point(self.element("#" + button))
        self.wait(lambda: text in self.text(status))

    def picture(self, name):
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))

    def close(self):
        self.server.terminate()
        self.server.wait()


@pytest.fixture
def page(browser):
    pages = []

    def make(*args, is_built=True, limit=None):
        pages.append(Page(browser, *args, limit=limit))
        return pages[-1].is_ready() if is_built else pages[-1]

    yield make
    # A page may ask a server that has just ended.
    ended = tuple(made.address for made in pages if made.server.poll() is not None)
    errors = [
        line
        for line in browser.get_log("browser")
        if line["level"] == "SEVERE" and not (line["source"] == "network" and line["message"].startswith(ended))
    ]
    for made in pages:
        made.close()
    assert errors == []


def test_clicks_choose_forbid_and_free(page):
    board = page("queens", "8")
    assert board.text("left") == "92 of 92 solutions left"
    board.click("a1")
    assert (board.left(), board.status("a1"), board.status("b2")) == ("4", "chosen", "impossible")
    board.picture("chosen")
    board.click("a1")
    assert (board.left(), board.status("a1")) == ("88", "forbidden")
    board.click("a1")
    assert (board.left(), board.status("a1")) == ("92", "free")


def test_why_and_take_it_anyway(page):
    board = page("queens", "8")
    board.click("a1")
    board.click("b2")
    assert board.text("said") == "no queen can stand on b2, because of: queen on a1"
    assert "reason" in board.cell("a1").get_attribute("class")
    board.picture("why")
    board.press("anyway")
    assert "takes back queen on a1" in board.text("said")
    assert board.decisions() == ["queen on a1"]
    board.press("anyway")
    assert board.decisions() == ["queen on b2"]
    # Once more does not turn it round.
    board.press("anyway")
    assert (board.decisions(), board.text("said")) == (["queen on b2"], "decided already: queen on b2")
    board.press("undo")
    assert (board.decisions(), board.text("said")) == (["queen on a1"], "undone")
    board.press("redo")
    assert (board.decisions(), board.text("said")) == (["queen on b2"], "redone")


def test_eight_queens_by_the_keyboard_alone(page):
    board = page("queens", "8")
    body = board.driver.find_element(By.TAG_NAME, "body")
    board.driver.execute_script("focus()")
    # From a8: to c8, and then to the first free square of the next rows.
    body.send_keys(Keys.HOME)
    for _ in range(2):
        board.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    board.key(Keys.ENTER)
    assert board.status("c8") == "chosen"
    while board.left() != "1":
        free = board.driver.find_element(By.CSS_SELECTOR, '#table .cell[data-status="."]')
        free_name = free.get_attribute("data-name")
        here = board.driver.switch_to.active_element.get_attribute("data-name")
        columns, rows = ord(free_name[0]) - ord(here[0]), int(here[1]) - int(free_name[1])
        for key, count in ((Keys.ARROW_RIGHT, columns), (Keys.ARROW_LEFT, -columns),
                           (Keys.ARROW_DOWN, rows), (Keys.ARROW_UP, -rows)):
            for _ in range(max(count, 0)):
                board.driver.switch_to.active_element.send_keys(key)
        assert board.driver.switch_to.active_element.get_attribute("data-name") == free_name
        board.key(Keys.ENTER)
        assert board.status(free_name) == "chosen"
    statuses = [cell.get_attribute("data-status") for cell in board.driver.find_elements(By.CSS_SELECTOR, "#table .cell")]
    assert len([status for status in statuses if status in "cf"]) == 8
    board.picture("solved")
    board.key("x")
    board.key("u")
    board.key("c")
    assert board.left() == "92"


def test_the_address_keeps_the_decisions(page):
    board = page("queens", "8")
    board.click("d1")
    board.click("b2")
    address = board.driver.current_url
    assert address.endswith("#choose%20d1,choose%20b2")
    board.driver.refresh()
    board.wait(lambda: board.decisions() == ["queen on d1", "queen on b2"])
    board.open(board.address + "#choose%20a1,choose%20a2")
    assert board.text("said") == "Not possible here, and left out of the address: choose a2"
    assert board.decisions() == ["queen on a1"]
    # Only decisions are taken from an address, and those of a larger board are left out.
    board.open(board.address + "#sing%20a1,choose%20c1,sample,choose%20i9,forbid%20a8")
    assert board.text("said").endswith("left out of the address: sing a1, sample, choose i9")
    assert board.decisions() == ["queen on c1", "no queen on a8"]
    # The server answered that with an error, which browsers report.
    board.driver.get_log("browser")


def test_reloading_keeps_what_can_be_undone(page):
    board = page("queens", "8")
    for name in ("d1", "b2", "g3"):
        board.click(name)
    board.press("undo")
    board.driver.refresh()
    board.is_ready()
    board.wait(lambda: board.decisions() == ["queen on d1", "queen on b2"])
    board.press("redo")
    assert len(board.decisions()) == 3
    for left in (2, 1, 0):
        board.press("undo")
        assert len(board.decisions()) == left
    assert board.element("#undo").get_attribute("aria-disabled") == "true"
    board.press("undo")
    assert board.text("said") == "There is nothing to undo."


def test_the_buttons_of_the_browser_go_back_and_forward(page):
    board = page("queens", "8")
    board.click("d1")
    board.press("why")
    board.click("b2")
    board.driver.back()
    board.wait(lambda: board.decisions() == ["queen on d1"])
    board.driver.back()
    board.wait(lambda: board.decisions() == [])
    assert board.left() == "92" and board.element("#undo").get_attribute("aria-disabled") == "true"
    board.driver.forward()
    board.driver.forward()
    board.wait(lambda: board.decisions() == ["queen on d1", "queen on b2"])
    board.press("undo")
    assert board.decisions() == ["queen on d1"]
    # A fragment that is typed is a change like others.
    board.driver.execute_script("location.hash = '#choose%20a1'")
    board.wait(lambda: board.decisions() == ["queen on a1"])
    board.press("undo")
    assert board.decisions() == ["queen on d1"]


def hold(board):
    """Holds back the answers of the server, of which two at a time would be an error, until `release`."""
    board.driver.execute_script(
        """const quick = fetch;
        let open = 0;
        let release;
        const released = new Promise((done) => { release = done; });
        window.release = release;
        fetch = async (...all) => {
          if (open++ > 0) throw new Error("two requests");
          await released;
          const response = await quick(...all);
          open--;
          return response;
        }"""
    )


def test_no_action_is_lost_while_an_answer_is_awaited(page):
    board = page("queens", "8")
    hold(board)
    board.cell("d1").click()
    board.cell("b2").click()
    # The right arrow moves at once, and the keys are for the place at which they were pressed.
    for key in (Keys.ARROW_RIGHT, "x", Keys.ARROW_UP, Keys.ENTER):
        board.driver.switch_to.active_element.send_keys(key)
    board.cell("h8").click()
    board.wait(lambda: board.text("said") == "Computing …")
    board.settle(lambda: board.driver.execute_script("release()"))
    # Enter was pressed on c3, which is impossible by then, as is h8.
    assert board.decisions() == ["queen on d1", "queen on b2", "no queen on c2"]
    assert board.driver.switch_to.active_element.get_attribute("data-name") == "h8"
    assert board.text("said").startswith("no queen can stand on h8")
    board.key("u")
    assert board.decisions() == ["queen on d1", "queen on b2"]


def test_going_back_while_an_answer_is_awaited_loses_nothing_else(page):
    board = page("queens", "8")
    board.click("d1")
    board.click("b2")
    hold(board)
    board.cell("g3").click()
    board.driver.back()
    board.settle(lambda: board.driver.execute_script("release()"))
    board.wait(lambda: board.decisions() == ["queen on d1"])
    board.driver.forward()
    board.wait(lambda: board.decisions() == ["queen on d1", "queen on b2"])


def test_the_address_stays_if_the_server_does_not_answer(page):
    board = page("queens", "8")
    address = board.driver.current_url
    board.driver.execute_script(
        "const quick = fetch; let count = 0; fetch = (...all) => (++count > 3 ? Promise.reject(new Error()) : quick(...all))"
    )
    board.driver.execute_script("location.hash = '#choose%20d1,choose%20d2,choose%20b2'")
    board.wait(lambda: "does not answer" in board.text("said"))
    assert board.driver.current_url == address + "#choose%20d1,choose%20d2,choose%20b2"


def test_the_focus_stays_when_what_it_was_on_goes(page):
    board = page("queens", "8")
    for name in ("d1", "b2", "g3"):
        board.click(name)

    def focused():
        active = board.driver.switch_to.active_element
        return active.get_attribute("aria-label") or active.get_attribute("id")

    board.driver.execute_script("document.querySelectorAll('#decisions button')[1].focus()")
    board.key("w")
    assert focused() == "take back: queen on b2"
    board.key(Keys.ENTER)
    assert (board.decisions(), focused()) == (["queen on d1", "queen on g3"], "take back: queen on g3")
    board.key(Keys.ENTER)
    board.key(Keys.ENTER)
    assert (board.decisions(), focused()) == ([], "g3: free")
    board.driver.execute_script("document.getElementById('undo').focus()")
    for _ in range(8):
        board.key(Keys.ENTER)
    assert (board.decisions(), focused(), board.text("said")) == ([], "undo", "There is nothing to undo.")


def test_two_pages_have_their_own_decisions(page):
    board = page("queens", "8")
    first = board.driver.current_window_handle
    board.click("a1")
    board.driver.switch_to.new_window("tab")
    board.open(board.address)
    assert board.left() == "92"
    board.click("b1")
    assert board.decisions() == ["queen on b1"]
    board.driver.close()
    board.driver.switch_to.window(first)
    board.press("why")
    assert board.decisions() == ["queen on a1"]


def test_complete_at_random_and_save_as_script(page):
    board = page("queens", "8")
    board.click("a1")
    board.press("sample")
    assert board.left() == "1"
    board.driver.find_element(By.ID, "script").click()
    saved = SCREENSHOTS / "decisions.txt"
    for _ in range(200):
        if saved.exists() and saved.stat().st_size > 0:
            break
        time.sleep(0.02)
    lines = saved.read_text()
    saved.unlink()
    assert lines.startswith("choose a1\n")
    run = subprocess.run([TOPDD, "configure", "queens", "8", "--script"], input=lines, capture_output=True, text=True)
    assert "1 of 92 solutions left" in run.stdout
    board.press("undo")
    assert board.decisions() == ["queen on a1"]


def test_a_saved_diagram_is_a_table(page, tmp_path):
    saved = tmp_path / "trees.tdd"
    text = "a b\nb c\nc a\nc d\n"
    (tmp_path / "map.txt").write_text(text)
    subprocess.run([TOPDD, "graph", "trees", "map.txt", "--save", "trees.tdd"], cwd=tmp_path, check=True)
    table = page(str(saved))
    assert table.text("title") == "trees.tdd"
    # Without weights, each edge weighs 1.
    assert table.text("left") == "3 of 3 solutions left, least weight 3"
    assert table.status("c-d=1") == "forced"
    table.click("a-b=1")
    table.click("b-c=1")
    assert (table.left(), table.status("c-a=0")) == ("1", "forced")
    table.picture("table")


def test_the_map_of_a_graph(page, tmp_path):
    rows = "source,target\nBern,Basel\nBern,Thun\nThun,Chur\nBasel,Chur\nBern,Chur\nBern,Chur\n"
    (tmp_path / "map.csv").write_text(rows)
    subprocess.run([TOPDD, "graph", "spanning-trees", "map.csv", "--save", "trees.tdd"], cwd=tmp_path, check=True)
    graph = page(str(tmp_path / "trees.tdd"))
    all_trees = int(graph.left())
    edges = graph.driver.find_elements(By.CSS_SELECTOR, "#map .element")
    assert len(edges) == 6
    edge = next(edge for edge in edges if edge.get_attribute("aria-label").startswith("Bern-Basel"))
    assert "% of the solutions" in edge.get_attribute("aria-label")
    hit = edge.find_element(By.CSS_SELECTOR, ".hit")
    click = "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    graph.settle(lambda: graph.driver.execute_script(click, hit))
    assert edge.get_attribute("data-status") == "c" and int(graph.left()) < all_trees
    graph.picture("map")
    graph.settle(lambda: graph.driver.execute_script(click, hit))
    assert edge.get_attribute("data-status") == "x"
    assert graph.status("Bern-Basel=1") == "forbidden"
    graph.settle(lambda: graph.driver.execute_script(click, hit))
    assert int(graph.left()) == all_trees


def test_solutions_are_listed_and_decided_by_a_click(page):
    board = page("queens", "8")
    board.view("list", "solutions-status", "Solutions 1 to 12 of 92.")
    assert board.element("#list").get_attribute("aria-expanded") == "true"
    assert board.element("#previous").get_attribute("aria-disabled") == "true" and not board.element("#weighed").is_displayed()
    for first in range(13, 92, 12):
        board.view("next", "solutions-status", f"Solutions {first} to {min(first + 11, 92)} of 92.")
    board.picture("solutions")
    assert board.element("#next").get_attribute("aria-disabled") == "true"
    assert len(board.driver.find_elements(By.CSS_SELECTOR, "#gallery li")) == 8
    # The keys turn the pages, and the list follows the decisions.
    board.driver.switch_to.active_element.send_keys("p")
    board.wait(lambda: "Solutions 73 to 84" in board.text("solutions-status"))
    board.click("a1")
    board.wait(lambda: "Solutions 1 to 4 of 4." in board.text("solutions-status"))
    board.view("random", "solutions-status", "4 of 4 solutions, drawn at random.")
    third = board.element("#gallery li:nth-child(3) button")
    label = third.get_attribute("aria-label")
    assert label.startswith("solution 3: a1 ")
    assert len(third.find_elements(By.CSS_SELECTOR, ".square")) == 64
    board.settle(lambda: third.send_keys(Keys.ENTER))
    assert board.left() == "1" and board.text("said") == "completed as solution 3"
    assert all(board.status(name) in ("chosen", "forced") for name in label.split(": ")[1].split(" "))
    board.wait(lambda: "The only solution" in board.text("solutions-status"))
    # The focus stays in the list.
    assert board.driver.execute_script("return document.activeElement.closest('#gallery') !== null")
    board.key("u")
    assert board.decisions() == ["queen on a1"]
    board.point(board.element("#list"))
    assert not board.element("#solutions").is_displayed()


def test_weights_the_best_solution_and_the_best_ones(page, tmp_path):
    rows = "source,target,weight\nBern,Basel,5\nBern,Thun,2.5\nThun,Chur,1\nBasel,Chur,4\nBern,Chur,7\n"
    (tmp_path / "map.csv").write_text(rows)
    subprocess.run([TOPDD, "graph", "spanning-trees", "map.csv", "--save", "trees.tdd"], cwd=tmp_path, check=True)
    graph = page(str(tmp_path / "trees.tdd"))
    assert graph.text("left") == "8 of 8 solutions left, least weight 7.5"
    graph.view("list", "solutions-status", "Solutions 1 to 8 of 8.")
    graph.view("weighed", "solutions-status", "the best first")
    items = [item.text for item in graph.driver.find_elements(By.CSS_SELECTOR, "#gallery li span")]
    assert items[0] == "1, weight 7.5" and items[-1] == "8, weight 14.5"
    chosen = graph.driver.find_elements(By.CSS_SELECTOR, '#gallery li:first-child [data-status="c"]')
    assert len(chosen) == 3
    graph.picture("best")
    graph.click("Bern-Chur=1")
    assert graph.text("left").endswith("least weight 12")
    graph.wait(lambda: "1, weight 12" in graph.text("gallery"))
    graph.press("best")
    assert graph.left() == "1" and "completed at best: least weight 12" in graph.text("said")
    graph.key("u")
    graph.key("c")
    graph.key("b")
    assert graph.text("left") == "1 of 8 solutions left, least weight 7.5"
    subprocess.run([TOPDD, "queens", "5", "--save", "q5.tdd"], cwd=tmp_path, check=True)
    plain = page(str(tmp_path / "q5.tdd"))
    assert not plain.element("#best").is_displayed() and "weight" not in plain.text("left")
    (tmp_path / "w.txt").write_text("0 3 100\n1 0 -2\n")
    weighed = page(str(tmp_path / "q5.tdd"), "--weights", str(tmp_path / "w.txt"), "--max")
    assert weighed.text("left") == "10 of 10 solutions left, largest weight 100"


def test_the_diagram_and_its_levels(page):
    board = page("queens", "6")
    board.view("nodes", "diagram-status", "17 nodes; the solutions left pass through 17 of them.")
    assert len(board.driver.find_elements(By.CSS_SELECTOR, "#picture .node")) == 17
    board.click("b1")
    board.wait(lambda: "pass through 5 of them" in board.text("diagram-status"))
    board.picture("diagram")
    assert len(board.driver.find_elements(By.CSS_SELECTOR, "#picture .node.left")) == 5
    levels = [row.text.replace("\n", " ") for row in board.driver.find_elements(By.CSS_SELECTOR, "#level-rows tr")]
    assert levels == ["row 1 1 of 1", "row 2 1 of 3", "row 3 1 of 3", "row 4 0 of 3", "row 5 1 of 3", "row 6 1 of 4"]
    title = board.element("#picture .node.left title").get_attribute("textContent")
    assert title.startswith("row ") and title.endswith(", completions left: 1")
    labels = {label.get_attribute("textContent") for label in board.driver.find_elements(By.CSS_SELECTOR, "#picture .value")}
    assert labels <= set("abcdef")

    # The keys move the picture, and leave the board alone.
    def frame():
        text = board.driver.execute_script("return document.querySelector('#picture svg').getAttribute('viewBox')")
        return [float(number) for number in text.split()]

    whole = frame()
    board.driver.execute_script("document.getElementById('picture').focus()")
    keys = board.driver.switch_to.active_element
    keys.send_keys("+", "+", Keys.ARROW_RIGHT)
    x, _, width, _ = frame()
    assert width < whole[2] and x > whole[0]
    assert board.driver.switch_to.active_element.get_attribute("id") == "picture"
    # Another decision leaves the picture where it is.
    before = frame()
    board.press("undo")
    board.wait(lambda: "through 17 of them" in board.text("diagram-status"))
    assert frame() == before
    board.point(board.element("#picture-whole"))
    assert frame() == whole
    board.driver.switch_to.active_element.send_keys("-")
    assert frame()[2] > whole[2]
    board.point(board.element("#picture-closer"))
    board.point(board.element("#picture-closer"))
    assert frame()[2] < whole[2]
    # A tall picture opens at its root, with letters that can be read.
    tall = page("queens", "8")
    tall.view("nodes", "diagram-status", "nodes")
    scale = tall.driver.execute_script("return document.querySelector('#picture svg').getScreenCTM().a")
    assert scale >= 0.69
    tall.picture("tall")
    large = page("queens", "11")
    large.view("nodes", "diagram-status", "Only diagrams of up to 3000 nodes and 6000 edges are drawn.")
    assert not large.element("#picture").is_displayed()
    assert len(large.driver.find_elements(By.CSS_SELECTOR, "#level-rows tr")) == 11
    large.picture("levels")


def test_a_slow_answer_has_a_progress_sign(page):
    board = page("queens", "6")
    # The answer of the server takes half a second.
    board.driver.execute_script(
        "const quick = fetch; fetch = (...all) => new Promise((done) => setTimeout(() => done(quick(...all)), 500))"
    )
    board.point(board.element("#list"))
    board.wait(lambda: board.text("solutions-status") == "Computing …")
    assert board.element("#solutions").get_attribute("aria-busy") == "true"
    board.wait(lambda: "Solutions 1 to 4 of 4." in board.text("solutions-status"))
    assert board.element("#solutions").get_attribute("aria-busy") is None


def test_the_edges_of_a_graph_without_a_saved_diagram(page, tmp_path):
    rows = [f"{r}.{c} {r}.{c + 1}\n{c}.{r} {c + 1}.{r}\n" for r in range(4) for c in range(3)]
    (tmp_path / "grid.txt").write_text("".join(rows))
    graph = page("graph", "paths", str(tmp_path / "grid.txt"), "--from", "0.0", "--to", "3.3")
    assert graph.text("title") == "paths of grid.txt, 16 vertices and 24 edges, from 0.0, to 3.3"
    assert graph.text("left") == "184 of 184 solutions left, least weight 6"
    assert len(graph.driver.find_elements(By.CSS_SELECTOR, "#map .element")) == 24
    graph.click("0.0-0.1=1")
    assert (graph.left(), graph.status("0.0-1.0=1")) == ("92", "impossible")
    assert graph.decisions() == ["0.0-0.1 chosen"]
    graph.press("undo")
    graph.click("0.0-0.1=0")
    assert graph.decisions() == ["0.0-0.1 forbidden"]
    graph.click("0.0-1.0=0")
    assert graph.text("said") == "0.0-1.0 cannot be forbidden, because of: 0.0-0.1 forbidden"
    graph.picture("paths")


def test_the_map_shows_ends_and_weights_and_is_enlarged(page, tmp_path):
    roads = "source,target,km\nBern,Basel,95\nBern,Thun,30\nThun,Chur,190\nBasel,Chur,204.5\n"
    (tmp_path / "roads.csv").write_text(roads)
    graph = page("graph", "paths", str(tmp_path / "roads.csv"), "--weight-attribute", "km", "--from", "Bern", "--to", "Chur")
    texts = {text.text for text in graph.driver.find_elements(By.CSS_SELECTOR, "#map text")}
    assert texts == {"Bern (start)", "Chur (end)", "Basel", "Thun", "95", "30", "190", "204.5"}
    assert len(graph.driver.find_elements(By.CSS_SELECTOR, "#map circle.role")) == 2
    labels = [edge.get_attribute("aria-label") for edge in graph.driver.find_elements(By.CSS_SELECTOR, "#map .element")]
    assert "Bern-Basel: free, in 50.0 % of the solutions left, weight 95" in labels
    assert "The thicker a free edge is, the more of the solutions left contain it." in graph.text("legend")
    assert len(graph.driver.find_elements(By.CSS_SELECTOR, "#legend path.line")) == 5

    def frame():
        return graph.driver.execute_script("return document.querySelector('#map svg').getAttribute('viewBox')")

    whole = frame()
    graph.point(graph.element("#map-closer"))
    larger = frame()
    assert float(larger.split()[2]) < float(whole.split()[2])
    # A click decides, also in an enlarged map, and leaves it where it is; a drag moves it.
    edge = graph.element("#map .element .hit")
    graph.settle(lambda: ActionChains(graph.driver).move_to_element(edge).click().perform())
    assert len(graph.decisions()) == 1 and frame() == larger

    def moved(across):
        """Drags the map by pixels, from an edge, and returns how far it moved, in pixels."""
        before = [float(number) for number in frame().split()]
        drag = ActionChains(graph.driver, duration=0).move_to_element(edge).click_and_hold()
        for _ in range(10):
            drag.move_by_offset(across // 10, 0)
        graph.settle(lambda: drag.release().perform())
        after = [float(number) for number in frame().split()]
        scale = graph.driver.execute_script("return document.querySelector('#map svg').getScreenCTM().a")
        return (before[0] - after[0]) * scale

    assert abs(moved(60) - 60) < 1 and abs(moved(-40) + 40) < 1
    assert len(graph.decisions()) == 1
    graph.driver.find_element(By.TAG_NAME, "body").send_keys("0")
    assert frame() == whole


@pytest.fixture
def ladder(tmp_path):
    """The options of a ladder of 12 rungs, upright."""
    edges = [f"{row}.0 {row + 1}.0\n{row}.1 {row + 1}.1\n{row}.0 {row}.1\n" for row in range(12)]
    places = [f"{row}.{col},{col},{row}\n" for row in range(13) for col in range(2)]
    (tmp_path / "ladder.txt").write_text("".join(edges))
    (tmp_path / "places.csv").write_text("name,x,y\n" + "".join(places))
    return [str(tmp_path / "ladder.txt"), "--vertices", str(tmp_path / "places.csv")]


def test_saved_tours_are_on_a_map_of_moves(page, tmp_path):
    subprocess.run([TOPDD, "knights", "6x6", "--save", "tours.tdd", "--quiet"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    tours = page(str(tmp_path / "tours.tdd"))
    assert tours.left() == "9862"
    assert tours.element('#map [aria-label^="a1-b3: forced"]')
    tours.press("best")
    assert (tours.left(), len(tours.decisions()) > 0) == ("1", True)
    # In the order of the tour, which is closed.
    squares = tours.text("solved").split(": ")[-1].split(" - ")
    assert (len(squares), len(set(squares)), squares[0]) == (37, 36, squares[-1])
    tours.picture("tours")


def test_a_tall_map_fits_into_the_window_and_the_nearest_edge_is_clicked(page, ladder):
    graph = page("graph", "matchings", *ladder)
    assert graph.driver.execute_script("return document.getElementById('map').getBoundingClientRect().bottom <= innerHeight")
    # Close to the end of an edge, between two samples of its curve, where the receptive areas of three edges overlap.
    x, y = graph.driver.execute_script(
        """const row = map.labels.indexOf("5.0-5.1");
        const [[x1, y1], [x2, y2]] = map.curves[map.order[row]].samples.slice(3, 5);
        const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
        const at = new DOMPoint(x, y).matrixTransform(document.querySelector("#map svg").getScreenCTM());
        return [Math.round(at.x), Math.round(at.y)]"""
    )
    click = ActionChains(graph.driver)
    click.w3c_actions.pointer_action.move_to_location(x, y).click()
    graph.settle(click.perform)
    assert graph.decisions() == ["5.0-5.1 chosen"]
    assert "here" in graph.element('#map [aria-label^="5.0-5.1:"]').get_attribute("class")
    # Enter acts on the same edge.
    graph.key(Keys.ENTER)
    assert graph.decisions() == ["5.0-5.1 forbidden"]
    graph.press("best")
    assert graph.left() == "1" and graph.decisions()[0] == "5.0-5.1 forbidden"
    # An edge that the solution leaves out is forbidden, and a click frees it.
    edge = graph.element('#map [data-status="x"]:not(.here)')
    count = len(graph.decisions())
    graph.press("why")
    graph.settle(lambda: edge.send_keys(Keys.ENTER))
    assert len(graph.decisions()) == count - 1
    graph.driver.back()
    graph.wait(lambda: len(graph.decisions()) == count)


def test_fingers_enlarge_and_move_the_map_and_not_the_page(page, tmp_path):
    (tmp_path / "roads.txt").write_text("".join(f"{n} {n + 1}\n{n} {n + 2}\n" for n in range(12)))
    graph = page("graph", "spanning-trees", str(tmp_path / "roads.txt"))
    command = graph.driver.execute_cdp_cmd
    command("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    command("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    try:
        graph.driver.execute_script("document.getElementById('map').scrollIntoView({ block: 'center' })")
        box = graph.driver.execute_script("return document.getElementById('map').getBoundingClientRect().toJSON()")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        def shown():
            return graph.driver.execute_script(
                """const [x, y, width] = document.querySelector("#map svg").getAttribute("viewBox").split(" ").map(Number);
                return { x, y, width, scroll: scrollY, page: visualViewport.scale }"""
            )

        def touch(kind, *points):
            command("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py, "id": n} for n, (px, py) in enumerate(points)]})

        whole = shown()
        touch("touchStart", (x - 20, y), (x + 20, y))
        for step in range(1, 9):
            touch("touchMove", (x - 20 - 5 * step, y), (x + 20 + 5 * step, y))
        touch("touchEnd")
        enlarged = shown()
        assert abs(whole["width"] / enlarged["width"] - 3) < 0.2
        assert (enlarged["scroll"], enlarged["page"]) == (whole["scroll"], 1)
        touch("touchStart", (x, y))
        for step in range(1, 11):
            touch("touchMove", (x, y + 8 * step))
        touch("touchEnd")
        moved = shown()
        scale = graph.driver.execute_script("return document.querySelector('#map svg').getScreenCTM().a")
        assert abs((enlarged["y"] - moved["y"]) * scale - 80) < 10 and moved["scroll"] == whole["scroll"]
        # The buttons stay where they are.
        graph.driver.execute_script("document.getElementById('map-closer').click()")
        assert shown()["scroll"] == whole["scroll"]
        graph.picture("narrow-map")
        # The letters of names have the same size at each scale.
        heights = graph.driver.execute_script("return [...document.querySelectorAll('#map text')].map((t) => t.getBoundingClientRect().height)")
        assert all(10 < height < 18 for height in heights)
        assert graph.driver.execute_script("return document.documentElement.scrollWidth") <= 390
    finally:
        command("Emulation.setTouchEmulationEnabled", {"enabled": False})
        command("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture
def sized(browser):
    """Sets the size of the window for a test."""
    before = browser.get_window_size()
    yield browser.set_window_size
    browser.set_window_size(before["width"], before["height"])


def names_cut_off(graph):
    return graph.driver.execute_script(
        """const { left, right, top, bottom } = document.getElementById("map").getBoundingClientRect();
        const names = [...document.querySelectorAll("#map .name")].map((name) => [name.textContent, name.getBoundingClientRect()]);
        const outside = (box) => box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1;
        return names.filter(([, box]) => outside(box)).map(([text]) => text)"""
    )


@pytest.mark.parametrize("width", [500, 1000])
def test_names_are_on_the_side_where_no_edge_is(page, sized, ladder, width):
    sized(width, 800)
    graph = page("graph", "matchings", *ladder)
    sides = graph.driver.execute_script(
        """const middle = (shape) => shape.getBoundingClientRect().left + shape.getBoundingClientRect().right;
        const circles = [...document.querySelectorAll("#map circle")];
        const side = (name, at) => (middle(name) < middle(circles[at]) ? " left" : " right");
        return [...document.querySelectorAll("#map .name")].map((name, at) => name.textContent + side(name, at))"""
    )
    # The last two vertices have no rung.
    assert {f"{row}.{col} {side}" for row in range(12) for col, side in enumerate(["left", "right"])} <= set(sides)
    assert names_cut_off(graph) == []
    # When the bar grows, less room is left. An enlarged part at the border of the map stays.
    state = "return [mapViewer.bounds.width, mapViewer.part]"
    graph.press("map-closer")
    graph.driver.execute_script("mapViewer.pan(0, -1)")
    before, part = graph.driver.execute_script(state)
    graph.driver.execute_script("document.getElementById('left').style.minHeight = '200px'")
    graph.is_fitted()
    after, shown = graph.driver.execute_script(state)
    assert after != before and shown == part
    graph.press("map-whole")
    assert names_cut_off(graph) == []


@pytest.mark.parametrize("width", [500, 600, 1000])
def test_nothing_is_cut_off_or_covered_in_windows_of_any_width(page, sized, tmp_path, width):
    sized(width, 700)
    board = page("queens", "12", "--symmetric")
    board.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
    for key in (Keys.END, Keys.ARROW_UP):
        board.key(key)
        covered = board.driver.execute_script(
            """const bar = document.getElementById("bar").getBoundingClientRect();
            return document.activeElement.getBoundingClientRect().top < bar.bottom"""
        )
        assert not covered
    names = ["Saint-Germain-en-Laye", "Rochefort-sur-Mer", "Fontainebleau-Avon", "Villefranche-sur-Saone"]
    roads = [f'"{a}" "{b}"\n' for a in names for b in names if a < b]
    (tmp_path / "roads.txt").write_text("".join(roads))
    graph = page("graph", "colourings", str(tmp_path / "roads.txt"), "-k", "12")
    assert names_cut_off(graph) == []
    assert graph.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    graph.driver.execute_script("scrollTo(0, 400)")
    graph.picture(f"width-{width}")


def test_a_graph_without_edges_has_nothing_to_decide(page, tmp_path):
    (tmp_path / "alone.txt").write_text("a\n")
    graph = page("graph", "matchings", str(tmp_path / "alone.txt"), "--format", "edges")
    for key in (Keys.ARROW_DOWN, Keys.END, "x", "a", "w"):
        graph.settle(lambda: graph.driver.find_element(By.TAG_NAME, "body").send_keys(key))
    assert graph.text("said") == "There is nothing to decide." and graph.left() == "1"


def test_arrows_turn_the_pages_of_rows(page, tmp_path):
    clauses = "".join(f"{n} {n + 1} 0\n" for n in range(1, 150))
    (tmp_path / "f.cnf").write_text(f"p cnf 150 149\n{clauses}")
    subprocess.run([TOPDD, "cnf", "f.cnf", "--save", "f.tdd"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    table = page(str(tmp_path / "f.tdd"))

    def press(key):
        table.key(key)
        return table.driver.switch_to.active_element.get_attribute("data-name"), table.text("range")

    names = table.driver.execute_script("return state.row_names")
    assert press(Keys.END) == (table.driver.execute_script("return state.row_names[49]") + "=0", "rows 101 to 150 of 150")
    assert press(Keys.HOME) == (names[0] + "=0", "rows 1 to 100 of 150")
    for _ in range(9):
        press(Keys.PAGE_DOWN)
    assert press(Keys.ARROW_DOWN)[1] == "rows 1 to 100 of 150"
    # Keys act on the row that they have reached before it is shown.
    hold(table)
    for key in [Keys.PAGE_DOWN, Keys.ARROW_DOWN, "x", Keys.ARROW_DOWN]:
        table.driver.switch_to.active_element.send_keys(key)
    table.settle(lambda: table.driver.execute_script("release()"))
    names = table.driver.execute_script("return state.row_names")
    assert table.decisions() == [names[2] + " != 0"]
    assert table.driver.switch_to.active_element.get_attribute("data-name") == names[3] + "=0"
    table.press("earlier")
    table.press("later")
    # Keys act on the rows that are shown.
    table.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_DOWN)
    active = table.driver.switch_to.active_element.get_attribute("data-name")
    assert (active, table.text("range")) == (names[1] + "=0", "rows 101 to 150 of 150")
    table.picture("rows")


def test_random_solutions_differ_each_time(page):
    board = page("queens", "8", "--seed", "1")
    board.view("list", "solutions-status", "Solutions 1 to 12 of 92.")
    drawn = set()
    for _ in range(3):
        before = board.text("gallery")
        board.view("random", "solutions-status", "drawn at random")
        board.wait(lambda: board.text("gallery") != before)
        drawn.add(board.text("gallery"))
    assert len(drawn) == 3


def test_colours_on_the_map(page, tmp_path):
    (tmp_path / "map.txt").write_text("a b\nb c\nc a\nc d\nd e\n")
    graph = page("graph", "colourings", str(tmp_path / "map.txt"), "-k", "3", "--with", "a=0")
    assert graph.left() == "8"
    vertex = lambda name: next(
        element
        for element in graph.driver.find_elements(By.CSS_SELECTOR, "#map .element")
        if element.get_attribute("aria-label").startswith(name + ":")
    )
    assert vertex("a").get_attribute("aria-label") == "a: colour 0, forced"
    assert vertex("b").get_attribute("aria-label") == "b: free"
    def click(name):
        graph.settle(lambda: vertex(name).find_element(By.CSS_SELECTOR, "circle").click())
        return vertex(name).get_attribute("aria-label")

    # A click gives the next colour that is possible, and the last one frees the vertex again.
    assert [click("b") for _ in range(4)] == ["b: colour 1, chosen", "b: colour 2, chosen", "b: free", "b: colour 1, chosen"]
    assert graph.decisions() == ["b = 1"] and vertex("b").find_element(By.CSS_SELECTOR, "text").text == "1"
    assert click("a") == "a: colour 0, forced" and graph.text("said") == "a must be 0: it is so in every solution"
    assert vertex("c").get_attribute("aria-label") == "c: colour 2, forced"
    fills = [vertex(name).find_element(By.CSS_SELECTOR, "circle").value_of_css_property("fill") for name in "abcd"]
    assert len(set(fills)) == 4
    graph.view("list", "solutions-status", "Solutions 1 to 4 of 4.")
    assert graph.element("#gallery button").get_attribute("aria-label") == "solution 1: a=0 b=1 c=2 d=0 e=1"
    mini = [dot.value_of_css_property("fill") for dot in graph.driver.find_elements(By.CSS_SELECTOR, "#gallery li:first-child circle")]
    assert mini[:3] == fills[:3] and len(set(mini)) == 3
    graph.picture("colours")


def test_a_long_build_is_shown_and_stopped(page):
    board = page("queens", "17", is_built=False)
    board.wait(lambda: "states in the last level" in board.text("reached"))
    assert "row" in board.text("reached") and not board.driver.find_element(By.TAG_NAME, "main").is_displayed()
    assert float(board.driver.find_element(By.ID, "levels").get_attribute("max")) == 34
    board.picture("build")
    board.driver.find_element(By.ID, "stop").click()
    board.wait(lambda: board.text("reached").startswith("The build was stopped"))
    assert board.server.wait(10) == 130
    assert board.driver.find_element(By.ID, "reached").get_attribute("role") == "alert"
    assert not board.driver.find_element(By.ID, "stop").is_displayed()
    board.picture("stopped")


def test_a_build_becomes_a_board(page):
    board = page("queens", "14", is_built=False)
    board.wait(lambda: board.text("reached").startswith("The diagram is being built"))
    assert board.is_ready().text("left") == "365596 of 365596 solutions left"
    assert not board.driver.find_element(By.ID, "build").is_displayed()
    board.click("a1")
    assert board.status("b2") == "impossible"


def test_a_build_that_fails_says_why(page):
    board = page("queens", "17", is_built=False, limit="ulimit -v 300000")
    board.wait(lambda: board.text("reached").startswith("There is no diagram"))
    assert "save the diagram first" in board.text("reached")
    assert board.server.wait(10) == 1
    board.picture("failed")


def test_narrow_and_dark(page):
    board = page("queens", "8")
    board.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    board.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True},
    )
    try:
        board.click("a1")
        board.picture("narrow")
        width = board.driver.execute_script("return document.documentElement.scrollWidth")
        assert width <= 360
        board.view("list", "solutions-status", "of 4.")
        board.view("nodes", "diagram-status", "nodes")
        board.driver.execute_script("scrollTo(0, 600)")
        board.picture("narrow-views")
        assert board.driver.execute_script("return document.documentElement.scrollWidth") <= 360
        dark = board.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert dark == "rgb(25, 26, 28)"
    finally:
        board.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        board.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_server_that_has_ended_is_named(page):
    board = page("queens", "8")
    board.close()
    board.click("a1")
    assert board.text("said") == "topdd does not answer: does it still run?"
    board.driver.get_log("browser")
