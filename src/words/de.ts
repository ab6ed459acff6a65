import type { Words } from './words.ts';

export const de: Words = {
  join: {
    get: {
      card: 'Karte holen',
      coupon: 'Gutschein holen',
      ticket: 'Ticket holen',
      giftCard: 'Geschenkkarte holen',
    },
    lead: 'Kurz ausfüllen und auf dem Handy dabeihaben. Ohne App, ohne Konto.',
    leadBare: 'Ein Tipp genügt, und Sie haben sie auf dem Handy. Ohne App, ohne Konto.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    optional: 'freiwillig',
    wait: 'Einen Moment …',
    privacy: 'Was Sie hier eingeben, erhält {shop}.',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sentText: 'Eine Nachricht ist unterwegs an {email}. Der Knopf darin öffnet, was Sie haben möchten.',
    sentHint:
      'Nichts angekommen? Sehen Sie im Spam-Ordner nach, oder gehen Sie zurück und prüfen Sie die Adresse.',
    proveTitle: 'Noch ein Schritt',
    proveText: 'Der Knopf bestätigt Ihre Adresse {email}. Danach geht es weiter aufs Handy.',
    prove: 'Bestätigen und öffnen',
    subject: '{title}: Adresse bestätigen',
    hello: 'Hallo {name},',
    helloNobody: 'Hallo,',
    asked:
      'jemand hat bei {shop} mit dieser Adresse „{title}“ angefordert. Waren Sie das, drücken Sie den Knopf. Haben Sie schon eine Karte, öffnet er diese.',
    notYou:
      'Waren Sie es nicht, brauchen Sie nichts zu tun. Ohne diesen Knopf bekommt niemand etwas mit Ihrer Adresse.',
    once: 'Der Knopf funktioniert einmal, 24 Stunden lang.',
    scan: 'Mit der Handykamera scannen',
    ways: 'In Apple\u00a0Wallet, Google\u00a0Wallet oder im Browser.',
  },
};
