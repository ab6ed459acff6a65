import type { en } from '../en/templates.ts';

export const de: typeof en = {
  title: 'Neue Karte',
  lead: 'Wählen Sie, womit Sie beginnen. Alles daran lässt sich ändern.',
  filter: 'Vorlagen nach Art',
  all: 'Alle',
  use: 'Vorlage verwenden',
  pictureOf: (name) => `Eine Karte der Vorlage ${name}`,
  blank: 'Mit einer leeren Karte beginnen',
  blankText:
    'Oder nehmen Sie einen Entwurf aus einem anderen Arbeitsbereich mit: eine leere Karte anlegen und die Datei dort importieren.',
  name: 'Titel',
  type: 'Art',
  create: 'Anlegen',
  templates: {
    coffee: {
      name: 'Café',
      about: 'Warm und dunkel, für Stammgäste, die Stempel sammeln.',
      title: 'Kaffee-Club',
      details: 'Zeigen Sie Ihre Karte bei jeder Bestellung.',
      fields: {
        treat: ['Ihr Dank', 'Jeder zehnte Kaffee ist geschenkt'],
        hours: ['Täglich', '7 – 18 Uhr'],
      },
    },
    salon: {
      name: 'Kosmetik und Wellness',
      about: 'Hell und ruhig, für Salons und Studios.',
      title: 'Salon-Kreis',
      details: 'Punkte für jede Behandlung und eine Aufmerksamkeit zum Geburtstag.',
      fields: {
        level: ['Stufe', 'Rosé'],
        benefit: ['Ihr Vorteil', '10 % auf Pflegeprodukte'],
      },
    },
    miles: {
      name: 'Vielreisende',
      about: 'Nachtblau, mit einer Stufe für alle, die oft kommen.',
      title: 'Himmelsmeilen',
      details: 'Zeigen Sie Ihre Karte am Schalter, in der Lounge und an Bord.',
      fields: {
        status: ['Stufe', 'Gold'],
        lounge: ['Lounge', 'Sie und ein Gast'],
      },
    },
    welcome: {
      name: 'Willkommensgutschein',
      about: 'Ein erster Rabatt, leicht einzulösen.',
      title: 'Willkommen',
      details: 'Einmal gültig, für den ersten Einkauf. Nicht mit anderen Aktionen kombinierbar.',
      fields: {
        offer: ['Auf Ihren ersten Einkauf', '20 % Rabatt'],
        code: ['Im Webshop', 'HALLO20'],
      },
    },
    season: {
      name: 'Sommeraktion',
      about: 'Hell und warm, für eine Saison oder Aktion.',
      title: 'Sommer-Spezial',
      details: 'Zeigen Sie diesen Gutschein vor dem Bezahlen.',
      fields: {
        offer: ['In diesem Sommer', '2 für 1'],
        place: ['Wo', 'In allen Läden'],
      },
    },
    concert: {
      name: 'Konzert',
      about: 'Farben der Nacht, für Bühnen, Clubs und Festivals.',
      title: 'Live in der Halle',
      details: 'Bitte kommen Sie 30 Minuten vor Beginn.',
      fields: {
        doors: ['Einlass', '19 Uhr'],
        event: ['Heute', 'Live in der Halle'],
        area: ['Bereich', 'Stehplatz'],
        entry: ['Eingang', 'Nord'],
      },
    },
    museum: {
      name: 'Ausstellung',
      about: 'Klare Formen auf Papier, für Museen und Kurse.',
      title: 'Museum der Form',
      details: 'Gültig für einen Besuch am aufgedruckten Tag.',
      fields: {
        hours: ['Geöffnet', '10 – 18 Uhr'],
        event: ['Ausstellung', 'Kreis, Quadrat, Linie'],
        ticket: ['Ticket', 'Eine Person'],
        place: ['Ort', 'Großer Saal'],
      },
    },
    ribbon: {
      name: 'Klassische Geschenkkarte',
      about: 'Tiefblau mit goldenem Band, für jedes Geschäft.',
      title: 'Geschenkkarte',
      details: 'In mehreren Einkäufen einlösbar. Der Rest bleibt auf der Karte.',
      fields: {
        value: ['Wert', '50 €'],
        from: ['Für Sie', 'Suchen Sie sich etwas aus'],
      },
    },
    party: {
      name: 'Geburtstagskarte',
      about: 'Eine kleine Feier, zum Verschenken.',
      title: 'Alles Gute',
      details: 'In mehreren Einkäufen einlösbar. Der Rest bleibt auf der Karte.',
      fields: {
        value: ['Ihr Geschenk', '25 €'],
        wish: ['Für Sie', 'Herzlichen Glückwunsch!'],
      },
    },
    gym: {
      name: 'Fitnessstudio',
      about: 'Schwarz und Limette, für Studios und Vereine.',
      title: 'Studio Eins',
      details: 'Halten Sie Ihre Karte am Eingang an das Lesegerät.',
      fields: {
        plan: ['Tarif', 'Alles inklusive'],
        member: ['Mitgliedschaft', 'Vollmitglied'],
        hours: ['Geöffnet', '6 – 23 Uhr'],
        classes: ['Kurse', 'Inklusive'],
      },
    },
    space: {
      name: 'Arbeitsraum',
      about: 'Luftig und sachlich, für Mitglieder und Gäste.',
      title: 'Der Lesesaal',
      details: 'Ihre Karte öffnet die Tür während der Öffnungszeiten.',
      fields: {
        kind: ['Zugang', 'Mitglied'],
        name: ['Mitgliedschaft', 'Lesesaal'],
        hours: ['Geöffnet', '8 – 22 Uhr'],
        desk: ['Platz', 'Freie Wahl'],
      },
    },
    insurance: {
      name: 'Versicherungskarte',
      about: 'Hell und sachlich, mit dem, was nach einem Unfall zählt.',
      title: 'Hafen-Versicherung',
      details: 'Rufen Sie uns an, bevor Sie den Unfallort verlassen.',
      fields: {
        policy: ['Police', 'HV-20418'],
        insured: ['Versichert', 'Ada Lovelace'],
        cover: ['Schutz', 'Vollkasko'],
        help: ['Hilfe rund um die Uhr', '0800 123456'],
      },
    },
    parking: {
      name: 'Parkausweis',
      about: 'Das Blau des Parkschilds, mit Zone und Kennzeichen.',
      title: 'Park & Bleib',
      details: 'Gilt in der Zone auf der Karte, für das Auto mit diesem Kennzeichen.',
      fields: {
        zone: ['Zone', 'B2'],
        plate: ['Kennzeichen', 'AB C 1234'],
        until: ['Gültig bis', '31.12.2027'],
        entry: ['Einfahrt', 'Uferstraße'],
      },
    },
    library: {
      name: 'Bibliotheksausweis',
      about: 'Grün und Papier, mit einem Barcode, den jede Theke liest.',
      title: 'Stadtbibliothek',
      details: 'Bitte melden Sie uns, wenn sich Ihre Adresse ändert.',
      fields: {
        year: ['Jahr', '2027'],
        reader: ['Mitglied', 'Ada Lovelace'],
        branch: ['Zweigstelle', 'Am Ufer'],
        loan: ['Ausleihe', 'Vier Wochen'],
      },
    },
  },
};
