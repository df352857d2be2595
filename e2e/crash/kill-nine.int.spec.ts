import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dice } from '@pulso/platform/testing/seeded';
import { ApiClient } from '../support/api-client.js';
import { untilKnown } from '../support/crowd.js';
import { expectIntact } from '../support/expect-intact.js';
import { messageOnce } from '../support/message-mix.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { ARRIVED_MS } from '../support/seen.js';
import { waitFor } from '../support/wait-for.js';
import { acknowledged, newLedger, plainly, writeOnce, type Writer } from '../support/write-mix.js';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
const WRITERS = 4;
/** The most acknowledged writes before a kill, and the fewest. */
const [MOST_WRITES, FEWEST_WRITES] = [160, 40];

describe('kill -9 of the whole process tree during a mix of writes', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-crash-'));
  const ledger = newLedger();
  const dice = new Dice(SEED);
  let running: PulsoProcess | undefined;

  afterAll(async () => {
    await running?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  it(
    `loses no acknowledged write and repeats none in ${ROUNDS} rounds with CRASH_SEED=${SEED}`,
    async () => {
      let pulso = await startPulsoProcess({ dataDirectory });
      running = pulso;
      const names = Array.from({ length: WRITERS }, (_, index) => `writer-${index}`);
      for (const name of names) await untilKnown(await new ApiClient(pulso.url).signUp(name));

      for (let round = 0; round < ROUNDS; round += 1) {
        const clients = await Promise.all(names.map((name) => new ApiClient(pulso.url).logIn(name)));
        const ending = { now: false };
        const people = new Map(clients.map(({ userId }, index) => [names[index]!, userId]));
        const writing = clients.flatMap((client, index) => {
          const writer = (own: ApiClient): Writer => {
            return { name: names[index]!, send: plainly(own), ledger, dice, repeats: () => false };
          };
          const [author, sender] = [writer(client), writer(sameSession(client))];
          return [
            writeUntil(ending, (count) => writeOnce(author, count)),
            writeUntil(ending, (count) => messageOnce(sender, people, count)),
          ];
        });
        const wanted = acknowledged(ledger) + FEWEST_WRITES + dice.below(MOST_WRITES - FEWEST_WRITES);
        const arrived = waitFor(
          () => Promise.resolve(acknowledged(ledger)),
          (count) => count >= wanted,
          ARRIVED_MS,
        );
        // A writer ends before the kill only when it fails.
        await Promise.race([arrived, Promise.all(writing)]);
        await pulso.killTree();
        ending.now = true;
        await Promise.all(writing);
        pulso = await startPulsoProcess({ dataDirectory });
        running = pulso;
        await expectIntact(pulso.url, names, ledger);
      }
      expect(ledger.posts.size).toBeGreaterThan(ROUNDS);
      expect(ledger.comments.size).toBeGreaterThan(0);
      expect(ledger.messages.size).toBeGreaterThan(0);
    },
    120_000 + ROUNDS * 180_000,
  );
});

/** A second client of a signed-in user, whose writes run beside the first one's. */
const sameSession = ({ url, accessToken }: ApiClient) => Object.assign(new ApiClient(url), { accessToken });

/** Writes until the server dies; a request that fails for another reason fails the test. */
async function writeUntil(ending: { now: boolean }, write: (count: number) => Promise<void>): Promise<void> {
  for (let count = 0; !ending.now; count += 1) {
    try {
      await write(count);
    } catch (error) {
      // Errors of fetch belong to another realm, so they are not instances of the suite's own TypeError.
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return;
      throw error;
    }
  }
}
