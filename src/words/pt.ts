import type { Words } from './words.ts';

export const pt: Words = {
  join: {
    get: {
      card: 'Obter o meu cartão',
      coupon: 'Obter o meu cupão',
      ticket: 'Obter o meu bilhete',
      giftCard: 'Obter o meu cartão-presente',
    },
    lead: 'Preencha e leve-o consigo no telemóvel. Sem aplicação nem conta.',
    leadBare: 'Um toque e fica no seu telemóvel. Sem aplicação nem conta.',
    name: 'Nome',
    email: 'Endereço de e-mail',
    phone: 'Número de telefone',
    optional: 'opcional',
    wait: 'Um momento…',
    privacy: 'O que indicar aqui é enviado a {shop}.',
    sentTitle: 'Veja o seu e-mail',
    sentText: 'Uma mensagem vai a caminho de {email}. O botão que contém abre o que pediu.',
    sentHint: 'Não chegou nada? Veja o correio não solicitado, ou volte atrás e confirme o endereço.',
    proveTitle: 'Só mais um passo',
    proveText: 'O botão confirma o seu endereço {email}. Depois, segue para o telemóvel.',
    prove: 'Confirmar e abrir',
    subject: '{title}: confirme o seu endereço',
    hello: 'Olá {name},',
    helloNobody: 'Olá,',
    asked:
      'Alguém pediu «{title}» a {shop} com este endereço. Se foi você, carregue no botão. Se já o tem, o botão abre o seu.',
    notYou: 'Se não foi você, não faça nada. Sem este botão ninguém obtém nada com o seu endereço.',
    once: 'O botão funciona uma vez, durante 24 horas.',
    scan: 'Leia com a câmara do telemóvel',
    ways: 'No Apple\u00a0Wallet, no Google\u00a0Wallet ou no navegador.',
  },
};
