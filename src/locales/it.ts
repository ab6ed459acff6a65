import { it as people } from './people/it.ts';
import type { Words } from './words.ts';

export const it: Words = {
  card: {
    hello: 'Ciao',
    ready: {
      card: 'La tua carta è pronta',
      coupon: 'Il tuo coupon è pronto',
      ticket: 'Il tuo biglietto è pronto',
      giftCard: 'La tua carta regalo è pronta',
    },
    lead: 'Sul telefono, sempre con te.',
    addToApple: 'Aggiungi ad Apple\u00a0Wallet',
    addToGoogle: 'Aggiungi a Google\u00a0Wallet',
    otherPhone: 'Un altro telefono?',
    safariHint: 'Non succede nulla? Apri questa pagina in Safari.',
    scanTitle: 'Scansiona con il telefono',
    scanText: 'Inquadra il codice con la fotocamera e apri il link che appare.',
    scanCode: 'Codice QR che apre questa pagina sul telefono',
    scanAlone: 'Mostra solo il codice QR',
    thisComputer: 'Oppure da questo computer',
    withoutWallet: 'Senza app wallet',
    keepWebCard: 'Conserva la carta web',
    webHint: 'La carta web non richiede app né account.',
    voidedTitle: 'Questa carta non è più valida.',
    voidedText: 'Se pensi che sia un errore, rivolgiti a {shop}.',
    expiredTitle: 'Questa carta è scaduta.',
    expiredText: 'Chiedi a {shop} se puoi averne una nuova.',
    testTitle: 'Questa è una carta di prova.',
    testText:
      'È firmata con un certificato di sviluppo, quindi gli iPhone la rifiuteranno. {shop} deve prima configurare un certificato Apple.',
    code: {
      qr: 'Codice QR',
      pdf417: 'Codice a barre PDF417',
      aztec: 'Codice Aztec',
      linear: 'Codice a barre {symbol}',
    },
    about: 'Informazioni sulla carta',
    message: 'Novità',
    issuedTo: 'Intestata a',
    validUntil: 'Valida fino al',
    expiredOn: 'Scaduta il',
    details: 'Dettagli',
    terms: 'Condizioni',
    privacy: 'Questa pagina è solo per te: chiunque abbia il link può aggiungere la carta.',
  },
  program: {
    reward: 'Premio',
    ready: 'Pronto da riscattare',
    expiry: 'Prossima scadenza',
    progress: '{count} di {threshold}',
    expires: '{points} il {date}',
    nouns: {
      STAMPS: { label: 'Timbri', one: 'timbro', other: 'timbri' },
      POINTS: { label: 'Punti', one: 'punto', other: 'punti' },
      MONEY: { label: 'Saldo', one: 'Saldo', other: 'Saldo' },
    },
  },
  webCard: {
    changed: 'La tua carta è cambiata.',
    validAgain: 'Questa carta è valida.',
    live: 'Aggiornata',
    offline: 'Offline, dati del {time}',
    connecting: 'Ricerca di novità…',
    withoutScript: 'Ricarica questa pagina per vedere se la carta è cambiata.',
    keep: 'Conserva questa carta',
    install: 'Installa la carta',
    installOnApple: 'Tocca Condividi, poi «Aggiungi alla schermata Home».',
    installOnAndroid: 'Apri il menu del browser, poi «Aggiungi a schermata Home».',
    installOnDesktop:
      'Usa il simbolo di installazione nella barra degli indirizzi, o aggiungi un segnalibro.',
    allow: 'Consenti le notifiche',
    stop: 'Disattiva le notifiche',
    allowed: 'Riceverai una notifica quando la carta cambia.',
    stopped: 'Non ricevi notifiche.',
    blocked: 'Le notifiche sono bloccate nelle impostazioni del browser.',
    impossible: 'Questo browser non può mostrare notifiche per la carta.',
    share: 'Condividi',
    savePicture: 'Salva come immagine',
    otherWallets: 'Aggiungila a un altro wallet',
    privacy: 'Questa pagina è solo per te: chiunque abbia il link può mostrare la carta.',
  },
  invite: {
    waiting: {
      card: 'La tua carta ti aspetta',
      coupon: 'Il tuo coupon ti aspetta',
      ticket: 'Il tuo biglietto ti aspetta',
      giftCard: 'La tua carta regalo ti aspetta',
    },
    hello: 'Ciao {name},',
    helloUnnamed: 'Ciao,',
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
  },
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
    problems: {
      required: 'Compila questo campo.',
      email: 'Non è un indirizzo e-mail, come ada@example.com.',
      phone: 'Non è un numero di telefono. Scrivilo con il prefisso del paese, come +44 20 7946 0018.',
      other: 'Non si riesce a leggere. Scrivilo di nuovo.',
      consent: 'Spunta questa casella per continuare.',
    },
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
    helloUnnamed: 'Ciao,',
    asked:
      'qualcuno ha chiesto «{title}» a {shop} con questo indirizzo. Se sei stato tu, premi il pulsante. Se ce l’hai già, apre la tua.',
    notYou:
      'Se non sei stato tu, non fare nulla. Senza questo pulsante nessuno ottiene nulla con il tuo indirizzo.',
    once: 'Il pulsante funziona una volta, per 24 ore.',
    scan: 'Inquadra con la fotocamera del telefono',
    ways: 'In Apple\u00a0Wallet, Google\u00a0Wallet o nel browser.',
  },
  error: {
    reference: 'Se chiedi aiuto, indica questo numero:',
    failed: {
      title: 'Non ha funzionato',
      text: ['Torna indietro e riprova, oppure chiedi aiuto al negozio.'],
    },
    ourFault: {
      title: 'Qualcosa è andato storto da parte nostra',
      text: ['Aspetta un minuto, poi ricarica questa pagina.', 'Se continua, avvisa il negozio.'],
    },
    tooBusy: {
      title: 'Troppe persone in una volta',
      text: ['Aspetta un minuto, poi ricarica questa pagina.'],
    },
    notOffered: {
      title: 'Questa carta al momento non è disponibile',
      text: ['Il negozio ora non rilascia questa carta. Quelle già rilasciate restano valide.'],
    },
    noPage: {
      title: 'Questa pagina non esiste',
      text: [
        'Forse manca una parte dell’indirizzo. Cerchi una carta? Riapri il link dal messaggio in cui è arrivato.',
        'La documentazione comincia da /docs, dove si può anche cercare.',
      ],
    },
    noWallet: {
      title: 'Questo wallet qui non è disponibile',
      text: [
        'Il negozio non lo ha ancora configurato.',
        'Torna indietro e scegli un altro modo per aggiungere la carta.',
      ],
    },
    walletSilent: {
      title: 'Questo wallet non risponde',
      text: [
        'Aspetta un minuto, poi ricarica questa pagina.',
        'Oppure torna indietro e scegli un altro modo per aggiungere la carta.',
      ],
    },
    suspended: {
      title: 'Le carte di questo negozio sono sospese',
      text: ['Al momento non si possono aggiungere. Chiedi al negozio.'],
    },
    notOpen: {
      title: 'Al momento nessuno può iscriversi qui',
      text: [
        'Il negozio ora non rilascia qui questa carta, oppure manca una parte dell’indirizzo.',
        'Chiedi al negozio.',
      ],
    },
    incomplete: {
      title: 'Nel modulo manca qualcosa',
      text: ['Torna indietro, compila ciò che è richiesto e invia di nuovo.'],
    },
    usedLink: {
      title: 'Questo link non funziona più',
      text: [
        'Il suo pulsante funziona una volta, per 24 ore.',
        'Compila di nuovo il modulo e riceverai un altro messaggio.',
      ],
    },
    allGone: {
      title: 'Sono finiti',
      text: ['Sono stati distribuiti tutti. Chiedi al negozio se ne arriveranno altri.'],
    },
    brokenLink: {
      title: 'Questo link non funziona',
      text: [
        'Forse ne manca una parte, oppure la carta è stata ritirata.',
        'Riapri il link dal messaggio in cui è arrivato. Se non basta, chiedine uno nuovo al negozio.',
      ],
    },
    tooSlow: {
      title: 'La connessione era troppo lenta',
      text: ['Ricarica questa pagina, magari dove c’è più campo.'],
    },
    wrongPassword: {
      title: 'Così non accede nessuno',
      text: [
        'Vai a /sign-in e riprova, o in un altro modo: senza password ricevi un link per e-mail.',
        'Chi non è stato invitato non entra. Chiedi a un proprietario dello spazio di lavoro.',
      ],
    },
    providerSilent: {
      title: 'Il provider con cui accedi non risponde',
      text: ['Aspetta un minuto, poi riprova. Oppure accedi in un altro modo su /sign-in.'],
    },
    signInAgain: {
      title: 'Accedi ancora una volta',
      text: ['Serve un accesso negli ultimi dieci minuti. Vai a /sign-in, poi torna qui.'],
    },
    signedOut: { title: 'Non hai più l’accesso', text: ['Vai a /sign-in per accedere di nuovo.'] },
    usedSignIn: {
      title: 'Questo link non funziona più',
      text: [
        'Dà accesso una volta, e non per molto. Forse è stato usato, o ne manca una parte.',
        'Chiedine uno nuovo: su /sign-in, o a chi ti ha mandato questo.',
      ],
    },
    tooOften: {
      title: 'Troppi tentativi',
      text: ['Aspetta qualche minuto, poi riprova.'],
    },
    weakPassword: {
      title: 'Scegli un’altra password',
      text: [
        'Servono almeno dieci caratteri. Il tuo indirizzo, uno stesso carattere ripetuto e le password di molte persone sono le prime a essere provate.',
        'Torna indietro e scegline un’altra.',
      ],
    },
    otherSite: {
      title: 'Questo è stato inviato da un altro sito',
      text: ['Apri /sign-in all’indirizzo del servizio stesso.'],
    },
    notAtTill: {
      title: 'Non su una cassa condivisa',
      text: ['Accedi in un browser tuo.'],
    },
  },
  people,
};
