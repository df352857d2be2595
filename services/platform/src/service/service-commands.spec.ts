import { jest } from '@jest/globals';
import { z } from 'zod';
import { onTestEnd } from '../../testing/on-test-end.js';
import { eventRecord } from '../events/event-record.js';
import type { KafkaDeadLetter } from '../events/kafka/dead-letters.js';
import { settings } from '../config/settings.js';
import type { ServiceDefinition } from './define-service.js';
import { preparation } from './preparation.js';
import { replayAll, runServiceCommands } from './service-commands.js';
import type { Store } from './store.js';

const aLetter = (group: string, key: string): KafkaDeadLetter => {
  const event = eventRecord({ topic: group, key, version: 1, payload: new Uint8Array() });
  const about = {
    group,
    topic: group,
    key,
    eventId: event.id,
    attempts: 8,
    error: 'no',
    failedAt: new Date(),
  };
  return { ...about, event, partition: 0, offset: 0 };
};

/** A bus of several groups, like that of posts, whose handlers now succeed for the `mended` keys. */
function aBus(letters: KafkaDeadLetter[], mended: readonly string[]) {
  let dead = letters;
  return {
    deadLetters: async (group?: string) => dead.filter((letter) => (group ?? letter.group) === letter.group),
    async replay(group: string, eventId?: string) {
      const isChosen = (letter: KafkaDeadLetter) =>
        letter.group === group && (eventId ?? letter.eventId) === letter.eventId;
      const count = dead.filter(isChosen).length;
      dead = dead.filter((letter) => !isChosen(letter) || !mended.includes(letter.key));
      return count;
    },
  };
}

describe("replaying a service's dead letters", () => {
  const letters = [
    aLetter('posts.users', 'ana'),
    aLetter('posts.users', 'ben'),
    aLetter('posts.follows', 'cora'),
  ];

  it('reaches every group, and returns the ones that failed again', async () => {
    const { count, left } = await replayAll(aBus(letters, ['ana', 'cora']), undefined);
    expect([count, left.map(({ key }) => key)]).toEqual([3, ['ben']]);
  });

  it('replays a single event', async () => {
    const bus = aBus(letters, ['ana', 'ben', 'cora']);
    expect(await replayAll(bus, letters[2]!.eventId)).toEqual({ count: 1, left: [] });
    expect((await bus.deadLetters()).map(({ key }) => key)).toEqual(['ana', 'ben']);
  });

  it('does nothing if there are no dead letters', async () => {
    expect(await replayAll(aBus([], []), undefined)).toEqual({ count: 0, left: [] });
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
