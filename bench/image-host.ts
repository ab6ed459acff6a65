import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import { issueServerCertificate, makeAuthority } from '../tools/fakes/authority.ts';

/**
 * An HTTPS server with photos of about a megabyte, as a process of its own: /0.jpg, /1.jpg and so on, of which no two are
 * alike. Writes the certificate of its authority to the file that is its argument, and sends its URL to its parent.
 */
const photos = 24;

const authority = makeAuthority();
const pictures = await Promise.all(
  Array.from({ length: photos }, (_, index) =>
    photo(1_600, 1_200)
      .modulate({ hue: (index * 360) / photos })
      .jpeg({ quality: 95 })
      .toBuffer(),
  ),
);
await writeFile(process.argv[2] ?? '', authority.certificate.toString());
const server = createServer(issueServerCertificate(authority, ['127.0.0.1']), (request, response) => {
  const bytes = pictures[Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0) % photos] ?? Buffer.alloc(0);
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
