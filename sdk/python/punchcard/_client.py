"""The two clients."""

from __future__ import annotations

from types import TracebackType
from typing import Awaitable, Callable, Optional, Type

import httpx

from ._callers import AsyncCaller, Caller
from ._request import Settings
from .resources import AsyncResources, Resources


class Punchcard(Resources):
    """
    The API of a Punchcard service. It may be shared by threads.

    `base_url` is where the service is, such as `https://cards.example.com`; `api_key` opens a workspace, `operator_token`
    what is under `punchcard.operator`. `timeout` is in seconds without a byte of the answer, for each of at most
    `max_retries + 1` attempts. An `http_client` of your own brings proxies, certificates and transports, and is
    yours to close; `sleep` waits between attempts.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: Optional[str] = None,
        operator_token: Optional[str] = None,
        max_retries: int = 4,
        timeout: float = 30.0,
        http_client: Optional[httpx.Client] = None,
        sleep: Optional[Callable[[float], None]] = None,
    ) -> None:
        settings = Settings(base_url, api_key, operator_token, timeout, max_retries)
        self._caller = Caller(settings, http_client, sleep)
        super().__init__(self._caller)

    def close(self) -> None:
        """Ends its connections."""
        self._caller.close()

    def __enter__(self) -> Punchcard:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


class AsyncPunchcard(AsyncResources):
    """The same, for programs with an event loop: calls are awaited, lists go by `async for`."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: Optional[str] = None,
        operator_token: Optional[str] = None,
        max_retries: int = 4,
        timeout: float = 30.0,
        http_client: Optional[httpx.AsyncClient] = None,
        sleep: Optional[Callable[[float], Awaitable[None]]] = None,
    ) -> None:
        settings = Settings(base_url, api_key, operator_token, timeout, max_retries)
        self._caller = AsyncCaller(settings, http_client, sleep)
        super().__init__(self._caller)

    async def close(self) -> None:
        """Ends its connections."""
        await self._caller.close()

    async def __aenter__(self) -> AsyncPunchcard:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()
