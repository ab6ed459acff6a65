import type { en } from '../en/doctor.ts';

const findings: (typeof en)['findings'] = {
  card_active: { what: 'Die Karte ist gültig' },
  card_erased: {
    what: 'Die Person wurde gelöscht: die Karte ist für immer ungültig',
    advice: 'Stellen Sie eine neue Karte aus.',
  },
  card_voided: {
    what: 'Die Karte ist ungültig, und Wallets zeigen sie so',
    advice: 'Machen Sie sie wieder gültig, falls das nicht gewollt war.',
  },
  card_imported: {
    what: 'Die Wallet hat die Karte von einem anderen System und fragt dort nach Änderungen',
    advice: 'Die Person fügt die Karte über ihren Link neu hinzu und entfernt die alte.',
  },
  pass_not_published: {
    what: 'Die Gestaltung ist nicht veröffentlicht; vorhandene Karten funktionieren trotzdem',
  },
  service_address: {
    what: 'Handys können den Dienst nicht nach Änderungen fragen: seine Adresse ist nicht https',
    advice: 'Fragen Sie den Betreiber des Dienstes.',
  },
  certificate: {
    what: 'Das Zertifikat, mit dem Karten signiert werden, ist nicht in Ordnung',
    advice:
      'Sehen Sie bei den Wallets in den Einstellungen nach, oder fragen Sie den Betreiber des Dienstes.',
  },
  held: { what: 'Die Karte ist in einer Wallet' },
  removed: {
    what: 'Am {at} wurde die Karte entfernt, oder ihre automatischen Updates wurden ausgeschaltet',
    advice: 'Die Person fügt sie über ihren Link wieder hinzu.',
  },
  not_registered: {
    what: 'Die Karte wurde am {at} abgeholt, und kein Handy hat sie behalten',
    advice:
      'Die Person öffnet den Link noch einmal und drückt „Hinzufügen“. Manche Wallets für Android fragen nie nach Änderungen.',
  },
  not_added: {
    what: 'Der Link wurde am {at} geöffnet, die Karte aber nicht hinzugefügt',
    advice: 'Die Person öffnet den Link auf dem Handy und drückt den Knopf der Wallet.',
  },
  never_opened: {
    what: 'Der Link zur Karte wurde nie geöffnet',
    advice: 'Senden Sie ihn der Person.',
  },
  given_up: { what: '{wallet} hat die Karte zuletzt am {at} abgegeben' },
  device_reported: { what: 'Ein Handy hat am {at} ein Problem gemeldet' },
  credits_missing: {
    what: 'Änderungen seit {at} wurden nicht gesendet, weil Guthaben fehlte',
    advice: 'Laden Sie auf: dann gehen sie hinaus.',
  },
  change_ahead: {
    what: 'Eine Änderung oder Nachricht für alle Karten hat diese noch nicht erreicht',
    advice: 'Warten Sie ein wenig.',
  },
  wallet_refuses: {
    what: '{wallet} nimmt seit {at} nichts mehr an; verloren ist nichts',
    advice:
      'Sehen Sie bei den Wallets in den Einstellungen nach, oder fragen Sie den Betreiber des Dienstes.',
  },
  push_service_unreached: {
    what: 'Apple ist gerade nicht erreichbar: Änderungen warten',
    advice: 'Warten Sie ein wenig. Bleibt es so, fragen Sie den Betreiber des Dienstes.',
  },
  device: { what: 'Ein Handy hat die Karte seit {at}' },
  other_certificate: {
    what: 'Ein Handy hat die Karte unter einem alten Zertifikat und erfährt von keiner Änderung',
    advice: 'Die Person fügt die Karte über ihren Link neu hinzu.',
  },
  device_asks: {
    what: 'Ein Handy hat die Karte in einer anderen Wallet als der von Apple: Es sieht selbst nach Änderungen',
  },
  change_held_back: {
    what: 'Das Handy erfährt von einer Änderung aller Karten, sobald alle erreicht sind',
    advice: 'Warten Sie ein wenig.',
  },
  push_paced: {
    what: 'Das Handy hat von vielen Änderungen erfahren: von der nächsten am {at}',
    advice: 'Warten Sie ein wenig: Handys bestrafen mehr als etwa eine in der Minute.',
  },
  push_retried: {
    what: '{wallet} hat die Änderung noch nicht angenommen; nächster Versuch am {at}',
    advice: 'Es wird eine Woche lang von selbst versucht.',
  },
  push_in_hand: { what: '{wallet} wird gerade benachrichtigt', advice: 'Warten Sie einen Moment.' },
  push_due: {
    what: '{wallet} soll seit {at} benachrichtigt werden',
    advice: 'Das dauert eine Sekunde. Bleibt es so, fragen Sie den Betreiber des Dienstes.',
  },
  push_failed: {
    what: '{wallet} ließ sich am {at} nicht benachrichtigen',
    advice: 'Senden Sie die Karte noch einmal an die Wallet.',
  },
  push_taken: { what: '{wallet} wurde am {at} benachrichtigt' },
  newest_fetched: { what: 'Das Handy hat den neuesten Stand, vom {at}' },
  newest_not_pushed: {
    what: 'Das Handy hat den neuesten Stand, vom {at}, nicht und wurde nicht benachrichtigt',
    advice: 'Senden Sie die Karte noch einmal an die Wallet.',
  },
  newest_not_fetched: {
    what: 'Das Handy wurde am {at} benachrichtigt und hat den neuesten Stand nicht geholt',
    advice:
      'Es ist aus, ohne Netz oder im Stromsparmodus, oder die automatischen Updates dieser Karte sind aus. Auf der Rückseite der Karte nach unten ziehen holt sie sofort.',
  },
  changes_silent: {
    what: 'Änderungen erscheinen lautlos: kein Feld hat eine Nachricht für den Sperrbildschirm',
    advice: 'Geben Sie den wichtigen Feldern in der Gestaltung eine, etwa: Sie haben %@ Punkte',
  },
  changes_announced: { what: 'Der Sperrbildschirm meldet Änderungen einiger Felder' },
  value_not_announced: {
    what: 'Die Nachricht eines Feldes zeigt seinen Wert nicht',
    advice: 'Setzen Sie %@ in der Gestaltung dorthin, wo der Wert stehen soll.',
  },
  google_not_asked: { what: 'Niemand hat die Karte in Google Wallet haben wollen' },
  google_not_set_up: {
    what: 'Die Karte ist in Google Wallet, und das Konto dort gibt es nicht mehr',
    advice:
      'Sehen Sie bei den Wallets in den Einstellungen nach, oder fragen Sie den Betreiber des Dienstes.',
  },
  google_not_made: {
    what: 'Google konnte die Karte nicht anlegen',
    advice: 'Die Person drückt den Knopf noch einmal.',
  },
  google_not_kept: {
    what: 'Google hat die Karte angelegt, und niemand hat sie behalten',
    advice: 'Die Person öffnet den Link noch einmal und drückt „Speichern“.',
  },
  google_silent: { what: 'Google Wallet ändert Karten dieser Art lautlos' },
  google_limit: {
    what: 'Google meldet drei Änderungen in 24 Stunden, und die sind aufgebraucht',
    advice: 'Die nächste Änderung nach {at} wird gemeldet.',
  },
  browsers: { what: 'Browser haben die Webkarte' },
  browsers_silent: {
    what: 'Die Webkarte ändert sich, solange sie offen ist, und sagt nichts, wenn sie zu ist',
    advice: 'Die Person installiert sie und erlaubt ihre Benachrichtigungen.',
  },
};

export const de: typeof en = {
  open: 'Warum zeigt das Handy es nicht?',
  title: 'Unterwegs zum Handy',
  allGood: 'Alles ist in Ordnung: das Handy zeigt den neuesten Stand.',
  problems: (count) => (count === 1 ? 'Eine Sache zum Ansehen' : `${count} Dinge zum Ansehen`),
  inOrder: 'Was in Ordnung ist',
  toMend: 'Zu prüfen',
  levels: { ok: 'In Ordnung', warning: 'Geht vielleicht vorbei', error: 'Zu tun' },
  again: 'Noch einmal nachsehen',
  wallets: { apple: 'Apple Wallet', google: 'Google Wallet', web: 'Die Webkarte' },
  findings,
};
