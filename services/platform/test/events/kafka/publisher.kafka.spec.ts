import { ConfigResourceTypes } from 'kafkajs';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { EventBus, EventRecord } from '../../../src/events/event-bus.js';
import { EventsFailed } from '../../../src/events/events-failed.js';
import { until } from '../../../testing/until.js';
import { postEvent, Recorder } from '../recorder.js';
import { asAdmin, openKafkaHouse } from './kafka-fixture.js';

const LARGE = 'large'.repeat(10_000);

/** The failed events, as `key: error's name`. */
async function failuresOf(bus: Pick<EventBus, 'publish'>, events: readonly EventRecord[]): Promise<string[]> {
  try {
    await bus.publish(events);
    return [];
  } catch (error) {
    if (!(error instanceof EventsFailed)) throw error;
    return error.failures.map(({ key, error }) => `${key}: ${(error as Error).name}`);
  }
}

it('publishes all but what the broker refuses: an event that is too large, a topic that is not there', async () => {
  const fixture = await openKafkaHouse(2);
  await asAdmin(fixture.config, (admin) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: fixture.config.KAFKA_PREFIX + postTopic.name,
          configEntries: [{ name: 'max.message.bytes', value: '5000' }],
        },
      ],
    }),
  );
  const recorder = new Recorder('posts');
  const bus = await fixture.bus([recorder]);
  const large = (id: string) => ({ ...postEvent(id), payload: Buffer.from(LARGE) });
  const isRefused = async () => (await failuresOf(bus, [large('before')])).length > 0;
  await until(isRefused, { what: 'the broker to know the smaller limit' });

  const small = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const posts = small.map((id) => postEvent(id));
  const elsewhere = { ...postEvent('elsewhere'), topic: 'nowhere.v1' };
  const events = [...posts.slice(0, 7), large('vast'), elsewhere, ...posts.slice(7), large('huge')];
  expect(await failuresOf(bus, events)).toEqual([
    'vast: EventTooLarge',
    'huge: EventTooLarge',
    'elsewhere: TopicUnavailable',
  ]);
  const have = () => small.every((id) => recorder.handled.includes(`${id}@1`));
  await until(have, { what: () => `all small posts, not ${recorder.handled.join()}`, limit: 100_000 });
  // The producer after the refusals goes on.
  expect(await failuresOf(bus, [postEvent('after')])).toEqual([]);
}, 300_000);
