"""The tables of a page without style: every cell of a row becomes `<td>text</td>`."""

import re


def plain(html: str) -> str:
    html = re.sub(r'<th scope="row"[^>]*>(.*?)</th>', r"<td>\1</td>", html)
    html = re.sub(r"<td [^>]*>", "<td>", html)
    html = re.sub(r'<span class="se">(.*?)</span>', r"\1", html)
    return re.sub(r"<br>", "; ", html)
