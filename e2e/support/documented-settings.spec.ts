import { LAUNCHER_SETTING_NAMES } from '@pulso/embedded/launcher/settings';
import { GATEWAY_SETTING_NAMES } from '@pulso/gateway/config';
import { SERVICE_SETTING_NAMES } from '@pulso/registry/setting-names';
import { documentedSettings } from './documented-settings.js';

const without = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...names].filter((name) => !others.has(name));

describe('the settings of processes, in docs/operations/settings.md', () => {
  const read = new Set([...SERVICE_SETTING_NAMES, ...GATEWAY_SETTING_NAMES]);
  const told = documentedSettings('docs/operations/settings.md');

  it('are all that a process reads', () => expect(without(read, told)).toEqual([]));
  it('are read by a process', () => expect(without(told, read)).toEqual([]));
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
