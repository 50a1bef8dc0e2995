"""Draft a layout for a file of unknown form. Keys that are certain are written as keys. Other keys are written as TOML
comments, with the texts that were seen."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import polars as pl

from counting.cards import MOST_COUPS_PER_DECK
from counting.errors import InputError
from counting.games import load_game
from counting.logs import fields
from counting.logs.cards import hand_codes, value_of
from counting.logs.contents import by_contents
from counting.logs.drafted_files import DraftedFile
from counting.logs.drafted_messages import Kinds, message_kinds, split_of
from counting.logs.fitting import MOST_WINNERS, PLACES, Fit, fit_coups
from counting.logs.frames import frames_in
from counting.logs.guessing import Guess, grouped, guessed, texts_of
from counting.logs.headings import columns_of
from counting.logs.joined import card_row_columns
from counting.logs.layouts import CONSTANT, HANDS, KEY, OPTIONAL, FileForm, Layout, file_words, load_layout
from counting.logs.log import Log, read_log
from counting.logs.messages import ANY
from counting.logs.remarks import short
from counting.logs.rows import hand_text
from counting.logs.sources import AND, Source
from counting.logs.views import SOME

_NOTHING = "  # nothing seen"
_NEXT = "\n# Saved with > ours.toml, this reads the log: counting audit GAME --coups LOG --layout ours.toml\n"
_OPEN = (
    "\n# Save this with > ours.toml and complete its keys. Then try: "
    "counting audit GAME --coups LOG --layout ours.toml\n"
)
_READS_WINNERS = (
    "\n# Saved with > ours.toml, this reads the winners: counting results GAME --coups LOG --layout ours.toml\n"
)
_WINNERS = "\n# Without a layout, this reads the winners: counting results GAME --coups LOG\n"
_OPEN_WINNERS = (
    "\n# Save this with > ours.toml, and complete [winner]. Then try: "
    "counting results GAME --coups LOG --layout ours.toml\n"
)
_BEGINNING = 2  # characters by which the first card of a hand is told
_NEARLY = 0.8  # the simplest way to open a file is taken if it finds this share of the coups of the best way
_BY_CONTENTS = "  # found by what the columns hold and by the drawing rules: check them"
_SHOWN = 3
_MOST_COUPS = 8 * MOST_COUPS_PER_DECK  # in a shoe of eight decks
_MOST_UNUSED, _MOST_KINDS, _MOST_LOOKED_AT = 20, 60, 100  # columns: listed as unused, tested for kinds, looked at
# Usual names of a column that states the kind of message.
_KINDS = re.compile(r"(?i)(^|\.)(type|event|kind|msg|msg_?type|message|message_?type|action|cmd|command|op|name|"
                    r"channel|method|topic|state|status|phase|game|game_?type|t|e)$")  # fmt: skip


class Draft(NamedTuple):
    """A drafted layout.

    `text`: the layout as TOML. `by_contents`: whether the columns were found by what they hold, as their headings are
    not known. `results_alone`: whether the file has winners and no cards."""

    text: str
    by_contents: bool = False
    results_alone: bool = False


@dataclass(frozen=True)
class _Candidate:
    """What was found out about a file: how it is opened, its columns, and which of its records are coups."""

    form: FileForm
    source: Source
    guess: Guess
    kinds: Kinds | None
    again: bool  # whether a coup has several records
    by_contents: bool  # whether the columns were found by what they hold
    coups: float  # the number of records with cards in both hands, divided by the number of lines


def draft(path: Path) -> str:
    """A layout for a file, as TOML, followed by the file's first coups as the layout reads them.

    Raises `InputError` for a file that cannot be opened in any form, or that is empty.
    """
    drafted = drafted_layout(path)
    return drafted.text + _coups(path, drafted)


def drafted_layout(path: Path) -> Draft:
    """The layout that `draft` returns, without the coups."""
    file = DraftedFile(path)
    if any(wrong is None for _, _, wrong in islice(frames_in(_first_line(file.start)), 3)):
        return Draft(_shoe())
    return _of_rows(file)


def _first_line(start: bytes) -> str:
    return start.split(b"\n")[0].decode(errors="replace").strip()


def _shoe() -> str:
    shipped = load_layout("electronic-shoe")
    lines = [f"title = {_quoted(shipped.title)}", "", "[coups]"]
    columns = shipped.coups.model_dump(include=shipped.coups.model_fields_set)
    lines += [f"{field} = {_quoted(column)}" for field, column in columns.items()]
    return "\n".join(
        [*lines, "", "[frames]", '# suits = "shdc"  # the suits of the nibbles 9, a, b and c, if known', ""]
    )


def _of_rows(file: DraftedFile) -> Draft:
    candidates = [found for form in file.forms() if (found := _tried(file, form)) is not None]
    if candidates:
        best = max(candidates, key=lambda found: found.coups)
        simplest = next(found for found in candidates if found.coups >= _NEARLY * best.coups)  # columns before patterns
        return Draft(_written(file.path, simplest) + _other_lines(file, simplest.form), simplest.by_contents)
    source, layout, _ = grouped(file.open(FileForm()), None)
    return _without_cards(source) if layout is None else Draft(_by_card(file.path, source, layout))


def _other_lines(file: DraftedFile, form: FileForm) -> str:
    """TOML comments on the lines that the pattern does not read, one for each kind of line."""
    if form.line is None or file.lines is None or not file.lines.others:
        return ""
    kinds = file.lines.others
    lines = [f"#   {number:,} as: {short(text, 70)}" for number, text in kinds[:_MOST_UNUSED]]
    more = sum(number for number, _ in kinds[_MOST_UNUSED:])
    return "\n".join(["# Lines that are not read:", *lines, *([f"#   {more:,} others"] if more else []), ""])


def _by_card(path: Path, source: Source, layout: Layout) -> str:
    """A draft for a file with a row per card."""
    lines = [f"title = {_quoted(f'the layout of {path.name}')}", "", "[coups]"]
    for field in KEY:
        column = getattr(layout.coups, field)
        lines.append(f"{field} = {_quoted(column)}{_seen(source, field, [column])}")
    assert layout.card_rows is not None
    lines += ["", "[card_rows]  # a row per card"]
    for field, column in card_row_columns(layout.card_rows).items():
        lines.append(f"{field} = {_quoted(column)}{_seen(source, field, [column])}")
    return "\n".join([*lines, ""])


def _tried(file: DraftedFile, form: FileForm) -> _Candidate | None:
    """A draft for the file opened in this way; None if it cannot be opened or if no hands are found."""
    try:
        source = file.open(form)
    except InputError:
        return None
    layout = Layout(file=form)
    shipped = _shipped(source, layout) if form == FileForm() else None
    guess = shipped or guessed(source, layout)
    is_unknown = guess is None
    guess = guess or by_contents(source, layout, load_game("punto-banco").tableau)
    if guess is None:
        return None
    if shipped is None:
        form, source, guess = _split(file, form, source, guess)
    if form.rows is not None and ANY in form.rows and guess.layout.coups.table == CONSTANT:
        guess = _with(guess, table=ANY)
    hands = _hand_columns(guess.layout)
    named = (name for name in source.names if _KINDS.search(name) and not re.search(r"\.[0-9]+(\.|$)", name))
    names = list(islice(named, _MOST_KINDS))
    kinds = message_kinds(source, hands, names) if hands else None
    if kinds is not None:
        form = form.model_copy(update={"only": {kinds.column: kinds.words}})
        source = file.open(form)
    elif source.nested and _some_without(source, guess.layout):
        form = form.model_copy(update={"only": {_card_columns(guess.layout)[0]: (SOME,)}})
        source = file.open(form)
    again, number = _come_again(source, guess.layout), _coups_a_line(source, guess.layout)
    return _Candidate(form, source, guess, kinds, again, is_unknown, number)


def _shipped(source: Source, layout: Layout) -> Guess | None:
    """The project's own or a shipped layout that fits a file, if there is one."""
    try:
        fit = fit_coups(source, None)
    except InputError:
        return None
    return Guess(fit.layout, (f"as the layout {fit.name}",)) if fit.name else None


def _with(guess: Guess, **columns: str) -> Guess:
    coups = guess.layout.coups.model_copy(update=columns)
    return guess._replace(layout=guess.layout.model_copy(update={"coups": coups}))


def _split(file: DraftedFile, form: FileForm, source: Source, guess: Guess) -> tuple[FileForm, Source, Guess]:
    """The same form, source and guess or, if the shoe or the coup was not found and one field holds both, new ones with
    a pattern that splits this field."""
    coups = guess.layout.coups
    if CONSTANT not in (coups.shoe, coups.coup) and coups.shoe != coups.coup:
        return form, source, guess
    likely = dict.fromkeys([*columns_of("coup", source.names), *columns_of("shoe", source.names), *source.names])
    for name in islice(likely, 60):
        pattern = None if re.search(r"\.[0-9]+(\.|$)", name) else split_of(texts_of(source, name))
        if pattern is not None:
            form = form.model_copy(update={"split": {name: pattern}})
            numbers = guess.layout.numbers.model_copy(update={"new_shoe": None})
            layout = guess.layout.model_copy(update={"numbers": numbers, "file": form})
            guess = _with(guess._replace(layout=layout), shoe="shoe", coup="coup")
            return form, file.open(form), guess
    return form, source, guess


def _coups_a_line(source: Source, layout: Layout) -> float:
    """How many records with cards in both hands a line of the sample has, on average."""
    hands = {f"hand {number}": name for number, name in enumerate(_card_columns(layout))}
    rows = source.sample(hands)
    whole = rows.filter(pl.all_horizontal(pl.col(list(hands)) != "")).height
    return whole / max(1, rows["line"].n_unique())


def _some_without(source: Source, layout: Layout) -> bool:
    """Whether some records have no cards in the layout's columns of cards."""
    hands = {f"hand {number}": name for number, name in enumerate(_card_columns(layout))}
    rows = source.sample(hands)
    return rows.filter(pl.all_horizontal(pl.col(list(hands)) == "")).height > 0


def _card_columns(layout: Layout) -> list[str]:
    """The column of each hand, or the column of its first card. If all cards are in one column, that column."""
    if layout.coups.cards is not None:
        return [layout.coups.cards]
    return [hand if isinstance(hand, str) else hand[0] for hand in (layout.coups.player, layout.coups.banker)]


def _hand_columns(layout: Layout) -> list[str]:
    if layout.coups.cards is not None:
        return []
    hands = [layout.coups.player, layout.coups.banker]
    return [hand for hand in hands if isinstance(hand, str)] if all(isinstance(hand, str) for hand in hands) else []


def _come_again(source: Source, layout: Layout) -> bool:
    """Whether coups are recorded several times while their cards are dealt. True if more than a tenth of the records
    have the same coup as the record before, and the same hands with more cards."""
    key = {field: column for field in KEY if (column := getattr(layout.coups, field)) != CONSTANT}
    if source.column(key.get("table", "")) is None:
        key.pop("table", None)  # the file has only one table
    hands = {f"hand {number}": name for number, name in enumerate(_hand_columns(layout))}
    if "coup" not in key or not hands:
        return False
    rows = source.sample(key | hands)
    before = pl.all().shift().over("table") if "table" in key else pl.all().shift()
    was = rows.select(before)
    again = (
        pl.DataFrame({name: rows[name] == was[name] for name in key}).select(pl.all_horizontal(pl.all())).to_series()
    )
    longer = [rows[name].str.len_chars() >= was[name].str.len_chars() for name in hands]
    begins = [rows[name].str.head(_BEGINNING) == was[name].str.head(_BEGINNING) for name in hands]
    differ = [rows[name] != was[name] for name in hands]
    grown = pl.select(pl.all_horizontal(*longer, *begins) & pl.any_horizontal(differ)).to_series()
    return 10 * int((again & grown).sum()) > rows.height


def _written(path: Path, found: _Candidate) -> str:
    layout = found.guess.layout
    fit = fit_coups(found.source, layout)
    lines = [
        f"title = {_quoted(f'the layout of {path.name}')}",
        *_file_lines(found),
        "",
        f"[coups]{_BY_CONTENTS * found.by_contents}",
    ]
    used: set[str] = set()
    for field, column in layout.coups.model_dump(include=layout.coups.model_fields_set, exclude_none=True).items():
        each = [column] if isinstance(column, str) else list(column)
        used.update(part for name in each for part in name.split(AND))
        value = _quoted(column) if isinstance(column, str) else f"[{', '.join(map(_quoted, column))}]"
        seen = _seen(found.source, field, each)
        lines.append(f"{'# ' * (seen == _NOTHING and field in OPTIONAL)}{field} = {value}{seen}")
    used.update(fit.columns.values())
    lines += _open_winner(found.source, fit, used)
    lines += _numbers_lines(fit, found) + _cards_lines(fit)
    lines += _unused(found.source, used | set(found.form.split) | set(found.form.only))
    return "\n".join([*lines, ""])


def _file_lines(found: _Candidate) -> list[str]:
    form, lines = found.form, []
    if form.rows is not None:
        lines.append(f"rows = {_quoted(form.rows)}")
    if form.line is not None:
        lines.append(f"line = {_quoted(form.line)}")
    if form.shoe_line is not None:
        lines.append(f"shoe_line = {_quoted(form.shoe_line)}  # lines that begin a shoe")
    if found.kinds is not None:
        words = _listed(found.kinds.words)
        others = short(", ".join(word or "nothing" for word in found.kinds.others), 80)
        lines.append(f"only = {{ {_key(found.kinds.column)} = {words} }}  # others: {others}")
    elif form.only:
        lines.append(f'only = {{ {_key(next(iter(form.only)))} = "{SOME}" }}  # records without cards are left out')
    for column, pattern in form.split.items():
        lines.append(f"split = {{ {_key(column)} = {_quoted(pattern)} }}{_seen(found.source, '', [column])}")
    return ["", "[file]", *lines] if lines else []


def _seen(source: Source, field: str, columns: Sequence[str]) -> str:
    """A TOML comment with the first texts of the first of these columns."""
    if columns[0] == CONSTANT:
        return {"table": "  # no column of tables was found: read as one table",
                "shoe": "  # no column of shoes was found: read as one shoe",
                "coup": "  # no column of coups was found: numbered in the file's order"}.get(field, "")  # fmt: skip
    column = source.column(columns[0])
    texts = list(dict.fromkeys(texts_of(source, column)))[:_SHOWN] if column is not None else []
    return f"  # seen: {short(' | '.join(texts), 80)}" if texts else _NOTHING


def _open_winner(source: Source, fit: Fit, used: set[str]) -> list[str]:
    """The draft's lines on the winner, if the file's words for winners are not known. They state what each word means,
    if the cards show it, and otherwise the texts that were seen."""
    own = fit.columns.get("winner")
    if own is not None and _are_winners(texts_of(source, own), fit.layout):
        return []
    left = [name for name in source.names if name not in used or name == own]
    by_heading = columns_of("winner", left)
    for name in dict.fromkeys([*by_heading, *([] if source.nested else left[:_MOST_UNUSED])]):
        words = texts_of(source, name)
        if not words or len(set(words)) > MOST_WINNERS:
            continue
        mapped = _by_cards(source, fit, name)
        if mapped is None and name not in by_heading:
            continue
        used.add(name)
        if mapped is not None:
            rows = [f"{toolkit_word} = {_listed(listed_words)}" for toolkit_word, listed_words in mapped.items()]
            return [f"winner = {_quoted(name)}{_seen(source, 'winner', [name])}", "", "[winner]  # by the cards", *rows]
        return [f"# winner = {_quoted(name)}{_seen(source, 'winner', [name])}: say under [winner] which is which"]
    return ["# winner: no column of winners was found; the cards say who won"]


def _by_cards(source: Source, fit: Fit, name: str) -> Mapping[str, Sequence[str]] | None:
    """The file's words for each winner. A word means a winner if the cards give this winner on three or more of the
    word's coups, and on at least 95% of them. Rare words are left out. None if another word means no winner, or if all
    words mean the same winner."""
    columns = {field: column for field, column in fit.columns.items() if field in (*HANDS, *PLACES)}
    rows = source.sample({**columns, "word": name}).to_dicts()
    counts: Counter[tuple[str, str]] = Counter()
    for row in rows:
        totals = [_total(" ".join(row[field] for field in columns if field.startswith(hand)), fit) for hand in HANDS]
        if row["word"] and None not in totals:
            p, b = totals
            counts[row["word"], "tie" if p == b else "player" if (p or 0) > (b or 0) else "banker"] += 1
    mapped: dict[str, list[str]] = {}
    for word in dict.fromkeys(row["word"] for row in rows if row["word"]):
        (won, number), *_ = Counter({w: n for (word_used, w), n in counts.items() if word_used == word}).most_common(
            1
        ) or [("", 0)]
        if number < 3 and 20 * number < len(rows):
            continue  # as for a void coup
        if number < 3 or number < 0.95 * sum(n for (word_used, _), n in counts.items() if word_used == word):
            return None
        mapped.setdefault(won, []).append(word)
    return mapped if len(mapped) > 1 else None


def _total(text: str, fit: Fit) -> int | None:
    values = [value_of(code) for code in hand_codes(text, fit.by)[0]]
    return None if len(values) < 2 or None in values else sum(value or 0 for value in values) % 10


def _numbers_lines(fit: Fit, found: _Candidate) -> list[str]:
    numbers, lines = found.guess.layout.numbers, []
    order, first = fit.numbering
    if numbers.new_shoe is not None:
        lines.append(f'new_shoe = "falls"  # a new shoe begins where {found.guess.layout.coups.shoe} falls')
    if order in ("time", "running") or found.form.shoe_line is not None:
        lines.append(f"order = {_quoted(order)}")
    if first == 0:
        lines.append("first = 0")
    if found.again or numbers.repeated is not None:
        lines.append('repeated = "last"  # a coup comes several times, as its cards are dealt')
    return ["", "[numbers]", *lines] if lines else []


def _cards_lines(fit: Fit) -> list[str]:
    by, cards, lines = fit.by, fit.layout.cards, []
    if by.written != "cards":
        lines.append(f"written = {_quoted(by.written)}")
    if cards.order is not None:
        lines.append(f"order = {_quoted(cards.order)}")
    if by.joined:
        lines.append("joined = true")
    if by.none:
        lines.append(f"none = [{', '.join(map(_quoted, sorted(by.none)))}]")
    if by.written == "codes":
        lines.append(f"first_code = {by.first_code}")
        lines.append('# codes = "shdc"  # the order of suits, if known; without it, cards are read by rank')
    lines.append(f"# {fit.read:,} of {fit.cards:,} cards seen are read")
    return ["", "[cards]", *lines]


def _unused(source: Source, used: set[str]) -> list[str]:
    """TOML comments on the columns that were not used."""
    plain = {name.strip().lower() for name in used}

    def is_left(name: str) -> bool:
        parts = name.strip().lower().split(".")
        is_place = re.search(r"\.[0-9]+(\.|$)", name)
        return not is_place and not any(".".join(parts[: at + 1]) in plain for at in range(len(parts)))

    lines: list[str] = []
    for name in islice(filter(is_left, source.names), _MOST_LOOKED_AT):
        texts = list(dict.fromkeys(texts_of(source, name)))[:_SHOWN]
        if texts and len(lines) < _MOST_UNUSED:
            lines.append(f"#   {short(name, 40)}: {short(' | '.join(texts), 70)}")
    return ["", "# Not used:", *lines] if lines else []


def _without_cards(source: Source) -> Draft:
    """A draft for a file without cards, with what was seen."""
    by_heading = columns_of("winner", source.names)
    winner = next((name for name in by_heading if _are_winners(texts_of(source, name), Layout())), None)
    unknown = next((name for name in by_heading if 1 < len(set(texts_of(source, name))) <= MOST_WINNERS), None)
    lines = ["# No columns with the hands' cards were found, nor one with all cards. Name the columns:", "[coups]"]
    told = winner or unknown
    if told is not None:
        lines.insert(0, f"# Results alone, in {short(told, 40)}: without cards no bet can be priced.")
    used: set[str] = set()
    for field in (*KEY, *HANDS, "winner"):
        name = next(iter(columns_of(field, [name for name in source.names if name not in used])), None)
        example = f"# {field} = {_quoted(name)}{_seen(source, field, [name])}" if name else f'# {field} = ""'
        lines.append(example)
        used.update([name] if name else [])
    if winner is None and unknown is not None:
        lines[-1] = f"winner = {_quoted(unknown)}"
        lines += _which_winner(Counter(texts_of(source, unknown)))
        used.add(unknown)
    return Draft("\n".join([*lines, *_unused(source, used), ""]), results_alone=told is not None)


def _which_winner(words: Counter[str]) -> list[str]:
    """The lines on words for winners that are not known, to be completed. Ties are told by being rare."""
    seen = ", ".join(f"{_quoted(word)} {number:,} times" for word, number in words.most_common())
    tie = _quoted(min(words, key=words.__getitem__)) if len(words) > 2 else '""'
    return ["", f"[winner]  # which word means which; seen: {short(seen, 160)}", '# player = ""', '# banker = ""',
            f"# tie = {tie}  # a tie comes in about one of ten coups"]  # fmt: skip


def _are_winners(texts: Sequence[str], layout: Layout) -> bool:
    winner = fields.winner(file_words(layout.winner))
    return bool(texts) and sum(winner(text)[0] is not None for text in texts) > 0.9 * len(texts)


def _coups(path: Path, drafted: Draft) -> str:
    """TOML comments with the first coups as the draft reads them, and with what to do next."""
    try:
        layout = Layout.model_validate(tomllib.loads(drafted.text))
        log = read_log(path, None, layout)
    except InputError as error:
        following = _WINNERS if drafted.results_alone else _OPEN
        return f"\n# With this layout, the file cannot be read yet: {str(error).splitlines()[0]}\n{following}"
    skipped = log.skipped["coups"]
    first = " The first of them:" if log.coups.height or skipped else ""
    lines = [f"# With this layout: {log.coups.height:,} coups, {skipped:,} lines skipped.{first}"]
    for row in log.coups.head(_SHOWN).to_dicts():
        player, banker = (hand_text(row, hand) for hand in HANDS)
        won = f", winner {row['winner']}" if row["winner"] else ""
        key = ", ".join(f"{field} {short(str(row[field]), 20)}" for field in KEY)
        lines.append(f"#   {key}: player {player}, banker {banker}{won}")
    most_unread = max(skipped, 2 * log.remarked("winner")) > log.coups.height
    lines += [f"#   not read, line {line}: {reason}" for line, reason in
              log.remarks.select("line", "reason").head(_SHOWN if skipped or most_unread else 0).rows()]  # fmt: skip
    wrong = doubts(log)
    lines += [f"# {sentence}" for sentence in wrong]
    is_open = bool(most_unread or wrong) or (drafted.by_contents and CONSTANT in (layout.coups.shoe, layout.coups.coup))
    open_or_read = (_OPEN_WINNERS, _READS_WINNERS) if drafted.results_alone else (_OPEN, _NEXT)
    return "\n".join(["", *lines, ""]) + open_or_read[not is_open]


def doubts(log: Log) -> list[str]:
    """Sentences on what must be wrong in a draft by which this log was read, and on what to complete."""
    sentences = []
    longest = log.coups.group_by("table", "shoe").len().sort("len", "shoe").tail(1)
    for _, shoe, number in longest.rows():
        if number > _MOST_COUPS:
            sentences.append(f"Shoe {short(str(shoe), 20)} has {number:,} coups, and eight decks have cards for at "
                             f"most {_MOST_COUPS}: name the column of shoes.")  # fmt: skip
    if 2 * log.remarked("winner") > log.coups.height:
        sentences.append("The words for winners are not known: say under [winner] which word means which.")
    return sentences


def _listed(words: Sequence[str]) -> str:
    quoted = ", ".join(map(_quoted, words))
    return quoted if len(words) == 1 else f"[{quoted}]"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _in_quotes(name)


def _quoted(text: str) -> str:
    """A text in TOML's quotes."""
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return _in_quotes(text)


def _in_quotes(text: str) -> str:
    """A text in double quotes, with TOML's escapes. TOML does not allow lone surrogates, which occur in names of files
    that are not in UTF-8; each becomes a replacement character."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    signs = (f"\\{sign}" if sign in '"\\' else sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in text)
    return f'"{"".join(signs)}"'
