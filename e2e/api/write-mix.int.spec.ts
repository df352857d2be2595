import { ApiClient } from '../support/api-client.js';
import { withSeed } from '../support/dice.js';
import { expectIntact } from '../support/expect-intact.js';
import { metricOf, samplesOf } from '../support/operations.js';
import { runPacedMix } from '../support/paced-mix.js';
import { type TestPulso, startPulso } from '../support/start-pulso.js';
import { newLedger } from '../support/write-mix.js';

/** The short form of the soak `write-mix` (`npm run soak -- write-mix`). */
describe(withSeed('a steady mix of writes'), () => {
  let pulso: TestPulso;
  beforeAll(async () => void (pulso = await startPulso()));
  afterAll(() => pulso?.close());

  it('is stored as acknowledged, and makes no dead letter', async () => {
    const names = Array.from({ length: 4 }, (_, index) => `writer-${index}`);
    for (const name of names) await new ApiClient(pulso.url).signUp(name);
    await pulso.drainEvents();
    const ledger = newLedger();
    const mix = await runPacedMix({ url: pulso.url, names, ledger, rate: 50, posts: 20 }, 4);
    await pulso.drainEvents();
    expect(mix.writes + mix.unanswered.length).toBe(200);
    expect(await metricOf(pulso.operationsUrls, 'pulso_events_dead_lettered_total')).toBe(0);
    await expectIntact(pulso.url, names, ledger);
  });

  // An event that waits in a group must not hold up other topics.
  it('is consumed by groups of one topic each', async () => {
    const name = 'pulso_events_failed_total';
    const samples = (await Promise.all(pulso.operationsUrls.map((url) => samplesOf(url, name)))).flat();
    const groups = samples.map(({ labels }) => labels.group!);
    expect(groups).toContain('posts.user');
    expect([...new Set(groups)]).toEqual(groups);
  });
});
