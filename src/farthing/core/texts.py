"""Lists of texts from whatever holds them: columns of data frames, arrays, tuples, generators, whole tables.

Nothing is imported for it. A pandas or polars series, a numpy array, an Arrow column and a Hugging Face column are
recognised by the methods that they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from farthing.core.errors import InputError, UsageError

Texts: TypeAlias = Iterable[object]  #: a list of texts, or anything that holds one text per segment
TextTable: TypeAlias = Mapping[str, object]  #: columns by name

_LISTING = ("to_pylist", "to_list", "tolist")  # Arrow; pandas and polars; numpy
_EMPTY = "use '' for an empty text"
_DECODE = "decode it first, for example with text.decode()"
_REMEDIES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((bytes, bytearray), _DECODE),
    ((list, tuple), "pass one text per segment"),
    (Mapping, "rows of dicts are read by farthing.read(rows)"),
    ((int, float, complex), "convert numbers with str()"),
)


def as_list(column: object, name: str) -> list[object]:
    """Return what a column holds as a list, or raise a sentence that says what to pass.

    >>> as_list((text for text in "ab"), "candidates")
    ['a', 'b']
    """
    if isinstance(column, list):
        return column
    if problem := _not_a_column(column):
        raise UsageError(f"{name} {problem}")
    for method in _LISTING:
        if callable(convert := getattr(column, method, None)):
            values: object = convert()
            break
    else:
        values = column
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise UsageError(f"{name} is a single {_named(column)}: pass a list with one text per segment")
    return values if isinstance(values, list) else list(values)


def _not_a_column(column: object) -> str:
    """Say what is wrong with something that holds no texts in order; empty if nothing is."""
    if column is None:
        return "is None: pass a list with one text per segment"
    if isinstance(column, str) or hasattr(column, "__fspath__"):
        text = str(column)
        if "\n" not in text and text.lower().endswith((".txt", ".tsv", ".csv", ".jsonl", ".json", ".parquet", ".gz")):
            return f"is a single string, the name of a file: read it with farthing.read({text!r})"
        return "is a single string: pass a list with one text per segment, such as [text]"
    if isinstance(column, bytes | bytearray):
        return "is bytes: pass a list of texts; decode bytes first, for example with text.decode()"
    if callable(getattr(column, "collect", None)):
        return f"is a {type(column).__name__}, which holds no texts yet: call its collect() first"
    if isinstance(column, set | frozenset):
        return "is a set, which has no order: pass a list with one text per segment"
    if not isinstance(column, Iterable) and not any(hasattr(column, method) for method in _LISTING):
        return f"is {_named(column)}: pass a list with one text per segment"
    return ""


def _named(value: object) -> str:
    return "a number" if isinstance(value, int | float | complex) else type(value).__name__


def wrong_text(name: str, row: int, value: object) -> InputError:
    """Return the error for an entry that is no text.

    :param row: the row, counted from 0
    """
    if is_missing(value):
        return InputError(f"{name} must be text, found a missing value ({value})", line=row + 1, remedy=_EMPTY)
    remedy = next((text for kinds, text in _REMEDIES if isinstance(value, kinds)), _EMPTY)
    return InputError(f"{name} must be text, found {type(value).__name__}", line=row + 1, remedy=remedy)


def is_missing(value: object) -> bool:
    """Tell whether a cell holds nothing: None, NaN or the NA of pandas.

    >>> is_missing(float("nan")), is_missing("")
    (True, False)
    """
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


def reference_rows(references: object, name: str = "references") -> list[Sequence[str]]:
    """Return one list of references per candidate, given one text or several per candidate, or columns of them.

    >>> reference_rows(["a", ("b", "c")])
    [['a'], ['b', 'c']]
    """
    table = as_table(references)
    if table is not None:
        return _rows_of_columns(table)
    rows = as_list(references, name)
    return [[row] if isinstance(row, str) else _several(row, place, name) for place, row in enumerate(rows)]


def _several(entry: object, row: int, name: str) -> list[str]:
    """Return the texts of an entry that holds several."""
    if is_missing(entry) or isinstance(entry, bytes | int | float | Mapping):
        raise wrong_text(name, row, entry)
    values = as_list(entry, f"{name} of row {row + 1}")
    for value in values:
        if not isinstance(value, str):
            raise wrong_text(name, row, value)
    return [str(value) for value in values]


def _rows_of_columns(table: TextTable) -> list[Sequence[str]]:
    """Return the references of each row; a row may lack some of them, but not all."""
    columns = [reference_cells(column, name) for name, column in table.items()]
    lengths = {name: len(column) for name, column in zip(table, columns, strict=True)}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name} has {count}" for name, count in lengths.items())
        raise UsageError(f"the columns of references have different lengths: {counts}")
    rows: list[Sequence[str]] = []
    for place, cells in enumerate(zip(*columns, strict=True)):
        if all(cell is None for cell in cells):
            raise wrong_text("references", place, None)
        rows.append([text for cell in cells if cell is not None for text in cell])
    return rows


def reference_cells(column: object, name: str) -> list[list[str] | None]:
    """Return the references that a column holds for each row, None for a missing cell."""
    cells = as_list(column, f"the column {name!r}")
    return [
        None if is_missing(cell) else [cell] if isinstance(cell, str) else _several(cell, row, name)
        for row, cell in enumerate(cells)
    ]


def as_table(data: object) -> TextTable | None:
    """Return the columns of a data frame, an Arrow table, a dataset or a dict of columns; None for anything else."""
    if isinstance(data, Mapping):
        return {str(name): column for name, column in data.items()}
    names = getattr(data, "column_names", None)  # Arrow, Hugging Face
    if names is None and hasattr(data, "shape") and hasattr(data, "dtypes"):  # pandas, polars
        names = getattr(data, "columns", None)
    if names is None or not hasattr(data, "__getitem__"):
        return None
    return {str(name): data[name] for name in names}


def counts_differ(name: str, count: int, column: Sequence[object]) -> UsageError:
    """Return the error for a column with another number of entries than there are candidates."""
    said = f"{count} candidates but {len(column)} {name}"
    if name == "references" and count == 1:
        return UsageError(f"{said}: several references of one candidate are one list, as in [[first, second]]")
    if name == "references" and column and all(len(row) == count for row in column if isinstance(row, Sequence)):
        return UsageError(
            f"{said}: these are {len(column)} lists of {count} texts, as sacrebleu takes them; give one list of "
            "references per candidate: list(zip(*references))"
        )
    return UsageError(f"{said}: give one entry per candidate")


def without_surrogates(text: str) -> str:
    """Return a text as UTF-8 can hold it: halves of characters, as broken JSON has them, become the sign U+FFFD.

    >>> without_surrogates("a\\ud83d b")
    'a\ufffd b'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    return text
