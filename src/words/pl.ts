import type { Words } from './words.ts';

export const pl: Words = {
  join: {
    get: {
      card: 'Odbierz kartę',
      coupon: 'Odbierz kupon',
      ticket: 'Odbierz bilet',
      giftCard: 'Odbierz kartę podarunkową',
    },
    lead: 'Wypełnij i miej zawsze w telefonie. Bez aplikacji i bez konta.',
    leadBare: 'Jedno dotknięcie i masz w telefonie. Bez aplikacji i bez konta.',
    name: 'Imię i nazwisko',
    email: 'Adres e-mail',
    phone: 'Numer telefonu',
    optional: 'opcjonalnie',
    wait: 'Chwileczkę…',
    privacy: 'To, co tu wpiszesz, otrzyma {shop}.',
    sentTitle: 'Sprawdź pocztę',
    sentText: 'Wiadomość jest w drodze na adres {email}. Przycisk w niej otworzy to, o co prosisz.',
    sentHint: 'Nic nie przyszło? Sprawdź folder ze spamem albo wróć i sprawdź adres.',
    proveTitle: 'Jeszcze jeden krok',
    proveText: 'Przycisk potwierdza adres {email}. Potem przejdziesz dalej na telefon.',
    prove: 'Potwierdź i otwórz',
    subject: '{title}: potwierdź adres',
    hello: 'Dzień dobry, {name},',
    helloNobody: 'Dzień dobry,',
    asked:
      'ktoś poprosił w {shop} o „{title}”, podając ten adres. Jeśli to Ty, naciśnij przycisk. Jeśli już ją masz, przycisk otworzy Twoją.',
    notYou: 'Jeśli to nie Ty, nic nie rób. Bez tego przycisku nikt nie dostanie niczego na Twój adres.',
    once: 'Przycisk działa raz, przez 24 godziny.',
    scan: 'Zeskanuj aparatem telefonu',
    ways: 'W Apple\u00a0Wallet, Google\u00a0Wallet albo w przeglądarce.',
  },
};
