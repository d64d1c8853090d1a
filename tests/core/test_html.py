"""Tables for notebooks: well-formed, escaped, and without colours of their own."""

from __future__ import annotations

from xml.etree import ElementTree

from farthing.core.html import HtmlCell, html_table


def test_tables_are_well_formed_and_escaped() -> None:
    rows = [[HtmlCell("<a>"), HtmlCell("1.5", strong=True, aside="[1, 2] & p<0.001")]]
    page = ElementTree.fromstring(html_table(["system", "x & y"], rows, ["", "a < b"]))
    assert [["".join(cell.itertext()) for cell in row] for row in page.iter("tr")] == [
        ["system", "x & y"],
        ["<a>", "1.5 [1, 2] & p<0.001"],
    ]
    assert [cell.text for cell in page.iter("b")] == ["1.5"]
    assert [line.text for line in page.findall("div")] == ["a < b"]


def test_the_first_column_is_flush_left_and_colours_are_those_of_the_page() -> None:
    text = html_table([], [[HtmlCell("a"), HtmlCell("1"), HtmlCell("2")]])
    cells = [cell.attrib["style"] for cell in ElementTree.fromstring(text).iter("td")]
    assert [style.rpartition(":")[2] for style in cells] == ["left", "right", "right"]
    assert "<thead>" not in text
    assert not any(word in text for word in ("#", "rgb", "color:black", "color:white"))
