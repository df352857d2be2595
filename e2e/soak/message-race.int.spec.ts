import { type NativeEngines, startNativeEngines } from '../../tools/engines/native.mjs';
import { ApiClient } from '../support/api-client.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import { dice, withSeed } from '../support/dice.js';
import { raceMessages } from '../support/message-race.js';

const MESSAGES = Number(process.env.RACE_MESSAGES ?? 10_000);
const KILLS = Number(process.env.RACE_KILLS ?? 20);
const SET_UP_MS = 300_000;

describe(withSeed('two users who write to each other while processes of the cluster are killed -9'), () => {
  let engines: NativeEngines;
  let pulso: ClusterUnderTest;

  beforeAll(async () => {
    engines = await startNativeEngines();
    pulso = await startClusterPulso({ engines, replicas: { gateway: 2, messaging: 2 } });
  }, SET_UP_MS);
  afterAll(async () => {
    await pulso?.close();
    await engines?.stop();
  }, SET_UP_MS);

  // Rule: MSG-5, MSG-6, MSG-7
  it(
    `lose, double and reorder none of ${MESSAGES} messages over ${KILLS} kills`,
    async () => {
      const { messaging, gateway } = pulso.processes;
      const killed: string[] = [];
      const signUp = (name: string) => new ApiClient(pulso.url).signUp(name);
      const { wrong, repeats, walks } = await raceMessages([await signUp('ada'), await signUp('ben')], {
        urls: () => pulso.urls,
        messages: MESSAGES,
        kills: KILLS,
        async kill() {
          const members = [...messaging, ...gateway];
          const victim = members[dice.below(members.length + 1)];
          killed.push(victim?.name ?? 'document store');
          if (victim) await victim.kill();
          else process.kill(engines.engines.documents.pid, 'SIGKILL');
        },
      });
      console.log(`${repeats} calls repeated, ${walks} walks, killed: ${killed.join(', ')}`);
      expect(wrong).toEqual([]);
      expect(repeats).toBeGreaterThan(0);
    },
    300_000 + KILLS * 60_000 + MESSAGES * 100,
  );
});
