"""Read and check TOML files. The mistakes in a file's data are reported together, each on a separate line."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import resources
from inspect import Signature
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from counting.errors import MOST_MISTAKES, InputError, Mistakes, beyond_most, nearest, printable, refuse_other_encoding
from counting.io.beside import did_you_mean
from counting.io.toml_causes import explained
from counting.synonyms import letters

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass  # has no public name in pydantic
else:
    ModelMetaclass = type(BaseModel)

Model = TypeVar("Model", bound=BaseModel)

MOST_TOML = 1_000_000  # the largest file that is read, in bytes

_KINDS = {"bounds/houses": "house rules", "chemin/macao": "game", "logs/layouts": "layout"}

_DEEPEST = 16  # the most levels of nesting, from the top table down to a value, both included
# A dotted key with more than 50 parts. The parser's time grows with the square of the number of parts.
_LONG_KEY = re.compile(r"""(?m)(?:^|[\[{,])[ \t]*(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){50}""")
_EXPECTED = {
    "string_type": "should be a text in quotes",
    "int_type": "should be a whole number",
    "float_type": "should be a number",
    "bool_type": "should be true or false",
    "tuple_type": "should be a list in brackets",
    "list_type": "should be a list in brackets",
    "dict_type": "should be a table",
    "model_type": "should be a table",
}


def shipped(folder_name: str) -> dict[str, Path]:
    """The TOML files in a folder of the package such as `games` or `bounds/houses`. The keys are the files' names
    without `.toml`."""
    folder = Path(str(resources.files("counting") / folder_name))
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


def find(name_or_path: str | Path, folder: str, also: Iterable[str] = ()) -> Path:
    """The path of a shipped file, found by its name, or of a user's file. Capitals, blanks and hyphens in a name do not
    matter. `also`: further valid names, for the hint on spelling."""
    files, text = shipped(folder), str(name_or_path)
    if text not in files and not os.path.exists(text) and not {"/", "\\"} & {*text}:
        text = next((name for name in files if letters(name) == letters(text)), text)
    kind = _KINDS.get(folder, folder.removesuffix("s"))
    return files.get(text) or own_file(text, kind, files, also)


def own_file(path: str | Path, kind: str, names: Iterable[str], also: Iterable[str] = ()) -> Path:
    """The path of a user's file. Raises `InputError` if there is no such file. `names`: the shipped names of the same
    kind, for the error line."""
    text = str(path)
    refuse_other_encoding(text)
    if os.path.isfile(text):
        return Path(text)
    if os.path.exists(text):
        raise InputError(f"{text}: is not a file, should be a TOML file")
    if text.endswith(".toml") or "/" in text or "\\" in text:
        raise InputError(f"{text}: no such file{did_you_mean(text, '.toml')}")
    names = list(names)
    hint = f"; did you mean '{text}.toml'?" if os.path.isfile(f"{text}.toml") else nearest(text, (*names, *also))
    of_these = f"one of {', '.join(names)}, or " if names else ""
    raise InputError(
        f"{kind} {text!r}: should be {of_these}the path of a TOML file" + (hint or did_you_mean(text, ".toml"))
    )


def read_toml(path: Path) -> dict[str, Any]:
    """The data of a TOML file."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_TOML + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return toml_data(content, str(path))


def toml_data(content: bytes, path: str) -> dict[str, Any]:
    """The data in the bytes of a TOML file. `path`: the file's name in error lines."""
    try:
        if len(content) > MOST_TOML:
            raise InputError(f"{path}: has more than {MOST_TOML:,} bytes, should be a TOML file of fewer")
        text = content.decode("utf-8-sig")  # some editors write a byte-order mark
        if _LONG_KEY.search(text):
            raise RecursionError
        data = tomllib.loads(text)
    except InputError:
        raise
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {explained(text, str(error))}") from None
    except RecursionError:
        raise InputError(f"{path}: not TOML: nested too deeply") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not a text in UTF-8: byte {error.start} is {error.object[error.start]:#04x}"
        ) from None
    except ValueError:  # tomllib raises this only for a whole number with too many digits
        raise InputError(f"{path}: not TOML: a whole number of too many digits") from None
    _refuse_strange(data, path)
    return data


def _refuse_strange(data: dict[str, Any], path: str) -> None:
    """Raise `InputError` for deeply nested tables, and for whole numbers beyond TOML's 64 bits."""
    level: list[tuple[str, Any]] = [("", data)]
    for _ in range(_DEEPEST):
        below: list[tuple[str, Any]] = []
        for name, value in level:
            if isinstance(value, dict):
                below += value.items()
            elif isinstance(value, list):
                below += ((name, item) for item in value)
            elif isinstance(value, int) and value.bit_length() > 63:
                raise InputError(f"{path}: {printable(name)}: a whole number beyond 64 bits")
        level = below
    if level:
        raise InputError(f"{path}: not TOML: nested too deeply")


def digest(data: object) -> str:
    """The SHA-256 of plain data. It does not depend on the order of keys."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def value_text(value: object) -> str:
    """A value as text for error lines, shortened."""
    try:
        text = json.dumps(value, default=str)
    except (ValueError, RecursionError):  # too many digits, or nested too deeply
        return "..."
    return text if len(text) <= 60 else text[:57] + "..."


def _where(model: type[BaseModel], loc: Sequence[int | str]) -> Iterator[str]:
    """The keys that lead to a mistake, in words. Places in a list are counted from 1. If a list is named in the model's
    `by_total`, its rows are named by their totals 0, 1, ..."""
    for i, part in enumerate(loc):
        if isinstance(part, int):
            continue
        following = loc[i + 1] if i + 1 < len(loc) else None
        if not isinstance(following, int):
            yield printable(part)
        elif part in getattr(model, "by_total", ()):
            yield f"{part}, row of total {following}"
        else:
            yield f"{printable(part)} {following + 1}"


class _InWords(ModelMetaclass):
    """The metaclass of `Frozen`. Making an object in Python with invalid values raises `InputError`, with a line for
    each mistake."""

    def __call__(self, *args: Any, **data: Any) -> Any:
        try:
            return super().__call__(*args, **data)
        except ValidationError as failure:
            mistakes = Mistakes()
            name = data.get("name")
            named = f"{self.__name__.lower()} {printable(name)}" if isinstance(name, str) else self.__name__.lower()
            _complain(self, failure, [named], mistakes.append)  # type: ignore[arg-type]  # self is a class of models
            mistakes.report()
            raise  # not reached: with a mistake in the list, `report` raises an error


class _Plain:
    """A descriptor for the signature of a class in `help`: types are shown without their validators."""

    def __init__(self, checked: Any) -> None:
        self.checked = checked

    def __get__(self, _: object, owner: type) -> Signature:
        signature: Signature = self.checked.__get__(None, owner)
        names = [each.replace(annotation=_plain(each.annotation)) for each in signature.parameters.values()]
        return signature.replace(parameters=names, return_annotation=Signature.empty)


def _plain(written: Any) -> Any:
    """A type with all `Annotated` removed, also those within it."""
    if get_origin(written) is Annotated:
        return _plain(get_args(written)[0])
    parts = tuple(map(_plain, get_args(written)))
    if not parts or get_origin(written) is Literal:
        return written
    if get_origin(written) in (Union, UnionType):
        return Union[parts]  # noqa: UP007  # the number of types varies
    return get_origin(written)[parts]


class Frozen(BaseModel, metaclass=_InWords):
    """The base class of frozen data, which are read from a file or made in Python. Only declared keys, with their
    types, are accepted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        type.__setattr__(cls, "__signature__", _Plain(vars(cls)["__signature__"]))

    def __eq__(self, other: object) -> bool:
        """Compare only the fields. Cached properties may be arrays, which cannot be compared with ==."""
        if type(self) is not type(other):
            return NotImplemented
        return all(self.__dict__[name] == other.__dict__[name] for name in type(self).model_fields)

    def __hash__(self) -> int:
        """The hash of all fields. It is computed only once, because these objects are keys of caches."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self.__dict__[name] for name in type(self).model_fields))

    def __getstate__(self) -> dict[Any, Any]:
        """Cached properties are not pickled but computed again when needed. A hash, for example, differs in another
        process."""
        state = super().__getstate__()
        return {**state, "__dict__": {name: self.__dict__[name] for name in type(self).model_fields}}

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some values changed, and without cached properties of the old values."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


def validated(model: type[Model], data: object, place: Sequence[str], complain: Callable[[str], None]) -> Model | None:
    """`data` as an object of the class `model`. If it is invalid, the result is None, and `complain` is called for each
    of the first `MOST_MISTAKES` mistakes, then once more with the number of further mistakes. `place`: the place of the
    data in the file."""
    try:
        return model.model_validate(data)
    except ValidationError as failure:
        _complain(model, failure, place, complain)
        return None


def _complain(
    model: type[BaseModel], failure: ValidationError, place: Sequence[str], complain: Callable[[str], None]
) -> None:
    errors = failure.errors(include_url=False)
    for error in errors[:MOST_MISTAKES]:
        where = ", ".join([*place, *_where(model, error["loc"])])
        kind, value = error["type"], error["input"]
        if not where or (
            not error["loc"] and kind == "value_error"
        ):  # about the whole table; the message names its subject
            complain(": ".join([*place, str(error.get("ctx", {}).get("error", error["msg"]))]))
            continue
        if kind == "missing":
            complain(f"{where}: missing")
            continue
        if kind == "extra_forbidden":
            keys = _keys(model, error["loc"])
            hint = nearest(str(error["loc"][-1]), keys)
            complain(f"{where} = {value_text(value)}: unknown key, should be one of {', '.join(keys)}{hint}")
            continue
        expected = _EXPECTED.get(kind)
        if kind == "value_error":
            expected = str(error["ctx"]["error"])
        if expected is None:
            expected = error["msg"].removeprefix("Input ")
        complain(f"{where} = {value_text(value)}: {expected}")
    if len(errors) > MOST_MISTAKES:
        complain(", ".join([*place, beyond_most(len(errors))]))


def _keys(model: type[BaseModel], loc: Sequence[int | str]) -> list[str]:
    """The allowed keys of the table that has the last key of `loc`."""
    for part in loc[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            inner = model.model_fields[part].annotation
            for candidate in (inner, *getattr(inner, "__args__", ())):
                if isinstance(candidate, type) and issubclass(candidate, BaseModel):
                    model = candidate
    return [field.alias or name for name, field in model.model_fields.items()]


def text(value: object) -> str:
    """A validator for a text that is on one line and not empty."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value
    raise ValueError("should be a text in quotes, on one line and not empty")


Text = Annotated[str, BeforeValidator(text)]


def duplicated(names: Mapping[int, str]) -> dict[int, str]:
    """The entries whose name repeats the name of an earlier entry."""
    first: dict[str, int] = {}
    return {i: name for i, name in names.items() if first.setdefault(name, i) != i}
