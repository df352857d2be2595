import { setTimeout } from 'node:timers/promises';
import { type UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { callAs } from '@pulso/embedded/call-as';
import { eventOf } from '@pulso/platform/events/event-record';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import mongoose from 'mongoose';
import { type BenchPulso, signUp, startBenchEngines, startBenchPulso } from './bench-pulso.js';

const HIDDEN = Number(process.env.BENCH_HIDDEN ?? 100_000);
const SHOWN = 2_000;
const COMMENTS = 60;
/** The posts of the profile that is read. */
const PROFILE_POSTS = 6_000;
const ROUNDS = 400;
const TEXT =
  'Tuesday intervals done: six times eight hundred at ten-kilometre pace, four hundred easy between. ';

interface World {
  pulso: BenchPulso;
  reader: { id: string; token: string };
  profileId: string;
  postId: string;
  /** The sums of the profile's posts, as they were read before they were kept. */
  sumPosts(): Promise<unknown>;
}

type Call = (world: World) => Promise<unknown>;

/**
 * Feed, comments and profile over HTTP in two Pulsos on the same engines: one as it is, one with 100,000 newer posts and
 * 100,000 earlier comments of suspended authors. Calls alternate, so that ratios hold on a busy machine.
 */
export async function runHiddenAuthorsBench(): Promise<object> {
  const engines = await startBenchEngines();
  const plain = await aWorld(engines, 'plain', 0);
  const spammed = await aWorld(engines, 'spammed', HIDDEN);
  try {
    const page = (path: (world: World) => string): Call => {
      return async (world) => {
        const { reader, pulso } = world;
        const headers = { authorization: `Bearer ${reader.token}` };
        const answer = await fetch(`${pulso.url}${path(world)}`, { headers });
        if (answer.status !== 200) throw new Error(`${path(world)}: ${answer.status}`);
        return answer.text();
      };
    };
    const calls: Record<string, Call> = {
      feed: page(() => '/api/feed?limit=20'),
      comments: page(({ postId }) => `/api/posts/${postId}/comments?limit=20`),
      profile: page(({ profileId }) => `/api/users/${profileId}`),
    };
    const ratios: Record<string, object> = {};
    for (const [name, call] of Object.entries(calls)) {
      const [without, withHidden] = await alternate([() => call(plain), () => call(spammed)]);
      ratios[name] = { without, withHidden, ratioOfP99: withHidden!.p99 / without!.p99 };
    }
    const [summed, profile] = await alternate([() => plain.sumPosts(), () => calls['profile']!(plain)], 50);
    return { hidden: HIDDEN, ...ratios, profileOf6000Posts: { summed, profile } };
  } finally {
    await plain.pulso.close();
    await spammed.pulso.close();
    await engines.stop();
  }
}

async function aWorld(
  engines: Parameters<typeof startBenchPulso>[0],
  prefix: string,
  hidden: number,
): Promise<World> {
  const { pulso, databases } = await startBenchPulso(engines, prefix);
  const [reader, author, busy, spammer] = [
    await signUp(pulso, `${prefix}-reader`),
    await signUp(pulso, `${prefix}-author`),
    await signUp(pulso, `${prefix}-busy`),
    await signUp(pulso, `${prefix}-spammer`),
  ];
  await pulso.drainEvents(300_000);
  const connection = await mongoose.createConnection(databases.posts).asPromise();
  const postRows = connection.collection<{ _id: string }>('posts');
  const start = Date.now() - 10 * 3_600_000;
  let serial = 0;
  const row = (authorId: string) => {
    const createdAt = new Date(start + 60 * serial++);
    const counts = { likeCount: 0, createdAt, updatedAt: createdAt, live: true, version: 1 };
    return { _id: newIdAt(createdAt.getTime()), authorId, content: TEXT, ...counts };
  };
  const insert = async (name: string, count: number, make: () => { _id: string }) => {
    for (let from = 0; from < count; from += 1_000) {
      const rows = Array.from({ length: Math.min(1_000, count - from) }, make);
      await connection.collection<{ _id: string }>(name).insertMany(rows);
    }
  };
  const aPost = (authorId: string) => () => ({
    ...row(authorId),
    visibility: 'public',
    commentCount: 0,
    changedAt: new Date(),
  });
  await insert('posts', PROFILE_POSTS, aPost(busy.id));
  await insert('posts', SHOWN, aPost(author.id));
  const { id: postId } = await callAs(author.token, () =>
    pulso.clients.posts.publishPost({ content: 'x', visibility: 1, images: [], idempotency: undefined }),
  );
  const aComment = (authorId: string) => () => ({ ...row(authorId), postId, postAuthorId: author.id });
  await insert('posts', hidden, aPost(spammer.id));
  await insert('comments', hidden, aComment(spammer.id));
  await insert('comments', COMMENTS, aComment(author.id));
  await pulso.bus.publish([
    eventOf<UserState>(userTopic, {
      id: spammer.id,
      version: Date.now() * 1_000 + 1,
      status: UserStatus.USER_STATUS_SUSPENDED,
      name: 'Spam',
      username: 'spam',
      profileImageId: '',
      isCoach: false,
      subscriptionCurrency: '',
      createdAt: Date.now(),
      formerUsernames: [],
    }),
  ]);
  await pulso.drainEvents(300_000);
  const comments = connection.collection<{ authorHidden?: boolean }>('comments');
  while ((await comments.countDocuments({ authorHidden: true })) < hidden) await setTimeout(100);
  // The tail reads posts of the last 10 s again, which would be measured, too.
  await setTimeout(12_000);
  return {
    pulso,
    reader,
    profileId: busy.id,
    postId,
    sumPosts: () =>
      postRows
        .aggregate([
          { $match: { authorId: busy.id, live: true, _id: { $nin: [newId()] } } },
          {
            $group: {
              _id: '$authorId',
              posts: { $sum: 1 },
              likes: { $sum: '$likeCount' },
              comments: { $sum: '$commentCount' },
            },
          },
          { $limit: 1 },
        ])
        .toArray(),
  };
}

/** Times in ms of each of the calls, which alternate. */
async function alternate(calls: readonly (() => Promise<unknown>)[], rounds = ROUNDS) {
  const times = calls.map((): number[] => []);
  for (let round = -20; round < rounds; round++) {
    for (const [which, call] of calls.entries()) {
      const before = performance.now();
      await call();
      if (round >= 0) times[which]!.push(performance.now() - before);
    }
  }
  return times.map((all) => {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (part: number) => Number(sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(2));
    return { p50: at(0.5), p99: at(0.99) };
  });
}
