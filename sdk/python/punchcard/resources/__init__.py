"""The resources of the API. Printed from it: `npm run docs`."""

from __future__ import annotations

from .._callers import AsyncCaller, Caller
from .api_keys import AsyncApiKeys, ApiKeys
from .audit import AsyncAudit, Audit
from .barcodes import AsyncBarcodes, Barcodes
from .credits import AsyncCredits, Credits
from .devices import AsyncDevices, Devices
from .events import AsyncEvents, Events
from .holders import AsyncHolders, Holders
from .images import AsyncImages, Images
from .instances import AsyncInstances, Instances
from .invites import AsyncInvites, Invites
from .loyalty import AsyncLoyalty, Loyalty
from .messages import AsyncMessages, Messages
from .operator import AsyncOperator, Operator
from .orders import AsyncOrders, Orders
from .partners import AsyncPartners, Partners
from .passes import AsyncPasses, Passes
from .people import AsyncPeople, People
from .programs import AsyncPrograms, Programs
from .requests import AsyncRequests, Requests
from .statistics import AsyncStatistics, Statistics
from .stores import AsyncStores, Stores
from .sweeps import AsyncSweeps, Sweeps
from .value import AsyncValue, Value
from .wallets import AsyncWallets, Wallets
from .webhooks import AsyncWebhooks, Webhooks
from .workspace import AsyncWorkspace, Workspace

class Resources:
    """What `Punchcard` can be asked."""

    def __init__(self, caller: Caller) -> None:
        self.passes = Passes(caller)
        self.barcodes = Barcodes(caller)
        self.instances = Instances(caller)
        self.holders = Holders(caller)
        self.messages = Messages(caller)
        self.programs = Programs(caller)
        self.loyalty = Loyalty(caller)
        self.value = Value(caller)
        self.orders = Orders(caller)
        self.partners = Partners(caller)
        self.stores = Stores(caller)
        self.sweeps = Sweeps(caller)
        self.invites = Invites(caller)
        self.images = Images(caller)
        self.webhooks = Webhooks(caller)
        self.api_keys = ApiKeys(caller)
        self.workspace = Workspace(caller)
        self.wallets = Wallets(caller)
        self.people = People(caller)
        self.devices = Devices(caller)
        self.requests = Requests(caller)
        self.audit = Audit(caller)
        self.credits = Credits(caller)
        self.operator = Operator(caller)
        self.statistics = Statistics(caller)
        self.events = Events(caller)


class AsyncResources:
    """What `AsyncPunchcard` can be asked."""

    def __init__(self, caller: AsyncCaller) -> None:
        self.passes = AsyncPasses(caller)
        self.barcodes = AsyncBarcodes(caller)
        self.instances = AsyncInstances(caller)
        self.holders = AsyncHolders(caller)
        self.messages = AsyncMessages(caller)
        self.programs = AsyncPrograms(caller)
        self.loyalty = AsyncLoyalty(caller)
        self.value = AsyncValue(caller)
        self.orders = AsyncOrders(caller)
        self.partners = AsyncPartners(caller)
        self.stores = AsyncStores(caller)
        self.sweeps = AsyncSweeps(caller)
        self.invites = AsyncInvites(caller)
        self.images = AsyncImages(caller)
        self.webhooks = AsyncWebhooks(caller)
        self.api_keys = AsyncApiKeys(caller)
        self.workspace = AsyncWorkspace(caller)
        self.wallets = AsyncWallets(caller)
        self.people = AsyncPeople(caller)
        self.devices = AsyncDevices(caller)
        self.requests = AsyncRequests(caller)
        self.audit = AsyncAudit(caller)
        self.credits = AsyncCredits(caller)
        self.operator = AsyncOperator(caller)
        self.statistics = AsyncStatistics(caller)
        self.events = AsyncEvents(caller)
