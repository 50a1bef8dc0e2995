"""What each card counts: tags by value, by rank or by suit, as a system's file has them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, ValidatorFunctionWrapHandler, WrapValidator, model_validator

from counting.cards import SUITS
from counting.io.toml import Frozen

MOST_TAG = 100


def _tag(value: object) -> int:
    if type(value) is int and abs(value) <= MOST_TAG:
        return value
    raise ValueError(f"should be a whole number from -{MOST_TAG} to {MOST_TAG}")


Tag = Annotated[int, BeforeValidator(_tag)]


class Tags(Frozen):
    """Tags by value, with T for tens and faces, or tags by rank."""

    ace: Tag = Field(alias="A")
    two: Tag = Field(alias="2")
    three: Tag = Field(alias="3")
    four: Tag = Field(alias="4")
    five: Tag = Field(alias="5")
    six: Tag = Field(alias="6")
    seven: Tag = Field(alias="7")
    eight: Tag = Field(alias="8")
    nine: Tag = Field(alias="9")
    tens: Tag | None = Field(None, alias="T")
    ten: Tag | None = Field(None, alias="10")
    jack: Tag | None = Field(None, alias="J")
    queen: Tag | None = Field(None, alias="Q")
    king: Tag | None = Field(None, alias="K")

    @model_validator(mode="after")
    def _one_way(self) -> Tags:
        faces = [tag is not None for tag in (self.ten, self.jack, self.queen, self.king)]
        if any(faces) == (self.tens is not None) or any(faces) != all(faces):
            raise ValueError("should have T for tens and faces, or each of 10, J, Q and K")
        return self

    @property
    def by_rank(self) -> tuple[int, ...]:
        t = self
        low = (t.ace, t.two, t.three, t.four, t.five, t.six, t.seven, t.eight, t.nine)
        high = (t.tens,) * 4 if t.tens is not None else (t.ten, t.jack, t.queen, t.king)
        return (*low, *(tag for tag in high if tag is not None))


class SuitTags(Frozen):
    """Tags by suit."""

    spades: Tag = Field(alias="s")
    hearts: Tag = Field(alias="h")
    diamonds: Tag = Field(alias="d")
    clubs: Tag = Field(alias="c")

    @property
    def by_suit(self) -> tuple[int, ...]:
        return self.spades, self.hearts, self.diamonds, self.clubs


def _of_suits_or_ranks(value: object, _: ValidatorFunctionWrapHandler) -> Tags | SuitTags:
    """The tags of a table: by suit if the table names a suit, otherwise by value or rank. Only one model is tried, so
    that error messages name the keys of this model."""
    suits = isinstance(value, SuitTags) or (isinstance(value, dict) and not {*SUITS}.isdisjoint(value))
    if suits and isinstance(value, dict) and not {*SUITS}.issuperset(value):
        raise ValueError("should be by suit, s, h, d and c, or by rank, not both")
    return (SuitTags if suits else Tags).model_validate(value)


TagTable = Annotated[SuitTags | Tags, WrapValidator(_of_suits_or_ranks)]
