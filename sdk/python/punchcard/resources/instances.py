"""`punchcard.instances`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Literal, Mapping, Optional, Union

from .. import types
from .._answers import Answer
from .._asynchronous import awaited, in_async_pages
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options
from .._pages import Page, Pages

_ISSUE: Operation[Union[types.KnownInstance, types.Instance]] = Operation(
    "POST",
    "/passes/{passId}/instances",
    "json",
    "externalRef",
)
_LIST: Operation[Page[types.Instance]] = Operation("GET", "/passes/{passId}/instances", "page")
_ISSUE_BATCH: Operation[types.InstanceResults] = Operation("POST", "/passes/{passId}/instances/batch", "json", "header")
_IMPORT_BATCH: Operation[types.InstanceResults] = Operation(
    "POST",
    "/passes/{passId}/instances/import",
    "json",
    "header",
)
_LOOK_UP: Operation[types.Instance] = Operation("GET", "/instances/lookup", "json")
_GET: Operation[types.Instance] = Operation("GET", "/instances/{instanceId}", "json")
_UPDATE: Operation[types.UpdatedInstance] = Operation("PATCH", "/instances/{instanceId}", "json", "header")
_ERASE: Operation[Answer] = Operation("DELETE", "/instances/{instanceId}", "nothing", "header")
_CONSENTS: Operation[Page[types.Consent]] = Operation("GET", "/instances/{instanceId}/consents", "page")
_UPDATE_FIELDS: Operation[types.UpdatedInstance] = Operation(
    "PATCH",
    "/instances/{instanceId}/fields",
    "json",
    "externalRef",
)
_VOID: Operation[types.UpdatedInstance] = Operation("POST", "/instances/{instanceId}/void", "json", "header")
_UPDATE_FIELDS_BATCH: Operation[types.UpdateResults] = Operation("POST", "/instances/fields/batch", "json", "header")
_VOID_BATCH: Operation[types.UpdateResults] = Operation("POST", "/instances/void/batch", "json", "header")
_REACTIVATE: Operation[types.UpdatedInstance] = Operation(
    "POST",
    "/instances/{instanceId}/reactivate",
    "json",
    "header",
)
_TIMELINE: Operation[Page[types.InstanceEvent]] = Operation("GET", "/instances/{instanceId}/timeline", "page")
_DIAGNOSIS: Operation[types.InstanceDiagnosis] = Operation("GET", "/instances/{instanceId}/diagnosis", "json")
_PUSH: Operation[types.UpdatedInstance] = Operation("POST", "/instances/{instanceId}/push", "json", "header")


class Instances:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def issue(
        self,
        pass_id: str,
        *,
        external_ref: Maybe[str] = NOT_GIVEN,
        holder: Maybe[Optional[types.NewInstanceHolder]] = NOT_GIVEN,
        fields: Maybe[Mapping[str, Optional[str]]] = NOT_GIVEN,
        barcode: Maybe[Optional[str]] = NOT_GIVEN,
        expires_at: Maybe[Optional[str]] = NOT_GIVEN,
        partner_id: Maybe[Optional[str]] = NOT_GIVEN,
        metadata: Maybe[Mapping[str, Optional[Union[str, float, bool]]]] = NOT_GIVEN,
        value: Maybe[types.Money] = NOT_GIVEN,
        on_existing: Maybe[Literal["update"]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> Union[types.KnownInstance, types.Instance]:
        """
        Issue a pass: one holder's card.

        Idempotent by external_ref, and by holder.identifier: a holder who already has the card gets 200 with it,
        unchanged. With `on_existing: "update"` that card takes over the details of the holder and the fields that are
        sent, as an update of it would, and the answer says the outcome of the push.

        `POST /passes/{passId}/instances`

        Args:
            external_ref: Your reference of this effect: a repeat answers the original result.
            barcode: kept and compared in Unicode's NFC form
            expires_at: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            on_existing: the card that the holder has takes over the details of the holder and the fields that are sent,
                and nothing else

        Raises:
            PassArchivedError, FieldsNotEditableError, TemplateOwnedFieldError, UnknownFieldKeyError,
            NoLoyaltyProgramError, PassNotFoundError, PartnerNotFoundError, PassNotActiveError,
            FieldsUpdateUnsupportedError, BarcodeTakenError, PoolExhaustedError, HolderHasActiveInstanceError
        """
        return self._caller.call(
            _ISSUE,
            options,
            path={"passId": pass_id},
            body={
                "externalRef": external_ref,
                "holder": holder,
                "fields": fields,
                "barcode": barcode,
                "expiresAt": expires_at,
                "partnerId": partner_id,
                "metadata": metadata,
                "value": value,
                "onExisting": on_existing,
            },
        )

    def list(
        self,
        pass_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        q: Optional[str] = None,
        status: Optional[Literal["active", "voided"]] = None,
        identifier: Optional[str] = None,
        email: Optional[str] = None,
        phone: Optional[str] = None,
        external_ref: Optional[str] = None,
        installed: Optional[bool] = None,
        partner_id: Optional[str] = None,
        include: Optional[Literal["details"]] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Instance]:
        """
        List the cards of a pass.

        Newest first, voided ones included unless `status` says otherwise. With `q` they come in the order of what was
        found, and a page may hold fewer than `limit`: go on while there is a `nextCursor`. `include=details` adds when
        each was awarded last, and what its holder has agreed to.

        `GET /passes/{passId}/instances`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            q: what words of a name, an address, a number or a code begin with, in whatever case, words in any order; or
                the last digits of a telephone number, at least four
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form
            email: an e-mail address
            phone: a telephone number, however it is written; one without its country is of the country of the
                workspace. It is kept and answered in the form of E.164
            external_ref: Your reference of this effect: a repeat answers the original result.

        Raises:
            PassNotFoundError, PartnerNotFoundError
        """
        return self._caller.pages(
            _LIST,
            options,
            path={"passId": pass_id},
            query={
                "limit": limit,
                "cursor": cursor,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "q": q,
                "status": status,
                "identifier": identifier,
                "email": email,
                "phone": phone,
                "externalRef": external_ref,
                "installed": installed,
                "partnerId": partner_id,
                "include": include,
            },
        )

    def issue_batch(
        self,
        pass_id: str,
        *,
        instances: List[types.NewInstance],
        options: Optional[Options] = None,
    ) -> types.InstanceResults:
        """
        Issue up to 1,000 cards.

        Each item stands alone: it is issued, repeated or refused whatever becomes of the others.

        `POST /passes/{passId}/instances/batch`

        Args:
            instances: each as the body of POST /passes/{pass_id}/instances

        Raises:
            PassNotFoundError
        """
        return self._caller.call(_ISSUE_BATCH, options, path={"passId": pass_id}, body={"instances": instances})

    def import_batch(
        self,
        pass_id: str,
        *,
        instances: List[types.ImportedInstance],
        options: Optional[Options] = None,
    ) -> types.InstanceResults:
        """
        Import up to 1,000 cards that were issued elsewhere.

        They keep their barcodes. Unless asked otherwise no wallet link of ours reaches them yet.

        `POST /passes/{passId}/instances/import`

        Args:
            instances: a card each, with the barcode that it carries

        Raises:
            PassNotFoundError
        """
        return self._caller.call(_IMPORT_BATCH, options, path={"passId": pass_id}, body={"instances": instances})

    def look_up(
        self,
        *,
        barcode: Optional[str] = None,
        instance_id: Optional[str] = None,
        pass_id: Optional[str] = None,
        identifier: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> types.Instance:
        """
        Find a card by its barcode.

        Send a barcode, or an instance_id. A code that several cards carry, voided ones included, needs pass_id or
        identifier as well. An expired card is found: `expired` says so.

        `GET /instances/lookup`

        Args:
            barcode: kept and compared in Unicode's NFC form
            identifier: the holder's number in your own system; one active card per pass and identifier; kept and
                compared in Unicode's NFC form

        Raises:
            InstanceNotFoundError, PassNotFoundError, AmbiguousBarcodeError
        """
        return self._caller.call(
            _LOOK_UP,
            options,
            query={"barcode": barcode, "instanceId": instance_id, "passId": pass_id, "identifier": identifier},
        )

    def get(self, instance_id: str, *, options: Optional[Options] = None) -> types.Instance:
        """
        A card.

        What it shows, whose it is, and where the holder gets it.

        `GET /instances/{instanceId}`

        Raises:
            InstanceNotFoundError
        """
        return self._caller.call(_GET, options, path={"instanceId": instance_id})

    def update(
        self,
        instance_id: str,
        *,
        holder: Maybe[types.NewInstanceHolder] = NOT_GIVEN,
        expires_at: Maybe[Optional[str]] = NOT_GIVEN,
        metadata: Maybe[Mapping[str, Optional[Union[str, float, bool]]]] = NOT_GIVEN,
        fields: Maybe[Mapping[str, Union[Optional[str], types.FieldUpdateFieldsUseDefault]]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.UpdatedInstance:
        """
        Change holder, expiry, metadata or fields of a card.

        Absent leaves alone, null clears. `metadata` is replaced as a whole, `fields` one by one, as PATCH …/fields
        does. Installed cards are pushed to where they show the change.

        `PATCH /instances/{instanceId}`

        Args:
            expires_at: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            FieldsNotEditableError, TemplateOwnedFieldError, UnknownFieldKeyError, InstanceNotFoundError,
            InstanceVoidedError, FieldsUpdateUnsupportedError, HolderHasActiveInstanceError
        """
        return self._caller.call(
            _UPDATE,
            options,
            path={"instanceId": instance_id},
            body={"holder": holder, "expiresAt": expires_at, "metadata": metadata, "fields": fields},
        )

    def erase(self, instance_id: str, *, options: Optional[Options] = None) -> Answer:
        """
        Erase the person behind a card.

        Voids the card and deletes holder, own values and metadata, what you have said of its entries (`reason`) and of
        its orders (`items`), and invitations of its holder to the pass. Its barcode becomes another one that was never
        given: the former is found no more, and is free again. What the ledger counts stays, without a word; repeated
        calls are answered as they were, without the person. Your names of things stay (externalRef, Idempotency-Key,
        orderId, refundId), since repeats are known by them: put nothing personal in them.

        `DELETE /instances/{instanceId}`

        Raises:
            InstanceNotFoundError
        """
        return self._caller.call(_ERASE, options, path={"instanceId": instance_id})

    def consents(
        self,
        instance_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.Consent]:
        """
        What the holder of a card has agreed to.

        Each time that they enrolled, with the text as they read it; newest first.

        `GET /instances/{instanceId}/consents`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            InstanceNotFoundError
        """
        return self._caller.pages(
            _CONSENTS,
            options,
            path={"instanceId": instance_id},
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )

    def update_fields(
        self,
        instance_id: str,
        *,
        fields: Mapping[str, Union[Optional[str], types.FieldUpdateFieldsUseDefault]],
        external_ref: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.UpdatedInstance:
        """
        Change what one holder sees in the fields of the pass.

        null leaves a field blank, `{ "useDefault": true }` returns it to the value of the pass. One bad key and nothing
        is changed.

        `PATCH /instances/{instanceId}/fields`

        Args:
            external_ref: Your reference of this effect: a repeat answers the original result.

        Raises:
            FieldsNotEditableError, TemplateOwnedFieldError, UnknownFieldKeyError, InstanceNotFoundError,
            InstanceVoidedError, FieldsUpdateUnsupportedError
        """
        return self._caller.call(
            _UPDATE_FIELDS,
            options,
            path={"instanceId": instance_id},
            body={"fields": fields, "externalRef": external_ref},
        )

    def void(
        self,
        instance_id: str,
        *,
        reason: Maybe[Optional[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.UpdatedInstance:
        """
        Void a card.

        It can no longer earn or redeem, and the wallets show it as void. Its history stays, and it can be made valid
        again. The reason is shown with the card; voiding it again leaves the first.

        `POST /instances/{instanceId}/void`

        Args:
            reason: shown with the card; erasing the card takes it away

        Raises:
            InstanceNotFoundError
        """
        return self._caller.call(_VOID, options, path={"instanceId": instance_id}, body={"reason": reason})

    def update_fields_batch(
        self,
        *,
        updates: List[types.FieldUpdate],
        options: Optional[Options] = None,
    ) -> types.UpdateResults:
        """
        Change the fields of up to 1,000 cards.

        Of any passes. Each item stands alone: it is applied, repeated or refused whatever becomes of the others. One
        without an externalRef is repeated under the Idempotency-Key and its place.

        `POST /instances/fields/batch`

        Args:
            updates: each as the body of PATCH /instances/{instanceId}/fields, with the instanceId
        """
        return self._caller.call(_UPDATE_FIELDS_BATCH, options, body={"updates": updates})

    def void_batch(self, *, voids: List[types.CardVoid], options: Optional[Options] = None) -> types.UpdateResults:
        """
        Void up to 1,000 cards.

        Of any passes. Each item stands alone: it is applied, repeated or refused whatever becomes of the others. Under
        an Idempotency-Key, an item is repeated by its place.

        `POST /instances/void/batch`

        Args:
            voids: each as the body of POST /instances/{instanceId}/void, with the instanceId
        """
        return self._caller.call(_VOID_BATCH, options, body={"voids": voids})

    def reactivate(self, instance_id: str, *, options: Optional[Options] = None) -> types.UpdatedInstance:
        """
        Make a voided card valid again.

        Unless it was erased, or its holder has got another card of the pass since.

        `POST /instances/{instanceId}/reactivate`

        Raises:
            InstanceNotFoundError, HolderHasActiveInstanceError
        """
        return self._caller.call(_REACTIVATE, options, path={"instanceId": instance_id})

    def timeline(
        self,
        instance_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        options: Optional[Options] = None,
    ) -> Pages[types.InstanceEvent]:
        """
        What happened to a card, newest first.

        Every change, push, installation and removal, with what came of it.

        `GET /instances/{instanceId}/timeline`

        Args:
            limit: 1 to 100, default 25
            cursor: nextCursor of the page before
            created_after: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z
            created_before: ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z

        Raises:
            InstanceNotFoundError
        """
        return self._caller.pages(
            _TIMELINE,
            options,
            path={"instanceId": instance_id},
            query={"limit": limit, "cursor": cursor, "createdAfter": created_after, "createdBefore": created_before},
        )

    def diagnosis(self, instance_id: str, *, options: Optional[Options] = None) -> types.InstanceDiagnosis:
        """
        Why a phone does not show an update of a card.

        Everything on the way from the card to its wallets, in this order, with words for a person and a code for
        programs. `error` stays until a person does something about it, `warning` delays or passes by itself. No device
        is named.

        `GET /instances/{instanceId}/diagnosis`

        Raises:
            InstanceNotFoundError
        """
        return self._caller.call(_DIAGNOSIS, options, path={"instanceId": instance_id})

    def push(self, instance_id: str, *, options: Optional[Options] = None) -> types.UpdatedInstance:
        """
        Deliver the current state of a card again.

        Applies nothing, so it is the safe way to make up for a push that was skipped: send this, not the update or
        award again. It costs a credit unless the newest state is on its way already, or a top-up has paid for it.

        `POST /instances/{instanceId}/push`

        Raises:
            InsufficientCreditsError, InstanceNotFoundError, InstanceVoidedError
        """
        return self._caller.call(_PUSH, options, path={"instanceId": instance_id})


class AsyncInstances:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    issue = awaited(Instances.issue)
    list = in_async_pages(Instances.list)
    issue_batch = awaited(Instances.issue_batch)
    import_batch = awaited(Instances.import_batch)
    look_up = awaited(Instances.look_up)
    get = awaited(Instances.get)
    update = awaited(Instances.update)
    erase = awaited(Instances.erase)
    consents = in_async_pages(Instances.consents)
    update_fields = awaited(Instances.update_fields)
    void = awaited(Instances.void)
    update_fields_batch = awaited(Instances.update_fields_batch)
    void_batch = awaited(Instances.void_batch)
    reactivate = awaited(Instances.reactivate)
    timeline = in_async_pages(Instances.timeline)
    diagnosis = awaited(Instances.diagnosis)
    push = awaited(Instances.push)
