import type { en } from '../en/errors.ts';

export const de: typeof en = {
  unknown: 'Auf dieser Seite ist etwas schiefgegangen. Bitte neu laden und noch einmal versuchen.',
  byStatus: { failed: 'Beim Dienst ist etwas schiefgegangen. Bitte gleich noch einmal versuchen.' },
  byCode: {
    connection_failed: 'Der Dienst ist nicht erreichbar. Bitte Verbindung prüfen und erneut versuchen.',
    timed_out: 'Der Dienst hat nicht rechtzeitig geantwortet. Bitte erst nachsehen, ob es geschehen ist.',
    unexpected_answer: 'Nicht der Dienst hat geantwortet, sondern etwas anderes, etwa ein Proxy davor.',
    rate_limited: 'Das war zu viel auf einmal. Bitte kurz warten und erneut versuchen.',
    overloaded: 'Der Dienst ist ausgelastet. Bitte gleich noch einmal versuchen.',
    role_required:
      'Ihre Rolle erlaubt das nicht. Fragen Sie eine Inhaberin oder einen Inhaber des Arbeitsbereichs.',
    recent_sign_in_required:
      'Ihre Anmeldung ist über zehn Minuten her. Melden Sie sich dafür noch einmal an.',
    invalid_api_key: 'Dieses Token stimmt nicht.',
    invalid_credentials: 'Dieses Passwort stimmt nicht.',
    workspace_suspended: 'Dieser Arbeitsbereich ist gesperrt. Fragen Sie den Betreiber des Dienstes.',
    forbidden: 'Das gehört zu einem anderen Arbeitsbereich.',
    last_owner:
      'Ein Arbeitsbereich braucht eine Inhaberin oder einen Inhaber. Bestimmen Sie erst jemand anderen.',
    person_exists: 'Jemand mit dieser Adresse ist bereits im Arbeitsbereich.',
    person_not_found: 'Diese Person ist nicht mehr im Arbeitsbereich.',
    partner_not_found: 'Diesen Partner gibt es nicht.',
    pass_not_found: 'Diesen Pass gibt es nicht.',
    draft_limit_reached:
      'Es gibt so viele Entwürfe, wie der Arbeitsbereich haben darf. Veröffentlichen oder löschen Sie zuerst einen.',
    pass_archived: 'Dieser Pass ist archiviert.',
    instance_not_found: 'Diese Karte gibt es nicht.',
    instance_voided: 'Diese Karte ist ungültig.',
    insufficient_points: 'Dafür hat die Karte nicht genug Punkte.',
    insufficient_credits: 'Dafür reicht das Guthaben nicht.',
    last_key: 'Das ist der letzte Schlüssel mit vollem Zugriff. Legen Sie erst einen anderen an.',
    store_not_found: 'Diesen Shop gibt es nicht, oder er ist getrennt.',
    store_already_connected: 'Dieser Shop ist schon verbunden. Ändern Sie stattdessen jenen.',
    order_not_found: 'Diese Bestellung gibt es nicht.',
    refund_exceeds_order: 'Das ist mehr, als von der Bestellung übrig ist.',
    cancel_not_reversible: 'Die Bestellung ist inzwischen gekommen und endgültig storniert.',
    external_id_taken: 'Ein anderer Partner hat diese Nummer.',
    payload_too_large: 'Diese Datei ist zu groß.',
  },
  predicates: [
    [/is used twice/, () => 'Das ist schon vergeben. Nehmen Sie etwas anderes.'],
    [
      /belongs to the pass itself|cannot be a property name/,
      () => 'Dieses Wort gehört dem Pass selbst. Nehmen Sie ein anderes.',
    ],
    [
      /a host such as|a Shopify store has a name/,
      () => 'Das ist nicht die Adresse eines solchen Shops: siehe unten.',
    ],
    [/a decimal number such as/, () => 'Ein Betrag wie 12.50.'],
    [
      /has at most (\d+) decimals/,
      (count: string) => (count === '0' ? 'Ohne Nachkommastellen.' : `Höchstens ${count} Nachkommastellen.`),
    ],
    [
      /an app that may read customers|must match the pattern/,
      () => 'Hier stimmt etwas nicht: Kopieren Sie es noch einmal ganz.',
    ],
    [/a colour such as/, () => 'Das ist keine Farbe: Schreiben Sie sie als #10324a.'],
    [/a small letter/, () => 'Kleinbuchstaben, Ziffern und _, am Anfang ein Buchstabe.'],
    [/is required with mode/, () => 'Hier fehlt der Code, den alle Karten haben.'],
    [/^(?:is required|must not be (?:empty|blank))/, () => 'Diese Angabe fehlt.'],
    [/^must have at most (\d+) character/, (limit: string) => `Höchstens ${limit} Zeichen.`],
    [/^must have at least (\d+) character/, (limit: string) => `Mindestens ${limit} Zeichen.`],
    [/^must be at least (-?\d+)/, (limit: string) => `Mindestens ${limit}.`],
    [/^must be at most (-?\d+)/, (limit: string) => `Höchstens ${limit}.`],
    [/a host that may show the page/, () => 'Schreiben Sie nur den Host, etwa www.bluebean.example.'],
    [
      /needs a required field "email"/,
      () => 'Die Seite muss nach einer E-Mail-Adresse fragen, die ausgefüllt werden muss.',
    ],
    [/is not in the expected form/, () => 'Das hat nicht die richtige Form.'],
    [/an e-mail address/, () => 'Das ist keine E-Mail-Adresse.'],
  ],
};
