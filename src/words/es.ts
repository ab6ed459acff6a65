import type { Words } from './words.ts';

export const es: Words = {
  join: {
    get: {
      card: 'Obtener mi tarjeta',
      coupon: 'Obtener mi cupón',
      ticket: 'Obtener mi entrada',
      giftCard: 'Obtener mi tarjeta regalo',
    },
    lead: 'Rellena esto y llévala en el móvil. Sin aplicación ni cuenta.',
    leadBare: 'Un toque y la tienes en el móvil. Sin aplicación ni cuenta.',
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    optional: 'opcional',
    wait: 'Un momento…',
    privacy: 'Lo que escribas aquí lo recibe {shop}.',
    sentTitle: 'Mira tu correo',
    sentText: 'Hay un mensaje en camino a {email}. Su botón abre lo que has pedido.',
    sentHint: '¿No ha llegado nada? Mira en el correo no deseado, o vuelve atrás y revisa la dirección.',
    proveTitle: 'Un paso más',
    proveText: 'El botón confirma tu dirección {email}. Después, al móvil.',
    prove: 'Confirmar y abrir',
    subject: '{title}: confirma tu dirección',
    hello: 'Hola, {name}:',
    helloNobody: 'Hola:',
    asked:
      'Alguien ha pedido «{title}» a {shop} con esta dirección. Si has sido tú, pulsa el botón. Si ya la tienes, el botón abre la tuya.',
    notYou: 'Si no has sido tú, no hagas nada. Sin este botón nadie obtiene nada con tu dirección.',
    once: 'El botón funciona una vez, durante 24 horas.',
    scan: 'Escanea con la cámara del móvil',
    ways: 'En Apple\u00a0Wallet, Google\u00a0Wallet o en el navegador.',
  },
};
