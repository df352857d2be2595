import type { Message } from 'kafkajs';
import { postTopic } from '@pulso/contracts/topics/posts';
import { postEvent } from '../../../test/events/recorder.js';
import { type NewDeadLetter, toLetterMessage, toResolvedMessage } from './dead-letter-record.js';
import { OpenLetters, wholeLetter } from './open-letters.js';

const NAME = 'test.posts.dlq';
const NAMES: Record<string, string> = { 'feed.post': 'feed.post', feed: 'feed.post', mail: 'mail' };

const aLetter = (id: string, fields: Partial<NewDeadLetter> = {}): NewDeadLetter => {
  const about = {
    group: 'feed.post',
    partition: 0,
    offset: 1,
    attempts: 8,
    error: 'no',
    failedAt: new Date(1_000),
  };
  return { ...about, event: postEvent(id), ...fields };
};

/** The open letters after these records. */
function after(
  messages: readonly Message[],
  options: { eventId?: string; keptBytes?: number } = {},
): OpenLetters {
  const letters = new OpenLetters({
    topics: new Map([[NAME, postTopic.name]]),
    groupOf: (_topic, name) => NAMES[name],
    ...options,
  });
  for (const [offset, { key, value, headers = {} }] of messages.entries()) {
    const record = { key: Buffer.from(key!), value: value as Buffer | null, headers };
    letters.take({ topic: NAME, place: `${NAME}/0`, offset, record });
  }
  return letters;
}

const first = { again: false };
const again = { again: true };
const open = (letters: OpenLetters, oldest = 0) =>
  letters.inOrder(oldest).map((letter) => wholeLetter(letter, letter.record!));

describe('open dead letters', () => {
  it('are those that no later record resolves, in the order of their events', () => {
    const [late, early, gone] = [
      aLetter('late', { offset: 7 }),
      aLetter('early', { offset: 2 }),
      aLetter('gone'),
    ];
    const records = [late, gone, early].map((letter) => toLetterMessage(letter, first));
    const letters = open(after([...records, toResolvedMessage(gone)]));
    expect(letters.map(({ key }) => key)).toEqual(['early', 'late']);
    expect(letters[0]).toMatchObject({ ...early, failedAt: new Date(1_000) });
  });

  it('have the newest error and the first time of failure', () => {
    const later = { error: 'another', failedAt: new Date(9_000) };
    const letters = after([
      toLetterMessage(aLetter('a'), first),
      toLetterMessage(aLetter('a', later), again),
    ]);
    expect(open(letters)).toMatchObject([{ error: 'another', failedAt: new Date(1_000) }]);
    expect(open(letters, 1_000)).toHaveLength(1);
    expect(open(letters, 1_001)).toEqual([]);
  });

  it('are not opened again by a replay that failed when they had been resolved', () => {
    const letter = aLetter('a');
    const records = [toLetterMessage(letter, first), toResolvedMessage(letter)];
    expect(open(after([...records, toLetterMessage(letter, again)]))).toEqual([]);
    expect(open(after([...records, toLetterMessage(letter, first)]))).toHaveLength(1);
  });

  it('of a former name are those of the present group, and foreign ones are nobody’s', () => {
    const former = aLetter('a', { group: 'feed' });
    const records = [former, aLetter('b', { group: 'others' })].map((letter) =>
      toLetterMessage(letter, first),
    );
    expect(open(after(records))).toMatchObject([{ group: 'feed.post', key: 'a' }]);
    const resolved = toResolvedMessage({ group: 'feed.post', event: former.event });
    expect(open(after([...records, resolved]))).toEqual([]);
  });

  it('of one event are those of every group', () => {
    const records = [aLetter('a'), aLetter('b'), aLetter('a', { group: 'mail' })];
    const letters = after(
      records.map((letter) => toLetterMessage(letter, first)),
      { eventId: postEvent('a').id },
    );
    expect(new Set(open(letters).map(({ group, key }) => `${group} ${key}`))).toEqual(
      new Set(['feed.post a', 'mail a']),
    );
  });

  it('keep no more records in memory than there is room for', () => {
    const records = ['a', 'b', 'c'].map((id) => toLetterMessage(aLetter(id), first));
    const [one] = after(records).inOrder(0);
    const kept = (letters: OpenLetters) => letters.inOrder(0).filter(({ record }) => record).length;
    const keptBytes = one!.at.bytes * 2;
    expect(kept(after(records, { keptBytes }))).toBe(2);
    // A letter that is resolved makes room.
    expect(kept(after([records[0]!, toResolvedMessage(aLetter('a')), ...records], { keptBytes }))).toBe(2);
    expect(kept(after(records, { keptBytes: 0 }))).toBe(0);
  });
});
