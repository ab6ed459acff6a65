import type { Words } from './words.ts';

export const fr: Words = {
  join: {
    get: {
      card: 'Obtenir ma carte',
      coupon: 'Obtenir mon bon',
      ticket: 'Obtenir mon billet',
      giftCard: 'Obtenir ma carte cadeau',
    },
    lead: 'Remplissez ces champs et gardez-la sur votre téléphone. Sans application ni compte.',
    leadBare: 'Un appui, et c’est sur votre téléphone. Sans application ni compte.',
    name: 'Nom',
    email: 'Adresse e-mail',
    phone: 'Numéro de téléphone',
    optional: 'facultatif',
    wait: 'Un instant…',
    privacy: 'Ce que vous indiquez ici est transmis à {shop}.',
    sentTitle: 'Consultez vos e-mails',
    sentText: 'Un message est en route vers {email}. Son bouton ouvre ce que vous avez demandé.',
    sentHint: 'Rien reçu ? Regardez dans les indésirables, ou revenez en arrière et vérifiez l’adresse.',
    proveTitle: 'Encore une étape',
    proveText: 'Le bouton confirme votre adresse {email}. Ensuite, direction votre téléphone.',
    prove: 'Confirmer et ouvrir',
    subject: '{title} : confirmez votre adresse',
    hello: 'Bonjour {name},',
    helloNobody: 'Bonjour,',
    asked:
      'Quelqu’un a demandé « {title} » à {shop} avec cette adresse. Si c’était vous, appuyez sur le bouton. Si vous l’avez déjà, il ouvre la vôtre.',
    notYou:
      'Si ce n’était pas vous, ne faites rien. Sans ce bouton, personne n’obtient rien avec votre adresse.',
    once: 'Le bouton fonctionne une fois, pendant 24 heures.',
    scan: 'Scannez avec l’appareil photo de votre téléphone',
    ways: 'Dans Apple\u00a0Wallet, Google\u00a0Wallet ou votre navigateur.',
  },
};
