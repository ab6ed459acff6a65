"""`punchcard.passes`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Mapping, Optional, Union

from .. import types
from .._answers import Answer, File
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_CREATE: Operation[types.Pass] = Operation("POST", "/passes", "json", "header")
_LIST: Operation[Page[types.Pass]] = Operation("GET", "/passes", "page")
_GET: Operation[types.Pass] = Operation("GET", "/passes/{passId}", "json")
_UPDATE: Operation[types.Pass] = Operation("PATCH", "/passes/{passId}", "json", "header")
_DELETE: Operation[Answer] = Operation("DELETE", "/passes/{passId}", "nothing", "header")
_PROGRESS: Operation[Union[File, Answer]] = Operation("GET", "/passes/{passId}/progress", "file")
_CLONE: Operation[types.Pass] = Operation("POST", "/passes/{passId}/clone", "json", "header")
_PREVIEW_DESIGN: Operation[types.DesignPreview] = Operation("POST", "/passes/preview", "json")
_PREVIEW_SVG: Operation[File] = Operation("GET", "/passes/{passId}/preview.svg", "file")
_PREVIEW_PNG: Operation[File] = Operation("GET", "/passes/{passId}/preview.png", "file")


class Passes:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        title: str,
        type: Literal["loyalty", "coupon", "eventTicket", "giftCard", "generic"],
        details: Maybe[Optional[str]] = NOT_GIVEN,
        terms: Maybe[Optional[str]] = NOT_GIVEN,
        expiry: Maybe[Union[types.NoExpiry, types.NewFixedExpiry, types.ExpiryAfterIssue]] = NOT_GIVEN,
        fields: Maybe[List[types.NewPassField]] = NOT_GIVEN,
        colors: Maybe[types.NewPassColors] = NOT_GIVEN,
        barcode: Maybe[types.NewPassBarcode] = NOT_GIVEN,
        pool: Maybe[types.NewPassPool] = NOT_GIVEN,
        icon_url: Maybe[Optional[str]] = NOT_GIVEN,
        logo_url: Maybe[Optional[str]] = NOT_GIVEN,
        strip_url: Maybe[Optional[str]] = NOT_GIVEN,
        thumbnail_url: Maybe[Optional[str]] = NOT_GIVEN,
        background_url: Maybe[Optional[str]] = NOT_GIVEN,
        hero_url: Maybe[Optional[str]] = NOT_GIVEN,
        poster_url: Maybe[Optional[str]] = NOT_GIVEN,
        locations: Maybe[List[types.PassLocation]] = NOT_GIVEN,
        beacons: Maybe[List[types.PassBeacon]] = NOT_GIVEN,
        dates: Maybe[List[types.NewPassDate]] = NOT_GIVEN,
        actions: Maybe[List[types.PassAction]] = NOT_GIVEN,
        modules: Maybe[List[types.PassModule]] = NOT_GIVEN,
        wallet_options: Maybe[types.WalletOptionChanges] = NOT_GIVEN,
        stamps: Maybe[types.PassStampChanges] = NOT_GIVEN,
        metadata: Maybe[Mapping[str, Optional[Union[str, float, bool]]]] = NOT_GIVEN,
        language: Maybe[Optional[str]] = NOT_GIVEN,
        translations: Maybe[Mapping[str, Optional[types.Translation]]] = NOT_GIVEN,
        join: Maybe[Optional[types.NewJoinForm]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Pass:
        """
        Create a pass.

        A pass is a design: what all its cards share. It begins as a draft; publish it to issue cards.

        `POST /passes`

        Args:
            expiry: when cards of this pass expire
            icon_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            logo_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            strip_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            thumbnail_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            background_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once
                and stored. Or the `url` that `POST /images` has answered in the same workspace
            hero_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            poster_url: of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a
                PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has
                answered in the same workspace
            locations: where phones bring the card up. A card has ten: those nearest to the partner at which it was
                issued, if that has a location, or else the first
            beacons: Bluetooth beacons near which iPhones show the card on the lock screen
            dates: when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and
                of iPhones before iOS 18
            actions: buttons of the card, the most important first: `kind` is what they are for. iPhones write the words
                of the kind themselves, the others write `title`
            modules: offers and links below the card, in their order: modules at Google, links on the back in Apple
                Wallet and on pages
            language: BCP 47: that of its texts; null: that of the workspace
            translations: its texts in other languages: one that is named replaces what it had, null takes it away, the
                others stay

        Raises:
            DraftLimitReachedError, PayloadTooLargeError, AssetFetchFailedError
        """
        return self._caller.call(
            _CREATE,
            options,
            body={
                "title": title,
                "type": type,
                "details": details,
                "terms": terms,
                "expiry": expiry,
                "fields": fields,
                "colors": colors,
                "barcode": barcode,
                "pool": pool,
                "iconUrl": icon_url,
                "logoUrl": logo_url,
                "stripUrl": strip_url,
                "thumbnailUrl": thumbnail_url,
                "backgroundUrl": background_url,
                "heroUrl": hero_url,
                "posterUrl": poster_url,
                "locations": locations,
                "beacons": beacons,
                "dates": dates,
                "actions": actions,
                "modules": modules,
                "walletOptions": wallet_options,
                "stamps": stamps,
                "metadata": metadata,
                "language": language,
                "translations": translations,
                "join": join,
            },
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        status: Optional[Literal["draft", "published", "archived"]] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Pass]:
        """
        List passes.

        In the order of their making, newest first; of a key that is restricted to some passes, those. Of more than ten
        places a list has the first ten, and `moreLocations` says how many `GET /v1/passes/{passId}` has besides.

        `GET /passes`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
        """
        return self._caller.pages(
            _LIST,
            options,
            query={
                "limit": limit,
                "cursor": cursor,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "status": status,
            },
        )

    def get(self, pass_id: str, *, options: Optional[Options] = None) -> types.Pass:
        """
        A pass.

        Its design, what is left of its codes, and how many cards there are.

        `GET /passes/{passId}`

        Raises:
            PassNotFoundError
        """
        return self._caller.call(_GET, options, path={"passId": pass_id})

    def update(
        self,
        pass_id: str,
        *,
        title: Maybe[str] = NOT_GIVEN,
        type: Maybe[Literal["loyalty", "coupon", "eventTicket", "giftCard", "generic"]] = NOT_GIVEN,
        details: Maybe[Optional[str]] = NOT_GIVEN,
        terms: Maybe[Optional[str]] = NOT_GIVEN,
        expiry: Maybe[Union[types.NoExpiry, types.NewFixedExpiry, types.ExpiryAfterIssue]] = NOT_GIVEN,
        fields: Maybe[List[types.NewPassField]] = NOT_GIVEN,
        colors: Maybe[types.NewPassColors] = NOT_GIVEN,
        barcode: Maybe[types.NewPassBarcode] = NOT_GIVEN,
        pool: Maybe[types.NewPassPool] = NOT_GIVEN,
        icon_url: Maybe[Optional[str]] = NOT_GIVEN,
        logo_url: Maybe[Optional[str]] = NOT_GIVEN,
        strip_url: Maybe[Optional[str]] = NOT_GIVEN,
        thumbnail_url: Maybe[Optional[str]] = NOT_GIVEN,
        background_url: Maybe[Optional[str]] = NOT_GIVEN,
        hero_url: Maybe[Optional[str]] = NOT_GIVEN,
        poster_url: Maybe[Optional[str]] = NOT_GIVEN,
        locations: Maybe[List[types.PassLocation]] = NOT_GIVEN,
        beacons: Maybe[List[types.PassBeacon]] = NOT_GIVEN,
        dates: Maybe[List[types.NewPassDate]] = NOT_GIVEN,
        actions: Maybe[List[types.PassAction]] = NOT_GIVEN,
        modules: Maybe[List[types.PassModule]] = NOT_GIVEN,
        wallet_options: Maybe[types.WalletOptionChanges] = NOT_GIVEN,
        stamps: Maybe[types.PassStampChanges] = NOT_GIVEN,
        metadata: Maybe[Mapping[str, Optional[Union[str, float, bool]]]] = NOT_GIVEN,
        language: Maybe[Optional[str]] = NOT_GIVEN,
        translations: Maybe[Mapping[str, Optional[types.Translation]]] = NOT_GIVEN,
        join: Maybe[Optional[types.NewJoinForm]] = NOT_GIVEN,
        status: Maybe[Literal["draft", "published", "archived"]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Pass:
        """
        Change a pass, or publish, archive or reopen it.

        Absent leaves alone, null clears. `{"status":"published"}` publishes. What cards show changes for all holders at
        once; installed cards are pushed to in the background, at a credit each, and `rollout` says how far that has
        come.

        `PATCH /passes/{passId}`

        Args:
            expiry: when cards of this pass expire
            icon_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            logo_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            strip_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            thumbnail_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            background_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once
                and stored. Or the `url` that `POST /images` has answered in the same workspace
            hero_url: https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and
                stored. Or the `url` that `POST /images` has answered in the same workspace
            poster_url: of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a
                PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has
                answered in the same workspace
            locations: where phones bring the card up. A card has ten: those nearest to the partner at which it was
                issued, if that has a location, or else the first
            beacons: Bluetooth beacons near which iPhones show the card on the lock screen
            dates: when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and
                of iPhones before iOS 18
            actions: buttons of the card, the most important first: `kind` is what they are for. iPhones write the words
                of the kind themselves, the others write `title`
            modules: offers and links below the card, in their order: modules at Google, links on the back in Apple
                Wallet and on pages
            language: BCP 47: that of its texts; null: that of the workspace
            translations: its texts in other languages: one that is named replaces what it had, null takes it away, the
                others stay

        Raises:
            PassNotFoundError, DraftLimitReachedError, PayloadTooLargeError, AssetFetchFailedError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"passId": pass_id},
            body={
                "title": title,
                "type": type,
                "details": details,
                "terms": terms,
                "expiry": expiry,
                "fields": fields,
                "colors": colors,
                "barcode": barcode,
                "pool": pool,
                "iconUrl": icon_url,
                "logoUrl": logo_url,
                "stripUrl": strip_url,
                "thumbnailUrl": thumbnail_url,
                "backgroundUrl": background_url,
                "heroUrl": hero_url,
                "posterUrl": poster_url,
                "locations": locations,
                "beacons": beacons,
                "dates": dates,
                "actions": actions,
                "modules": modules,
                "walletOptions": wallet_options,
                "stamps": stamps,
                "metadata": metadata,
                "language": language,
                "translations": translations,
                "join": join,
                "status": status,
            },
        )

    def delete(self, pass_id: str, *, options: Optional[Options] = None) -> Answer:
        """
        Delete a pass without instances.

        Only a pass that no card was ever issued of can be deleted; archive the others.

        `DELETE /passes/{passId}`

        Raises:
            PassNotFoundError
        """
        return self._caller.call(_DELETE, options, path={"passId": pass_id})

    def progress(self, pass_id: str, *, options: Optional[Options] = None) -> Union[File, Answer]:
        """
        How far the newest change of a pass has come, as it goes on.

        Server-sent events: `progress` with what `getPass` answers, at once unless Last-Event-ID names that state, and
        whenever it changes; `done` with the same once its `rollout` has finished, and then the stream ends. Who comes
        again with the id of that is answered 204, which ends an EventSource. A comment every 15 seconds while nothing
        happens. A key that is revoked is cut off.

        `GET /passes/{passId}/progress`

        Raises:
            PassNotFoundError
        """
        return self._caller.call(_PROGRESS, options, path={"passId": pass_id})

    def clone(self, pass_id: str, *, title: Maybe[str] = NOT_GIVEN, options: Optional[Options] = None) -> types.Pass:
        """
        Copy a design into a new draft.

        No instances, program or pool codes come along.

        `POST /passes/{passId}/clone`

        Raises:
            PassNotFoundError, DraftLimitReachedError
        """
        return self._caller.call(_CLONE, options, path={"passId": pass_id}, body={"title": title})

    def preview_design(
        self,
        *,
        title: Maybe[str] = NOT_GIVEN,
        type: Maybe[Literal["loyalty", "coupon", "eventTicket", "giftCard", "generic"]] = NOT_GIVEN,
        details: Maybe[Optional[str]] = NOT_GIVEN,
        terms: Maybe[Optional[str]] = NOT_GIVEN,
        expiry: Maybe[Union[types.NoExpiry, types.NewFixedExpiry, types.ExpiryAfterIssue]] = NOT_GIVEN,
        fields: Maybe[List[types.NewPassField]] = NOT_GIVEN,
        colors: Maybe[types.NewPassColors] = NOT_GIVEN,
        barcode: Maybe[types.NewPassBarcode] = NOT_GIVEN,
        pool: Maybe[types.NewPassPool] = NOT_GIVEN,
        icon_url: Maybe[Optional[str]] = NOT_GIVEN,
        logo_url: Maybe[Optional[str]] = NOT_GIVEN,
        strip_url: Maybe[Optional[str]] = NOT_GIVEN,
        thumbnail_url: Maybe[Optional[str]] = NOT_GIVEN,
        background_url: Maybe[Optional[str]] = NOT_GIVEN,
        hero_url: Maybe[Optional[str]] = NOT_GIVEN,
        poster_url: Maybe[Optional[str]] = NOT_GIVEN,
        locations: Maybe[List[types.PassLocation]] = NOT_GIVEN,
        beacons: Maybe[List[types.PassBeacon]] = NOT_GIVEN,
        dates: Maybe[List[types.NewPassDate]] = NOT_GIVEN,
        actions: Maybe[List[types.PassAction]] = NOT_GIVEN,
        modules: Maybe[List[types.PassModule]] = NOT_GIVEN,
        wallet_options: Maybe[types.WalletOptionChanges] = NOT_GIVEN,
        stamps: Maybe[types.PassStampChanges] = NOT_GIVEN,
        metadata: Maybe[Mapping[str, Optional[Union[str, float, bool]]]] = NOT_GIVEN,
        language: Maybe[Optional[str]] = NOT_GIVEN,
        translations: Maybe[Mapping[str, Optional[types.Translation]]] = NOT_GIVEN,
        join: Maybe[Optional[types.NewJoinForm]] = NOT_GIVEN,
        pass_id: Maybe[str] = NOT_GIVEN,
        reader: Maybe[str] = NOT_GIVEN,
        program: Maybe[types.DesignedPassProgram] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.DesignPreview:
        """
        A design before it is kept.

        Draws what a new card of the design would show, in both wallets and on the web, and says how many cards the
        change would reach and what it would cost. Writes nothing. The body is that of creating a pass, or with
        `pass_id` that of changing it; images from the web are fetched when it is kept, uploads are drawn at once.
        `warnings` name what wallets would not show as one may expect.

        `POST /passes/preview`

        Args:
            expiry: when cards of this pass expire
            icon_url: the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or
                webp or jpeg
            logo_url: the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or
                webp or jpeg
            strip_url: the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or
                webp or jpeg
            thumbnail_url: the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`,
                or webp or jpeg
            background_url: the `url` that `POST /images` has answered, or the picture itself:
                `data:image/png;base64,…`, or webp or jpeg
            hero_url: the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or
                webp or jpeg
            poster_url: of the type `generic` alone: the whole card from iOS 27 on. the `url` that `POST /images` has
                answered, or the picture itself: `data:image/png;base64,…`, or webp or jpeg
            locations: where phones bring the card up. A card has ten: those nearest to the partner at which it was
                issued, if that has a location, or else the first
            beacons: Bluetooth beacons near which iPhones show the card on the lock screen
            dates: when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and
                of iPhones before iOS 18
            actions: buttons of the card, the most important first: `kind` is what they are for. iPhones write the words
                of the kind themselves, the others write `title`
            modules: offers and links below the card, in their order: modules at Google, links on the back in Apple
                Wallet and on pages
            language: BCP 47: that of its texts; null: that of the workspace
            translations: its texts in other languages: one that is named replaces what it had, null takes it away, the
                others stay
            pass_id: the pass that the design would change; without it, that of a new pass is drawn
            reader: the language of the person who reads the card; without it, that of the design
            program: a program to draw in the place of that of the pass, on a card that is on its way to the reward

        Raises:
            PassNotFoundError, AssetFetchFailedError
        """
        return self._caller.call(
            _PREVIEW_DESIGN,
            options,
            body={
                "title": title,
                "type": type,
                "details": details,
                "terms": terms,
                "expiry": expiry,
                "fields": fields,
                "colors": colors,
                "barcode": barcode,
                "pool": pool,
                "iconUrl": icon_url,
                "logoUrl": logo_url,
                "stripUrl": strip_url,
                "thumbnailUrl": thumbnail_url,
                "backgroundUrl": background_url,
                "heroUrl": hero_url,
                "posterUrl": poster_url,
                "locations": locations,
                "beacons": beacons,
                "dates": dates,
                "actions": actions,
                "modules": modules,
                "walletOptions": wallet_options,
                "stamps": stamps,
                "metadata": metadata,
                "language": language,
                "translations": translations,
                "join": join,
                "passId": pass_id,
                "reader": reader,
                "program": program,
            },
        )

    def preview_svg(
        self,
        pass_id: str,
        *,
        platform: Optional[Literal["apple", "google"]] = None,
        instance_id: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> File:
        """
        A card as a wallet shows it, as SVG.

        How the card looks in the wallet, with its real barcode, as far as a drawing can show. It holds all that it
        shows: pictures are part of it, and nothing is loaded. Equal cards give equal bytes.

        `GET /passes/{passId}/preview.svg`

        Args:
            platform: whose wallet, default apple
            instance_id: an instance of the pass; without it, a card that would be issued now, with the barcode PREVIEW,
                or a number where its format holds no letters

        Raises:
            PassNotFoundError, InstanceNotFoundError
        """
        return self._caller.call(
            _PREVIEW_SVG,
            options,
            path={"passId": pass_id},
            query={"platform": platform, "instanceId": instance_id},
        )

    def preview_png(
        self,
        pass_id: str,
        *,
        platform: Optional[Literal["apple", "google"]] = None,
        instance_id: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> File:
        """
        A card as a wallet shows it, as PNG.

        How the card looks in the wallet, with its real barcode, as far as a drawing can show. It holds all that it
        shows: pictures are part of it, and nothing is loaded. Equal cards give equal bytes.

        `GET /passes/{passId}/preview.png`

        Args:
            platform: whose wallet, default apple
            instance_id: an instance of the pass; without it, a card that would be issued now, with the barcode PREVIEW,
                or a number where its format holds no letters

        Raises:
            PassNotFoundError, InstanceNotFoundError
        """
        return self._caller.call(
            _PREVIEW_PNG,
            options,
            path={"passId": pass_id},
            query={"platform": platform, "instanceId": instance_id},
        )


class AsyncPasses:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    create = awaited(Passes.create)
    list = in_async_pages(Passes.list)
    get = awaited(Passes.get)
    update = awaited(Passes.update)
    delete = awaited(Passes.delete)
    progress = awaited(Passes.progress)
    clone = awaited(Passes.clone)
    preview_design = awaited(Passes.preview_design)
    preview_svg = awaited(Passes.preview_svg)
    preview_png = awaited(Passes.preview_png)
