import { readFileSync } from 'node:fs';
import { LAUNCHER_SETTING_NAMES } from '@pulso/embedded/launcher/settings';
import { GATEWAY_SETTING_NAMES } from '@pulso/gateway/config';
import { SERVICE_SETTING_NAMES } from '@pulso/registry/setting-names';

/** The settings in the tables of a document: the names in the first column. */
function documented(path: string): Set<string> {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const names = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([A-Z][A-Z0-9_]+)`/g)]);
  return new Set(names.map(([, name]) => name!));
}

const without = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...names].filter((name) => !others.has(name));

describe('the settings of processes, in docs/operations/settings.md', () => {
  const read = new Set([...SERVICE_SETTING_NAMES, ...GATEWAY_SETTING_NAMES]);
  const told = documented('docs/operations/settings.md');

  it('are all that a process reads', () => expect(without(read, told)).toEqual([]));
  it('are read by a process', () => expect(without(told, read)).toEqual([]));
});

describe('the settings of npm start, in README.md', () => {
  /** The launcher passes its environment on to the services. */
  const read = new Set([...LAUNCHER_SETTING_NAMES, ...SERVICE_SETTING_NAMES]);
  const tools = ['CHROMIUM_PATH', 'INSPECT_PORT'];
  const told = documented('README.md');

  it('are all that the launcher reads', () => expect(without(LAUNCHER_SETTING_NAMES, told)).toEqual([]));
  it('are read by the launcher, a service, or the tools of developers', () =>
    expect(without(told, read)).toEqual(tools));
});
