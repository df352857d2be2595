import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { expectIntact } from '../support/expect-intact.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { type Ledger, newLedger, plainly, writeOnce } from '../support/write-mix.js';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const WRITERS = 4;

describe('kill -9 of the whole process tree during a mix of writes', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-crash-'));
  const ledger = newLedger();
  let running: PulsoProcess | undefined;

  afterAll(async () => {
    await running?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  it(
    `loses no acknowledged write and repeats none in ${ROUNDS} rounds`,
    async () => {
      let pulso = await startPulsoProcess({ dataDirectory });
      running = pulso;
      const names = Array.from({ length: WRITERS }, (_, index) => `writer-${index}`);
      for (const name of names) await new ApiClient(pulso.url).signUp(name);

      for (let round = 0; round < ROUNDS; round += 1) {
        const clients = await Promise.all(names.map((name) => new ApiClient(pulso.url).logIn(name)));
        const ending = { now: false };
        const writing = clients.map((client, index) => writeUntil(ending, client, names[index]!, ledger));
        await new Promise((resolve) => setTimeout(resolve, randomInt(50, 1_000)));
        await pulso.killTree();
        ending.now = true;
        await Promise.all(writing);
        pulso = await startPulsoProcess({ dataDirectory });
        running = pulso;
        await expectIntact(pulso.url, names, ledger);
      }
      expect(ledger.posts.size).toBeGreaterThan(ROUNDS);
      expect(ledger.comments.size).toBeGreaterThan(0);
    },
    60_000 + ROUNDS * 30_000,
  );
});

/** Writes at random until the server dies; a request that fails for another reason fails the test. */
async function writeUntil(
  ending: { now: boolean },
  client: ApiClient,
  name: string,
  ledger: Ledger,
): Promise<void> {
  const writer = { name, send: plainly(client), ledger, repeats: () => false };
  for (let count = 0; !ending.now; count += 1) {
    try {
      await writeOnce(writer, count);
    } catch (error) {
      // Errors of fetch belong to another realm, so they are not instances of the suite's own TypeError.
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return;
      throw error;
    }
  }
}
