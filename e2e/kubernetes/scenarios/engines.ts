import { until } from '@pulso/platform/testing/until';
import type { Cluster } from '../cluster.js';
import { Probe } from '../load/probe.js';
import { underLoad } from '../load/under-load.js';
import { INBOX_PORT, type Pod, isReady, nameOf, shortState } from '../pods.js';
import { ENGINES, PROCESSES, pause, restartsOf } from '../processes.js';
import type { Figures, Scenario } from '../scenario.js';

/** An engine ends in order, starts, and reads its data. */
const RETURN_MS = 180_000;
/** From an engine's return until everything serves. */
const SERVES_MS = 60_000;

/** Each engine goes away and comes back, one after the other. */
export const engines: Scenario = {
  name: 'engines',
  shows:
    'each engine deleted under load: nothing acknowledged lost, all serves within a minute of its return, no process restarted',
  run: (cluster) =>
    underLoad(
      cluster,
      async (url) => {
        const figures: Figures = {};
        const probe = await Probe.start(cluster, url);
        const before = restartsOf(await cluster.pods(PROCESSES));
        for (const engine of await runningEngines(cluster)) {
          const away = await untilBack(cluster, engine);
          const inbox = await cluster.forward('mail', INBOX_PORT);
          try {
            const serving = await probe.untilServes(inbox.url, SERVES_MS);
            figures[nameOf(engine)] = `away for ${away} s, all serves ${serving} s after its return`;
          } catch (error) {
            throw new Error(
              `After ${nameOf(engine)}, which was away for ${away} s: ${(error as Error).message}`,
              {
                cause: error,
              },
            );
          } finally {
            await inbox.close();
          }
        }
        const after = await cluster.pods(PROCESSES);
        const restarts = restartsOf(after);
        const restarted = after.filter(
          ({ metadata: { uid } }) => restarts.get(uid) !== (before.get(uid) ?? 0),
        );
        if (restarted.length > 0)
          throw new Error(`Restarted while an engine was away: ${restarted.map(shortState).join(', ')}`);
        return { ...figures, 'processes, none of which was restarted': after.length };
      },
      { mayFail: true },
    ),
};

/** Without the Jobs that set them up. */
async function runningEngines(cluster: Cluster): Promise<Pod[]> {
  return (await cluster.pods(ENGINES)).filter(({ status }) => status.phase === 'Running');
}

/** Deletes an engine's pod. Resolves when its successor is ready. @returns seconds */
async function untilBack(cluster: Cluster, engine: Pod): Promise<number> {
  const startedAt = performance.now();
  const selector = `app.kubernetes.io/name=${nameOf(engine)},${ENGINES}`;
  await cluster.kubectl(['delete', 'pod', engine.metadata.name, '--wait=false']);
  let seen: Pod[] = [];
  const isBack = async () => {
    seen = await cluster.pods(selector);
    const next = seen.filter(({ metadata }) => metadata.uid !== engine.metadata.uid);
    return next.some(isReady) || pause(cluster);
  };
  const what = () => `${nameOf(engine)} again; there were ${seen.map(shortState).join(', ') || 'no pods'}`;
  await until(isBack, { what, limit: RETURN_MS });
  return Math.round((performance.now() - startedAt) / 1000);
}
