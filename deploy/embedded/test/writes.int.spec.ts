import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningPulso } from '../src/compose-pulso.js';
import { createDatabases, databasesOn, dropDatabases } from '../src/databases.js';
import { newSecrets } from '../src/launcher/data-directory.js';
import { composeQuietly } from './compose-quietly.js';
import { hearWrites, MONITORED } from './store-commands.js';

/**
 * What one act writes in the stores of all services, until every service has handled it. `in-process-flights.int.spec.ts` tells
 * what the bus writes.
 */
const FACTS: Record<string, Record<string, number>> = {
  'a post': {
    'posts findAndModify posts': 1,
    'posts update posts': 1,
    'media INSERT INTO known_posts': 1,
  },
  'a like': {
    'posts findAndModify viewers': 1,
    'posts insert likes': 1,
    'posts findAndModify posts': 1,
    'posts update likes': 2,
    'messaging insert notifications': 1,
  },
};

/** Those of the bus, and the jobs that come with the time and not with an act. */
const OTHERS = /^(bus |(social|billing) transaction$|social DELETE FROM figure_changes$)/;

describe('what an act writes', () => {
  const postgresUrl = process.env['PULSO_TEST_POSTGRES_URL']!;
  const given = process.env['PULSO_TEST_MONGODB_URL']!;
  const mongodbUrl = `${given}${given.includes('?') ? '&' : '?'}${MONITORED}`;
  const prefix = `writes_${randomUUID().slice(0, 8)}`;
  const databases = databasesOn({ postgresUrl, mongodbUrl }, prefix);
  const objectsDirectory = join(tmpdir(), prefix);
  let pulso: RunningPulso | undefined;
  let coach: string;
  let member: string;
  let postId: string;

  const call = async (method: string, path: string, token?: string, body?: unknown) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(method === 'POST' && token && { 'idempotency-key': randomUUID() }),
    };
    const answer = await fetch(`${pulso!.url}${path}`, { method, headers, body: JSON.stringify(body ?? {}) });
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`);
    return (await answer.json()) as { accessToken: string; id: string };
  };
  const signUp = async (username: string, isCoach: boolean) => {
    const who = { name: username, username, email: `${username}@example.test`, password: 'secret words' };
    return (await call('POST', '/api/auth/signup', undefined, { ...who, isCoach })).accessToken;
  };
  const publish = (content: string) => call('POST', '/api/posts', coach, { content });

  beforeAll(async () => {
    await createDatabases(postgresUrl, databases);
    pulso = await composeQuietly({ databases, objectsDirectory, secrets: await newSecrets() });
    [coach, member] = [await signUp('ana', true), await signUp('ben', false)];
    await pulso.drainEvents();
    const first = await publish('the first');
    await call('PUT', `/api/posts/${first.id}/like`, member);
    postId = (await publish('the liked one')).id;
    await pulso.drainEvents();
  });
  afterAll(async () => {
    await pulso?.close();
    await dropDatabases(postgresUrl, databases);
    await rm(objectsDirectory, { recursive: true, force: true });
  });

  const acts: Record<string, () => Promise<unknown>> = {
    'a post': () => publish('another one'),
    'a like': () => call('PUT', `/api/posts/${postId}/like`, member),
  };

  it.each(Object.entries(FACTS))('%s', async (name, wanted) => {
    const counts: Record<string, number> = {};
    const end = hearWrites((write) => {
      if (!OTHERS.test(write)) counts[write] = (counts[write] ?? 0) + 1;
    });
    try {
      await acts[name]!();
      await pulso!.drainEvents();
    } finally {
      end();
    }
    expect(counts).toEqual(wanted);
  });
});
