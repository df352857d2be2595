import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { LAUNCHER_SETTING_NAMES } from '@pulso/embedded/launcher/settings';
import { GATEWAY_SHAPE } from '@pulso/gateway/config';
import { PROCESSES, SERVICE_SETTING_NAMES } from '@pulso/registry/setting-names';
import { documentedReaders, documentedSettings } from './documented-settings.js';

const without = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...names].filter((name) => !others.has(name));

describe('the settings of processes, in docs/operations/settings.md', () => {
  const shapes = Object.entries({ ...PROCESSES, gateway: { shape: GATEWAY_SHAPE } });
  const processes = shapes.map(([name]) => name);
  /** `posts reads REDIS_URL`, of each process and each of its settings. */
  const read = new Set(
    shapes.flatMap(([name, { shape }]) => Object.keys(shape).map((setting) => `${name} reads ${setting}`)),
  );
  const told = new Set(
    [...documentedReaders('docs/operations/settings.md')].flatMap(([setting, readers]) =>
      readers.split(', ').flatMap((words) => processesOf(words).map((name) => `${name} reads ${setting}`)),
    ),
  );

  /** What the table calls all, services and the like. */
  function processesOf(words: string): readonly string[] {
    const [, but] = /^every service but (\w+)$/.exec(words) ?? [];
    if (but) return SERVICE_NAMES.filter((name) => name !== but);
    if (words === 'services') return SERVICE_NAMES;
    if (words === 'all') return processes.filter((name) => name !== 'topics');
    return [words];
  }

  it('are all that a process reads', () => expect(without(read, told)).toEqual([]));
  it('are read by the processes that are named there', () => expect(without(told, read)).toEqual([]));
});

describe('the settings of npm start, in README.md', () => {
  /** The launcher passes its environment on to the services. */
  const read = new Set([...LAUNCHER_SETTING_NAMES, ...SERVICE_SETTING_NAMES]);
  const tools = ['CHROMIUM_PATH', 'INSPECT_PORT'];
  const told = documentedSettings('README.md');

  it('are all that the launcher reads', () => expect(without(LAUNCHER_SETTING_NAMES, told)).toEqual([]));
  it('are read by the launcher, a service, or the tools of developers', () =>
    expect(without(told, read)).toEqual(tools));
});
