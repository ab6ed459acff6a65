import tls from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A server in a thread of its own, so that its answers come while the event loop of a test is at work: run it as a Worker with `cert` and `key`;
 * it sends its port. It answers with the number of the connection, to `/last` before it ends that one, and to `/silence` never.
 */
let connections = 0;
const server = tls.createServer(workerData as { cert: string; key: string }, (socket) => {
  connections += 1;
  const number = String(connections);
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${number.length}\r\n\r\n${number}`;
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    const [, path] = bytes.toString().split(' ');
    if (path === '/last') socket.end(answer);
    else if (path !== '/silence') socket.write(answer);
  });
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage(server.address()));
