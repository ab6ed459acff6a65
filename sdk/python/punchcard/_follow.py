"""What the event log has beside its operations."""

from __future__ import annotations

from typing import AsyncIterator, Dict, Iterator, Optional

from . import types
from ._callers import AsyncCaller, Caller
from ._operations import Operation, Options
from ._pages import Page

_LIST: Operation[Page[types.Event]] = Operation("GET", "/events", "page")


def _query(
    after_seq: int, type: Optional[str], pass_id: Optional[str], instance_id: Optional[str]
) -> Dict[str, object]:
    return {
        "afterSeq": after_seq,
        "type": type,
        "passId": pass_id,
        "instanceId": instance_id,
        "wait": 30,
        "limit": 100,
    }


class EventFollower:
    _caller: Caller

    def follow(
        self,
        *,
        after_seq: int,
        type: Optional[str] = None,
        pass_id: Optional[str] = None,
        instance_id: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Iterator[types.Event]:
        """
        All events behind `after_seq` in their order, without an end: those that there are, then each as it happens. Keep the
        `seq` of the last one that you are done with, and go on from there after a restart; none is missed.
        """
        while True:
            query = _query(after_seq, type, pass_id, instance_id)
            for event in self._caller.call(_LIST, options, query=query).data:
                yield event
                after_seq = event["seq"]


class AsyncEventFollower:
    _caller: AsyncCaller

    async def follow(
        self,
        *,
        after_seq: int,
        type: Optional[str] = None,
        pass_id: Optional[str] = None,
        instance_id: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> AsyncIterator[types.Event]:
        """
        All events behind `after_seq` in their order, without an end: those that there are, then each as it happens. Keep the
        `seq` of the last one that you are done with, and go on from there after a restart; none is missed.
        """
        while True:
            query = _query(after_seq, type, pass_id, instance_id)
            for event in (await self._caller.call(_LIST, options, query=query)).data:
                yield event
                after_seq = event["seq"]
