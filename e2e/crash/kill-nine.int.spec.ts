import { rmSync } from 'node:fs';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { ApiClient } from '../support/api-client.js';
import { dice, withSeed } from '../support/dice.js';
import { expectIntact } from '../support/expect-intact.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { aDataDirectory } from '../support/template-directory.js';
import { type Ledger, newLedger, plainly, writeOnce } from '../support/write-mix.js';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const WRITERS = 4;

describe(withSeed('kill -9 of the whole process tree during a mix of writes'), () => {
  let dataDirectory: string;
  const ledger = newLedger();
  let running: PulsoProcess | undefined;

  beforeAll(async () => void (dataDirectory = await aDataDirectory('crash')));
  afterAll(async () => {
    await running?.killTree();
    if (dataDirectory) rmSync(dataDirectory, { recursive: true, force: true });
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
        const mix: Mix = { over: false, answered: 0 };
        onTestEnd(() => (mix.over = true));
        const before = { posts: ledger.posts.size, comments: ledger.comments.size };
        const writing = Promise.all(
          clients.map((client, index) => writeUntil(mix, client, names[index]!, ledger)),
        );
        // A writer that fails is awaited below; until then it must not count as unhandled.
        writing.catch(() => (mix.over = true));
        // The writers go on meanwhile, so that the kill meets some writes half way.
        const wanted = dice.below(300);
        const isEnough = () =>
          mix.answered >= wanted &&
          ledger.posts.size > before.posts + 1 &&
          ledger.comments.size > before.comments;
        await until(() => mix.over || isEnough(), {
          what: () => `posts, a comment and ${wanted} writes, of which there were ${mix.answered}`,
        });
        await pulso.killTree();
        mix.over = true;
        await writing;
        pulso = await startPulsoProcess({ dataDirectory });
        running = pulso;
        await expectIntact(pulso.url, names, ledger);
      }
    },
    180_000 + ROUNDS * 60_000,
  );
});

interface Mix {
  over: boolean;
  /** How many writes were answered. */
  answered: number;
}

/** Writes at random until the server dies; a request that fails for another reason fails the test. */
async function writeUntil(mix: Mix, client: ApiClient, name: string, ledger: Ledger): Promise<void> {
  const writer = { name, send: plainly(client), ledger, repeats: () => false };
  for (let count = 0; !mix.over; count += 1) {
    try {
      await writeOnce(writer, count);
      mix.answered += 1;
    } catch (error) {
      // Errors of fetch belong to another realm, so they are not instances of the suite's own TypeError.
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return;
      throw error;
    }
  }
}
