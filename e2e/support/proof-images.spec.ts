import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { Cluster } from '../kubernetes/cluster.js';
import { watchImages } from '../kubernetes/watch-images.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
const PAUSE_MS = 1;
/** In place of kubectl: shows what the file of the look's number has, and the last one from then on. */
const KUBECTL = `#!/bin/sh
cd "$LOOKS" || exit 1
look=$(($(cat count) + 1))
[ -e "$look" ] || look=$(cat last)
echo "$look" > count
echo x >> done
[ "$(cat "$look")" != away ] || exit 1
cat "$look"
`;
/** In place of Skaffold: waits for pods that never come. */
const SKAFFOLD = `#!/bin/sh
echo "Starting deploy..."
exec sleep 600
`;

/** A pod with an image, whose container is in this state. */
const pods = (...states: { image: string; reason?: string }[]) =>
  JSON.stringify({
    items: states.map(({ image, reason }, index) => ({
      metadata: { name: `pod-${index}`, uid: `${index}`, labels: {}, creationTimestamp: '' },
      spec: { containers: [{ name: 'process', image }] },
      status: {
        phase: 'Pending',
        containerStatuses: [
          {
            name: 'process',
            ready: false,
            restartCount: 0,
            state: reason ? { waiting: { reason, message: 'not found' } } : { running: { startedAt: '' } },
          },
        ],
      },
    })),
  });

/** @param looks what kubectl shows at each look, or `away` */
function aCluster(looks: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-proof-images-'));
  const { PATH, LOOKS } = process.env;
  const ending = new AbortController();
  const cluster = new Cluster(root, 'kind-test', ending.signal);
  onTestEnd(() => {
    cluster.skaffold.close();
    Object.assign(process.env, { PATH, LOOKS: LOOKS ?? '' });
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [index, text] of looks.entries()) writeFileSync(join(folder, `${index + 1}`), text);
  writeFileSync(join(folder, 'count'), '0');
  writeFileSync(join(folder, 'last'), `${looks.length}`);
  for (const [name, program] of Object.entries({ kubectl: KUBECTL, skaffold: SKAFFOLD })) {
    writeFileSync(join(folder, name), program);
    chmodSync(join(folder, name), 0o755);
  }
  Object.assign(process.env, { PATH: `${folder}${delimiter}${PATH}`, LOOKS: folder });
  return { cluster, ending, folder };
}

const fine = pods({ image: 'redis:7' });
const refused = pods({ image: 'redis:7' }, { image: 'kafka:9', reason: 'ErrImagePull' });
const waits = pods({ image: 'redis:7' }, { image: 'kafka:9', reason: 'ImagePullBackOff' });

describe('images in the proof on a cluster', () => {
  it('are named when they cannot be had in four looks in a row', async () => {
    const { cluster } = aCluster([fine, refused, waits, waits, refused]);
    await expect(watchImages(cluster, new AbortController().signal, PAUSE_MS)).rejects.toThrow(
      'Images that the cluster cannot have: kafka:9 of pod-1 (ErrImagePull: not found)',
    );
  });

  it('end what waits for their pods', async () => {
    const { cluster, ending } = aCluster([waits]);
    const deployed = cluster.skaffold.run();
    const watched = watchImages(cluster, new AbortController().signal, PAUSE_MS).catch((error: unknown) =>
      ending.abort(error),
    );
    await expect(deployed).rejects.toThrow('kafka:9 of pod-1 (ImagePullBackOff: not found)');
    await watched;
  });

  it('may come late, and an API that does not answer says nothing of them', async () => {
    const looks = [refused, waits, waits, fine, refused, waits, waits, 'away', waits, waits, refused, fine];
    const { cluster, folder } = aCluster(looks);
    const over = new AbortController();
    const watched = watchImages(cluster, over.signal, PAUSE_MS);
    const done = join(folder, 'done');
    const areSeen = () => existsSync(done) && readFileSync(done, 'utf8').length > 2 * looks.length;
    await until(areSeen, { what: 'all looks' });
    over.abort();
    await expect(watched).resolves.toBeUndefined();
  });
});
