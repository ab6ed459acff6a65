"""What a type checker makes of the client. It is checked, not run: what is wrong here must be found, or the check fails."""

from __future__ import annotations

import asyncio
from typing import Dict, List, Optional

from punchcard import (
    AsyncPunchcard,
    InsufficientPointsError,
    Page,
    Punchcard,
    WebhookVerificationError,
    answer_of,
    types,
    verify_webhook,
)


def at_a_till(client: Punchcard, pass_id: str) -> Optional[int]:
    award = client.loyalty.earn(pass_id=pass_id, identifier="ada", points=5, occurred_at=None)
    if not award["pushed"]:
        if award["pushSkipReason"] == "insufficient_credits":
            print(award["warnings"][0]["message"])
    award["blance"]  # type: ignore[typeddict-item]
    client.loyalty.earn(pass_id=pass_id, identifier="ada")  # type: ignore[call-arg]
    client.loyalty.earn(pass_id=pass_id, points="5")  # type: ignore[arg-type]
    client.loyalty.earn(passId=pass_id, points=5)  # type: ignore[call-arg]
    client.loyalty.earn(pass_id=None, points=5)  # type: ignore[arg-type]
    try:
        return client.loyalty.redeem(pass_id=pass_id, identifier="ada")["spent"]
    except InsufficientPointsError as error:
        missing: int = error.cost - error.balance
        print(missing, error.request_id, error.code, error.retryable)
        return None


def lists(client: Punchcard, pass_id: str) -> List[str]:
    page: Page[types.Instance] = client.instances.list(pass_id, limit=5).page()
    print(page.next_cursor, page.request_id)
    client.instances.list(pass_id, limit="5")  # type: ignore[arg-type]
    return [card["instanceId"] for card in client.instances.list(pass_id, status="active")]


def designs(client: Punchcard) -> str:
    club = client.passes.create(
        title="Blue Bean Club", type="loyalty", expiry={"kind": "none"}, metadata={"city": "Porto"}
    )
    expiry = club["expiry"]
    if expiry["kind"] == "fixed":
        print(expiry["at"])
    client.passes.create(title="Blue Bean Club", type="stamps")  # type: ignore[arg-type]
    program = client.programs.create(
        pass_id=club["passId"], mode="POINTS", rewards=[{"title": "A cake", "cost": 100}]
    )
    return answer_of(program).request_id


async def in_a_loop(client: AsyncPunchcard, pass_id: str) -> None:
    card: types.Instance = await client.instances.get("inst_1", options={"timeout": 3})
    print(card["holder"] and card["holder"]["email"])
    async for entry in client.loyalty.entries(pass_id=pass_id, kind="earn"):
        print(entry["points"])
    page: Page[types.Instance] = await client.instances.list(pass_id, limit=5).page()
    print(page.next_cursor)
    award = await asyncio.create_task(client.loyalty.earn(pass_id=pass_id, identifier="ada", points=5))
    award["blance"]  # type: ignore[typeddict-item]
    client.loyalty.earn(pass_id=pass_id, points=5)["balance"]  # type: ignore[index, misc]
    client.instances.list(pass_id, limit="5")  # type: ignore[arg-type]
    await client.loyalty.earn(pass_id=pass_id, identifier="ada")  # type: ignore[call-arg]
    await client.loyalty.earn(pass_id=pass_id, points="5")  # type: ignore[arg-type]
    await client.loyalty.earn(passId=pass_id, points=5)  # type: ignore[call-arg]
    async for event in client.events.follow(after_seq=7):
        print(event["type"])


def receive(body: bytes, headers: Dict[str, str]) -> str:
    try:
        event = verify_webhook(body, headers, ["whsec_new", "whsec_old"])
    except WebhookVerificationError:
        return "400"
    return event["type"]
