/** What the web card says in its own name, in one language. `{time}` stands for a moment. */
export interface WebCardWords {
  readonly changed: string;
  readonly validAgain: string;
  readonly live: string;
  readonly offline: string;
  readonly connecting: string;
  readonly withoutScript: string;
  readonly keep: string;
  readonly install: string;
  readonly installOnApple: string;
  readonly installOnAndroid: string;
  readonly installOnDesktop: string;
  readonly allow: string;
  readonly stop: string;
  readonly allowed: string;
  readonly stopped: string;
  readonly blocked: string;
  readonly impossible: string;
  readonly otherWallets: string;
  readonly privacy: string;
}

const en: WebCardWords = {
  changed: 'Your card has changed.',
  validAgain: 'This card is valid.',
  live: 'Up to date',
  offline: 'Offline, as of {time}',
  connecting: 'Looking for changes …',
  withoutScript: 'Load this page again to see whether the card has changed.',
  keep: 'Keep this card',
  install: 'Install the card',
  installOnApple: 'Tap Share, then “Add to Home Screen”.',
  installOnAndroid: 'Open the menu of the browser, then “Add to home screen”.',
  installOnDesktop: 'Use the install symbol in the address bar, or bookmark this page.',
  allow: 'Allow notifications',
  stop: 'Stop notifications',
  allowed: 'You get a notification when the card changes.',
  stopped: 'You get no notifications.',
  blocked: 'Notifications are blocked in the settings of your browser.',
  impossible: 'This browser cannot show notifications for the card.',
  otherWallets: 'Add it to another wallet',
  privacy: 'This page is meant for you alone: anyone who has its link can show the card.',
};

const de: WebCardWords = {
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
  otherWallets: 'In eine andere Wallet übernehmen',
  privacy: 'Diese Seite ist nur für Sie bestimmt: Wer ihren Link hat, kann die Karte vorzeigen.',
};

const fr: WebCardWords = {
  changed: 'Votre carte a changé.',
  validAgain: 'Cette carte est valable.',
  live: 'À jour',
  offline: 'Hors ligne, état du {time}',
  connecting: 'Recherche de nouveautés …',
  withoutScript: 'Rechargez cette page pour voir si la carte a changé.',
  keep: 'Garder cette carte',
  install: 'Installer la carte',
  installOnApple: 'Touchez Partager, puis « Sur l’écran d’accueil ».',
  installOnAndroid: 'Ouvrez le menu du navigateur, puis « Ajouter à l’écran d’accueil ».',
  installOnDesktop:
    'Utilisez le symbole d’installation de la barre d’adresse, ou ajoutez la page aux favoris.',
  allow: 'Autoriser les notifications',
  stop: 'Arrêter les notifications',
  allowed: 'Vous serez averti quand la carte change.',
  stopped: 'Vous ne recevez pas de notifications.',
  blocked: 'Les notifications sont bloquées dans les réglages de votre navigateur.',
  impossible: 'Ce navigateur ne peut pas afficher de notifications pour la carte.',
  otherWallets: 'L’ajouter à un autre portefeuille',
  privacy: 'Cette page vous est réservée : toute personne disposant du lien peut montrer la carte.',
};

const es: WebCardWords = {
  changed: 'Tu tarjeta ha cambiado.',
  validAgain: 'Esta tarjeta es válida.',
  live: 'Al día',
  offline: 'Sin conexión, datos del {time}',
  connecting: 'Buscando novedades …',
  withoutScript: 'Vuelve a cargar esta página para ver si la tarjeta ha cambiado.',
  keep: 'Guardar esta tarjeta',
  install: 'Instalar la tarjeta',
  installOnApple: 'Toca Compartir y después «Añadir a pantalla de inicio».',
  installOnAndroid: 'Abre el menú del navegador y después «Añadir a pantalla de inicio».',
  installOnDesktop: 'Usa el símbolo de instalar de la barra de direcciones, o guarda la página en favoritos.',
  allow: 'Permitir notificaciones',
  stop: 'Detener las notificaciones',
  allowed: 'Recibirás una notificación cuando cambie la tarjeta.',
  stopped: 'No recibes notificaciones.',
  blocked: 'Las notificaciones están bloqueadas en los ajustes de tu navegador.',
  impossible: 'Este navegador no puede mostrar notificaciones de la tarjeta.',
  otherWallets: 'Añadirla a otra cartera',
  privacy: 'Esta página es solo para ti: quien tenga el enlace puede mostrar la tarjeta.',
};

const it: WebCardWords = {
  changed: 'La tua carta è cambiata.',
  validAgain: 'Questa carta è valida.',
  live: 'Aggiornata',
  offline: 'Offline, dati del {time}',
  connecting: 'Ricerca di novità …',
  withoutScript: 'Ricarica questa pagina per vedere se la carta è cambiata.',
  keep: 'Conserva questa carta',
  install: 'Installa la carta',
  installOnApple: 'Tocca Condividi, poi «Aggiungi alla schermata Home».',
  installOnAndroid: 'Apri il menu del browser, poi «Aggiungi a schermata Home».',
  installOnDesktop: 'Usa il simbolo di installazione nella barra degli indirizzi, o aggiungi un segnalibro.',
  allow: 'Consenti le notifiche',
  stop: 'Disattiva le notifiche',
  allowed: 'Riceverai una notifica quando la carta cambia.',
  stopped: 'Non ricevi notifiche.',
  blocked: 'Le notifiche sono bloccate nelle impostazioni del browser.',
  impossible: 'Questo browser non può mostrare notifiche per la carta.',
  otherWallets: 'Aggiungila a un altro wallet',
  privacy: 'Questa pagina è solo per te: chiunque abbia il link può mostrare la carta.',
};

/** By language; the same ones as the "Add to wallet" page. */
export const webCardWords = { en, de, fr, es, it };
