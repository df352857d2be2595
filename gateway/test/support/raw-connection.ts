import { connect, type Socket } from 'node:net';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';

/** A connection to the gateway for what fetch cannot send; it ends with the test. */
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
    onTestEnd(() => socket.destroy());
    const ended = new Promise<string>((end) => socket.on('close', () => end(answer)));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.write(text, () => resolve({ socket, answer: ended }));
  });
}

/** What is answered to `text` before the gateway closes the connection. */
export const answerTo = async (url: string, text: string) => (await rawConnection(url, text)).answer;
