import { inLanguageOf } from '../kit/text/language.ts';

/** What the holder's page says in its own name, in one language. `{shop}` stands for the organization. */
export interface Words {
  readonly hello: string;
  readonly ready: Readonly<Record<'card' | 'coupon' | 'ticket' | 'giftCard', string>>;
  readonly lead: string;
  readonly addToApple: string;
  readonly addToGoogle: string;
  readonly otherPhone: string;
  readonly safariHint: string;
  readonly scanTitle: string;
  readonly scanText: string;
  readonly scanCode: string;
  readonly scanAlone: string;
  readonly thisComputer: string;
  readonly withoutWallet: string;
  readonly keepWebCard: string;
  readonly webHint: string;
  readonly voidedTitle: string;
  readonly voidedText: string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly testTitle: string;
  readonly testText: string;
  readonly about: string;
  readonly message: string;
  readonly issuedTo: string;
  readonly validUntil: string;
  readonly expiredOn: string;
  readonly details: string;
  readonly terms: string;
  readonly privacy: string;
}

/** The words in the language of a locale, or English, with the language tag that they are to be marked with. */
export function wordsFor(locale: string | null): { readonly words: Words; readonly language: string } {
  return inLanguageOf(locale, LANGUAGES);
}

const en: Words = {
  hello: 'Hello',
  ready: {
    card: 'Your card is ready',
    coupon: 'Your coupon is ready',
    ticket: 'Your ticket is ready',
    giftCard: 'Your gift card is ready',
  },
  lead: 'Add it to your phone and always have it with you.',
  addToApple: 'Add to Apple\u00a0Wallet',
  addToGoogle: 'Add to Google\u00a0Wallet',
  otherPhone: 'Another phone?',
  safariHint: 'Nothing happens? Open this page in Safari.',
  scanTitle: 'Scan with your phone',
  scanText: 'Point the camera at the code and follow the link that appears.',
  scanCode: 'QR code that opens this page on your phone',
  scanAlone: 'Show only the QR code',
  thisComputer: 'Or add it from this computer',
  withoutWallet: 'Without a wallet app',
  keepWebCard: 'Keep the web card',
  webHint: 'The web card needs no app and no account.',
  voidedTitle: 'This card is no longer valid.',
  voidedText: 'If you think that this is a mistake, please ask {shop}.',
  expiredTitle: 'This card has expired.',
  expiredText: 'Please ask {shop} whether you can get a new one.',
  testTitle: 'This is a test card.',
  testText:
    'It is signed with a development certificate, so iPhones will refuse to add it to Apple Wallet. {shop} has to set up an Apple certificate first.',
  about: 'About this card',
  message: 'News',
  issuedTo: 'Issued to',
  validUntil: 'Valid until',
  expiredOn: 'Expired on',
  details: 'Details',
  terms: 'Terms',
  privacy: 'This page is meant for you alone: anyone who has its link can add the card.',
};

const de: Words = {
  hello: 'Hallo',
  ready: {
    card: 'Ihre Karte ist bereit',
    coupon: 'Ihr Gutschein ist bereit',
    ticket: 'Ihr Ticket ist bereit',
    giftCard: 'Ihre Geschenkkarte ist bereit',
  },
  lead: 'Auf dem Handy gespeichert und immer dabei.',
  addToApple: 'Zu Apple\u00a0Wallet hinzufügen',
  addToGoogle: 'Zu Google\u00a0Wallet hinzufügen',
  otherPhone: 'Ein anderes Handy?',
  safariHint: 'Es passiert nichts? Öffnen Sie diese Seite in Safari.',
  scanTitle: 'Mit dem Handy scannen',
  scanText: 'Richten Sie die Kamera auf den Code und folgen Sie dem angezeigten Link.',
  scanCode: 'QR-Code, der diese Seite auf Ihrem Handy öffnet',
  scanAlone: 'Nur den QR-Code zeigen',
  thisComputer: 'Oder von diesem Computer aus hinzufügen',
  withoutWallet: 'Ohne Wallet-App',
  keepWebCard: 'Webkarte behalten',
  webHint: 'Die Webkarte braucht keine App und kein Konto.',
  voidedTitle: 'Diese Karte ist nicht mehr gültig.',
  voidedText: 'Falls das ein Irrtum ist, wenden Sie sich bitte an {shop}.',
  expiredTitle: 'Diese Karte ist abgelaufen.',
  expiredText: 'Bitte fragen Sie bei {shop} nach einer neuen.',
  testTitle: 'Dies ist eine Testkarte.',
  testText:
    'Sie ist mit einem Entwicklungszertifikat signiert; iPhones lehnen sie deshalb ab. {shop} muss zuerst ein Apple-Zertifikat einrichten.',
  about: 'Zu dieser Karte',
  message: 'Neuigkeit',
  issuedTo: 'Ausgestellt für',
  validUntil: 'Gültig bis',
  expiredOn: 'Abgelaufen am',
  details: 'Einzelheiten',
  terms: 'Bedingungen',
  privacy: 'Diese Seite ist nur für Sie bestimmt: Wer ihren Link hat, kann die Karte hinzufügen.',
};

const fr: Words = {
  hello: 'Bonjour',
  ready: {
    card: 'Votre carte est prête',
    coupon: 'Votre bon est prêt',
    ticket: 'Votre billet est prêt',
    giftCard: 'Votre carte cadeau est prête',
  },
  lead: 'Sur votre téléphone, toujours à portée de main.',
  addToApple: 'Ajouter à Apple\u00a0Wallet',
  addToGoogle: 'Ajouter à Google\u00a0Wallet',
  otherPhone: 'Un autre téléphone ?',
  safariHint: 'Rien ne se passe ? Ouvrez cette page dans Safari.',
  scanTitle: 'Scannez avec votre téléphone',
  scanText: 'Pointez l’appareil photo vers le code et suivez le lien qui s’affiche.',
  scanCode: 'Code QR qui ouvre cette page sur votre téléphone',
  scanAlone: 'Afficher uniquement le code QR',
  thisComputer: 'Ou depuis cet ordinateur',
  withoutWallet: 'Sans application de portefeuille',
  keepWebCard: 'Garder la carte web',
  webHint: 'La carte web ne demande ni application ni compte.',
  voidedTitle: 'Cette carte n’est plus valable.',
  voidedText: 'Si vous pensez qu’il s’agit d’une erreur, adressez-vous à {shop}.',
  expiredTitle: 'Cette carte a expiré.',
  expiredText: 'Demandez à {shop} si vous pouvez en obtenir une nouvelle.',
  testTitle: 'Ceci est une carte de test.',
  testText:
    'Elle est signée avec un certificat de développement : les iPhone la refuseront. {shop} doit d’abord configurer un certificat Apple.',
  about: 'À propos de cette carte',
  message: 'Actualité',
  issuedTo: 'Délivrée à',
  validUntil: 'Valable jusqu’au',
  expiredOn: 'Expirée le',
  details: 'Détails',
  terms: 'Conditions',
  privacy: 'Cette page vous est réservée : toute personne disposant du lien peut ajouter la carte.',
};

const es: Words = {
  hello: 'Hola',
  ready: {
    card: 'Tu tarjeta está lista',
    coupon: 'Tu cupón está listo',
    ticket: 'Tu entrada está lista',
    giftCard: 'Tu tarjeta regalo está lista',
  },
  lead: 'En tu móvil, siempre contigo.',
  addToApple: 'Añadir a Apple\u00a0Wallet',
  addToGoogle: 'Añadir a Google\u00a0Wallet',
  otherPhone: '¿Otro móvil?',
  safariHint: '¿No ocurre nada? Abre esta página en Safari.',
  scanTitle: 'Escanea con el móvil',
  scanText: 'Apunta con la cámara al código y abre el enlace que aparece.',
  scanCode: 'Código QR que abre esta página en tu móvil',
  scanAlone: 'Mostrar solo el código QR',
  thisComputer: 'O desde este ordenador',
  withoutWallet: 'Sin aplicación de cartera',
  keepWebCard: 'Guardar la tarjeta web',
  webHint: 'La tarjeta web no necesita aplicación ni cuenta.',
  voidedTitle: 'Esta tarjeta ya no es válida.',
  voidedText: 'Si crees que es un error, consulta con {shop}.',
  expiredTitle: 'Esta tarjeta ha caducado.',
  expiredText: 'Pregunta en {shop} si puedes obtener una nueva.',
  testTitle: 'Esta es una tarjeta de prueba.',
  testText:
    'Está firmada con un certificado de desarrollo, así que el iPhone la rechazará. {shop} tiene que configurar antes un certificado de Apple.',
  about: 'Sobre esta tarjeta',
  message: 'Novedad',
  issuedTo: 'Emitida a nombre de',
  validUntil: 'Válida hasta',
  expiredOn: 'Caducó el',
  details: 'Detalles',
  terms: 'Condiciones',
  privacy: 'Esta página es solo para ti: quien tenga el enlace puede añadir la tarjeta.',
};

const it: Words = {
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
  about: 'Informazioni sulla carta',
  message: 'Novità',
  issuedTo: 'Intestata a',
  validUntil: 'Valida fino al',
  expiredOn: 'Scaduta il',
  details: 'Dettagli',
  terms: 'Condizioni',
  privacy: 'Questa pagina è solo per te: chiunque abbia il link può aggiungere la carta.',
};

const LANGUAGES = { en, de, fr, es, it };
