import type { PunchcardOptions } from './core/options.ts';
import { Sender } from './core/sender.ts';
import { ApiKeysResource } from './resources/api-keys.ts';
import { AuditResource } from './resources/audit.ts';
import { BarcodesResource } from './resources/barcodes.ts';
import { CreditsResource } from './resources/credits.ts';
import { DevicesResource } from './resources/devices.ts';
import { EventsResource } from './resources/events.ts';
import { HoldersResource } from './resources/holders.ts';
import { InstancesResource } from './resources/instances.ts';
import { InvitesResource } from './resources/invites.ts';
import { LoyaltyResource } from './resources/loyalty.ts';
import { MessagesResource } from './resources/messages.ts';
import { OperatorResource } from './resources/operator.ts';
import { OrdersResource } from './resources/orders.ts';
import { PartnersResource } from './resources/partners.ts';
import { PassesResource } from './resources/passes.ts';
import { PeopleResource } from './resources/people.ts';
import { ProgramsResource } from './resources/programs.ts';
import { RequestsResource } from './resources/requests.ts';
import { StatisticsResource } from './resources/statistics.ts';
import { StoresResource } from './resources/stores.ts';
import { SweepsResource } from './resources/sweeps.ts';
import { WebhooksResource } from './resources/webhooks.ts';
import { WorkspaceResource } from './resources/workspace.ts';

/** The API of one installation, with the rights of one credential. */
export class Punchcard {
  readonly passes: PassesResource;
  readonly barcodes: BarcodesResource;
  readonly instances: InstancesResource;
  readonly holders: HoldersResource;
  readonly messages: MessagesResource;
  readonly programs: ProgramsResource;
  readonly loyalty: LoyaltyResource;
  readonly orders: OrdersResource;
  readonly partners: PartnersResource;
  readonly stores: StoresResource;
  readonly sweeps: SweepsResource;
  readonly invites: InvitesResource;
  readonly webhooks: WebhooksResource;
  readonly apiKeys: ApiKeysResource;
  readonly workspace: WorkspaceResource;
  readonly people: PeopleResource;
  readonly devices: DevicesResource;
  readonly requests: RequestsResource;
  readonly audit: AuditResource;
  readonly credits: CreditsResource;
  readonly operator: OperatorResource;
  readonly statistics: StatisticsResource;
  readonly events: EventsResource;

  constructor(options: PunchcardOptions) {
    const sender = new Sender(options);
    this.passes = new PassesResource(sender);
    this.barcodes = new BarcodesResource(sender);
    this.instances = new InstancesResource(sender);
    this.holders = new HoldersResource(sender);
    this.messages = new MessagesResource(sender);
    this.programs = new ProgramsResource(sender);
    this.loyalty = new LoyaltyResource(sender);
    this.orders = new OrdersResource(sender);
    this.partners = new PartnersResource(sender);
    this.stores = new StoresResource(sender);
    this.sweeps = new SweepsResource(sender);
    this.invites = new InvitesResource(sender);
    this.webhooks = new WebhooksResource(sender);
    this.apiKeys = new ApiKeysResource(sender);
    this.workspace = new WorkspaceResource(sender);
    this.people = new PeopleResource(sender);
    this.devices = new DevicesResource(sender);
    this.requests = new RequestsResource(sender);
    this.audit = new AuditResource(sender);
    this.credits = new CreditsResource(sender);
    this.operator = new OperatorResource(sender);
    this.statistics = new StatisticsResource(sender);
    this.events = new EventsResource(sender);
  }
}
