"""`punchcard.barcodes`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Optional, Union

from .. import types
from .._answers import Answer
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import FileBody, Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_UPLOAD: Operation[types.UploadReport] = Operation("POST", "/passes/{passId}/barcodes", "json", "header")
_LIST: Operation[Page[types.PoolBarcode]] = Operation("GET", "/passes/{passId}/barcodes", "page")
_DELETE: Operation[Answer] = Operation("DELETE", "/passes/{passId}/barcodes/{barcode}", "nothing", "header")


class Barcodes:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def upload(
        self,
        pass_id: str,
        *,
        barcodes: Maybe[List[str]] = NOT_GIVEN,
        csv: Optional[Union[str, bytes]] = None,
        options: Optional[Options] = None,
    ) -> types.UploadReport:
        """
        Add barcodes to the pool of a pass.

        Up to 50,000 at once, as JSON or as CSV with one code a line; cards get them in this order, in the NFC form of
        Unicode. All good codes are added together: `rejected` names the others. What is in the pool or on a card
        already is left alone, so a repeat harms nothing. Works in every state of the pass.

        `POST /passes/{passId}/barcodes`

        Args:
            csv: a CSV file

        Raises:
            PassNotFoundError
        """
        return self._caller.call(
            _UPLOAD,
            options,
            path={"passId": pass_id},
            body={"barcodes": barcodes} if csv is None else FileBody(csv, "text/csv"),
        )

    def list(
        self,
        pass_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        state: Optional[Literal["available", "assigned"]] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.PoolBarcode]:
        """
        The barcodes in the pool of a pass.

        In the order of their upload, which is the order in which cards get them.

        `GET /passes/{passId}/barcodes`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before

        Raises:
            PassNotFoundError
        """
        return self._caller.pages(
            _LIST,
            options,
            path={"passId": pass_id},
            query={"limit": limit, "cursor": cursor, "state": state},
        )

    def delete(self, pass_id: str, barcode: str, *, options: Optional[Options] = None) -> Answer:
        """
        Delete a barcode that waits for a card.

        One that is on a card stays there.

        `DELETE /passes/{passId}/barcodes/{barcode}`

        Args:
            barcode: kept and compared in Unicode's NFC form

        Raises:
            PassNotFoundError, BarcodeNotFoundError
        """
        return self._caller.call(_DELETE, options, path={"passId": pass_id, "barcode": barcode})


class AsyncBarcodes:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    upload = awaited(Barcodes.upload)
    list = in_async_pages(Barcodes.list)
    delete = awaited(Barcodes.delete)
