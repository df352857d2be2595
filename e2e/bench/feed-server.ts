import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { callAs } from '@pulso/embedded/call-as';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { eventOf } from '@pulso/platform/events/event-record';
import { followTopic } from '@pulso/contracts/topics/social';
import { signUp, startBenchEngines, startBenchPulso } from './bench-pulso.js';

/**
 * The server that the benchmark measures: the embedded Pulso, filled, in a separate process. Talks to its parent by
 * IPC.
 */
const POSTS = Number(process.env.BENCH_POSTS ?? 100_000);
const VIEWERS = 100;
const FOLLOWS = 50;
const WRITERS = 64;
const TEXT =
  'Tuesday intervals done: six times eight hundred at ten-kilometre pace, four hundred easy between. Legs heavy, head clear. ';

const engines = await startBenchEngines();
const { pulso, secrets } = await startBenchPulso(engines, 'bench');

const users: { id: string; token: string }[] = [];
for (let index = 0; index < VIEWERS; index += 1) users.push(await signUp(pulso, `viewer-${index}`));
await pulso.drainEvents(300_000);
await pulso.bus.publish(
  users.flatMap(({ id: followerId }, index) =>
    Array.from({ length: FOLLOWS }, (_, step) => users[(index + step + 1) % VIEWERS]!.id).map((targetId) =>
      eventOf(followTopic, { followerId, targetId, version: Date.now() * 1000, active: true }),
    ),
  ),
);

let next = 0;
const publish = async () => {
  while (next < POSTS) {
    const number = next++;
    await callAs(users[number % VIEWERS]!.token, () =>
      pulso.clients.posts.publishPost({
        content: `${number} ${TEXT.repeat(3)}`,
        visibility: Visibility.VISIBILITY_PUBLIC,
        images: [],
        idempotency: undefined,
      }),
    );
  }
};
await Promise.all(Array.from({ length: WRITERS }, publish));
await pulso.drainEvents(300_000);

// The feed's tail reads posts published within the last 10 s again, which would be measured, too.
await new Promise((resolve) => setTimeout(resolve, 12_000));

async function close(): Promise<never> {
  await pulso.close();
  await engines.stop();
  process.exit(0);
}

process.once('message', () => void close());
process.send!({
  url: pulso.url,
  tokens: users.map(({ token }) => token),
  jwks: publicJwks(secrets.signingKeys),
});
