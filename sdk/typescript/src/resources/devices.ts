import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { Device, ListDevicesQuery, NewDevice, NewlyMadeDevice } from '../types.ts';

export class DevicesResource extends Resource {
  /**
   * Make a shared till.
   *
   * Its `code` pairs the browser that sends it to POST /devices/pair, once, within 15 minutes. People
   * with a PIN sign in there, as staff of the workspace.
   *
   * Refused with `partner_not_found`.
   */
  create(body: NewDevice, options?: CallOptions): Promise<NewlyMadeDevice & Result> {
    return this.sender.json<NewlyMadeDevice>(
      { method: 'POST', path: '/devices', body, key: 'header' },
      options,
    );
  }

  /**
   * List the shared tills.
   *
   * Newest first.
   */
  list(query?: ListDevicesQuery, options?: CallOptions): List<Device> {
    return this.sender.list<Device>({ method: 'GET', path: '/devices', query }, options);
  }

  /**
   * Revoke a shared till.
   *
   * Who is signed in at it is signed out within a second.
   *
   * Refused with `device_not_found`.
   */
  revoke(deviceId: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/devices/${deviceId}`, key: 'header' },
      options,
    );
  }
}
