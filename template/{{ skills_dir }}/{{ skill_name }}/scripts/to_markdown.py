#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""Print a CSV file as a Markdown table."""

import argparse
import csv
import io
import sys
from pathlib import Path


def main() -> None:
    """Run the command; a fault in the input ends it with status 2 and a message."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="the CSV file, or - for standard input")
    parser.add_argument(
        "--delimiter",
        type=delimiter,
        default=",",
        help="the character between two fields, or the word tab (default: a comma)",
    )
    parser.add_argument("--encoding", default="utf-8-sig", help="default: UTF-8")
    options = parser.parse_args()

    try:
        text = read_bytes(options.file).decode(options.encoding)
        table = markdown_table(read_rows(text, options.delimiter))
    except (OSError, LookupError, ValueError, csv.Error) as error:
        parser.error(str(error))
    sys.stdout.buffer.write(table.encode())


def delimiter(text: str) -> str:
    """Return the delimiter that the command line names."""
    character = "\t" if text == "tab" else text
    if len(character) != 1 or character in '"\r\n':
        raise argparse.ArgumentTypeError(f"{text!r} is neither one character nor the word tab")
    return character


def read_bytes(file: str) -> bytes:
    """Return the content of the file, or of standard input for `-`."""
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def read_rows(text: str, delimiter: str) -> list[list[str]]:
    """Return the rows of CSV text, each as long as the first; ValueError where that cannot be."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    for row in reader:
        if not row:
            continue
        missing = len(rows[0]) - len(row) if rows else 0
        if missing < 0:
            raise ValueError(
                f"line {reader.line_num} has {len(row)} fields, the header has {len(rows[0])}"
            )
        rows.append(row + [""] * missing)
    if not rows:
        raise ValueError("no rows in the input")
    return rows


def markdown_table(rows: list[list[str]]) -> str:
    """Return the rows as a Markdown table, the first one as its header."""
    header, *body = rows
    lines = [header, ["---"] * len(header), *body]
    return "".join(f"| {' | '.join(map(markdown_cell, line))} |\n" for line in lines)


def markdown_cell(text: str) -> str:
    """Return the text as it has to be written inside a table."""
    return "<br>".join(text.strip().splitlines()).replace("|", "\\|")


if __name__ == "__main__":
    main()
