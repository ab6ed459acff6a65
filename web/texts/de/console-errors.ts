import type { en } from '../en/console-errors.ts';

export const de: typeof en = {
  byCode: {
    message_already_sent: 'Diese Nachricht ist schon versendet. Nehmen Sie sie stattdessen zurück.',
    last_owner:
      'Ein Arbeitsbereich braucht eine Inhaberin oder einen Inhaber. Bestimmen Sie erst jemand anderen.',
    person_exists: 'Jemand mit dieser Adresse ist bereits im Arbeitsbereich.',
    invitation_not_found: 'Kein solcher Arbeitsbereich hat Sie eingeladen.',
    person_not_found: 'Diese Person ist nicht mehr im Arbeitsbereich.',
    draft_limit_reached:
      'Es gibt so viele Entwürfe, wie der Arbeitsbereich haben darf. Veröffentlichen oder löschen Sie zuerst einen.',
    last_key: 'Das ist der letzte Schlüssel mit vollem Zugriff. Legen Sie erst einen anderen an.',
    store_not_found: 'Diesen Shop gibt es nicht, oder er ist getrennt.',
    store_already_connected: 'Dieser Shop ist schon verbunden. Ändern Sie stattdessen jenen.',
    order_not_found: 'Diese Bestellung gibt es nicht.',
    refund_exceeds_order: 'Das ist mehr, als von der Bestellung übrig ist.',
    cancel_not_reversible: 'Die Bestellung ist inzwischen gekommen und endgültig storniert.',
    external_id_taken: 'Ein anderer Partner hat diese Nummer.',
    webhook_not_active: 'Der Webhook ist angehalten oder abgeschaltet. Setzen Sie ihn erst fort.',
    webhook_limit_reached:
      'Es gibt so viele Webhooks, wie ein Arbeitsbereich haben darf. Löschen Sie einen, oder lassen Sie einen mehr Arten hören.',
    webhook_not_found: 'Diesen Webhook gibt es nicht.',
    delivery_not_found: 'Diese Zustellung gibt es nicht, oder sie ist nicht mehr aufbewahrt.',
    event_not_found: 'Dieses Ereignis gibt es nicht, oder es ist nicht mehr aufbewahrt.',
    api_key_not_found: 'Diesen Schlüssel gibt es nicht, oder er gilt nicht mehr.',
    request_not_found:
      'Von diesem Aufruf ist nichts bekannt. Sie werden 30 Tage aufbewahrt; von gelungenen Abfragen nur einige.',
    payload_too_large: 'Diese Datei ist zu groß.',
    insufficient_credits: 'Dafür reicht das Guthaben nicht.',
    recent_sign_in_required:
      'Ihre Anmeldung ist über zehn Minuten her. Melden Sie sich dafür noch einmal an.',
    pass_archived: 'Diese Karte ist archiviert.',
  },
  byRule: {
    'key unique': 'Das ist schon vergeben. Nehmen Sie etwas anderes.',
    'key reserved': 'Dieses Wort gehört der Karte selbst. Nehmen Sie ein anderes.',
    'key pattern': 'Kleinbuchstaben, Ziffern und _, am Anfang ein Buchstabe.',
    'domain pattern': 'Das ist nicht die Adresse eines solchen Shops: siehe unten.',
    'amount pattern': 'Ein Betrag wie 12.50.',
    'accessToken pattern': 'Hier stimmt etwas nicht: Kopieren Sie es noch einmal ganz.',
    'consumerKey pattern': 'Hier stimmt etwas nicht: Kopieren Sie es noch einmal ganz.',
    'consumerSecret pattern': 'Hier stimmt etwas nicht: Kopieren Sie es noch einmal ganz.',
    'colors.background pattern': 'Das ist keine Farbe: Schreiben Sie sie als #10324a.',
    'colors.foreground pattern': 'Das ist keine Farbe: Schreiben Sie sie als #10324a.',
    'colors.label pattern': 'Das ist keine Farbe: Schreiben Sie sie als #10324a.',
    'value required': 'Hier fehlt der Code, den alle Karten haben.',
    'domainAllow pattern': 'Schreiben Sie nur den Host, etwa www.bluebean.example.',
    'proof other': 'Die Seite muss nach einer E-Mail-Adresse fragen, die ausgefüllt werden muss.',
    'word pattern': 'Schreiben Sie ERASE, in Großbuchstaben.',
    'format url': 'Das ist keine Adresse im Web, etwa https://www.bluebean.example.',
    'min_items 1': 'Wählen Sie mindestens eins.',
    max_items: (limit: string) => `Wählen Sie höchstens ${limit}.`,
  },
};
