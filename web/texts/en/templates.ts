/** What a template is called, and the words that its card begins with. */
export interface TemplateWords {
  readonly name: string;
  readonly about: string;
  readonly title: string;
  readonly details: string;
  /** By the key of a field: its label and its value. */
  readonly fields: Readonly<Record<string, readonly [label: string, value: string]>>;
}

const templates = {
  coffee: {
    name: 'Coffee bar',
    about: 'Warm and dark, for regulars who collect stamps.',
    title: 'Coffee Club',
    details: 'Show your card with every order.',
    fields: {
      treat: ['Your treat', 'Every tenth coffee is on us'],
      hours: ['Open daily', '7 am – 6 pm'],
    },
  },
  salon: {
    name: 'Beauty and wellness',
    about: 'Light and calm, for salons and studios.',
    title: 'Salon Circle',
    details: 'Points for every treatment, and a treat on your birthday.',
    fields: {
      level: ['Level', 'Rosé'],
      benefit: ['Your benefit', '10% off care products'],
    },
  },
  miles: {
    name: 'Frequent travellers',
    about: 'Night blue, with a level for those who come often.',
    title: 'Sky Miles',
    details: 'Show your card at the desk, at the lounge and on board.',
    fields: {
      status: ['Level', 'Gold'],
      lounge: ['Lounge', 'You and a guest'],
    },
  },
  welcome: {
    name: 'Welcome offer',
    about: 'A first discount that is easy to redeem.',
    title: 'Welcome',
    details: 'Valid once, for your first purchase. Not with other offers.',
    fields: {
      offer: ['On your first purchase', '20% off'],
      code: ['In the web shop', 'HELLO20'],
    },
  },
  season: {
    name: 'Summer offer',
    about: 'Bright and warm, for a season or an action.',
    title: 'Summer Special',
    details: 'Show this coupon before you pay.',
    fields: {
      offer: ['This summer', '2 for 1'],
      place: ['Where', 'All our shops'],
    },
  },
  concert: {
    name: 'Concert',
    about: 'Night colours, for stages, clubs and festivals.',
    title: 'Live at the Hall',
    details: 'Please be there 30 minutes before it begins.',
    fields: {
      doors: ['Doors', '7 pm'],
      event: ['Tonight', 'Live at the Hall'],
      area: ['Area', 'Standing'],
      entry: ['Entrance', 'North'],
    },
  },
  museum: {
    name: 'Exhibition',
    about: 'Clear shapes on paper, for museums and courses.',
    title: 'Museum of Form',
    details: 'Valid for one visit on the day that is printed on it.',
    fields: {
      hours: ['Open', '10 am – 6 pm'],
      event: ['Exhibition', 'Circle, Square, Line'],
      ticket: ['Ticket', 'One adult'],
      place: ['Place', 'Main hall'],
    },
  },
  ribbon: {
    name: 'Classic gift card',
    about: 'Deep blue with a golden ribbon, for any shop.',
    title: 'Gift Card',
    details: 'Can be used in several purchases. What is left stays on the card.',
    fields: {
      value: ['Value', '€50'],
      from: ['For you', 'Choose what you like'],
    },
  },
  party: {
    name: 'Birthday gift card',
    about: 'A little party, for presents.',
    title: 'Happy Birthday',
    details: 'Can be used in several purchases. What is left stays on the card.',
    fields: {
      value: ['Your present', '€25'],
      wish: ['For you', 'All the best!'],
    },
  },
  gym: {
    name: 'Gym membership',
    about: 'Black and lime, for studios and clubs.',
    title: 'Studio One',
    details: 'Hold your card to the reader at the entrance.',
    fields: {
      plan: ['Plan', 'All access'],
      member: ['Membership', 'Full member'],
      hours: ['Open', '6 am – 11 pm'],
      classes: ['Classes', 'Included'],
    },
  },
  space: {
    name: 'Workspace',
    about: 'Airy and factual, for members and visitors.',
    title: 'The Reading Room',
    details: 'Your card opens the door during opening hours.',
    fields: {
      kind: ['Access', 'Member'],
      name: ['Membership', 'Reading Room'],
      hours: ['Open', '8 am – 10 pm'],
      desk: ['Desk', 'Free choice'],
    },
  },
  insurance: {
    name: 'Insurance card',
    about: 'Bright and sober, with what matters after an accident.',
    title: 'Harbour Insurance',
    details: 'Call us before you leave the place of an accident.',
    fields: {
      policy: ['Policy', 'HI-20418'],
      insured: ['Insured', 'Ada Lovelace'],
      cover: ['Cover', 'Comprehensive'],
      help: ['Help day and night', '0800 123456'],
    },
  },
  parking: {
    name: 'Parking permit',
    about: 'The blue of a parking sign, with zone and number plate.',
    title: 'Park & Stay',
    details: 'Valid in the zone on the card, for the car with this number plate.',
    fields: {
      zone: ['Zone', 'B2'],
      plate: ['Number plate', 'AB 1234'],
      until: ['Valid until', '31 Dec 2027'],
      entry: ['Entrance', 'River Street'],
    },
  },
  library: {
    name: 'Library card',
    about: 'Green and paper, with a barcode that every desk reads.',
    title: 'Town Library',
    details: 'Please report a new address at any desk.',
    fields: {
      year: ['Year', '2027'],
      reader: ['Reader', 'Ada Lovelace'],
      branch: ['Branch', 'Riverside'],
      loan: ['Loan', 'Four weeks'],
    },
  },
} satisfies Record<string, TemplateWords>;

export const en = {
  title: 'New pass',
  lead: 'Choose what to begin with. Everything about it can be changed.',
  filter: 'Templates by type',
  all: 'All',
  use: 'Use this template',
  pictureOf: (name: string) => `A card of the template ${name}`,
  blank: 'Begin with an empty card',
  blankText: 'Or take a design along from another workspace: create an empty card and import the file there.',
  name: 'Title',
  type: 'Type',
  create: 'Create',
  templates: templates as { readonly [Id in keyof typeof templates]: TemplateWords },
};
