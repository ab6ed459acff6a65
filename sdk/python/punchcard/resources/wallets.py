"""`punchcard.wallets`. Printed from the API: `npm run docs`."""

from __future__ import annotations

from typing import List, Optional

from .. import types
from .._asynchronous import awaited
from .._callers import AsyncCaller, Caller
from .._operations import Maybe, NOT_GIVEN, Operation, Options

_GET: Operation[types.Wallets] = Operation("GET", "/workspace/wallets", "json")
_OBSTACLES: Operation[types.Obstacles] = Operation("GET", "/workspace/obstacles", "json")
_CREATE_SIGNING_REQUEST: Operation[types.SigningRequest] = Operation(
    "POST",
    "/workspace/wallets/apple/signing-request",
    "json",
    "header",
)
_SET_APPLE: Operation[types.Wallets] = Operation("PUT", "/workspace/wallets/apple", "json", "header")
_REMOVE_APPLE: Operation[types.Wallets] = Operation("DELETE", "/workspace/wallets/apple", "json", "header")
_SET_GOOGLE: Operation[types.Wallets] = Operation("PUT", "/workspace/wallets/google", "json", "header")
_REMOVE_GOOGLE: Operation[types.Wallets] = Operation("DELETE", "/workspace/wallets/google", "json", "header")
_SET_NFC: Operation[types.Wallets] = Operation("PUT", "/workspace/wallets/nfc", "json", "header")
_REMOVE_NFC: Operation[types.Wallets] = Operation("DELETE", "/workspace/wallets/nfc", "json", "header")
_SHOW_NFC_KEY: Operation[types.NfcKey] = Operation("POST", "/workspace/wallets/nfc/key", "json", "header")


class Wallets:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, options: Optional[Options] = None) -> types.Wallets:
        """
        By what the wallets know you.

        The certificate that signs your passes and the account that makes your cards at Google: your own, or those of
        the installation. Never a key.

        `GET /workspace/wallets`
        """
        return self._caller.call(_GET, options)

    def obstacles(self, *, options: Optional[Options] = None) -> types.Obstacles:
        """
        What is missing before customers come.

        What keeps phones from taking cards, and mail from leaving: of the workspace and of the installation. Null where
        nothing is missing.

        `GET /workspace/obstacles`
        """
        return self._caller.call(_OBSTACLES, options)

    def create_signing_request(self, *, options: Optional[Options] = None) -> types.SigningRequest:
        """
        Ask for a certificate of your own.

        Give the `csr` to Apple (Certificates, Identifiers & Profiles, "Pass Type ID Certificate"), and what Apple gives
        you to `PUT /workspace/wallets/apple`. Its key is kept here, sealed; of several requests the newest five can be
        used.

        `POST /workspace/wallets/apple/signing-request`

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(_CREATE_SIGNING_REQUEST, options)

    def set_apple(
        self,
        *,
        certificate: Maybe[str] = NOT_GIVEN,
        intermediate: Maybe[str] = NOT_GIVEN,
        p12: Maybe[str] = NOT_GIVEN,
        passphrase: Maybe[str] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Wallets:
        """
        Sign Apple passes with a certificate of your own.

        Either `certificate`, as Apple issued it for a signing request (PEM, or the .cer file in base64), with
        `intermediate` where it is not known here; or `p12` and its `passphrase`. Checked at once: pass type, team,
        chain, end and key. Within a second new passes are signed with it. One for the same pass type renews that of all
        cards; cards in wallets under another pass type keep the certificate that signed them, as long as a device holds
        one.

        `PUT /workspace/wallets/apple`

        Args:
            p12: a PKCS#12 file with certificate and key, in base64
            passphrase: of the PKCS#12 file

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(
            _SET_APPLE,
            options,
            body={"certificate": certificate, "intermediate": intermediate, "p12": p12, "passphrase": passphrase},
        )

    def remove_apple(self, *, options: Optional[Options] = None) -> types.Wallets:
        """
        Have the installation sign Apple passes again.

        New passes are signed with its certificate. Yours stays, sealed, as long as a device holds a card that it
        signed, so that these go on being updated; then it is forgotten.

        `DELETE /workspace/wallets/apple`

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(_REMOVE_APPLE, options)

    def set_google(self, *, service_account: str, issuer_id: str, options: Optional[Options] = None) -> types.Wallets:
        """
        Make cards at Google by an account of your own.

        `service_account` is the key file that the Google Cloud console made, as text; the account must be a user of the
        issuer in the Pay & Wallet Console. It is kept sealed. Within a second new cards are made there. Another account
        of the same issuer takes the place of the earlier one; cards that holders keep stay those of the issuer that
        made them.

        `PUT /workspace/wallets/google`

        Args:
            issuer_id: as Google writes it

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(_SET_GOOGLE, options, body={"serviceAccount": service_account, "issuerId": issuer_id})

    def remove_google(self, *, options: Optional[Options] = None) -> types.Wallets:
        """
        Have the installation make cards at Google again.

        Yours stays, sealed, as long as there are cards that it has made, so that these go on being updated.

        `DELETE /workspace/wallets/google`

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(_REMOVE_GOOGLE, options)

    def set_nfc(
        self,
        *,
        public_key: Maybe[Optional[str]] = NOT_GIVEN,
        redemption_issuers: Maybe[List[str]] = NOT_GIVEN,
        options: Optional[Options] = None,
    ) -> types.Wallets:
        """
        Let readers take cards by NFC.

        Those of passes with `walletOptions.nfc`. iPhones encrypt for `public_key`, and need passes that are signed with
        a certificate for NFC (`apple.nfc` of `GET /workspace/wallets`); Android phones hand cards to the readers of
        `redemption_issuers`. Their cards are renewed. docs/guides/nfc.md says what a reader gets.

        `PUT /workspace/wallets/nfc`

        Args:
            public_key: a P-256 key from the maker of the readers, as PEM or in base64; null: a new one is made here.
                Absent: the key stays, and the first is made here
            redemption_issuers: the issuers at Google whose readers may ask for cards: each has its key there. Absent:
                they stay

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(
            _SET_NFC,
            options,
            body={"publicKey": public_key, "redemptionIssuers": redemption_issuers},
        )

    def remove_nfc(self, *, options: Optional[Options] = None) -> types.Wallets:
        """
        Have no readers take cards by NFC.

        The key is forgotten. Cards are renewed; until then readers that have it can go on.

        `DELETE /workspace/wallets/nfc`

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(_REMOVE_NFC, options)

    def show_nfc_key(self, *, options: Optional[Options] = None) -> types.NfcKey:
        """
        Show the key of your NFC readers.

        The one that was made here, for the maker of the readers: with the private key they decrypt what iPhones send,
        and prove to Android phones who they are. The audit log says who has seen it.

        `POST /workspace/wallets/nfc/key`

        Raises:
            RecentSignInRequiredError
        """
        return self._caller.call(_SHOW_NFC_KEY, options)


class AsyncWallets:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    get = awaited(Wallets.get)
    obstacles = awaited(Wallets.obstacles)
    create_signing_request = awaited(Wallets.create_signing_request)
    set_apple = awaited(Wallets.set_apple)
    remove_apple = awaited(Wallets.remove_apple)
    set_google = awaited(Wallets.set_google)
    remove_google = awaited(Wallets.remove_google)
    set_nfc = awaited(Wallets.set_nfc)
    remove_nfc = awaited(Wallets.remove_nfc)
    show_nfc_key = awaited(Wallets.show_nfc_key)
