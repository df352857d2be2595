import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pulso/platform/testing/until';
import type { RunningPulso } from '../src/compose-pulso.js';
import { createDatabases, databasesOn, dropDatabases } from '../src/databases.js';
import { newSecrets } from '../src/launcher/data-directory.js';
import { composeQuietly } from './compose-quietly.js';
import { hearStores, MONITORED } from './store-commands.js';

/**
 * What one act writes in the stores of all services, until every service has handled it. `in-process-flights.int.spec.ts` tells
 * what the bus writes. Who makes an act dearer changes this table, and says why.
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
  'a comment': {
    'posts insert comments': 1,
    'posts findAndModify posts': 1,
    'posts update comments': 2,
    'messaging insert notifications': 1,
  },
  'a message': {
    'messaging insert messages': 1,
    'messaging update conversations': 1,
  },
  'a follow': {
    'social INSERT INTO follows': 1,
    // The follow's event, and that of the figures.
    'social INSERT INTO outbox': 2,
    'identity INSERT INTO known_figures': 1,
    'posts update follows': 2,
    'posts findAndModify viewers': 1,
    'messaging insert notifications': 1,
  },
  'the end of a follow': {
    'social INSERT INTO follows': 1,
    'social INSERT INTO outbox': 2,
    'identity INSERT INTO known_figures': 1,
    'posts update follows': 2,
    'posts findAndModify viewers': 1,
    'messaging update notifications': 1,
  },
  'a subscription': {
    'billing INSERT INTO idempotency_keys': 1,
    'billing INSERT INTO outbox': 1,
    'billing INSERT INTO subscriptions': 1,
    'identity INSERT INTO known_subscriptions': 1,
    'social INSERT INTO known_subscriptions': 1,
    'posts update subscriptions': 2,
    'posts findAndModify viewers': 1,
    'messaging insert toldSubscriptions': 1,
    'messaging insert messages': 1,
    'messaging update conversations': 1,
    'messaging insert notifications': 1,
    // The mails to both.
    'messaging insert mails': 1,
    'messaging findAndModify mails': 2,
    'messaging update mails': 2,
    'messaging update toldSubscriptions': 1,
  },
  'the end of a subscription': {
    'billing INSERT INTO outbox': 1,
    'billing INSERT INTO subscriptions': 1,
    'identity INSERT INTO known_subscriptions': 1,
    'social INSERT INTO known_subscriptions': 1,
    'posts update subscriptions': 2,
    'posts findAndModify viewers': 1,
    'messaging insert messages': 1,
    'messaging update conversations': 1,
    'messaging update toldSubscriptions': 2,
  },
};

/** How many statements and commands read for an act at most: what is remembered for a second is not asked again. */
const MOST_READS: Record<string, number> = {
  'a post': 0,
  'a like': 9,
  'a comment': 5,
  'a message': 3,
  'a follow': 2,
  'the end of a follow': 2,
  'a subscription': 13,
  'the end of a subscription': 6,
};

/** Those of the bus, of relays and of jobs that come with the time and not with an act. */
const OTHERS =
  /^(bus |(social|billing) (BEGIN|COMMIT)$|social DELETE FROM figure_changes$|\w+ DELETE FROM outbox$|messaging update messages$)/;
/** Reads of billing's job. */
const JOBS = /^billing SELECT (subscriptions|endings)$/;
const SETTLED_MS = 10_000;

describe('what an act writes', () => {
  const postgresUrl = process.env['PULSO_TEST_POSTGRES_URL']!;
  const given = process.env['PULSO_TEST_MONGODB_URL']!;
  const mongodbUrl = `${given}${given.includes('?') ? '&' : '?'}${MONITORED}`;
  const prefix = `writes_${randomUUID().slice(0, 8)}`;
  const databases = databasesOn({ postgresUrl, mongodbUrl }, prefix);
  const objectsDirectory = join(tmpdir(), prefix);
  let pulso: RunningPulso | undefined;
  let coach: string;
  let coachId: string;
  let member: string;
  let newcomer: string;
  let postId: string;

  const call = async (method: string, path: string, token?: string, body?: unknown) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(method !== 'DELETE' && token && { 'idempotency-key': randomUUID() }),
    };
    const sent = method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) };
    const answer = await fetch(`${pulso!.url}${path}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`);
    return (await answer.json()) as { accessToken: string; id: string; user: { id: string } };
  };
  const signUp = async (username: string, isCoach: boolean) => {
    const who = { name: username, username, email: `${username}@example.test`, password: 'secret words' };
    return call('POST', '/api/auth/signup', undefined, { ...who, isCoach });
  };
  const publish = (content: string) => call('POST', '/api/posts', coach, { content });

  beforeAll(async () => {
    await createDatabases(postgresUrl, databases);
    pulso = await composeQuietly({ databases, objectsDirectory, secrets: await newSecrets() });
    const ana = await signUp('ana', true);
    [coach, coachId] = [ana.accessToken, ana.user.id];
    [member, newcomer] = [(await signUp('ben', false)).accessToken, (await signUp('cid', false)).accessToken];
    await pulso.drainEvents();
    const first = await publish('the first');
    await call('PUT', `/api/posts/${first.id}/like`, member);
    await call('POST', '/api/messages', member, { receiverId: coachId, content: 'the first' });
    for (const what of ['users/%/follow', 'subscriptions/%'])
      for (const method of ['PUT', 'DELETE'])
        await call(method, `/api/${what.replace('%', coachId)}`, member);
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
    'a comment': () => call('POST', `/api/posts/${postId}/comments`, member, { content: 'yes' }),
    'a message': () => call('POST', '/api/messages', member, { receiverId: coachId, content: 'again' }),
    'a follow': () => call('PUT', `/api/users/${coachId}/follow`, newcomer),
    'the end of a follow': () => call('DELETE', `/api/users/${coachId}/follow`, newcomer),
    'a subscription': () => call('PUT', `/api/subscriptions/${coachId}`, newcomer),
    'the end of a subscription': () => call('DELETE', `/api/subscriptions/${coachId}`, newcomer),
  };

  it.each(Object.entries(FACTS))('%s', async (name, wanted) => {
    const writes: Record<string, number> = {};
    const reads: string[] = [];
    const end = hearStores(({ of, what, isWrite, isRegular }) => {
      const asked = `${of} ${what}`;
      if (isRegular || OTHERS.test(asked)) return;
      if (isWrite) writes[asked] = (writes[asked] ?? 0) + 1;
      else if (!JOBS.test(asked)) reads.push(asked);
    });
    try {
      await acts[name]!();
      await pulso!.drainEvents();
      // The mails are sent after the events.
      const isSettled = () => Object.entries(wanted).every(([write, times]) => (writes[write] ?? 0) >= times);
      const what = () => `the writes of ${name}; they were ${JSON.stringify(writes)}`;
      await until(isSettled, { what, limit: SETTLED_MS });
    } finally {
      end();
    }
    expect(writes).toEqual(wanted);
    if (reads.length > MOST_READS[name]!) throw new Error(`${name} reads ${reads.join(', ')}`);
  });
});
