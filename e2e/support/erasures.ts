import { setTimeout as pause } from 'node:timers/promises';
import { withServer } from '@pulso/embedded/databases';
import { PASSWORD } from './api-client.js';
import type { Life } from './a-life.js';
import type { ClusterUnderTest } from './cluster-pulso.js';
import { tracesInLogs, tracesInRedis, tracesInTopics } from './cluster-traces.js';
import { type Trace, tracesOf } from './personal-traces.js';
import { plantTraces } from './planted-traces.js';
import type { PulsoUnderTest } from './test-pulso.js';
import { waitFor } from './wait-for.js';

const ERASED_MS = 180_000;
const POLL_MS = 100;
/** Rows of posts and videos stay as long as their last events are kept, by their ids alone. */
const IDS_OF_MEDIA = new Set(['posts.posts', 'posts.videos', 'media.videos', 'media.known_posts']);
const isId = (needle: string) => /^[0-9a-f-]{36}$/.test(needle);
/** Events that were published before have a name for 7 days (ACCT-34): `expectNothingOutsideStores` tells them from later ones. */
const isEvent = (where: string) => where.startsWith('bus.');

/** What somebody had left whose account is deleted. */
export interface Erased extends Life {
  /** From then on no event may have what must be gone, in ms since the epoch. */
  namelessFrom: number;
}

/**
 * Deletes an account, which another process goes on erasing.
 *
 * @param lateMs how much later an event may be published that was read before the deletion
 */
export async function erase(life: Life, lateMs: number): Promise<Erased> {
  const { status, body } = await life.ada.call('DELETE', '/api/me', { password: PASSWORD });
  if (status !== 202) throw new Error(`The deletion of ${life.email}: ${status} ${JSON.stringify(body)}`);
  return { ...life, namelessFrom: Date.now() + lateMs };
}

/** What operators are told of an erasure. */
export const erasureOf = (pulso: Pick<PulsoUnderTest, 'operate'>, { ada }: Life): Promise<string> =>
  pulso.operate('identity', 'erasures', ada.userId);

/** Resolves when all services have acknowledged an erasure, and operators are told so. */
export async function untilErased(
  pulso: Pick<PulsoUnderTest, 'operate' | 'databases'>,
  life: Life,
): Promise<void> {
  await withServer(pulso.databases.identity, async (client) => {
    // The command is a process each time, and takes the processor from those who erase.
    const known = async () => {
      await pause(POLL_MS);
      const { rows } = await client.query<{ isComplete: boolean; acknowledged: string[] }>(
        `SELECT completed_at IS NOT NULL AS "isComplete", ARRAY(
           SELECT service FROM erasure_acknowledgements a
           WHERE a.user_id = erasures.user_id AND erased_at IS NOT NULL) AS acknowledged
         FROM erasures WHERE user_id = $1`,
        [life.ada.userId],
      );
      return rows[0];
    };
    await waitFor(known, (erasure) => erasure?.isComplete === true, {
      what: `the end of the erasure of ${life.email}`,
      limit: ERASED_MS,
    });
  });
  expect(await erasureOf(pulso, life)).toMatch(/ complete \d{4}-/);
}

/** All that can be searched of these people: what must be gone, and what may stay in some places. */
export const needlesOf = (lives: readonly Life[]): string[] =>
  lives.flatMap(({ gone, kept }) => [...gone, ...kept.map(({ needle }) => needle)]);

/** Resolves when the stores and the object store have nothing of these people but what may stay. */
export async function untilNothingInStores(lives: readonly Life[], pulso: PulsoUnderTest): Promise<void> {
  const kept = new Set(lives.flatMap((life) => life.kept.map(nameOf)));
  const wrong = async () =>
    (await tracesOf(needlesOf(lives), pulso)).filter(
      (trace) =>
        !isEvent(trace.where) &&
        !kept.has(nameOf(trace)) &&
        !(isId(trace.needle) && IDS_OF_MEDIA.has(trace.where)),
    );
  await waitFor(wrong, (found) => found.length === 0, { what: 'nothing of the erased', limit: ERASED_MS });
}

/**
 * Expects that no event of later, no key of Redis and no line of a log has anything of these people, by a search that finds what is
 * planted in each of these places.
 *
 * @param lines all that the processes have printed at the level `info`
 */
export async function expectNothingOutsideStores(
  lives: readonly Erased[],
  pulso: ClusterUnderTest,
  lines: readonly string[],
): Promise<void> {
  const silent = Object.values(pulso.processes)
    .flat()
    .filter(({ pid }) => !lines.some((line) => line.includes(`"pid":${pid},`)));
  expect(silent.map(({ name }) => name)).toEqual([]);
  const planted = await plantTraces(pulso, lines);
  const needles = [...lives.flatMap(({ gone }) => gone), ...planted.map(({ needle }) => needle)];
  const events = await tracesInTopics(needles, pulso.kafka);
  const before = events.filter(({ needle, at }) => at <= namelessFrom(needle, lives));
  // The states of before are there: what is said of later ones is of the same topics.
  expect(before.length).toBeGreaterThan(0);
  const found = [
    ...events.filter((event) => !before.includes(event)),
    ...(await tracesInRedis(needles, pulso.redisUrl)),
    ...tracesInLogs(needles, lines),
  ];
  expect([...new Set(found.map(nameOf))].toSorted()).toEqual(planted.map(nameOf).toSorted());
}

const nameOf = ({ needle, where }: Trace) => `${needle} in ${where}`;

/** What is planted is nobody's, and may be in no event. */
function namelessFrom(needle: string, lives: readonly Erased[]): number {
  const life = lives.find(({ gone }) => gone.some((one) => one.toLowerCase() === needle));
  return life?.namelessFrom ?? 0;
}
