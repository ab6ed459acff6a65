import type { en } from '../en/scanner-offline.ts';

export const de: typeof en = {
  title: 'Wartende Gutschriften',
  lead: 'Was hier eingegeben wurde und noch nicht im Kontobuch steht.',
  back: 'Karte finden',
  none: 'Nichts wartet. Alles, was hier eingegeben wurde, steht im Kontobuch.',
  count: (count, isOne) => (isOne ? '1 Gutschrift wartet' : `${count} Gutschriften warten`),
  decide: (count, isOne) =>
    isOne ? 'Über 1 Gutschrift ist zu entscheiden' : `Über ${count} Gutschriften ist zu entscheiden`,
  show: 'Zeigen',
  send: 'Jetzt senden',
  pauses: {
    offline: 'Es gibt kein Netz. Sie werden gesendet, sobald es eines gibt.',
    busy: 'Der Dienst ist ausgelastet. Sie werden gleich gesendet.',
    sign_in: 'Sie werden gesendet, sobald sich jemand anmeldet.',
  },
  elsewhere:
    'Hier warten auch Gutschriften eines anderen Arbeitsbereichs. Sie werden gesendet, sobald sich dort jemand anmeldet.',
  noKeeping:
    'Dieser Browser behält nichts und arbeitet nur mit Netz: ein privates Fenster oder ein voller Datenträger.',
  waits: {
    waiting: 'Wartet',
    sending: 'Wurde gesendet, die Antwort fehlt',
    sent: 'Wird rückgängig gemacht, sobald es Netz gibt',
  },
  willBeUndone: 'Wird rückgängig gemacht, sobald bekannt ist, was daraus wurde.',
  undo: 'Rückgängig',
  undoOf: (label) => `die Gutschrift für ${label}`,
  undone: 'Rückgängig gemacht.',
  undoneLater: 'Es wird rückgängig gemacht, sobald es Netz gibt.',
  kept: (what) => `${what}: auf diesem Gerät behalten und gesendet, sobald es Netz gibt.`,
  points: (count) => `+${count}`,
  entered: (when, name) => `${when}, ${name}`,
  conflicts: 'Zu entscheiden',
  conflictsLead:
    'Diese hat der Dienst nicht angenommen. Die Leitung entscheidet, was daraus wird; bis dahin geht nichts verloren.',
  again: 'Noch einmal versuchen',
  give: 'Andere Karte',
  giveTitle: 'Einer anderen Karte geben',
  giveCode: 'Code der anderen Karte',
  giveSubmit: 'Geben',
  givenTo: (code) => `Der Karte ${code} gegeben`,
  drop: 'Verwerfen',
  dropTitle: 'Diese Gutschrift verwerfen?',
  dropText: (points, label) => `${points} für ${label} werden dann nicht gutgeschrieben.`,
  dropReason: 'Warum',
  dropSubmit: 'Verwerfen',
  askManager: 'Die Leitung kann sie einer anderen Karte geben oder verwerfen.',
  decided: 'Hier in den letzten 30 Tagen entschieden',
  dropped: (when, name, reason) => `${when}, ${name}: ${reason}`,
  reasons: {
    instance_not_found: 'Keine Karte hat diesen Code. Gib sie der richtigen Karte.',
    holder_not_found: 'Diese Karte hat kein Konto mehr. Gib sie der neuen Karte.',
    ambiguous_barcode: 'Mehrere Karten tragen diesen Code. Gib sie der, die gemeint war.',
    instance_voided: 'Die Karte ist ungültig. Gib sie der neuen Karte, oder lass sie wieder gültig machen.',
    instance_expired:
      'Die Karte war bei der Eingabe schon abgelaufen. Wer verwaltet, kann sie verlängern; versuche es dann noch einmal.',
    program_inactive: 'Das Programm ruht. Versuche es, wenn es weitergeht.',
    program_not_launched: 'Das Programm ist noch nicht gestartet. Versuche es danach.',
    no_loyalty_program: 'Die Karte sammelt nichts.',
    role_required:
      'Wer angemeldet ist, darf das nicht. Versuche es, wenn jemand angemeldet ist, der es darf.',
    insufficient_scope:
      'Wer angemeldet ist, darf das nicht. Versuche es, wenn jemand angemeldet ist, der es darf.',
    forbidden: 'Die Karte gehört einem anderen Arbeitsbereich.',
    workspace_suspended: 'Der Arbeitsbereich ist gesperrt. Versuche es, wenn er wieder offen ist.',
    external_ref_reused: 'Unter ihrer Nummer wurde etwas anderes eingegeben. Gib sie der Karte neu.',
    already_reversed: 'Sie wurde schon rückgängig gemacht.',
    per_day:
      'Die Karte hatte alles, was sie an dem Tag haben darf. Nichts wurde gutgeschrieben; die Leitung kann es von Hand tun.',
    min_seconds_between:
      'Sie kam zu bald nach einer anderen. Nichts wurde gutgeschrieben; die Leitung kann es von Hand tun.',
  },
  otherReason: (message) => `Der Dienst sagt: ${message}`,
  asOf: (time) => `Stand ${time}`,
  asOfText: 'Es gibt kein Netz. Was seitdem anderswo eingegeben wurde, fehlt.',
  unknownTitle: (code) => `Kein Netz, und diese Kasse kennt die Karte ${code} nicht`,
  unknownText: 'Eine Gutschrift wird dafür behalten und geht an die Karte, sobald es Netz gibt.',
  unknownCount: 'Punkte oder Stempel',
  unknownSubmit: 'Gutschrift behalten',
  money:
    'Der Dienst ist nicht erreichbar oder hat nicht geantwortet: Geld bewegt sich nur mit Netz. Noch einmal gesendet, zählt es einmal.',
  redeem:
    'Prämien werden nur mit Netz eingelöst, damit keine zweimal ausgegeben wird. Versuche es, wenn es wieder eines gibt.',
  late: {
    reason: ({ when, who, till }) =>
      `Ohne Netz eingegeben, ${when}${who === null ? '' : `, von ${who}`}${till === null ? '' : `, an ${till}`}`,
    clockWasSet: (said) =>
      `Zeit unbekannt: Die Uhr des Geräts wurde seitdem gestellt und zeigte damals ${said}`,
  },
};
