import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';

/** A server of a benchmark in a process of its own, with the options of `npm start`. */
export const child = (file: string): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: ['--max-semi-space-size=64'] });

/** What the server sends next. */
export function message<T>(from: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    from.once('message', resolve as (value: unknown) => void);
    from.once('exit', (code) => reject(new Error(`A server of the benchmark ended with code ${code}`)));
  });
}

export async function stop(server: ChildProcess): Promise<void> {
  server.send('stop');
  await new Promise((resolve) => server.once('exit', resolve));
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** An open stream of `GET /api/events` whose first event has come. */
export async function openStream(url: string, token: string): Promise<IncomingMessage> {
  const request = get(`${url}/api/events`, { headers: bearer(token), agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`A stream was refused with ${response.statusCode}`);
  await once(response, 'data');
  response.on('error', () => undefined).resume();
  return response;
}
