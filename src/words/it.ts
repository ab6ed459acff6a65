import type { Words } from './words.ts';

export const it: Words = {
  join: {
    get: {
      card: 'Ottieni la carta',
      coupon: 'Ottieni il coupon',
      ticket: 'Ottieni il biglietto',
      giftCard: 'Ottieni la carta regalo',
    },
    lead: 'Compila e portala con te sul telefono. Senza app e senza account.',
    leadBare: 'Un tocco e ce l’hai sul telefono. Senza app e senza account.',
    name: 'Nome',
    email: 'Indirizzo e-mail',
    phone: 'Numero di telefono',
    optional: 'facoltativo',
    wait: 'Un momento…',
    privacy: 'Ciò che inserisci qui va a {shop}.',
    sentTitle: 'Guarda la tua posta',
    sentText: 'Un messaggio è in arrivo a {email}. Il pulsante che contiene apre ciò che hai richiesto.',
    sentHint:
      'Non è arrivato nulla? Guarda nella posta indesiderata, oppure torna indietro e controlla l’indirizzo.',
    proveTitle: 'Ancora un passo',
    proveText: 'Il pulsante conferma il tuo indirizzo {email}. Poi, sul telefono.',
    prove: 'Conferma e apri',
    subject: '{title}: conferma il tuo indirizzo',
    hello: 'Ciao {name},',
    helloNobody: 'Ciao,',
    asked:
      'qualcuno ha chiesto «{title}» a {shop} con questo indirizzo. Se sei stato tu, premi il pulsante. Se ce l’hai già, apre la tua.',
    notYou:
      'Se non sei stato tu, non fare nulla. Senza questo pulsante nessuno ottiene nulla con il tuo indirizzo.',
    once: 'Il pulsante funziona una volta, per 24 ore.',
    scan: 'Inquadra con la fotocamera del telefono',
    ways: 'In Apple\u00a0Wallet, Google\u00a0Wallet o nel browser.',
  },
};
