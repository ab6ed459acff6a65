import { signal } from '@preact/signals';
import { recall, remember } from '../shared/remembered.ts';

/** What a device is set to, for everyone who works at it. */
export interface DeviceSettings {
  /** The hand that holds nothing else: actions are on its side. */
  readonly hand: 'right' | 'left';
  readonly hasSound: boolean;
  readonly vibrates: boolean;
  /** Whether the screen stays on. */
  readonly staysOn: boolean;
  /** Minutes without a touch after which a shared till is locked. */
  readonly lockAfter: number;
  /** The country code of telephone numbers that are typed without one, such as +49; empty where there is none. */
  readonly country: string;
}

const usual: DeviceSettings = {
  hand: 'right',
  hasSound: true,
  vibrates: true,
  staysOn: true,
  lockAfter: 5,
  country: '',
};

export const deviceSettings = signal<DeviceSettings>({ ...usual, ...kept() });

export function changeDevice(changes: Partial<DeviceSettings>): void {
  deviceSettings.value = { ...deviceSettings.value, ...changes };
  remember('scanner.device', JSON.stringify(deviceSettings.value));
}

function kept(): Partial<DeviceSettings> {
  try {
    return JSON.parse(recall('scanner.device') ?? '{}') as Partial<DeviceSettings>;
  } catch {
    return {};
  }
}
