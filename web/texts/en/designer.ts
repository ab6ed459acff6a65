/** Texts of the designer. */
export const en = {
  preview: 'What the card looks like',
  short: { apple: 'Apple', google: 'Google', web: 'Web' },
  drawnBefore: 'The card as it was before: see the message at the field.',
  view: 'What is shown',
  views: { form: 'Design', drawings: 'Preview' },
  kept: 'Here is what you had not saved.',
  warnings: {
    low_contrast:
      'Hard to read on this background. Apple Wallet shows it as it is; the others take a readable colour.',
    field_not_shown: 'Apple Wallet has no more room for this field on the front. Move it to the back.',
    image_not_shown:
      'Cards like this one do not show it: they have no place for it, or the stamps of the program are there.',
    image_not_drawn: 'Images from the web are fetched and drawn when the design is saved.',
    logo_wide:
      'This wide logo is tiny in the circle of Google Wallet. Take a square one, or the sign without the name.',
  },
  cut: (names: string) => `Cut off on an iPhone: ${names}. Make it shorter, or move a field to the back.`,
  basics: {
    heading: 'Card',
    title: 'Title',
    titleHint: 'What people see at the top of the card, and in their wallet.',
    type: 'Type',
    typeHint: 'Decides the shape of the card. It can be changed until the first card is issued.',
    details: 'Details',
    detailsHint: 'On the back of the card.',
    terms: 'Terms',
    termsHint: 'On the back of the card, below everything else.',
  },
  colors: {
    heading: 'Colours',
    names: { background: 'Background', foreground: 'Text', label: 'Labels' },
    pick: (name: string) => `Choose a colour: ${name}`,
    clear: (name: string) => `Choose automatically: ${name}`,
    automatic: 'Automatic',
    ratio: (ratio: string, isReadable: boolean) =>
      isReadable ? `Contrast ${ratio}, easy to read` : `Contrast ${ratio}, below 4.5`,
  },
  fields: {
    heading: 'Fields',
    lead: 'What the card says. Drag a field to its place, or move it with the arrows.',
    add: 'Add a field',
    newLabel: 'New field',
    noLabel: 'Without a heading',
    noValue: 'Different for each customer',
    label: 'Heading',
    value: 'Text',
    valueHint: 'What the card says, unless a customer has a text of their own. Empty fields are not shown.',
    section: 'Place',
    sections: {
      header: 'Top',
      primary: 'Large',
      secondary: 'Second row',
      auxiliary: 'Third row',
      back: 'Back',
    },
    developers: 'For developers',
    key: 'Key',
    keyHint: 'The name of the field in the API: small letters, digits and _.',
    changeMessage: 'Message when the text changes',
    changeMessageHint: 'Phones show it on the lock screen. Write %@ where the new text belongs.',
    editable: 'Each customer can have a text of their own',
    editableHint: 'Such as a name, a level or a birthday. Without this, all cards say the same.',
    untilProgram: 'Only until the program is launched',
    untilProgramHint: 'For a text about the reward: the program then says it itself, and needs the place.',
    up: (label: string) => `Move up: ${label}`,
    down: (label: string) => `Move down: ${label}`,
    remove: (label: string) => `Remove: ${label}`,
    movedTo: (label: string, at: number, of: number) => `${label} is now ${at} of ${of}.`,
  },
  images: {
    heading: 'Images',
    lead: 'PNG, JPEG or WebP. What a card has no place for is not shown.',
    upload: 'Upload',
    replace: 'Replace',
    crop: 'Crop',
    notShown: 'Not shown',
    remove: (name: string) => `Remove: ${name}`,
    take: 'Use this image',
    noImage: 'This file is not an image that the browser can read. Take a PNG, JPEG or WebP.',
    tooSmall: (width: number, height: number) =>
      `This image is too small: it needs at least ${width} × ${height} pixels.`,
    part: 'The part that is taken',
    zoom: 'Zoom',
    across: 'Left or right',
    upright: 'Up or down',
    looks: {
      plain: 'as it is',
      rounded: 'with round corners',
      blurred: 'blurred, behind the text',
      round: 'in a circle, with a margin',
    },
    slots: {
      iconUrl: {
        name: 'Icon',
        about: 'In notifications and on the lock screen of iPhones. Square, at least 87 pixels.',
      },
      logoUrl: {
        name: 'Logo',
        about: 'At the top of the card. Google Wallet shows it in a circle. At least 50 pixels.',
      },
      stripUrl: {
        name: 'Strip',
        about: 'Across loyalty cards, coupons, gift cards and tickets. At least 375 × 98 pixels.',
      },
      heroUrl: {
        name: 'Wide image',
        about: 'Across the card in Google Wallet, instead of the strip. At least 1032 × 336 pixels.',
      },
      thumbnailUrl: {
        name: 'Picture',
        about: 'Next to the fields of memberships, and of tickets without a strip. At least 90 pixels.',
      },
      backgroundUrl: {
        name: 'Background',
        about: 'Behind tickets without a strip in Apple Wallet, blurred. At least 180 × 220 pixels.',
      },
    },
  },
  stamps: {
    makesWay: 'Your picture makes way for the stamps',
    makesWayText:
      'The stamps are drawn where the strip or the wide image is now. Without the drawing the picture stays, and the card says the number, such as 3 of 10.',
    draw: 'Draw the stamps on the card',
    drawHint:
      'In the place of the strip and the wide image. Without it, the card shows these and the number.',
    kept: 'Saved. The cards follow.',
  },
  barcode: {
    heading: 'Barcode',
    mode: 'What it holds',
    modes: {
      unique: 'A code of its own for each card',
      pool: 'A code of a list that you upload',
      simple: 'The same code on all cards',
      none: 'No barcode',
    },
    value: 'Code',
    format: 'Format',
    formatHint: 'QR is read by every phone. Tills with a laser need Code 128 or PDF417.',
    formats: { qr: 'QR', aztec: 'Aztec', pdf417: 'PDF417', code128: 'Code 128' },
  },
  expiry: {
    heading: 'Validity',
    kind: 'Cards are valid',
    kinds: {
      none: 'Without an end',
      fixed: 'Until a certain day',
      afterIssue: 'For a time after they are issued',
    },
    at: 'Until',
    days: 'Days',
  },
  places: {
    heading: 'Places',
    lead: 'Near them iPhones show the card on the lock screen by themselves.',
    place: (at: number) => `Place ${at}`,
    latitude: 'Latitude',
    longitude: 'Longitude',
    text: 'Text on the lock screen',
    add: 'Add a place',
    remove: (at: number) => `Remove place ${at}`,
  },
  file: {
    heading: 'Design as a file',
    lead: 'To keep it, or to take it to another workspace.',
    save: 'Export',
    open: 'Import',
    saved: 'The design is in your downloads.',
    savedWithout: (count: number) =>
      `The design is in your downloads, without ${count === 1 ? 'an image that was' : `${count} images that were`} uploaded here: upload it again where you import the file.`,
    read: 'The design is taken over. Look at it, and save it.',
    noDesign: 'This file holds no design.',
  },
  save: {
    unsaved: 'Unsaved changes',
    allSaved: 'Everything is saved',
    willChange: (cards: string, credits: string) =>
      `${cards} ${cards === '1' ? 'card' : 'cards'} will change, ${credits} ${credits === '1' ? 'credit' : 'credits'}`,
    discard: 'Discard',
    saveAndPublish: 'Save and publish',
    ask: (count: number, cards: string) =>
      count === 1 ? '1 card will change' : `${cards} cards will change`,
    cost: (credits: string, balance: string) =>
      `Notifying the phones that have one costs ${credits} ${credits === '1' ? 'credit' : 'credits'}. You have ${balance}.`,
    tooFew: (missing: string) =>
      `${missing} ${missing === '1' ? 'card is' : 'cards are'} updated only after you have topped up.`,
    update: 'Update the cards',
  },
  rollout: {
    running: (past: string, cards: string) => `${past} of ${cards} cards updated`,
    finished: (count: number, done: string) =>
      count === 1 ? '1 card has been updated' : `${done} cards have been updated`,
    skipped: (count: string) => `${count} had to be left out for want of credits. A top-up delivers them.`,
  },
};
