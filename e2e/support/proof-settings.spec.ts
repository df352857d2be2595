import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Skaffold } from '../kubernetes/skaffold.js';

const root = join(fileURLToPath(import.meta.url), '../../..');

/** In place of Skaffold: keeps its arguments, its configuration, and the kustomizations that this names. */
const STAND_IN = `#!/bin/sh
echo "$@" > "$KEPT/arguments"
while [ "$1" != --filename ]; do shift; done
cp "$2" "$KEPT/skaffold.yaml"
for module in billing messaging payments; do
  file="$(dirname "$2")/$module/kustomization.yaml"
  if [ -e "$file" ]; then cp "$file" "$KEPT/$module.json"; fi
done
echo "Starting deploy..."
`;

function aSkaffold() {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-proof-settings-'));
  const { PATH, KEPT } = process.env;
  const skaffold = new Skaffold(root, 'kind-test', new AbortController().signal);
  onTestEnd(() => {
    skaffold.close();
    Object.assign(process.env, { PATH, KEPT: KEPT ?? '' });
    rmSync(folder, { recursive: true, force: true });
  });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/skaffold'), STAND_IN);
  chmodSync(join(folder, 'bin/skaffold'), 0o755);
  Object.assign(process.env, { PATH: `${join(folder, 'bin')}${delimiter}${PATH}`, KEPT: folder });
  const kept = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { skaffold, kept };
}

describe('Skaffold in the proof on a cluster', () => {
  it('deploys the tree as it is', async () => {
    const { skaffold, kept } = aSkaffold();
    await skaffold.run({ modules: ['billing'] });
    expect(kept('skaffold.yaml')).toBe(readFileSync(join(root, 'skaffold.yaml'), 'utf8'));
    expect(kept('arguments')).toMatch(
      /^run --module billing --profile kind --filename \S+ --kube-context kind-test$/m,
    );
  });

  it('deploys with its own profile what nobody gets who has not asked for it', async () => {
    const { skaffold, kept } = aSkaffold();
    for (const module of ['backup', 'payments']) {
      await skaffold.run({ modules: [module] });
      expect(kept('arguments')).toMatch(new RegExp(`^run --module ${module} --profile ${module} `, 'm'));
    }
  });

  it('deploys the settings of billing and the gateway with the payments, too', async () => {
    const { skaffold, kept } = aSkaffold();
    skaffold.set({ gateway: { RATE_LIMIT_FACTOR: '7' } });
    skaffold.set({ billing: { LOG_LEVEL: 'warn' } });
    await skaffold.run({ modules: ['payments'] });
    expect(kept('skaffold.yaml')).not.toContain('deploy/kubernetes/overlays/kind/payments]');
    const { resources, configMapGenerator } = JSON.parse(kept('payments.json')) as Record<string, unknown>;
    expect(resources).toEqual([expect.stringMatching(/\/deploy\/kubernetes\/overlays\/kind\/payments$/)]);
    expect(configMapGenerator).toEqual([
      { name: 'gateway', behavior: 'merge', literals: ['RATE_LIMIT_FACTOR=7'] },
      { name: 'billing', behavior: 'merge', literals: ['LOG_LEVEL=warn'] },
    ]);
  });

  it('deploys other settings by a kustomization of its own over that of the tree', async () => {
    const { skaffold, kept } = aSkaffold();
    skaffold.set({ billing: { LOG_LEVEL: 'warn' } });
    skaffold.set({ 'messaging-mail': { LOG_LEVEL: 'debug' } });
    await skaffold.run();
    expect(kept('arguments')).toMatch(/^run --module pulso /);
    expect(kept('skaffold.yaml')).not.toContain('deploy/kubernetes/overlays/kind/billing]');
    expect(kept('skaffold.yaml')).toContain('deploy/kubernetes/overlays/kind/posts]');
    const { resources, configMapGenerator } = JSON.parse(kept('billing.json')) as Record<string, unknown>;
    expect(resources).toEqual([
      expect.stringMatching(/^(\.\.\/)+.*deploy\/kubernetes\/overlays\/kind\/billing$/),
    ]);
    expect(configMapGenerator).toEqual([
      { name: 'billing', behavior: 'merge', literals: ['LOG_LEVEL=warn'] },
    ]);
    expect(JSON.parse(kept('messaging.json'))).toMatchObject({
      configMapGenerator: [{ name: 'messaging-mail' }],
    });
  });

  it('refuses settings of a process that skaffold.yaml does not deploy', async () => {
    const { skaffold } = aSkaffold();
    skaffold.set({ nobody: { LOG_LEVEL: 'warn' } });
    await expect(skaffold.run()).rejects.toThrow(
      'skaffold.yaml has no deploy/kubernetes/overlays/kind/nobody',
    );
  });
});
