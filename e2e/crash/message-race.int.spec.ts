import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dice } from '@pulso/platform/testing/seeded';
import { ApiClient } from '../support/api-client.js';
import { raceMessages } from '../support/message-race.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';

const MESSAGES = Number(process.env.RACE_MESSAGES ?? 200);
const KILLS = Number(process.env.RACE_KILLS ?? 2);
const SEED = Number(process.env.RACE_SEED ?? randomInt(2 ** 31));

describe('two users who write to each other while the whole process tree is killed -9', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-race-'));
  let running: PulsoProcess | undefined;

  afterAll(async () => {
    await running?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  // Rule: MSG-5, MSG-6, MSG-7
  it(
    `lose, double and reorder none of ${MESSAGES} messages over ${KILLS} kills with RACE_SEED=${SEED}`,
    async () => {
      running = await startPulsoProcess({ dataDirectory });
      const { url } = running;
      const signUp = (name: string) => new ApiClient(url).signUp(name);
      const { wrong, repeats, walks } = await raceMessages([await signUp('ada'), await signUp('ben')], {
        urls: [url],
        messages: MESSAGES,
        dice: new Dice(SEED),
        kills: KILLS,
        async kill() {
          await running!.killTree();
          running = await startPulsoProcess({ dataDirectory, port: Number(new URL(url).port) });
        },
      });
      expect(wrong).toEqual([]);
      // The kills fell into the race, and so did the readers.
      expect(repeats).toBeGreaterThan(0);
      expect(walks).toBeGreaterThan(0);
    },
    240_000 + KILLS * 120_000 + MESSAGES * 100,
  );
});
