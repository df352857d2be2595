import { rmSync } from 'node:fs';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { ApiClient } from '../support/api-client.js';
import { untilKnown } from '../support/crowd.js';
import { dice, withSeed } from '../support/dice.js';
import { expectIntact } from '../support/expect-intact.js';
import { messageOnce } from '../support/message-mix.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { aDataDirectory } from '../support/template-directory.js';
import { type Ledger, newLedger, plainly, writeOnce, type Writer } from '../support/write-mix.js';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const WRITERS = 4;
/** The most writes that are answered before a kill is due. */
const MOST_WRITES = 300;

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
      for (const name of names) await untilKnown(await new ApiClient(pulso.url).signUp(name));

      for (let round = 0; round < ROUNDS; round += 1) {
        const clients = await Promise.all(names.map((name) => new ApiClient(pulso.url).logIn(name)));
        const people = new Map(clients.map(({ userId }, index) => [names[index]!, userId]));
        const mix: Mix = { over: false, answered: 0 };
        onTestEnd(() => (mix.over = true));
        const before = countsOf(ledger);
        const writing = Promise.all(
          clients.flatMap((client, index) => {
            const writer = (own: ApiClient): Writer => {
              return { name: names[index]!, send: plainly(own), ledger, repeats: () => false };
            };
            const [author, sender] = [writer(client), writer(sameSession(client))];
            return [
              writeUntil(mix, (count) => writeOnce(author, count)),
              writeUntil(mix, (count) => messageOnce(sender, people, count)),
            ];
          }),
        );
        // A writer that fails is awaited below; until then it must not count as unhandled.
        writing.catch(() => (mix.over = true));
        // The writers go on meanwhile, so that the kill meets some writes half way.
        const wanted = dice.below(MOST_WRITES);
        const isEnough = () => {
          const { posts, comments, messages } = countsOf(ledger);
          return (
            mix.answered >= wanted &&
            posts > before.posts + 1 &&
            comments > before.comments &&
            messages > before.messages
          );
        };
        await until(() => mix.over || isEnough(), {
          what: () => `posts, a comment, a message and ${wanted} writes, of which there were ${mix.answered}`,
        });
        await pulso.killTree();
        mix.over = true;
        await writing;
        pulso = await startPulsoProcess({ dataDirectory });
        running = pulso;
        await expectIntact(pulso.url, names, ledger);
      }
    },
    180_000 + ROUNDS * 120_000,
  );
});

interface Mix {
  over: boolean;
  /** How many writes were answered. */
  answered: number;
}

const countsOf = ({ posts, comments, messages }: Ledger) => ({
  posts: posts.size,
  comments: comments.size,
  messages: [...messages.values()].reduce((sum, texts) => sum + texts.length, 0),
});

/** A second client of a signed-in user, whose writes run beside the first one's. */
const sameSession = ({ url, accessToken }: ApiClient) => Object.assign(new ApiClient(url), { accessToken });

/** Writes until the server dies; a request that fails for another reason fails the test. */
async function writeUntil(mix: Mix, write: (count: number) => Promise<void>): Promise<void> {
  for (let count = 0; !mix.over; count += 1) {
    try {
      await write(count);
      mix.answered += 1;
    } catch (error) {
      // Errors of fetch belong to another realm, so they are not instances of the suite's own TypeError.
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return;
      throw error;
    }
  }
}
