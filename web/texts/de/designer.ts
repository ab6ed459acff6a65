import type { en } from '../en/designer.ts';

export const de: typeof en = {
  preview: 'Wie die Karte aussieht',
  short: { apple: 'Apple', google: 'Google', web: 'Web' },
  drawnBefore: 'Die Karte, wie sie zuvor war: siehe die Meldung am Feld.',
  view: 'Was gezeigt wird',
  views: { form: 'Gestaltung', drawings: 'Vorschau' },
  kept: 'Hier ist, was Sie nicht gespeichert hatten.',
  warnings: {
    low_contrast:
      'Auf diesem Hintergrund schwer zu lesen. Apple Wallet zeigt es so; die anderen nehmen eine lesbare Farbe.',
    field_not_shown:
      'Apple Wallet hat vorn keinen Platz mehr für dieses Feld. Verschieben Sie es auf die Rückseite.',
    image_not_shown:
      'Karten wie diese zeigen es nicht: Sie haben keinen Platz dafür, oder dort sind die Stempel des Programms.',
    image_not_drawn: 'Bilder aus dem Web werden beim Speichern geholt und dann gezeichnet.',
    logo_wide:
      'Dieses breite Logo ist im Kreis von Google Wallet winzig. Nehmen Sie ein quadratisches oder nur das Zeichen ohne Namen.',
  },
  cut: (names) =>
    `Auf dem iPhone abgeschnitten: ${names}. Kürzen Sie den Text, oder verschieben Sie ein Feld auf die Rückseite.`,
  basics: {
    heading: 'Karte',
    title: 'Titel',
    titleHint: 'Steht oben auf der Karte und in der Wallet.',
    type: 'Art',
    typeHint: 'Bestimmt die Form der Karte. Änderbar, bis die erste Karte ausgegeben ist.',
    details: 'Einzelheiten',
    detailsHint: 'Auf der Rückseite der Karte.',
    terms: 'Bedingungen',
    termsHint: 'Auf der Rückseite der Karte, ganz unten.',
  },
  colors: {
    heading: 'Farben',
    names: { background: 'Hintergrund', foreground: 'Text', label: 'Beschriftungen' },
    pick: (name) => `Farbe wählen: ${name}`,
    clear: (name) => `Automatisch wählen: ${name}`,
    automatic: 'Automatisch',
    ratio: (ratio, isReadable) =>
      isReadable ? `Kontrast ${ratio}, gut lesbar` : `Kontrast ${ratio}, unter 4,5`,
  },
  fields: {
    heading: 'Felder',
    lead: 'Was die Karte sagt. Ziehen Sie ein Feld an seinen Platz, oder bewegen Sie es mit den Pfeilen.',
    add: 'Feld hinzufügen',
    newLabel: 'Neues Feld',
    noLabel: 'Ohne Überschrift',
    noValue: 'Bei jedem Kunden anders',
    label: 'Überschrift',
    value: 'Text',
    valueHint:
      'Steht auf der Karte, solange ein Kunde keinen eigenen Text hat. Leere Felder werden nicht gezeigt.',
    section: 'Platz',
    sections: {
      header: 'Oben',
      primary: 'Groß',
      secondary: 'Zweite Zeile',
      auxiliary: 'Dritte Zeile',
      back: 'Rückseite',
    },
    formats: {
      text: 'Text',
      number: 'Zahl',
      currency: 'Geldbetrag',
      percent: 'Prozentsatz',
      date: 'Datum',
      time: 'Uhrzeit',
      dateTime: 'Datum und Uhrzeit',
      relative: 'Zeit ab jetzt, etwa „in 3 Tagen“',
    },
    format: 'Was es ist',
    currency: 'Währung',
    align: 'Ausrichtung in Apple Wallet',
    aligns: { '': 'Wie Wallet sie setzt', left: 'Links', center: 'Mitte', right: 'Rechts' },
    developers: 'Für Entwickler',
    key: 'Schlüssel',
    keyHint: 'So heißt das Feld in der API: Kleinbuchstaben, Ziffern und _.',
    changeMessage: 'Meldung, wenn sich der Text ändert',
    changeMessageHint: 'Steht auf dem Sperrbildschirm. Schreiben Sie %@, wo der neue Text stehen soll.',
    editable: 'Jeder Kunde kann einen eigenen Text haben',
    editableHint: 'Etwa Name, Stufe oder Geburtstag. Sonst steht auf allen Karten dasselbe.',
    untilProgram: 'Nur bis zum Start des Programms',
    untilProgramHint:
      'Für einen Text über die Prämie: Das Programm nennt sie dann selbst und braucht den Platz.',
    up: (label) => `Nach oben: ${label}`,
    down: (label) => `Nach unten: ${label}`,
    remove: (label) => `Entfernen: ${label}`,
    movedTo: (label, at, of) => `${label} ist jetzt ${at} von ${of}.`,
  },
  images: {
    heading: 'Bilder',
    lead: 'PNG, JPEG oder WebP. Wofür eine Karte keinen Platz hat, das zeigt sie nicht.',
    upload: 'Hochladen',
    replace: 'Ersetzen',
    crop: 'Zuschneiden',
    notShown: 'Nicht zu sehen',
    remove: (name) => `Entfernen: ${name}`,
    take: 'Bild verwenden',
    noImage: 'Diese Datei ist kein Bild, das der Browser lesen kann. Nehmen Sie PNG, JPEG oder WebP.',
    tooSmall: (width, height) =>
      `Dieses Bild ist zu klein: Es braucht mindestens ${width} × ${height} Pixel.`,
    part: 'Der Ausschnitt',
    zoom: 'Vergrößern',
    across: 'Links oder rechts',
    upright: 'Oben oder unten',
    looks: {
      plain: 'wie es ist',
      rounded: 'mit runden Ecken',
      blurred: 'unscharf hinter dem Text',
      round: 'im Kreis, mit Rand',
    },
    slots: {
      iconUrl: {
        name: 'Symbol',
        about: 'In Mitteilungen und auf dem Sperrbildschirm von iPhones. Quadratisch, mindestens 87 Pixel.',
      },
      logoUrl: {
        name: 'Logo',
        about: 'Oben auf der Karte. Google Wallet zeigt es in einem Kreis. Mindestens 50 Pixel.',
      },
      stripUrl: {
        name: 'Streifen',
        about: 'Quer über Treuekarten, Gutscheine, Geschenkkarten und Tickets. Mindestens 375 × 98 Pixel.',
      },
      heroUrl: {
        name: 'Breites Bild',
        about: 'Quer über die Karte in Google Wallet, statt des Streifens. Mindestens 1032 × 336 Pixel.',
      },
      thumbnailUrl: {
        name: 'Bild',
        about: 'Neben den Feldern von Mitgliedschaften und Tickets ohne Streifen. Mindestens 90 Pixel.',
      },
      backgroundUrl: {
        name: 'Hintergrund',
        about: 'Hinter Tickets ohne Streifen in Apple Wallet, unscharf. Mindestens 180 × 220 Pixel.',
      },
    },
  },
  stamps: {
    makesWay: 'Ihr Bild macht den Stempeln Platz',
    makesWayText:
      'Die Stempel werden dort gezeichnet, wo jetzt der Streifen oder das breite Bild ist. Ohne Zeichnung bleibt das Bild, und auf der Karte steht die Zahl, etwa 3 von 10.',
    draw: 'Stempel auf die Karte zeichnen',
    drawHint: 'Anstelle von Streifen und breitem Bild. Sonst zeigt die Karte diese und die Zahl.',
    kept: 'Gespeichert. Die Karten folgen.',
  },
  barcode: {
    heading: 'Barcode',
    mode: 'Was er enthält',
    modes: {
      unique: 'Einen eigenen Code je Karte',
      pool: 'Einen Code aus einer Liste, die Sie hochladen',
      simple: 'Denselben Code auf allen Karten',
      none: 'Kein Barcode',
    },
    value: 'Code',
    format: 'Format',
    formatHint: 'QR liest jedes Telefon. Kassen mit Laser brauchen Code 128 oder PDF417.',
    formats: { qr: 'QR', aztec: 'Aztec', pdf417: 'PDF417', code128: 'Code 128' },
  },
  expiry: {
    heading: 'Gültigkeit',
    kind: 'Karten gelten',
    kinds: {
      none: 'Ohne Ende',
      fixed: 'Bis zu einem bestimmten Tag',
      afterIssue: 'Eine Zeit lang nach der Ausgabe',
    },
    at: 'Bis',
    days: 'Tage',
  },
  places: {
    heading: 'Orte',
    lead: 'In ihrer Nähe zeigen iPhones die Karte von selbst auf dem Sperrbildschirm.',
    place: (at) => `Ort ${at}`,
    latitude: 'Breitengrad',
    longitude: 'Längengrad',
    text: 'Text auf dem Sperrbildschirm',
    add: 'Ort hinzufügen',
    remove: (at) => `Ort ${at} entfernen`,
  },
  file: {
    heading: 'Entwurf als Datei',
    lead: 'Zum Aufheben, oder für einen anderen Arbeitsbereich.',
    save: 'Exportieren',
    open: 'Importieren',
    saved: 'Der Entwurf liegt bei Ihren Downloads.',
    savedWithout: (count) =>
      `Der Entwurf liegt bei Ihren Downloads, ohne ${count === 1 ? 'ein Bild, das' : `${count} Bilder, die`} hier hochgeladen wurde${count === 1 ? '' : 'n'}: Laden Sie es dort neu hoch, wo Sie die Datei importieren.`,
    read: 'Der Entwurf ist übernommen. Sehen Sie ihn an, und speichern Sie ihn.',
    noDesign: 'Diese Datei enthält keinen Entwurf.',
  },
  save: {
    unsaved: 'Nicht gespeichert',
    allSaved: 'Alles ist gespeichert',
    willChange: (cards, credits) =>
      `${cards} ${cards === '1' ? 'Karte ändert' : 'Karten ändern'} sich, ${credits} ${credits === '1' ? 'Credit' : 'Credits'}`,
    discard: 'Verwerfen',
    saveAndPublish: 'Speichern und veröffentlichen',
    ask: (count, cards) => (count === 1 ? '1 Karte ändert sich' : `${cards} Karten ändern sich`),
    cost: (credits, balance) =>
      `Die Telefone zu benachrichtigen, die eine haben, kostet ${credits} ${credits === '1' ? 'Credit' : 'Credits'}. Sie haben ${balance}.`,
    tooFew: (missing) =>
      `${missing} ${missing === '1' ? 'Karte wird' : 'Karten werden'} erst aktualisiert, wenn Sie Credits aufladen.`,
    update: 'Karten aktualisieren',
  },
  rollout: {
    running: (past, cards) => `${past} von ${cards} Karten aktualisiert`,
    finished: (count, done) =>
      count === 1 ? '1 Karte ist aktualisiert' : `${done} Karten sind aktualisiert`,
    skipped: (count) => `${count} mussten mangels Credits ausgelassen werden. Eine Aufladung holt sie nach.`,
  },
};
