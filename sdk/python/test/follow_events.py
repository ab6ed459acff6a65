"""Tells the events of a workspace as they happen, with the client that the first argument names: `sync` or `async`."""

import asyncio
import os
import sys

from punchcard import AsyncPunchcard, Punchcard

settings = {"api_key": os.environ["API_KEY"], "base_url": os.environ["BASE_URL"]}
wanted = {"after_seq": 0, "type": "pass.created"}


def tell(event):
    print(event["seq"], event["data"]["title"], flush=True)


def follow():
    with Punchcard(**settings, sleep=lambda _: None) as client:
        for event in client.events.follow(**wanted):
            tell(event)


async def follow_async():
    async with AsyncPunchcard(**settings, sleep=lambda _: asyncio.sleep(0)) as client:
        async for event in client.events.follow(**wanted):
            tell(event)


if sys.argv[1] == "sync":
    follow()
else:
    asyncio.run(follow_async())
