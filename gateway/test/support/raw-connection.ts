import { connect, type Socket } from 'node:net';

/** A connection to the gateway for what fetch cannot send. */
export interface RawConnection {
  socket: Socket;
  /** All that has been answered, once the gateway has closed the connection. */
  answer: Promise<string>;
}

export function rawConnection(url: string, text: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname);
    const ended = new Promise<string>((end) => socket.on('close', () => end(answer)));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.write(text, () => resolve({ socket, answer: ended }));
  });
}

/** What is answered to `text` before the gateway closes the connection. */
export const answerTo = async (url: string, text: string) => (await rawConnection(url, text)).answer;
