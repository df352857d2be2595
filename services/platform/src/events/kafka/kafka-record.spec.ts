import { eventOf } from '../event-record.js';
import { blockTopic } from '@pulso/contracts/topics/social';
import { assertOurs, fromRecord, type ReceivedRecord, toMessage } from './kafka-record.js';

const state = { blockerId: 'a', blockedId: 'b', version: 1_790_000_000_000_123, active: true };

/** The record that the brokers return for a sent message. */
function travelled({ key, value, headers }: ReturnType<typeof toMessage>): ReceivedRecord {
  const bytes = Object.entries(headers!).map(([name, text]) => [name, Buffer.from(String(text))]);
  return {
    key: Buffer.from(key!),
    value: value as Buffer,
    headers: Object.fromEntries(bytes) as Record<string, Buffer>,
  };
}

describe('a record', () => {
  it.each([
    ['an event', {}],
    ['an event with its trace', { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }],
    ['a republished event', { republication: 'run-1' }],
  ])('restores %s', (_name, extra) => {
    const event = eventOf(blockTopic, state, extra);
    const back = fromRecord(blockTopic.name, 'at', travelled(toMessage(event)));
    expect({ ...back, payload: blockTopic.codec.decode(back.payload) }).toEqual({ ...event, payload: state });
    expect(() => assertOurs(back)).not.toThrow();
  });

  it('goes to the partition that a marker names', () => {
    expect(toMessage({ ...eventOf(blockTopic, state), partition: 4 }).partition).toBe(4);
    expect(toMessage(eventOf(blockTopic, state))).not.toHaveProperty('partition');
  });

  it('without a version is not accepted as an event', () => {
    const foreign = fromRecord(blockTopic.name, 'blocks/0@7', { key: null, value: null });
    expect(foreign).toMatchObject({ id: 'blocks/0@7', key: '', republished: false });
    expect(() => assertOurs(foreign)).toThrow('blocks/0@7 is not an event');
  });
});
