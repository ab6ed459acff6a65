import { de as people } from './people/de.ts';
import type { Words } from './words.ts';

export const de: Words = {
  card: {
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
    code: { qr: 'QR-Code', pdf417: 'PDF417-Strichcode', aztec: 'Aztec-Code', linear: 'Strichcode {symbol}' },
    about: 'Zu dieser Karte',
    message: 'Neuigkeit',
    issuedTo: 'Ausgestellt für',
    validUntil: 'Gültig bis',
    expiredOn: 'Abgelaufen am',
    details: 'Einzelheiten',
    terms: 'Bedingungen',
    privacy: 'Diese Seite ist nur für Sie bestimmt: Wer ihren Link hat, kann die Karte hinzufügen.',
  },
  program: {
    reward: 'Prämie',
    ready: 'Zum Einlösen bereit',
    expiry: 'Verfällt als Nächstes',
    progress: '{count} von {threshold}',
    expires: '{points} am {date}',
    nouns: {
      STAMPS: { label: 'Stempel', one: 'Stempel', other: 'Stempel' },
      POINTS: { label: 'Punkte', one: 'Punkt', other: 'Punkte' },
      MONEY: { label: 'Guthaben', one: 'Guthaben', other: 'Guthaben' },
    },
  },
  webCard: {
    changed: 'Ihre Karte hat sich geändert.',
    validAgain: 'Diese Karte ist gültig.',
    live: 'Aktuell',
    offline: 'Offline, Stand {time}',
    connecting: 'Es wird nach Neuem gesehen …',
    withoutScript: 'Laden Sie diese Seite neu, um zu sehen, ob sich die Karte geändert hat.',
    keep: 'Diese Karte behalten',
    install: 'Karte installieren',
    installOnApple: 'Tippen Sie auf „Teilen“, dann auf „Zum Home-Bildschirm“.',
    installOnAndroid: 'Öffnen Sie das Menü des Browsers, dann „Zum Startbildschirm hinzufügen“.',
    installOnDesktop:
      'Klicken Sie auf das Installationssymbol in der Adressleiste, oder setzen Sie ein Lesezeichen.',
    allow: 'Benachrichtigungen erlauben',
    stop: 'Keine Benachrichtigungen mehr',
    allowed: 'Sie werden benachrichtigt, wenn sich die Karte ändert.',
    stopped: 'Sie werden nicht benachrichtigt.',
    blocked: 'Benachrichtigungen sind in den Einstellungen Ihres Browsers gesperrt.',
    impossible: 'Dieser Browser kann für die Karte keine Benachrichtigungen anzeigen.',
    share: 'Teilen',
    savePicture: 'Als Bild speichern',
    otherWallets: 'In eine andere Wallet übernehmen',
    privacy: 'Diese Seite ist nur für Sie bestimmt: Wer ihren Link hat, kann die Karte vorzeigen.',
  },
  invite: {
    waiting: {
      card: 'Ihre Karte wartet auf Sie',
      coupon: 'Ihr Gutschein wartet auf Sie',
      ticket: 'Ihr Ticket wartet auf Sie',
      giftCard: 'Ihre Geschenkkarte wartet auf Sie',
    },
    hello: 'Hallo {name},',
    helloUnnamed: 'Guten Tag,',
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
  },
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
    problems: {
      required: 'Bitte füllen Sie das aus.',
      email: 'Das ist keine E-Mail-Adresse wie ada@example.com.',
      phone:
        'Das ist keine Telefonnummer. Schreiben Sie sie mit der Vorwahl des Landes, etwa +49 30 23125 018.',
      other: 'Das lässt sich nicht lesen. Bitte geben Sie es noch einmal ein.',
      consent: 'Bitte setzen Sie hier ein Häkchen, um fortzufahren.',
    },
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
    helloUnnamed: 'Hallo,',
    asked:
      'jemand hat bei {shop} mit dieser Adresse „{title}“ angefordert. Waren Sie das, drücken Sie den Knopf. Haben Sie schon eine Karte, öffnet er diese.',
    notYou:
      'Waren Sie es nicht, brauchen Sie nichts zu tun. Ohne diesen Knopf bekommt niemand etwas mit Ihrer Adresse.',
    once: 'Der Knopf funktioniert einmal, 24 Stunden lang.',
    scan: 'Mit der Handykamera scannen',
    ways: 'In Apple\u00a0Wallet, Google\u00a0Wallet oder im Browser.',
  },
  error: {
    reference: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:',
    failed: {
      title: 'Das hat nicht geklappt',
      text: ['Gehen Sie zurück und versuchen Sie es noch einmal, oder fragen Sie im Geschäft nach.'],
    },
    ourFault: {
      title: 'Bei uns ist etwas schiefgegangen',
      text: [
        'Bitte warten Sie eine Minute und laden Sie die Seite neu.',
        'Wenn es wieder passiert, sagen Sie im Geschäft Bescheid.',
      ],
    },
    tooBusy: {
      title: 'Gerade sind es zu viele auf einmal',
      text: ['Bitte warten Sie eine Minute und laden Sie die Seite neu.'],
    },
    notOffered: {
      title: 'Diese Karte gibt es im Moment nicht',
      text: ['Das Geschäft gibt diese Karte zurzeit nicht aus. Karten, die schon jemand hat, gelten weiter.'],
    },
    noPage: {
      title: 'Diese Seite gibt es nicht',
      text: [
        'Vielleicht fehlt ein Teil der Adresse. Suchen Sie eine Karte? Öffnen Sie den Link noch einmal aus der Nachricht, in der er kam.',
        'Die Dokumentation beginnt unter /docs und kann dort durchsucht werden.',
      ],
    },
    noWallet: {
      title: 'Diese Wallet gibt es hier nicht',
      text: [
        'Das Geschäft hat diese Wallet noch nicht eingerichtet.',
        'Gehen Sie zurück und wählen Sie einen anderen Weg, die Karte hinzuzufügen.',
      ],
    },
    walletSilent: {
      title: 'Diese Wallet antwortet nicht',
      text: [
        'Bitte warten Sie eine Minute und laden Sie die Seite neu.',
        'Oder gehen Sie zurück und wählen Sie einen anderen Weg, die Karte hinzuzufügen.',
      ],
    },
    suspended: {
      title: 'Die Karten dieses Geschäfts ruhen',
      text: ['Sie können zurzeit nicht hinzugefügt werden. Bitte fragen Sie im Geschäft.'],
    },
    notOpen: {
      title: 'Hier kann sich im Moment niemand anmelden',
      text: [
        'Das Geschäft gibt diese Karte hier zurzeit nicht aus, oder ein Teil der Adresse fehlt.',
        'Bitte fragen Sie im Geschäft.',
      ],
    },
    incomplete: {
      title: 'Im Formular fehlt etwas',
      text: ['Gehen Sie zurück, füllen Sie aus, was gefragt ist, und senden Sie es noch einmal.'],
    },
    usedLink: {
      title: 'Dieser Link gilt nicht mehr',
      text: [
        'Sein Knopf funktioniert einmal, 24 Stunden lang.',
        'Füllen Sie das Formular noch einmal aus, dann bekommen Sie eine neue Mail.',
      ],
    },
    allGone: {
      title: 'Es sind keine mehr da',
      text: ['Alle sind ausgegeben. Fragen Sie im Geschäft, ob es neue geben wird.'],
    },
    brokenLink: {
      title: 'Dieser Link funktioniert nicht',
      text: [
        'Vielleicht fehlt ein Teil, oder die Karte wurde zurückgenommen.',
        'Öffnen Sie den Link noch einmal aus der Nachricht, in der er kam. Hilft das nicht, bitten Sie das Geschäft um einen neuen.',
      ],
    },
    tooSlow: {
      title: 'Die Verbindung war zu langsam',
      text: ['Laden Sie die Seite neu, vielleicht dort, wo der Empfang besser ist.'],
    },
    wrongPassword: {
      title: 'So wird niemand angemeldet',
      text: [
        'Versuchen Sie es unter /sign-in noch einmal, oder anders: Ohne Passwort bekommen Sie einen Link per Mail.',
        'Wer nicht eingeladen wurde, wird nicht eingelassen. Fragen Sie jemanden, dem der Arbeitsbereich gehört.',
      ],
    },
    providerSilent: {
      title: 'Der Dienst, mit dem Sie sich anmelden, antwortet nicht',
      text: [
        'Bitte warten Sie eine Minute und versuchen Sie es noch einmal. Oder melden Sie sich unter /sign-in anders an.',
      ],
    },
    signInAgain: {
      title: 'Bitte melden Sie sich noch einmal an',
      text: [
        'Dafür muss man sich in den letzten zehn Minuten angemeldet haben. Gehen Sie zu /sign-in, dann kommen Sie zurück.',
      ],
    },
    signedOut: { title: 'Sie sind abgemeldet', text: ['Unter /sign-in melden Sie sich wieder an.'] },
    usedSignIn: {
      title: 'Dieser Link gilt nicht mehr',
      text: [
        'Er meldet einmal an, und nicht lange. Vielleicht wurde er benutzt, oder ein Teil fehlt.',
        'Bitten Sie um einen neuen: unter /sign-in, oder von wem Sie diesen haben.',
      ],
    },
    tooOften: {
      title: 'Das war zu oft',
      text: ['Bitte warten Sie einige Minuten und versuchen Sie es noch einmal.'],
    },
    weakPassword: {
      title: 'Wählen Sie ein anderes Passwort',
      text: [
        'Es braucht mindestens zehn Zeichen. Ihre Adresse, immer dasselbe Zeichen und Passwörter, die viele haben, werden zuerst ausprobiert.',
        'Gehen Sie zurück und wählen Sie ein anderes.',
      ],
    },
    otherSite: {
      title: 'Das kam von einer anderen Website',
      text: ['Öffnen Sie /sign-in unter der Adresse des Dienstes selbst.'],
    },
    notAtTill: {
      title: 'Nicht an einer gemeinsamen Kasse',
      text: ['Melden Sie sich in einem eigenen Browser an.'],
    },
  },
  people,
};
