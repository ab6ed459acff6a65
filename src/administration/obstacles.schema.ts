import type { Static } from 'typebox';
import { named } from '../kit/http/schemas/documented.ts';
import { closed, nullable, oneOf } from '../kit/http/schemas/shapes.ts';

/** What is missing before customers can have cards; null where nothing is. */
export const Obstacles = named(
  'Obstacles',
  closed(
    {
      apple: nullable(oneOf(['development', 'expired'])),
      google: nullable(oneOf(['no_account'])),
      address: nullable(oneOf(['not_https'])),
      mail: nullable(oneOf(['no_server'])),
    },
    {
      description:
        'apple: iPhones refuse new cards, whose certificate is for development, or has expired. google: neither the workspace nor the operator has an account at Google Wallet. address: phones ask for no changes, since the public address is not https. mail: the operator has set no mail server, and no mail leaves.',
    },
  ),
);
export type ShownObstacles = Static<typeof Obstacles>;
