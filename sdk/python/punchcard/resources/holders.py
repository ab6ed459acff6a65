"""`punchcard.holders`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional

from .. import types
from .._asynchronous import in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Operation, Options
from .._pages import Page, Pages

_LIST: Operation[Page[types.Holder]] = Operation("GET", "/holders", "page")


class Holders:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        identifier: Optional[str] = None,
        email: Optional[str] = None,
        phone: Optional[str] = None,
        q: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Holder]:
        """
        Find people, with their cards of all passes.

        By exactly one of identifier, email, phone (in E.164 form) and `q`. Cards are one person's that have the same
        identifier; of those without one, the same address; of those without either, the same number. A restricted key
        sees the cards of its passes; staff ask by a `q` of at least three letters, for names and numbers alone, and see
        its first page. An identifier that no card has exactly is found in another case, and without its blanks and
        hyphens. They come in the order of what was found, and a page may hold fewer than `limit`: go on while there is
        a `nextCursor`.

        `GET /holders`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164
            q: what words of a name, an address, a number or a code begin with, in whatever case, words in any order; or
                the last digits of a telephone number, at least four
        """
        return self._caller.pages(
            _LIST,
            options,
            query={"limit": limit, "cursor": cursor, "identifier": identifier, "email": email, "phone": phone, "q": q},
        )


class AsyncHolders:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    list = in_async_pages(Holders.list)
