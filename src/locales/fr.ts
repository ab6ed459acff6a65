import { fr as people } from './people/fr.ts';
import type { Words } from './words.ts';

export const fr: Words = {
  card: {
    hello: 'Bonjour',
    ready: {
      card: 'Votre carte est prête',
      coupon: 'Votre bon est prêt',
      ticket: 'Votre billet est prêt',
      giftCard: 'Votre carte cadeau est prête',
    },
    lead: 'Sur votre téléphone, toujours à portée de main.',
    addToApple: 'Ajouter à Apple\u00a0Wallet',
    addToGoogle: 'Ajouter à Google\u00a0Wallet',
    otherPhone: 'Un autre téléphone\u00a0?',
    safariHint: 'Rien ne se passe\u00a0? Ouvrez cette page dans Safari.',
    scanTitle: 'Scannez avec votre téléphone',
    scanText: 'Pointez l’appareil photo vers le code et suivez le lien qui s’affiche.',
    scanCode: 'Code QR qui ouvre cette page sur votre téléphone',
    scanAlone: 'Afficher uniquement le code QR',
    thisComputer: 'Ou depuis cet ordinateur',
    withoutWallet: 'Sans application de portefeuille',
    keepWebCard: 'Garder la carte web',
    webHint: 'La carte web ne demande ni application ni compte.',
    voidedTitle: 'Cette carte n’est plus valable.',
    voidedText: 'Si vous pensez qu’il s’agit d’une erreur, adressez-vous à {shop}.',
    expiredTitle: 'Cette carte a expiré.',
    expiredText: 'Demandez à {shop} si vous pouvez en obtenir une nouvelle.',
    testTitle: 'Ceci est une carte de test.',
    testText:
      'Elle est signée avec un certificat de développement\u00a0: les iPhone la refuseront. {shop} doit d’abord configurer un certificat Apple.',
    code: {
      qr: 'Code QR',
      pdf417: 'Code-barres PDF417',
      aztec: 'Code Aztec',
      linear: 'Code-barres {symbol}',
    },
    about: 'À propos de cette carte',
    message: 'Actualité',
    issuedTo: 'Délivrée à',
    validUntil: 'Valable jusqu’au',
    expiredOn: 'Expirée le',
    details: 'Détails',
    terms: 'Conditions',
    privacy: 'Cette page vous est réservée\u00a0: toute personne disposant du lien peut ajouter la carte.',
  },
  program: {
    reward: 'Récompense',
    ready: 'À utiliser',
    expiry: 'Prochaine expiration',
    progress: '{count} sur {threshold}',
    expires: '{points} le {date}',
    nouns: {
      STAMPS: { label: 'Tampons', one: 'tampon', other: 'tampons' },
      POINTS: { label: 'Points', one: 'point', other: 'points' },
      MONEY: { label: 'Solde', one: 'Solde', other: 'Solde' },
    },
  },
  webCard: {
    changed: 'Votre carte a changé.',
    validAgain: 'Cette carte est valable.',
    live: 'À jour',
    offline: 'Hors ligne, état du {time}',
    connecting: 'Recherche de nouveautés…',
    withoutScript: 'Rechargez cette page pour voir si la carte a changé.',
    keep: 'Garder cette carte',
    install: 'Installer la carte',
    installOnApple: 'Touchez Partager, puis «\u00a0Sur l’écran d’accueil\u00a0».',
    installOnAndroid: 'Ouvrez le menu du navigateur, puis «\u00a0Ajouter à l’écran d’accueil\u00a0».',
    installOnDesktop:
      'Utilisez le symbole d’installation de la barre d’adresse, ou ajoutez la page aux favoris.',
    allow: 'Autoriser les notifications',
    stop: 'Arrêter les notifications',
    allowed: 'Vous serez averti quand la carte change.',
    stopped: 'Vous ne recevez pas de notifications.',
    blocked: 'Les notifications sont bloquées dans les réglages de votre navigateur.',
    impossible: 'Ce navigateur ne peut pas afficher de notifications pour la carte.',
    share: 'Partager',
    savePicture: 'Enregistrer comme image',
    otherWallets: 'L’ajouter à un autre portefeuille',
    privacy: 'Cette page vous est réservée\u00a0: toute personne disposant du lien peut montrer la carte.',
  },
  invite: {
    waiting: {
      card: 'Votre carte vous attend',
      coupon: 'Votre bon vous attend',
      ticket: 'Votre billet vous attend',
      giftCard: 'Votre carte cadeau vous attend',
    },
    hello: 'Bonjour {name},',
    helloUnnamed: 'Bonjour,',
    invites: '{shop} vous invite\u00a0: {title}.',
    ways: 'Toujours sur votre téléphone\u00a0: dans Apple\u00a0Wallet, dans Google\u00a0Wallet ou en carte web. Cela ne prend qu’un instant, sans compte.',
    take: {
      card: 'Obtenir ma carte',
      coupon: 'Obtenir mon bon',
      ticket: 'Obtenir mon billet',
      giftCard: 'Obtenir ma carte cadeau',
    },
    why: '{shop} vous a invité à cette adresse. Vous ne recevrez pas d’autre invitation pour {title}.',
    noMore: 'Ne plus recevoir de messages de {shop}',
    claimLead: 'Un appui sur le bouton suffit. Ensuite, direction votre téléphone.',
    haveTitle: 'Vous l’avez déjà',
    haveLead: 'Ouvrez ici pour l’ajouter aussi à ce téléphone.',
    open: 'Ouvrir',
    endTitle: 'Ne plus recevoir de messages de {shop}\u00a0?',
    endText: '{shop} ne vous enverra plus d’invitations. Ce que vous avez sur votre téléphone reste valable.',
    end: 'Se désabonner',
    endedTitle: 'Vous êtes désabonné',
    endedText:
      '{shop} ne vous enverra plus d’invitations. Ce que vous avez sur votre téléphone reste valable.',
  },
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
    problems: {
      required: 'Veuillez remplir ce champ.',
      email: 'Ce n’est pas une adresse e-mail, comme ada@example.com.',
      phone:
        'Ce n’est pas un numéro de téléphone. Indiquez-le avec l’indicatif du pays, comme +33 1 99 00 12 34.',
      other: 'Ce texte est illisible. Veuillez le saisir de nouveau.',
      consent: 'Cochez cette case pour continuer.',
    },
    wait: 'Un instant…',
    privacy: 'Ce que vous indiquez ici est transmis à {shop}.',
    sentTitle: 'Consultez vos e-mails',
    sentText: 'Un message est en route vers {email}. Son bouton ouvre ce que vous avez demandé.',
    sentHint: 'Rien reçu\u00a0? Regardez dans les indésirables, ou revenez en arrière et vérifiez l’adresse.',
    proveTitle: 'Encore une étape',
    proveText: 'Le bouton confirme votre adresse {email}. Ensuite, direction votre téléphone.',
    prove: 'Confirmer et ouvrir',
    subject: '{title}\u00a0: confirmez votre adresse',
    hello: 'Bonjour {name},',
    helloUnnamed: 'Bonjour,',
    asked:
      'Quelqu’un a demandé «\u00a0{title}\u00a0» à {shop} avec cette adresse. Si c’était vous, appuyez sur le bouton. Si vous l’avez déjà, il ouvre la vôtre.',
    notYou:
      'Si ce n’était pas vous, ne faites rien. Sans ce bouton, personne n’obtient rien avec votre adresse.',
    once: 'Le bouton fonctionne une fois, pendant 24 heures.',
    scan: 'Scannez avec l’appareil photo de votre téléphone',
    ways: 'Dans Apple\u00a0Wallet, Google\u00a0Wallet ou votre navigateur.',
  },
  error: {
    reference: 'Si vous demandez de l’aide, donnez ce numéro\u00a0:',
    failed: {
      title: 'Cela n’a pas marché',
      text: ['Revenez en arrière et réessayez, ou demandez de l’aide au magasin.'],
    },
    ourFault: {
      title: 'Un problème est survenu de notre côté',
      text: [
        'Patientez une minute, puis rechargez cette page.',
        'Si cela se reproduit, prévenez le magasin.',
      ],
    },
    tooBusy: { title: 'Trop de monde à la fois', text: ['Patientez une minute, puis rechargez cette page.'] },
    notOffered: {
      title: 'Cette carte n’est pas disponible pour le moment',
      text: [
        'Le magasin ne délivre pas cette carte actuellement. Celles qui ont été délivrées restent valables.',
      ],
    },
    noPage: {
      title: 'Cette page n’existe pas',
      text: [
        'Il manque peut-être une partie de l’adresse. Vous cherchez une carte\u00a0? Ouvrez de nouveau le lien dans le message où il se trouve.',
        'La documentation commence à /docs, où l’on peut aussi chercher.',
      ],
    },
    noWallet: {
      title: 'Ce portefeuille n’est pas proposé ici',
      text: [
        'Le magasin ne l’a pas encore configuré.',
        'Revenez en arrière et choisissez une autre façon d’ajouter la carte.',
      ],
    },
    walletSilent: {
      title: 'Ce portefeuille ne répond pas',
      text: [
        'Patientez une minute, puis rechargez cette page.',
        'Ou revenez en arrière et choisissez une autre façon d’ajouter la carte.',
      ],
    },
    suspended: {
      title: 'Les cartes de ce magasin sont suspendues',
      text: ['Elles ne peuvent pas être ajoutées pour le moment. Adressez-vous au magasin.'],
    },
    notOpen: {
      title: 'Personne ne peut s’inscrire ici pour le moment',
      text: [
        'Le magasin ne délivre pas cette carte ici actuellement, ou une partie de l’adresse manque.',
        'Adressez-vous au magasin.',
      ],
    },
    incomplete: {
      title: 'Il manque quelque chose dans le formulaire',
      text: ['Revenez en arrière, remplissez ce qui est demandé et envoyez-le de nouveau.'],
    },
    usedLink: {
      title: 'Ce lien ne fonctionne plus',
      text: [
        'Son bouton fonctionne une fois, pendant 24 heures.',
        'Remplissez de nouveau le formulaire, et vous recevrez un autre message.',
      ],
    },
    allGone: {
      title: 'Il n’y en a plus',
      text: ['Tout a été distribué. Demandez au magasin s’il y en aura d’autres.'],
    },
    brokenLink: {
      title: 'Ce lien ne fonctionne pas',
      text: [
        'Il en manque peut-être une partie, ou la carte a été retirée.',
        'Ouvrez de nouveau le lien dans le message où il se trouve. Si cela ne suffit pas, demandez-en un autre au magasin.',
      ],
    },
    tooSlow: {
      title: 'La connexion était trop lente',
      text: ['Rechargez cette page, peut-être là où la réception est meilleure.'],
    },
    wrongPassword: {
      title: 'Cela ne connecte personne',
      text: [
        'Allez à /sign-in et réessayez, ou autrement\u00a0: sans mot de passe, vous recevez un lien par e-mail.',
        'Qui n’a pas été invité n’entre pas. Demandez à un propriétaire de l’espace de travail.',
      ],
    },
    providerSilent: {
      title: 'Le fournisseur avec lequel vous vous connectez ne répond pas',
      text: ['Patientez une minute, puis réessayez. Ou connectez-vous autrement à /sign-in.'],
    },
    signInAgain: {
      title: 'Veuillez vous connecter encore une fois',
      text: ['Il faut s’être connecté dans les dix dernières minutes. Allez à /sign-in, puis revenez.'],
    },
    signedOut: { title: 'Vous êtes déconnecté', text: ['Allez à /sign-in pour vous reconnecter.'] },
    usedSignIn: {
      title: 'Ce lien ne fonctionne plus',
      text: [
        'Il connecte une fois, et pas longtemps. Il a peut-être servi, ou il en manque une partie.',
        'Demandez-en un autre\u00a0: à /sign-in, ou à la personne qui vous l’a envoyé.',
      ],
    },
    tooOften: {
      title: 'Trop de tentatives',
      text: ['Patientez quelques minutes, puis réessayez.'],
    },
    weakPassword: {
      title: 'Choisissez un autre mot de passe',
      text: [
        'Il faut au moins dix caractères. Votre adresse, un même caractère répété et les mots de passe très répandus sont essayés en premier.',
        'Revenez en arrière et choisissez-en un autre.',
      ],
    },
    otherSite: {
      title: 'Ceci vient d’un autre site',
      text: ['Ouvrez /sign-in à l’adresse du service lui-même.'],
    },
    notAtTill: {
      title: 'Pas sur une caisse partagée',
      text: ['Connectez-vous dans un navigateur à vous.'],
    },
  },
  people,
};
