"""What a notebook shows of a configurator, and the server of its page."""

from __future__ import annotations

import webbrowser
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

from topdd._errors import InputError

if TYPE_CHECKING:
    from topdd._topdd import Configurator

_COLOURS = {
    "chosen": "#2a6f4e; color: white",
    "forced": "#bfe3cf; color: black",
    "free": "transparent",
    "forbidden": "#b3443a; color: white",
    "impossible": "#f2d3cf; color: black",
}
_SHOWN = 400
"""The most elements that are listed."""
_MOST = 4 << 20
"""The most bytes of a request."""


class Reason(list[Any]):
    """Decisions that are the reason for a status, and the reason in a sentence, which ``print`` shows."""

    def __init__(self, decisions: list[Any], text: str) -> None:
        """Make a reason."""
        super().__init__(decisions)
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return super().__repr__() if self else f"<no decisions: {self.text}>"

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(self.text)


def html(configurator: Configurator, is_small: bool) -> str:
    """Return the statuses as a table: of a board, of the values of variables, or of lists of elements."""
    status, board = configurator.status, configurator._board()
    lines: list[str] = []
    if board:
        names = list(status)
        for row in reversed(range(board[0])):
            cells = [_cell(name, status[name]) for name in names[row * board[1] : (row + 1) * board[1]]]
            lines.append("".join(cells))
    elif any(isinstance(of_values, dict) for of_values in status.values()):
        for name, of_values in list(status.items())[:_SHOWN]:
            cells = [_cell(value, word) for value, word in of_values.items()]
            lines.append(f"<th>{escape(str(name))}</th>" + "".join(cells))
    else:
        for word in _COLOURS:
            names = [name for name, of_element in status.items() if of_element == word]
            shown = [escape(str(name)) for name in names[:_SHOWN]] + [".."] * (len(names) > _SHOWN)
            lines.append(_cell(word, word) + f"<td style='text-align: left'>{' &nbsp; '.join(shown)}</td>")
        lines.append(f"<td colspan='2'>{_picture(configurator) if is_small else ''}</td>")
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    words = _COLOURS.items()
    legend = " ".join(f"<span style='background: {colour}'>&nbsp;{word}&nbsp;</span>" for word, colour in words)
    head = escape(repr(configurator)[len("<topdd.") : -1])
    return f"<p>{head}<br>{escape(configurator.message)}</p><table>{rows}</table><p>{legend}</p>"


def _picture(configurator: Configurator) -> str:
    left = configurator.left()
    if left.graph is None:
        return ""
    try:
        return left.heat_map().svg
    except InputError:  # the graph is too large
        return ""


def _cell(text: Any, word: str) -> str:
    return f"<td title='{word}' style='background: {_COLOURS[word]}; text-align: center'>{escape(str(text))}</td>"


class _Handler(BaseHTTPRequestHandler):
    configurator: Configurator
    timeout = 10

    def do_GET(self) -> None:
        """Answer a request."""
        length = self.headers.get("Content-Length", "0")
        size = int(length) if length.isdecimal() else _MOST + 1
        if size > _MOST:
            self.send_error(413)
            return
        body, headers = self.rfile.read(size), self.headers
        status, fields, content = self.configurator._answer(
            self.command, self.path, headers.get("Host"), headers.get("Origin"), body
        )
        self.send_response(status)
        for name, value in [*fields, ("content-length", str(len(content.encode())))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content.encode())

    do_POST = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def show(configurator: Configurator, open: bool) -> str:
    """Open the page of a configurator in a browser, and return its address."""
    if configurator._address() is None:
        handler = type("Handler", (_Handler,), {"configurator": configurator})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        Thread(target=server.serve_forever, name="topdd page", daemon=True).start()
        configurator._address(server.server_port)
    address = configurator._address() or ""
    if open:
        webbrowser.open(address)
    return address
