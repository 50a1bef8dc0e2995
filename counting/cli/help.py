"""How help is printed: paragraphs at the terminal's width, and options in groups. Brief help shows only the ten most
used options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from counting.cli.options import NO_NEGATIVE

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

MOST_BRIEF = 10  # options that -h shows
GROUPS = {
    "Dealing": ("dealing", "decks", "cut", "burn", "after-cut"),
    "Shoes and workers": ("shoes", "seed", "workers", "cluster"),
    "Output": ("out", "format", "strict", "open", "xlsx", "pdf", "coups-out"),
}
"""The headings of options that several commands share. The command's other options come before them."""

_USED = (
    "bet", "bound", "system", "shoe", "coups", "bets", "shoes", "cut", "decks", "tie-in", "most-bet", "minimum", "by",
    "cards", "dealing", "format", "out", "open", "xlsx",
)  # fmt: skip
"""Options, from the most used to the least used."""


class Help:
    """Writes the help of every command. `brief`: only the most used options, without the paragraphs that explain the
    command."""

    def __init__(self, brief: bool = False) -> None:
        self.brief = brief

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        from cyclopts.help.formatters import DefaultFormatter

        DefaultFormatter().render_usage(console, options, usage)

    def render_description(self, console: Console, _options: ConsoleOptions, description: Any) -> None:
        """Print the paragraphs of a docstring, wrapped anew; brief help has only the first paragraph and the
        examples."""
        for i, paragraph in enumerate(_filled(description).split("\n\n")):
            if not (self.brief and i and not paragraph.startswith("Example: ")):
                console.print(paragraph + "\n", markup=False, highlight=False, emoji=False)

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        from cyclopts.help import InlineText
        from cyclopts.help.formatters import DefaultFormatter

        write = DefaultFormatter()
        panel = panel.copy(
            entries=[
                entry.copy(description=InlineText.from_format(_filled(entry.description), "plaintext"))
                for entry in panel.entries
            ]
        )
        if panel.format == "command":
            write(console, options, panel)
            return
        if self.brief and len(panel.entries) > MOST_BRIEF:
            write(console, options, panel.copy(entries=most_used(panel.entries)))
            console.print(f"--help has all {len(panel.entries)} options.", highlight=False)
            return
        for title, entries in grouped(panel.entries, str(panel.title)):
            write(console, options, panel.copy(title=title, entries=entries))


def _filled(words: Any) -> str:
    """A text of help, with each paragraph on one line."""
    paragraphs = str(getattr(words, "primary_renderable", "")).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def most_used(entries: Sequence[HelpEntry]) -> list[HelpEntry]:
    """The ten most used options, in the command's order. Chosen first are required options, then arguments without an
    option's name, then options in `_USED`, then any others."""
    ranked = sorted(
        range(len(entries)), key=lambda i: (not entries[i].required, not entries[i].positional_label, _rank(entries[i]))
    )
    return [entries[i] for i in sorted(ranked[:MOST_BRIEF])]


def _rank(entry: HelpEntry) -> int:
    return next((_USED.index(name) for name in _names(entry) if name in _USED), len(_USED))


def grouped(entries: Sequence[HelpEntry], title: str) -> Iterator[tuple[str, list[HelpEntry]]]:
    """The groups of a command's options: first its own options, under `title`, then groups of shared options."""
    groups = {title: [entry for entry in entries if not any(_names(entry) & {*names} for names in GROUPS.values())]}
    groups |= {each: [entry for entry in entries if _names(entry) & {*names}] for each, names in GROUPS.items()}
    return ((each, listed) for each, listed in groups.items() if listed)


def _names(entry: HelpEntry) -> set[str]:
    return {name.removeprefix("--") for name in entry.names}


def help(*words: str, brief: Annotated[bool, NO_NEGATIVE] = False) -> None:
    """Print the help of the commands, or of one.

    Example: counting help

    Example: counting help limits

    Parameters
    ----------
    words
        The command, for example limits or chemin own.
    brief
        The ten most used options, as with -h.
    """
    from counting.cli.commands import app_for

    app = app_for(*words[:1], brief=brief)
    app([*words, "--help"], exit_on_error=False, print_error=False, result_action="return_value")
