import { createLogger } from '../../logging/logger.js';
import { eventRecord } from '../event-record.js';
import type { EventRecord } from '../event-bus.js';
import { OutboxRelay } from './outbox.js';
import type { OutboxSource } from './outbox-source.js';

const logger = createLogger({ service: 'outbox-test', level: 'silent' });
const event = eventRecord({ topic: 't', key: 'k', version: 1, payload: new Uint8Array() });

/** A source with one state, which is pending until it has been published. */
function relayOver(publish: () => Promise<void>) {
  const waiting: EventRecord[] = [event];
  const source: OutboxSource = {
    pending: async () => ({ events: [...waiting], failures: [] }),
    published: async () => void waiting.splice(0),
    depth: async () => waiting.length,
    claim: async () => true,
    unclaim: async () => undefined,
  };
  return { waiting, relay: new OutboxRelay({ sources: [source], bus: { publish }, logger }) };
}

describe('a relay that finishes', () => {
  it('publishes the remaining states, and nothing after that', async () => {
    let published = 0;
    const { relay, waiting } = relayOver(async () => void (published += 1));
    await relay.finish();
    waiting.push(event);
    relay.nudge();
    expect([published, waiting.length]).toEqual([1, 1]);
  });

  it.each([
    ['does not answer', () => new Promise<void>(() => undefined)],
    ['fails', () => Promise.reject(new Error('away'))],
  ])('is not held up by a bus that %s', async (_what, publish) => {
    const { relay, waiting } = relayOver(publish);
    await relay.finish(50);
    expect(waiting).toEqual([event]);
  });
});
