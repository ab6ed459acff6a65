"""The two ways in which the steps of a call are taken: in this thread, and in an event loop."""

from __future__ import annotations

import asyncio
import time
from typing import Awaitable, Callable, Mapping, Optional, TypeVar, cast

import httpx

from ._operations import Body, Operation, Options
from ._pages import AsyncPages, Page, Pages
from ._reading import Outcome
from ._request import Send, Settings
from ._steps import Wait, steps_of

T = TypeVar("T")


class Caller:
    """Makes calls and waits for them."""

    def __init__(
        self,
        settings: Settings,
        http_client: Optional[httpx.Client],
        sleep: Optional[Callable[[float], None]],
    ) -> None:
        self._settings = settings
        self._http = http_client or httpx.Client()
        self._is_own = http_client is None
        self._sleep = sleep or time.sleep

    def close(self) -> None:
        if self._is_own:
            self._http.close()

    def call(
        self,
        operation: Operation[T],
        options: Optional[Options],
        path: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
        body: Body = None,
    ) -> T:
        steps = steps_of(self._settings, operation, path, query, body, options)
        outcome: Optional[Outcome] = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(step, Wait):
                self._sleep(step.seconds)
                outcome = None
            else:
                outcome = self._send(step)

    def pages(
        self,
        operation: Operation[Page[T]],
        options: Optional[Options],
        path: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
    ) -> Pages[T]:
        def fetch(cursor: Optional[str]) -> Page[T]:
            return self.call(operation, options, path, query if cursor is None else {**query, "cursor": cursor})

        return Pages(fetch)

    def _send(self, step: Send) -> Outcome:
        try:
            return self._http.request(
                step.method,
                step.url,
                headers=step.headers,
                content=step.content,
                timeout=step.timeout,
                follow_redirects=False,
            )
        except httpx.RequestError as error:
            return error


class AsyncCaller:
    """Makes calls that are awaited."""

    def __init__(
        self,
        settings: Settings,
        http_client: Optional[httpx.AsyncClient],
        sleep: Optional[Callable[[float], Awaitable[None]]],
    ) -> None:
        self._settings = settings
        self._http = http_client or httpx.AsyncClient()
        self._is_own = http_client is None
        self._sleep = sleep or asyncio.sleep

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def call(
        self,
        operation: Operation[T],
        options: Optional[Options],
        path: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
        body: Body = None,
    ) -> T:
        steps = steps_of(self._settings, operation, path, query, body, options)
        outcome: Optional[Outcome] = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(step, Wait):
                await self._sleep(step.seconds)
                outcome = None
            else:
                outcome = await self._send(step)

    def pages(
        self,
        operation: Operation[Page[T]],
        options: Optional[Options],
        path: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
    ) -> AsyncPages[T]:
        async def fetch(cursor: Optional[str]) -> Page[T]:
            return await self.call(operation, options, path, query if cursor is None else {**query, "cursor": cursor})

        return AsyncPages(fetch)

    async def _send(self, step: Send) -> Outcome:
        try:
            return await self._http.request(
                step.method,
                step.url,
                headers=step.headers,
                content=step.content,
                timeout=step.timeout,
                follow_redirects=False,
            )
        except httpx.RequestError as error:
            return error
