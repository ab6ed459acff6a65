import type { Words } from './words.ts';

export const tr: Words = {
  join: {
    get: { card: 'Kartımı al', coupon: 'Kuponumu al', ticket: 'Biletimi al', giftCard: 'Hediye kartımı al' },
    lead: 'Doldurun, telefonunuzda hep yanınızda olsun. Uygulama da hesap da gerekmez.',
    leadBare: 'Tek dokunuşla telefonunuzda. Uygulama da hesap da gerekmez.',
    name: 'Ad soyad',
    email: 'E-posta adresi',
    phone: 'Telefon numarası',
    optional: 'isteğe bağlı',
    wait: 'Bir dakika…',
    privacy: 'Buraya yazdıklarınız {shop} ile paylaşılır.',
    sentTitle: 'E-postanıza bakın',
    sentText: '{email} adresine bir ileti yolda. İçindeki düğme istediğinizi açar.',
    sentHint: 'Bir şey gelmedi mi? İstenmeyen postalara bakın ya da geri dönüp adresi denetleyin.',
    proveTitle: 'Bir adım kaldı',
    proveText: 'Düğme {email} adresinizi onaylar. Ardından telefonunuza geçilir.',
    prove: 'Onayla ve aç',
    subject: '{title}: adresinizi onaylayın',
    hello: 'Merhaba {name},',
    helloNobody: 'Merhaba,',
    asked:
      'Biri bu adresle {shop} için “{title}” istedi. Bu sizseniz düğmeye basın. Zaten varsa düğme sizinkini açar.',
    notYou: 'Siz değilseniz bir şey yapmanız gerekmez. Bu düğme olmadan kimse adresinizle bir şey alamaz.',
    once: 'Düğme bir kez, 24 saat boyunca çalışır.',
    scan: 'Telefonunuzun kamerasıyla okutun',
    ways: 'Apple\u00a0Wallet’ta, Google\u00a0Wallet’ta ya da tarayıcınızda.',
  },
};
