import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = join(fileURLToPath(import.meta.url), '../../..');
const read = <T>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

interface Entry {
  version: string;
  link?: true;
  resolved?: string;
  integrity?: string;
  optional?: true;
  os?: string[];
  cpu?: string[];
  hasInstallScript?: true;
}

const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');
const installed = Object.entries(
  read<{ packages: Record<string, Entry> }>('package-lock.json').packages,
).filter(([path, { link }]) => path.includes('node_modules/') && !link);

describe('package-lock.json', () => {
  it('has the integrity of every package but those that are listed as unserved', () => {
    const without = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
    expect(without.map(([path]) => nameOf(path)).sort()).toEqual(read('tools/unserved-packages.json'));
    // npm skips them on this platform, and may fail to install them on theirs.
    for (const [path, { optional, os }] of without) {
      expect([path, optional, os]).toEqual([path, true, [expect.any(String)]]);
    }
    expect(installed.length).toBeGreaterThan(1_000);
  });

  it('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved)).toEqual([]);
  });

  it('has no package whose install script is neither allowed nor refused', () => {
    const { allowScripts, scarfSettings } = read<{
      allowScripts: Record<string, boolean>;
      scarfSettings: { enabled: boolean };
    }>('package.json');
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = [...new Set(scripted.map(([path]) => nameOf(path)))];
    expect(names.sort()).toEqual(Object.keys(allowScripts).sort());
    // npm before 11 ignores `allowScripts`, so the telemetry of swagger-ui-dist's dependency is switched off here, too.
    expect([allowScripts['@scarf/scarf'], scarfSettings.enabled]).toEqual([false, false]);
  });
});
