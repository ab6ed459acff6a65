"""Lists, which come page by page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import AsyncIterator, Awaitable, Callable, Generic, Iterator, List, Optional, TypeVar

from ._answers import Answer

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    data: List[T]
    next_cursor: Optional[str]
    """The `cursor` of the next page; None on the last one."""
    answer: Answer

    @property
    def request_id(self) -> str:
        return self.answer.request_id


class Pages(Generic[T]):
    """A list: `for item in …` asks for page after page; nothing is asked before."""

    def __init__(self, fetch: Callable[[Optional[str]], Page[T]]) -> None:
        self._fetch = fetch

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def page(self, cursor: Optional[str] = None) -> Page[T]:
        """The first page, or the one behind a `next_cursor`."""
        return self._fetch(cursor)

    def pages(self) -> Iterator[Page[T]]:
        """Page after page."""
        page = self.page()
        yield page
        while page.next_cursor is not None:
            page = self._fetch(page.next_cursor)
            yield page


class AsyncPages(Generic[T]):
    """A list: `async for item in …` asks for page after page; nothing is asked before."""

    def __init__(self, fetch: Callable[[Optional[str]], Awaitable[Page[T]]]) -> None:
        self._fetch = fetch

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.data:
                yield item

    async def page(self, cursor: Optional[str] = None) -> Page[T]:
        """The first page, or the one behind a `next_cursor`."""
        return await self._fetch(cursor)

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Page after page."""
        page = await self.page()
        yield page
        while page.next_cursor is not None:
            page = await self._fetch(page.next_cursor)
            yield page
