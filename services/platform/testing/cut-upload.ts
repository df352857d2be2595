import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from './seeded.js';
import type { TusClient } from './tus-client.js';
import { until } from './until.js';

const WRITTEN_AT_ONCE = 64 * 1024;
/**
 * As fast as a good line, 8 MB in a second. What is handed over faster than it is taken waits in the system's memory, and a kill
 * loses it, however well the server keeps what it gets.
 */
const PAUSE_MS = 8;
const SLOW = { limit: 100_000 };
/** Another writer was faster. */
const CONFLICT = 409;

export interface CutUpload {
  tus: TusClient;
  id: string;
  file: Uint8Array;
  cuts: number;
  kills: number;
  dice: Dice;
  /** Kills the server, starts it again, and resolves to what speaks to it then. */
  kill(): Promise<TusClient>;
}

/**
 * Sends a file through a connection that is cut, to a server that is killed, both somewhere in equal parts of the file; it goes on
 * each time where the server says that it has come to. Resolves to the bytes that were handed to connections, all in all.
 * Rejects where the server has forgotten what it had acknowledged.
 */
export async function sendWithCuts({ tus, id, file, cuts, kills, dice, kill }: CutUpload): Promise<number> {
  let client = tus;
  let [sent, acknowledged] = [0, 0];

  /** Up to `end`, from where the server stands. Resolves to its status; undefined of what had none, as a broken one has. */
  async function send(end: number, then: 'cut' | 'kill' | 'end'): Promise<number | undefined> {
    const from = await client.offsetOf(id);
    if (from === undefined || from < acknowledged)
      throw new Error(`The upload stood at ${acknowledged}, and now at ${from}`);
    acknowledged = from;
    const { request, answer } = await client.slowPatch(id, from, file.length - from);
    let status: number | undefined;
    const answered = answer.then((given) => (status = given));
    const over = quietly(Promise.race([answered, once(request, 'close')]));
    for (const part of partsOf(file.subarray(from, end))) {
      if (status !== undefined || request.destroyed) break;
      sent += part.length;
      if (!request.write(part)) await Promise.race([quietly(once(request, 'drain')), over]);
      await pause(PAUSE_MS);
    }
    if (status === undefined && !request.destroyed && then === 'end') {
      request.end();
      return answer;
    }
    // One that the server has broken is no cut of ours: the next one takes its place.
    if (status === undefined && request.destroyed) return CONFLICT;
    // In the middle of what it is told.
    if (status === undefined && then === 'kill') client = await kill();
    request.destroy();
    return status;
  }

  const breaks = dice.shuffled([
    ...Array.from({ length: cuts }, () => false),
    ...Array.from({ length: kills }, () => true),
  ]);
  const step = file.length / (breaks.length + 1);
  for (const [index, isKill] of breaks.entries()) {
    const end = Math.round(step * (index + 1)) - dice.below(WRITTEN_AT_ONCE);
    await goOn(() => send(end, isKill ? 'kill' : 'cut'));
  }
  await goOn(async () => {
    const status = await send(file.length, 'end');
    if (status !== 204 && status !== CONFLICT) throw new Error(`The last bytes were answered with ${status}`);
    return status;
  });
  return sent;
}

/** Of what is only waited for; a broken connection is seen by the request itself. */
const quietly = (happening: Promise<unknown>) => happening.catch(() => undefined);

/** What the connection before has brought may still be stored after the server was asked: then the place is another one. */
async function goOn(send: () => Promise<number | undefined>): Promise<void> {
  await until(async () => (await send()) !== CONFLICT, { what: 'a place to go on', ...SLOW });
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += WRITTEN_AT_ONCE) yield bytes.subarray(at, at + WRITTEN_AT_ONCE);
}
