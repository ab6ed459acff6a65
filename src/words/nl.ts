import type { Words } from './words.ts';

export const nl: Words = {
  join: {
    get: {
      card: 'Kaart ophalen',
      coupon: 'Coupon ophalen',
      ticket: 'Ticket ophalen',
      giftCard: 'Cadeaukaart ophalen',
    },
    lead: 'Vul dit in en neem hem mee op je telefoon. Zonder app, zonder account.',
    leadBare: 'Eén tik en je hebt hem op je telefoon. Zonder app, zonder account.',
    name: 'Naam',
    email: 'E-mailadres',
    phone: 'Telefoonnummer',
    optional: 'optioneel',
    wait: 'Een ogenblik…',
    privacy: 'Wat je hier invult, gaat naar {shop}.',
    sentTitle: 'Kijk in je mail',
    sentText: 'Er is een bericht onderweg naar {email}. De knop erin opent wat je hebt aangevraagd.',
    sentHint: 'Niets ontvangen? Kijk bij de ongewenste mail, of ga terug en controleer het adres.',
    proveTitle: 'Nog één stap',
    proveText: 'De knop bevestigt je adres {email}. Daarna gaat het verder op je telefoon.',
    prove: 'Bevestigen en openen',
    subject: '{title}: bevestig je adres',
    hello: 'Hallo {name},',
    helloNobody: 'Hallo,',
    asked:
      'Iemand heeft bij {shop} met dit adres om “{title}” gevraagd. Was jij dat, druk dan op de knop. Heb je er al een, dan opent de knop die.',
    notYou:
      'Was jij het niet, dan hoef je niets te doen. Zonder deze knop krijgt niemand iets met jouw adres.',
    once: 'De knop werkt één keer, 24 uur lang.',
    scan: 'Scan met de camera van je telefoon',
    ways: 'In Apple\u00a0Wallet, Google\u00a0Wallet of je browser.',
  },
};
