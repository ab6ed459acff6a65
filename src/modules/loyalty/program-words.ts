/** What a card says of a loyalty program beside the shop's own texts, in one language. */
export interface ProgramWords {
  readonly reward: string;
  readonly ready: string;
  readonly expiry: string;
  /** `{count}` and `{threshold}` stand for numbers. */
  readonly progress: string;
  /** `{points}` stands for a number with its noun, `{date}` for a day. */
  readonly expires: string;
}

/** By language; the same ones as the "Add to wallet" page. */
export const programWords = {
  en: {
    reward: 'Reward',
    ready: 'Ready to redeem',
    expiry: 'Next to expire',
    progress: '{count} of {threshold}',
    expires: '{points} on {date}',
  },
  de: {
    reward: 'Prämie',
    ready: 'Zum Einlösen bereit',
    expiry: 'Verfällt als Nächstes',
    progress: '{count} von {threshold}',
    expires: '{points} am {date}',
  },
  fr: {
    reward: 'Récompense',
    ready: 'À utiliser',
    expiry: 'Prochaine expiration',
    progress: '{count} sur {threshold}',
    expires: '{points} le {date}',
  },
  es: {
    reward: 'Recompensa',
    ready: 'Listo para canjear',
    expiry: 'Próximo vencimiento',
    progress: '{count} de {threshold}',
    expires: '{points} el {date}',
  },
  it: {
    reward: 'Premio',
    ready: 'Pronto da riscattare',
    expiry: 'Prossima scadenza',
    progress: '{count} di {threshold}',
    expires: '{points} il {date}',
  },
} as const satisfies Record<string, ProgramWords>;
