import type { en } from '../en/camera.ts';

export const de: typeof en = {
  label: 'Kamera',
  asking: 'Die Kamera wird geöffnet. Fragt der Browser, erlauben Sie es.',
  off: 'Die Kamera ist aus.',
  turnOn: 'Kamera einschalten',
  turnOff: 'Kamera ausschalten',
  aim: 'Code in den Rahmen halten',
  lightOn: 'Licht an',
  lightOff: 'Licht aus',
  zoom: 'Zoom',
  which: 'Welche Kamera',
  numbered: (number: number) => `Kamera ${number}`,
  retry: 'Erneut versuchen',
  typeInstead: 'Codes eintippen und Handscanner gehen auch ohne Kamera.',
  address: 'Adresse dieser Seite',
  openBrowser: 'Im Browser öffnen',
  deviceRefuses:
    'Ist sie dort schon erlaubt, verweigert das Gerät sie womöglich dem Browser selbst: in dessen Einstellungen steht die Kamera beim Datenschutz.',
  troubles: {
    insecure: {
      title: 'Kameras gehen nur auf https-Seiten',
      text: 'Diese Seite wurde mit http geöffnet. Öffnen Sie sie mit einer Adresse, die mit https:// beginnt, oder fragen Sie den Betreiber danach.',
    },
    unsupported: {
      title: 'Dieser Browser gibt Seiten keine Kamera',
      text: 'Eine aktuelle Version von Chrome, Edge, Firefox oder Safari tut es.',
    },
    'in-app': {
      title: 'Diese App gibt der Seite die Kamera nicht',
      text: 'Die Seite wurde in einer anderen App geöffnet. Öffnen Sie sie in Chrome oder Safari: im Menü der App, oder mit dieser Adresse.',
    },
    refused: {
      title: 'Der Browser darf die Kamera nicht benutzen',
      text: 'Es wurde ihm nicht erlaubt, jetzt oder irgendwann vorher.',
    },
    none: {
      title: 'Keine Kamera gefunden',
      text: 'Schließen Sie eine an; sie wird sofort benutzt.',
    },
    busy: {
      title: 'Ein anderes Programm benutzt die Kamera',
      text: 'Schließen Sie Videoanrufe und andere Tabs, die die Kamera zeigen, und versuchen Sie es erneut.',
    },
    lost: {
      title: 'Die Kamera ist weg',
      text: 'Sie wurde abgesteckt, oder das Gerät hat sie weggenommen.',
    },
    failed: {
      title: 'Die Kamera ließ sich nicht öffnen',
      text: 'Der Browser sagt nicht, warum.',
    },
    decoder: {
      title: 'Die Kamera kann gerade keine Codes lesen',
      text: 'Der Teil der Seite, der sie liest, wurde nicht geladen oder ist stehen geblieben.',
    },
  },
  howToAllow: {
    chromeAndroid:
      'Tippen Sie auf das Zeichen links neben der Adresse, dann auf Berechtigungen, und erlauben Sie die Kamera.',
    samsung:
      'Tippen Sie auf das Schloss neben der Adresse, dann auf Berechtigungen, und erlauben Sie die Kamera.',
    firefoxAndroid: 'Tippen Sie auf das Schloss neben der Adresse, und erlauben Sie die Kamera.',
    safariIos:
      'Tippen Sie auf das Zeichen neben der Adresse, dann auf die drei Punkte und Website-Einstellungen, und stellen Sie Kamera auf Erlauben. Beim Symbol auf dem Startbildschirm: Einstellungen, Apps, Safari, Kamera.',
    otherIos: 'Öffnen Sie Einstellungen, Apps, dann diesen Browser, und schalten Sie die Kamera ein.',
    firefox:
      'Klicken Sie auf die durchgestrichene Kamera links neben der Adresse, heben Sie die Sperre auf, und versuchen Sie es erneut.',
    safari:
      'Wählen Sie im Menü Safari „Einstellungen für diese Website“, und stellen Sie Kamera auf Erlauben.',
    chromium:
      'Klicken Sie auf das Zeichen links neben der Adresse, erlauben Sie die Kamera, und versuchen Sie es erneut.',
    other: 'Erlauben Sie die Kamera für diese Seite in den Einstellungen des Browsers.',
  },
};
