"""What needs no service: the signatures of webhooks, what is sent, and what is not."""

import base64
import hashlib
import hmac
import http.server
import pickle
import threading
import unittest
from types import SimpleNamespace

import httpx

import punchcard
from punchcard import Punchcard, WebhookVerificationError, answer_of, verify_webhook
from punchcard._webhooks import _verify_signature

# The vector of Standard Webhooks 1.0.0.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
NOW = 1614265330
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": str(NOW),
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
OTHER = "whsec_" + "A" * 32


class Settings(unittest.TestCase):
    def test_what_no_service_could_be_reached_with_is_refused_at_once(self):
        for wrong in ({"api_key": ""}, {"api_key": " "}, {"api_key": "pk_live_\n"}, {"operator_token": "…"}):
            with self.assertRaisesRegex(ValueError, f"{next(iter(wrong))} is empty, or has"):
                Punchcard(base_url="http://localhost", **wrong)
        with self.assertRaisesRegex(ValueError, "base_url must begin with"):
            Punchcard(base_url="localhost:3000", api_key="pk_live_1")

    def test_an_error_has_its_message_alone_and_with_its_names(self):
        error = punchcard.PunchcardError("No such card.", code="instance_not_found", request_id="req_1")
        self.assertEqual(error.message, "No such card.")
        self.assertEqual(str(error), "No such card. (instance_not_found, req_1)")
        self.assertEqual(pickle.loads(pickle.dumps(error)).message, error.message)

    def test_a_refused_request_names_its_problems(self):
        problem = {"path": "title", "rule": "max_length", "limit": 120, "message": "Must have at most 120 characters."}
        error = punchcard.errors.InvalidRequestError(
            "title is too long.", code="invalid_request", request_id="req_1", body={"problems": [problem]}
        )
        self.assertEqual([(one["path"], one["rule"], one.get("limit")) for one in error.problems], [("title", "max_length", 120)])


class Webhooks(unittest.TestCase):
    def verify(self, body=BODY, secrets=(SECRET,), now=NOW, **changed):
        headers = {**HEADERS, **{f"Webhook-{name.capitalize()}": value for name, value in changed.items()}}
        _verify_signature(body, headers, secrets, now)

    def test_the_vector_of_the_standard(self):
        self.verify()
        self.verify(secrets=(OTHER, SECRET))
        self.verify(signature="v1a,AAAA v1,BBBB " + HEADERS["Webhook-Signature"])

    def test_what_is_refused(self):
        for wrong in (
            {"body": BODY + b" "},
            {"secrets": (OTHER,)},
            {"secrets": ()},
            {"now": NOW + 301},
            {"now": NOW - 301},
            {"id": "msg_other"},
            {"timestamp": str(NOW + 1)},
            {"timestamp": "soon"},
            {"timestamp": "9" * 400},
            {"signature": ""},
            {"signature": HEADERS["Webhook-Signature"].replace("v1,", "v2,")},
        ):
            with self.subTest(wrong), self.assertRaises(WebhookVerificationError):
                self.verify(**wrong)

    def test_a_signed_body_that_is_no_event(self):
        with self.assertRaisesRegex(WebhookVerificationError, "no event"):
            verify_webhook(BODY, HEADERS, SECRET, now=NOW)

    def test_an_event_by_the_client_too(self):
        body = b'{"type": "pass.created", "data": {"eventId": "evt_1", "type": "pass.created"}}'
        signed = b"msg_1.%d.%s" % (NOW, body)
        key = base64.b64decode(SECRET[6:])
        signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        headers = {
            "webhook-id": "msg_1",
            "webhook-timestamp": str(NOW),
            "webhook-signature": f"v1,{signature}",
        }
        for verify in (verify_webhook, Punchcard(base_url="http://localhost").webhooks.verify):
            self.assertEqual(verify(body.decode(), headers, SECRET, now=NOW)["eventId"], "evt_1")
            with self.assertRaises(WebhookVerificationError):
                verify(body, headers, SECRET)

    def test_a_secret_that_is_none(self):
        for secret in ("", "whsec_", "whsec_###", SECRET[6:]):
            with self.subTest(secret), self.assertRaises((ValueError, WebhookVerificationError)):
                self.verify(secrets=(secret,))
        with self.assertRaises(ValueError):
            self.verify(secrets=("AAAA",))


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers what the test has put into `answers`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.heard.append(SimpleNamespace(path=self.path, headers=self.headers))
        status, headers, body = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Calls(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.answers, self.server.heard = [], []
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.waits = []
        self.client = Punchcard(api_key="sk_1", base_url=self.url, sleep=self.waits.append)
        self.addCleanup(self.client.close)

    def test_a_result_is_a_dict_that_knows_its_answer(self):
        headers = {"X-Request-Id": "req_1", "Idempotent-Replayed": "true"}
        self.server.answers.append((200, headers, b'{"balance": 5, "new": {"in": "tomorrow"}}'))
        award = self.client.loyalty.earn(barcode="7Q", points=5)
        self.assertEqual(award, {"balance": 5, "new": {"in": "tomorrow"}})
        answer = answer_of(award)
        self.assertEqual((answer.request_id, answer.status, answer.replayed), ("req_1", 200, True))
        with self.assertRaises(TypeError):
            answer_of({"balance": 5})

    def test_results_and_errors_travel_between_processes(self):
        self.server.answers.append((200, {"X-Request-Id": "req_1"}, b'{"balance": 5}'))
        award = pickle.loads(pickle.dumps(self.client.loyalty.earn(barcode="7Q", points=5)))
        self.assertEqual((award, answer_of(award).request_id), ({"balance": 5}, "req_1"))
        body = b'{"error": "No.", "code": "insufficient_points", "requestId": "req_1", "balance": 3, "cost": 5}'
        self.server.answers.append((409, {"X-Request-Id": "req_2"}, body))
        with self.assertRaises(punchcard.InsufficientPointsError) as raised:
            self.client.loyalty.redeem(barcode="7Q")
        error = pickle.loads(pickle.dumps(raised.exception))
        self.assertIsInstance(error, punchcard.InsufficientPointsError)
        self.assertEqual((error.balance, error.cost, error.status, error.request_id), (3, 5, 409, "req_2"))
        self.assertEqual(str(error), "No. (insufficient_points, req_2)")

    def test_a_repeat_is_logged_without_what_names_anybody(self):
        body = b'{"error": "Again.", "code": "internal_error", "requestId": "req_1", "retryable": true}'
        self.server.answers.extend([(500, {}, body), (200, {}, b"{}")])
        with self.assertLogs("punchcard", "INFO") as logged:
            self.client.loyalty.holder("ada", pass_id="pass_1", options={"request_id": "mine"})
        said = r"GET /loyalty/holders/{identifier}: Again. \(internal_error, mine\); again in 0\.[45] s"
        self.assertRegex(logged.records[0].getMessage(), said)
        self.assertNotIn("sk_1", logged.output[0])

    def test_a_page_by_its_cursor(self):
        self.server.answers.extend([(200, {}, b'{"data": [%d], "nextCursor": "c%d"}' % (n, n)) for n in (1, 2)])
        entries = self.client.loyalty.entries(limit=1)
        first = entries.page()
        self.assertEqual((first.data, entries.page(first.next_cursor).data), ([1], [2]))
        paths = [heard.path for heard in self.server.heard]
        self.assertEqual(paths, ["/v1/loyalty/entries?limit=1", "/v1/loyalty/entries?limit=1&cursor=c1"])

    def test_a_time_that_nobody_waits_for_is_told_at_once(self):
        body = b'{"error": "Later.", "code": "rate_limited", "requestId": "req_1"}'
        self.server.answers.append((429, {"Retry-After": "3600"}, body))
        with self.assertRaises(punchcard.RateLimitedError) as raised:
            self.client.credits.get()
        self.assertEqual((raised.exception.headers["retry-after"], self.waits), ("3600", []))

    def test_pauses_grow_and_end(self):
        body = b'{"error": "Again.", "code": "internal_error", "requestId": "req_1", "retryable": true}'
        self.server.answers.extend([(500, {}, body)] * 8)
        with self.assertRaises(punchcard.InternalError):
            self.client.credits.get(options={"max_retries": 7})
        for seconds, most in zip(self.waits, [0.5, 1, 2, 4, 8, 8, 8]):
            self.assertTrue(0.75 * most <= seconds <= most, self.waits)
        self.assertEqual(len(self.waits), 7)

    def test_an_address_that_is_not_the_service(self):
        self.server.answers.append((200, {"Content-Type": "text/html"}, b"<h1>It works!</h1>"))
        with self.assertRaisesRegex(punchcard.UnexpectedAnswerError, "base_url"):
            self.client.credits.get()
        with self.assertRaises(ValueError):
            Punchcard(api_key="sk_1", base_url="cards.example.com")
        self.assertEqual(self.waits, [])

    def test_a_redirect_is_not_followed(self):
        self.server.answers.append((302, {"Location": "/elsewhere", "Content-Type": "text/plain"}, b""))
        with self.assertRaises(punchcard.UnexpectedAnswerError):
            self.client.credits.get()
        self.assertEqual(len(self.server.heard), 1)

    def test_an_id_cannot_lead_elsewhere(self):
        for wrong in ("", ".", ".."):
            with self.subTest(wrong), self.assertRaises(ValueError):
                self.client.instances.get(wrong)
        self.server.answers.append((200, {}, b"{}"))
        self.client.loyalty.holder("../ä?#", pass_id="pass_1")
        path = self.server.heard[0].path
        self.assertEqual(path, "/v1/loyalty/holders/..%2F%C3%A4%3F%23?passId=pass_1")

    def test_nothing_is_sent_that_was_left_out_and_null_is(self):
        self.server.answers.append((200, {}, b"{}"))
        seen = []

        class Transport(httpx.HTTPTransport):
            def handle_request(self, request):
                seen.append(request.read())
                return super().handle_request(request)

        with httpx.Client(transport=Transport()) as own:
            client = Punchcard(api_key="sk_1", base_url=self.url + "/v1/", http_client=own)
            client.loyalty.earn(barcode="7Q", points=5, reason=None, external_ref="r1")
            client.close()
            self.assertFalse(own.is_closed)
        self.assertEqual(seen, [b'{"barcode": "7Q", "externalRef": "r1", "points": 5, "reason": null}'])
        heard = self.server.heard[0]
        self.assertEqual((heard.path, heard.headers["Idempotency-Key"]), ("/v1/loyalty/points", None))
        self.assertRegex(heard.headers["User-Agent"], r"^punchcard-python/\d")


class Kinds(unittest.TestCase):
    def test_those_of_events_are_a_value(self):
        self.assertIn("points.awarded", punchcard.EVENT_TYPES)
        self.assertEqual(len(set(punchcard.EVENT_TYPES)), len(punchcard.EVENT_TYPES))


if __name__ == "__main__":
    unittest.main()
