import { randomBytes } from 'node:crypto';

/** Where the calls of tills and phones go. */
export interface Till {
  readonly port: number;
  /** `Host` and `Authorization`, each with its end of line. */
  readonly headers: string;
  readonly passId: string;
  /** Public ids of cards, and the tokens of their links. */
  readonly cards: readonly (readonly [instanceId: string, token: string])[];
}

/**
 * What tills and phones send all day. Of ten calls three award points, each with a reference of its own, one issues a
 * card, two look a card up, one opens a card's page, and three fetch a pass file, which is signed for that.
 */
export function tillRequests({ headers, passId, cards }: Till): () => string {
  const prefix = randomBytes(6).toString('hex');
  let serial = 0;
  const get = (path: string) => `GET /v1${path} HTTP/1.1\r\n${headers}\r\n`;
  const post = (path: string, body: object) => {
    const text = JSON.stringify({ ...body, externalRef: `${prefix}-${serial}` });
    return `POST /v1${path} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  };
  return () => {
    const [instanceId, token] = cards[Math.floor(Math.random() * cards.length)] ?? [];
    switch (serial++ % 10) {
      case 0:
      case 3:
      case 6:
        return get(`/p/${token}/apple.pkpass`);
      case 1:
      case 8:
        return get(`/instances/${instanceId}`);
      case 4:
        return post(`/passes/${passId}/instances`, {});
      case 5:
        return get(`/p/${token}`);
      default:
        return post('/loyalty/points', { passId, instanceId, points: 1 });
    }
  };
}
