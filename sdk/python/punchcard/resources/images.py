"""`punchcard.images`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import Optional, Union

from .. import types
from .._asynchronous import awaited
from .._callers import AsyncCaller, Caller
from .._operations import FileBody, Operation, Options

_UPLOAD: Operation[types.UploadedImage] = Operation("POST", "/images", "json", "header")


class Images:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def upload(self, *, image: Union[str, bytes], options: Optional[Options] = None) -> types.UploadedImage:
        """
        Upload an image.

        A PNG, JPEG or WebP of 20 MB at most, as the body or as the one file of a form. Use its `url` in `iconUrl`,
        `logoUrl` and the other image parameters of this workspace, as often as you like, until it `expiresAt`, after
        three days; passes that were made of it go on showing it. It is decoded at once: what is broken, or too small
        for every slot, is `invalid_request`. A workspace has 1,000 of them at a time, of 256 MB together.

        `POST /images`

        Args:
            image: the bytes of a file

        Raises:
            UploadLimitReachedError, PayloadTooLargeError
        """
        return self._caller.call(_UPLOAD, options, body=FileBody(image, "image/png"))


class AsyncImages:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    upload = awaited(Images.upload)
