"""`punchcard.messages`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional, Union

from .. import types
from .._answers import Answer, File
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_SEND: Operation[Union[types.MessageCost, types.SentMessage]] = Operation(
    "POST",
    "/passes/{passId}/messages",
    "json",
    "header",
)
_LIST: Operation[Page[types.Message]] = Operation("GET", "/passes/{passId}/messages", "page")
_GET: Operation[types.Message] = Operation("GET", "/messages/{messageId}", "json")
_UPDATE: Operation[types.Message] = Operation("PATCH", "/messages/{messageId}", "json", "header")
_TAKE_BACK: Operation[types.Message] = Operation("POST", "/messages/{messageId}/take-back", "json", "header")
_PROGRESS: Operation[Union[File, Answer]] = Operation("GET", "/messages/{messageId}/progress", "file")


class Messages:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(
        self,
        pass_id: str,
        *,
        text: str,
        audience: Maybe[types.MessageAudience] = NOT_GIVEN,
        send_at: Maybe[str] = NOT_GIVEN,
        ends_at: Maybe[str] = NOT_GIVEN,
        dry_run: Maybe[bool] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> Union[types.MessageCost, types.SentMessage]:
        """
        Send a text to the installed cards of a pass.

        The lock screen shows it and the back of the card keeps the newest one. To every installed card, or to an
        `audience`: the cards of which all holds that it names. A credit for each card; not enough for all, and nothing
        is sent. With `dry_run` it answers how many cards these are, and sends nothing. Who comes to match after the
        audience was counted may do without; for cards that were removed before their turn the credits come back. With
        `send_at` it is kept and goes out then, to those who match then, and is paid for then; with `ends_at` its text
        leaves the cards at that moment. Void cards get none.

        `POST /passes/{passId}/messages`

        Args:
            send_at: when it goes out, at most ten years ahead; without it, at once
            ends_at: when its text leaves the cards, by an update of each card; without it, with the next message
            dry_run: only answers how many cards it would go to, and what it would cost

        Raises:
            UnknownFieldKeyError, InsufficientCreditsError, PassNotFoundError, PartnerNotFoundError
        """
        return self._caller.call(
            _SEND,
            options,
            path={"passId": pass_id},
            body={"text": text, "audience": audience, "sendAt": send_at, "endsAt": ends_at, "dryRun": dry_run},
        )

    def list(
        self,
        pass_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Message]:
        """
        The messages of a pass.

        Newest first, each with its outcome so far.

        `GET /passes/{passId}/messages`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            PassNotFoundError
        """
        return self._caller.pages(
            _LIST,
            options,
            path={"passId": pass_id},
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )

    def get(self, message_id: str, *, options: Optional[Options] = None) -> types.Message:
        """
        A message and its outcome.

        `recipients` are always the sum of `delivered`, `failed`, `skipped` and `waiting`. Each card counts once, with
        the first of its wallets that was notified.

        `GET /messages/{messageId}`

        Raises:
            MessageNotFoundError
        """
        return self._caller.call(_GET, options, path={"messageId": message_id})

    def update(
        self,
        message_id: str,
        *,
        text: Maybe[str] = NOT_GIVEN,
        audience: Maybe[Optional[types.MessageAudience]] = NOT_GIVEN,
        send_at: Maybe[str] = NOT_GIVEN,
        ends_at: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Message:
        """
        Change a message that waits for its time.

        Everything but its pass. `null` takes the audience or the end away.

        `PATCH /messages/{messageId}`

        Args:
            send_at: when it goes out, at most ten years ahead; without it, at once
            ends_at: when its text leaves the cards, by an update of each card; without it, with the next message

        Raises:
            UnknownFieldKeyError, MessageNotFoundError, PartnerNotFoundError, MessageAlreadySentError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"messageId": message_id},
            body={"text": text, "audience": audience, "sendAt": send_at, "endsAt": ends_at},
        )

    def take_back(self, message_id: str, *, options: Optional[Options] = None) -> types.Message:
        """
        Take a message back.

        One that waits for its time is not sent. The text of one that has gone out leaves the cards, by an update of
        each at a credit; notifications that phones have shown stay, and a newer message too. Repeating it changes
        nothing.

        `POST /messages/{messageId}/take-back`

        Raises:
            MessageNotFoundError
        """
        return self._caller.call(_TAKE_BACK, options, path={"messageId": message_id})

    def progress(self, message_id: str, *, options: Optional[Options] = None) -> Union[File, Answer]:
        """
        The outcome of a message, as it happens.

        Server-sent events: `progress` with what `getMessage` answers, at once unless Last-Event-ID names that state,
        and whenever it changes; `done` with the same once no card waits, and then the stream ends. Who comes again with
        the id of that is answered 204, which ends an EventSource. A comment every 15 seconds while nothing happens. A
        key that is revoked is cut off.

        `GET /messages/{messageId}/progress`

        Raises:
            MessageNotFoundError
        """
        return self._caller.call(_PROGRESS, options, path={"messageId": message_id})


class AsyncMessages:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    send = awaited(Messages.send)
    list = in_async_pages(Messages.list)
    get = awaited(Messages.get)
    update = awaited(Messages.update)
    take_back = awaited(Messages.take_back)
    progress = awaited(Messages.progress)
