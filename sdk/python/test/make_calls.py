"""
Makes the calls that stand on its standard input, a JSON object a line, and says what became of each: with the client that the
first argument names, `sync` or `async`. Waits between attempts are noted, not waited for.
"""

import asyncio
import json
import os
import re
import sys

from punchcard import (
    Answer,
    AsyncPages,
    AsyncPunchcard,
    File,
    Page,
    Pages,
    Punchcard,
    PunchcardError,
    answer_of,
)

settings = {
    "api_key": os.environ["API_KEY"],
    "operator_token": os.environ.get("OPERATOR_TOKEN"),
    "base_url": os.environ["BASE_URL"],
}
waits = []


def snake(name):
    spelled = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    return spelled + "_" if spelled in ("from", "pass") else spelled


def begin(client, call):
    resource, method = call["call"].split(".")
    make = getattr(getattr(client, snake(resource)), snake(method))
    named = {snake(name): value for name, value in call.get("named", {}).items()}
    return make(*call.get("path", []), **named, options=call.get("options"))


def said(result):
    if isinstance(result, Page):
        answer, value = result.answer, {"data": result.data, "nextCursor": result.next_cursor}
    elif isinstance(result, File):
        answer, value = result.answer, result.content.decode("latin1")
    elif isinstance(result, Answer):
        answer, value = result, None
    elif isinstance(result, list):
        return {"value": result}
    else:
        answer, value = answer_of(result), result
    return {
        "value": value,
        "status": answer.status,
        "requestId": answer.request_id,
        "replayed": answer.replayed,
    }


def refused(error):
    return {
        "error": type(error).__name__,
        "code": error.code,
        "status": error.status,
        "requestId": error.request_id,
        "retryable": error.retryable,
        "body": dict(error.body),
    }


def tell(outcome):
    print(json.dumps({**outcome, "waits": waits}), flush=True)
    waits.clear()


def make_calls():
    with Punchcard(**settings, sleep=waits.append) as client:
        for line in sys.stdin:
            call = json.loads(line)
            try:
                result = begin(client, call)
                if isinstance(result, Pages):
                    result = list(result) if call.get("all") else result.page()
                tell(said(result))
            except PunchcardError as error:
                tell(refused(error))


async def make_calls_async():
    async def sleep(seconds):
        waits.append(seconds)

    async with AsyncPunchcard(**settings, sleep=sleep) as client:
        for line in sys.stdin:
            call = json.loads(line)
            try:
                result = begin(client, call)
                if isinstance(result, AsyncPages):
                    result = [item async for item in result] if call.get("all") else await result.page()
                else:
                    result = await result
                tell(said(result))
            except PunchcardError as error:
                tell(refused(error))


if sys.argv[1] == "sync":
    make_calls()
else:
    asyncio.run(make_calls_async())
