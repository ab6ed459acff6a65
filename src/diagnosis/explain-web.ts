import type { CardFinding } from './card-finding.ts';
import { explainDue, explainLast } from './explain-due.ts';
import type { Facts } from './gather-facts.ts';

/** From the service to the browsers that have the card open or installed. */
export function explainWeb(facts: Facts): CardFinding[] {
  const { webCards } = facts;
  if (webCards.length === 0) return [];
  const installed = webCards.filter(({ isInstalled }) => isInstalled).length;
  return [
    {
      level: 'ok',
      code: 'browsers',
      what: `Browsers with the web card: ${webCards.length - installed} open, ${installed} installed`,
    },
    ...(webCards.some(({ takesPushes }) => takesPushes) ? [] : [silent]),
    ...webCards.flatMap((card) => explainDue(facts, 'The web card', card, 'web')),
    ...explainLast(facts, 'web', 'The web card'),
  ];
}

const silent: CardFinding = {
  level: 'warning',
  code: 'browsers_silent',
  what: 'No browser takes pushes for the web card: it changes while it is open, and says nothing while it is closed',
  advice:
    'The holder installs the card and allows its notifications; where that was done, the push service of the browser has refused them since.',
};
