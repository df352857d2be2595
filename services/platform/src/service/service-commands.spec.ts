import { jest } from '@jest/globals';
import { z } from 'zod';
import { onTestEnd } from '../../testing/on-test-end.js';
import type { DeadLetter } from '../events/event-bus.js';
import { ReplayTally, REPLAYS_NAMED } from '../events/replay-tally.js';
import { settings } from '../process/settings.js';
import type { ServiceDefinition } from './define-service.js';
import { preparation } from './preparation.js';
import { replayLines, runServiceCommands } from './service-commands.js';
import type { Store } from './store.js';

const aLetter = (group: string, eventId: string): DeadLetter => {
  const about = { group, eventId, topic: group, key: eventId, attempts: 8 };
  return { ...about, error: 'Error: new reason\n  at handle', failedAt: new Date(0) };
};

describe('what is told of a replay', () => {
  it('is how many were tried, and each that failed again with its group and the new error', () => {
    const named = [aLetter('posts.user', 'ben'), aLetter('posts.follow', 'ben')];
    expect(replayLines({ tried: 3, failed: 2, named })).toEqual([
      '3 replayed, 2 failed again.',
      'ben  1970-01-01T00:00:00.000Z  8 attempts  posts.user',
      '  Error: new reason',
      'ben  1970-01-01T00:00:00.000Z  8 attempts  posts.follow',
      '  Error: new reason',
    ]);
  });

  it('is the number of the others where too many failed to name them', () => {
    const tally = new ReplayTally();
    for (let index = 0; index < REPLAYS_NAMED + 7; index += 1)
      tally.add(aLetter('posts.user', `${index}`), 'no');
    tally.add(aLetter('posts.user', 'mended'), undefined);
    const { tried, failed, named } = tally.result;
    expect([tried, failed, named.length]).toEqual([REPLAYS_NAMED + 8, REPLAYS_NAMED + 7, REPLAYS_NAMED]);
    expect(named[0]).toMatchObject({ eventId: '0', error: 'no' });
    expect(replayLines(tally.result).at(-1)).toBe('and 7 more; see dead-letters.');
  });
});

describe('migrate', () => {
  const url = 'postgres://localhost/test';
  const migrate = jest.fn<Store['migrate']>(async () => undefined);
  const store = { migrate, url: z.string(), defaultPool: 1, owns: [] } as Partial<Store> as Store;
  const definition = { name: 'test', owns: [], commands: {}, store } as Partial<ServiceDefinition>;

  it.each([
    [['migrate'], false],
    [['migrate', '--finish'], true],
  ])('%j finishes what the version before needs: %s', async (words, finish) => {
    const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestEnd(() => printed.mockRestore());
    migrate.mockClear();
    const openEnvironment = async () => ({ env: { TEST_DATABASE_URL: url }, close: async () => undefined });
    await runServiceCommands(definition as ServiceDefinition, { words, openEnvironment });
    expect(migrate.mock.calls).toEqual([[expect.objectContaining({ url }), { finish }]]);
    expect(printed).toHaveBeenCalledWith('test: the store is up to date.\n');
  });

  it('--wait changes nothing, and ends when the store is ready', async () => {
    const written = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockReturnValue(true),
    );
    onTestEnd(() => written.forEach((spy) => spy.mockRestore()));
    onTestEnd(() => (process.exitCode = 0));
    migrate.mockClear();
    const assertReady = jest.fn<Store['assertReady']>(async () => undefined);
    const run = (words: string[]) =>
      runServiceCommands({ ...definition, store: { ...store, assertReady } } as ServiceDefinition, {
        words,
        openEnvironment: async () => ({ env: { TEST_DATABASE_URL: url }, close: async () => undefined }),
      });
    await run(['migrate', '--wait']);
    expect(assertReady.mock.calls).toEqual([[expect.objectContaining({ url })]]);
    expect(written[0]!.mock.calls.map(([text]) => text)).toEqual(['test: the store is up to date.\n']);
    await run(['migrate', '--wait', '--finish']);
    expect(written[1]!.mock.calls[0]?.[0]).toContain('test: Give --finish or --wait, not both.\n');
    expect(assertReady).toHaveBeenCalledTimes(1);
    expect(migrate).not.toHaveBeenCalled();
  });

  it('makes what the service needs besides, and reads its settings before it changes anything', async () => {
    const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const refused = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestEnd(() => [printed, refused].forEach((spy) => spy.mockRestore()));
    onTestEnd(() => (process.exitCode = 0));
    class Own extends settings({ BUCKET: z.string() }) {}
    const prepares = preparation(Own, async ({ BUCKET }) => [`${BUCKET} was made.`]);
    const run = (env: Record<string, string>) =>
      runServiceCommands({ ...definition, prepares } as ServiceDefinition, {
        words: ['migrate'],
        openEnvironment: async () => ({
          env: { TEST_DATABASE_URL: url, ...env },
          close: async () => undefined,
        }),
      });
    migrate.mockClear();
    await run({});
    expect(migrate).not.toHaveBeenCalled();
    expect(refused.mock.calls[0]?.[0]).toBe('test: Wrong settings. BUCKET: is not set\n');
    await run({ BUCKET: 'pictures' });
    expect(printed.mock.calls.map(([text]) => text)).toEqual([
      'test: the store is up to date.\n',
      'test: pictures was made.\n',
    ]);
  });
});
