import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { withSeed } from '../support/dice.js';
import { raceMessages } from '../support/message-race.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';

/** `npm run soak -- messages` sends and kills more. */
const MESSAGES = Number(process.env.RACE_MESSAGES ?? 240);
const KILLS = Number(process.env.RACE_KILLS ?? 1);

describe(withSeed('two users who write to each other while the whole process tree is killed -9'), () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-race-'));
  let running: PulsoProcess | undefined;

  afterAll(async () => {
    await running?.killTree();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  // Rule: MSG-5, MSG-6, MSG-7
  it(
    `lose, double and reorder none of ${MESSAGES} messages over ${KILLS} kills`,
    async () => {
      running = await startPulsoProcess({ dataDirectory });
      const { url } = running;
      const signUp = (name: string) => new ApiClient(url).signUp(name);
      const { wrong, repeats, walks } = await raceMessages([await signUp('ada'), await signUp('ben')], {
        urls: () => [running!.url],
        messages: MESSAGES,
        kills: KILLS,
        async kill() {
          await running!.killTree();
          running = await startPulsoProcess({ dataDirectory });
        },
      });
      expect(wrong).toEqual([]);
      // The kills fell into the race, and so did the readers.
      expect(repeats).toBeGreaterThan(0);
      expect(walks).toBeGreaterThan(0);
    },
    300_000 + KILLS * 180_000 + MESSAGES * 100,
  );
});
