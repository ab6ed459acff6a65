"""
How the resources of `AsyncPunchcard` get their methods from those of `Punchcard`.

A method passes its arguments to its caller and returns what that returns. With an `AsyncCaller` the same function returns
a coroutine, or pages for `async for`. So each signature and docstring exists once; only the type of the answer differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Coroutine, TypeVar, cast

from ._pages import AsyncPages, Pages

T = TypeVar("T")

if TYPE_CHECKING:
    # For type checkers only, which know this module without its package: Python 3.9 has no ParamSpec.
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")


def awaited(
    method: Callable[Concatenate[Any, P], T],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The method for a resource with an `AsyncCaller`: its answer is awaited."""
    return cast("Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]", method)


def in_async_pages(
    method: Callable[Concatenate[Any, P], Pages[T]],
) -> Callable[Concatenate[Any, P], AsyncPages[T]]:
    """The method for a resource with an `AsyncCaller`: its list goes by `async for`."""
    return cast("Callable[Concatenate[Any, P], AsyncPages[T]]", method)
