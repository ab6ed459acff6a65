import type { Kind } from '../../words/words.ts';

/** What an invitation and its pages say in their own name, in one language. `{shop}`, `{title}` and `{name}` are filled in. */
export interface InviteWords {
  readonly waiting: Readonly<Record<Kind, string>>;
  readonly hello: string;
  readonly helloNobody: string;
  readonly invites: string;
  readonly ways: string;
  readonly take: Readonly<Record<Kind, string>>;
  readonly why: string;
  readonly noMore: string;
  readonly claimLead: string;
  readonly haveTitle: string;
  readonly haveLead: string;
  readonly open: string;
  readonly endTitle: string;
  readonly endText: string;
  readonly end: string;
  readonly endedTitle: string;
  readonly endedText: string;
}

const en: InviteWords = {
  waiting: {
    card: 'Your card is waiting',
    coupon: 'Your coupon is waiting',
    ticket: 'Your ticket is waiting',
    giftCard: 'Your gift card is waiting',
  },
  hello: 'Hello {name},',
  helloNobody: 'Hello,',
  invites: '{shop} invites you to {title}.',
  ways: 'Keep it on your phone: in Apple\u00a0Wallet, in Google\u00a0Wallet or as a web card. It takes a moment and needs no account.',
  take: {
    card: 'Get your card',
    coupon: 'Get your coupon',
    ticket: 'Get your ticket',
    giftCard: 'Get your gift card',
  },
  why: '{shop} has invited you at this address. You will not be invited to {title} again.',
  noMore: 'No more mail from {shop}',
  claimLead: 'One press is enough. Then add it to your phone.',
  haveTitle: 'It is yours already',
  haveLead: 'Open it to add it to this phone too.',
  open: 'Open it',
  endTitle: 'No more mail from {shop}?',
  endText: '{shop} will send you no more invitations. What you have on your phone keeps working.',
  end: 'Unsubscribe',
  endedTitle: 'You are unsubscribed',
  endedText: '{shop} will send you no more invitations. What you have on your phone keeps working.',
};

const de: InviteWords = {
  waiting: {
    card: 'Ihre Karte wartet auf Sie',
    coupon: 'Ihr Gutschein wartet auf Sie',
    ticket: 'Ihr Ticket wartet auf Sie',
    giftCard: 'Ihre Geschenkkarte wartet auf Sie',
  },
  hello: 'Hallo {name},',
  helloNobody: 'Guten Tag,',
  invites: '{shop} lädt Sie zu {title} ein.',
  ways: 'Auf dem Handy immer dabei: in Apple\u00a0Wallet, in Google\u00a0Wallet oder als Webkarte. Es dauert nur einen Moment und braucht kein Konto.',
  take: {
    card: 'Karte holen',
    coupon: 'Gutschein holen',
    ticket: 'Ticket holen',
    giftCard: 'Geschenkkarte holen',
  },
  why: '{shop} hat Sie unter dieser Adresse eingeladen. Zu {title} werden Sie nicht noch einmal eingeladen.',
  noMore: 'Keine Mails mehr von {shop}',
  claimLead: 'Ein Druck auf den Knopf genügt. Danach geht es aufs Handy.',
  haveTitle: 'Das haben Sie schon',
  haveLead: 'Öffnen und auch auf diesem Handy hinzufügen.',
  open: 'Öffnen',
  endTitle: 'Keine Mails mehr von {shop}?',
  endText: '{shop} schickt Ihnen keine Einladungen mehr. Was Sie auf dem Handy haben, bleibt gültig.',
  end: 'Abmelden',
  endedTitle: 'Sie sind abgemeldet',
  endedText: '{shop} schickt Ihnen keine Einladungen mehr. Was Sie auf dem Handy haben, bleibt gültig.',
};

const fr: InviteWords = {
  waiting: {
    card: 'Votre carte vous attend',
    coupon: 'Votre bon vous attend',
    ticket: 'Votre billet vous attend',
    giftCard: 'Votre carte cadeau vous attend',
  },
  hello: 'Bonjour {name},',
  helloNobody: 'Bonjour,',
  invites: '{shop} vous invite : {title}.',
  ways: 'Toujours sur votre téléphone : dans Apple\u00a0Wallet, dans Google\u00a0Wallet ou en carte web. Cela ne prend qu’un instant, sans compte.',
  take: {
    card: 'Obtenir ma carte',
    coupon: 'Obtenir mon bon',
    ticket: 'Obtenir mon billet',
    giftCard: 'Obtenir ma carte cadeau',
  },
  why: '{shop} vous a invité à cette adresse. Vous ne recevrez pas d’autre invitation pour {title}.',
  noMore: 'Ne plus recevoir de messages de {shop}',
  claimLead: 'Un appui sur le bouton suffit. Ensuite, direction votre téléphone.',
  haveTitle: 'Vous l’avez déjà',
  haveLead: 'Ouvrez ici pour l’ajouter aussi à ce téléphone.',
  open: 'Ouvrir',
  endTitle: 'Ne plus recevoir de messages de {shop} ?',
  endText: '{shop} ne vous enverra plus d’invitations. Ce que vous avez sur votre téléphone reste valable.',
  end: 'Se désabonner',
  endedTitle: 'Vous êtes désabonné',
  endedText: '{shop} ne vous enverra plus d’invitations. Ce que vous avez sur votre téléphone reste valable.',
};

const es: InviteWords = {
  waiting: {
    card: 'Tu tarjeta te espera',
    coupon: 'Tu cupón te espera',
    ticket: 'Tu entrada te espera',
    giftCard: 'Tu tarjeta regalo te espera',
  },
  hello: 'Hola, {name}:',
  helloNobody: 'Hola:',
  invites: '{shop} te invita a {title}.',
  ways: 'Llévala siempre en el móvil: en Apple\u00a0Wallet, en Google\u00a0Wallet o como tarjeta web. Es un momento y no hace falta cuenta.',
  take: {
    card: 'Obtener mi tarjeta',
    coupon: 'Obtener mi cupón',
    ticket: 'Obtener mi entrada',
    giftCard: 'Obtener mi tarjeta regalo',
  },
  why: '{shop} te ha invitado en esta dirección. No recibirás otra invitación a {title}.',
  noMore: 'No recibir más correos de {shop}',
  claimLead: 'Basta con pulsar el botón. Después, al móvil.',
  haveTitle: 'Ya lo tienes',
  haveLead: 'Ábrelo aquí para añadirlo también a este móvil.',
  open: 'Abrir',
  endTitle: '¿No recibir más correos de {shop}?',
  endText: '{shop} no te enviará más invitaciones. Lo que tienes en el móvil sigue siendo válido.',
  end: 'Darme de baja',
  endedTitle: 'Te has dado de baja',
  endedText: '{shop} no te enviará más invitaciones. Lo que tienes en el móvil sigue siendo válido.',
};

const it: InviteWords = {
  waiting: {
    card: 'La tua carta ti aspetta',
    coupon: 'Il tuo coupon ti aspetta',
    ticket: 'Il tuo biglietto ti aspetta',
    giftCard: 'La tua carta regalo ti aspetta',
  },
  hello: 'Ciao {name},',
  helloNobody: 'Ciao,',
  invites: '{shop} ti invita: {title}.',
  ways: 'Sempre con te sul telefono: in Apple\u00a0Wallet, in Google\u00a0Wallet o come carta web. Basta un attimo e non serve un account.',
  take: {
    card: 'Ottieni la carta',
    coupon: 'Ottieni il coupon',
    ticket: 'Ottieni il biglietto',
    giftCard: 'Ottieni la carta regalo',
  },
  why: '{shop} ti ha invitato a questo indirizzo. Non riceverai altri inviti per {title}.',
  noMore: 'Niente più messaggi da {shop}',
  claimLead: 'Basta premere il pulsante. Poi, sul telefono.',
  haveTitle: 'Ce l’hai già',
  haveLead: 'Apri qui per aggiungere anche a questo telefono.',
  open: 'Apri',
  endTitle: 'Niente più messaggi da {shop}?',
  endText: '{shop} non ti invierà altri inviti. Ciò che hai sul telefono resta valido.',
  end: 'Annulla l’iscrizione',
  endedTitle: 'Iscrizione annullata',
  endedText: '{shop} non ti invierà altri inviti. Ciò che hai sul telefono resta valido.',
};

/** In the languages of the pages of cards. */
export const inviteLanguages = { en, de, fr, es, it };
