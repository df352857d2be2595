import { newId } from '@pulso/platform/ids/uuid-v7';
import { Dice } from '@pulso/platform/testing/seeded';
import { until } from '@pulso/platform/testing/until';
import { FoldMessages } from '../src/message/fold-messages.job.js';
import { MessageRepository } from '../src/store/message.repository.js';
import { between, type Person, tally, TestMessaging } from './start.js';

const MESSAGES = Number(process.env['MESSAGING_RACE_MESSAGES'] ?? 120);
const SEED = Number(process.env['TEST_SEED'] ?? 7);
const CLIENTS = 3;

/** Repeats a call that a busy machine has left unanswered, as clients do. */
async function patiently<T extends object | number>(call: () => Promise<T>) {
  const answer = async () => {
    try {
      return await call();
    } catch (error) {
      const { kind } = error as { kind?: string };
      if (kind !== 'unavailable' && kind !== 'deadline-exceeded') throw error;
      return undefined;
    }
  };
  return until(answer, { what: 'an answer of the service' });
}

describe('two sides that write at once', () => {
  let messaging: TestMessaging;
  let ada: Person;
  let ben: Person;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    ada = await messaging.person();
    ben = await messaging.person();
  });
  afterAll(() => messaging?.stop());

  // Rule: MSG-5, MSG-6, MSG-7
  it(`lose and double no message, keep the order of acknowledgement, also by time, and leave the right counts (TEST_SEED=${SEED})`, async () => {
    const dice = new Dice(SEED);
    const id = between(ada, ben);
    /** By client, in the order of their acknowledgement. */
    const acknowledged = new Map<string, string[]>();
    let left = MESSAGES;
    let writing = true;

    const client = async (sender: Person, receiver: Person, name: string) => {
      const mine: string[] = [];
      acknowledged.set(name, mine);
      while (left > 0) {
        left -= 1;
        // Replicas have clocks of their own.
        messaging.clock.advance(dice.below(7) - 3);
        const content = `${name}:${mine.length}`;
        const key = newId();
        const repeats = dice.chance(0.1) ? 2 : 1;
        const answers = await Promise.all(
          Array.from({ length: repeats }, () =>
            patiently(() => messaging.send(sender, receiver, content, { key })),
          ),
        );
        expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
        mine.push(content);
      }
    };
    const readsAlong = async (reader: Person) => {
      while (writing) {
        const known = [...acknowledged.values()].flat();
        if (known.length === 0) await patiently(() => messaging.badge(reader));
        else {
          const seen: string[] = [];
          let upTo: string | undefined;
          for (let cursor = ''; ;) {
            const request = { limit: 1 + dice.below(40), cursor };
            const page = await patiently(() => messaging.messages(reader, id, request));
            upTo ??= page.items.at(-1)?.id;
            seen.unshift(...page.items.map(({ content }) => content));
            if (page.nextCursor === '') break;
            cursor = page.nextCursor;
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(known.filter((content) => !seen.includes(content))).toEqual([]);
          if (dice.chance(0.3)) await patiently(() => messaging.read(reader, id, upTo));
        }
      }
    };

    const clients = Array.from({ length: CLIENTS }, (_, i) => [
      client(ada, ben, `ada${i}`),
      client(ben, ada, `ben${i}`),
    ]).flat();
    const readers = [readsAlong(ada), readsAlong(ben)];
    await Promise.all(clients).finally(() => (writing = false));
    await Promise.all(readers);

    const stored = await messaging.all((cursor) => messaging.messages(ada, id, { limit: 100, cursor }));
    await messaging.service.get(FoldMessages).pass();
    const rows = await messaging.service.get(MessageRepository).listBefore(id, undefined, MESSAGES + 1);
    const ordered = rows.toReversed().map(({ content }) => content);
    expect(new Set(stored.map(({ content }) => content))).toEqual(new Set(ordered));
    expect(stored).toHaveLength(ordered.length);
    for (const [name, contents] of acknowledged) {
      expect(ordered.filter((content) => content.startsWith(`${name}:`))).toEqual(contents);
    }
    expect(Math.max(...Object.values(tally(ordered)))).toBe(1);
    expect(ordered).toHaveLength(MESSAGES);
    expect(rows.filter(({ unfolded }) => unfolded)).toEqual([]);
    // Newest first.
    const times = rows.map(({ createdAt }) => createdAt.getTime());
    expect(times.filter((time, at) => at > 0 && time >= times[at - 1]!)).toEqual([]);

    for (const user of [ada, ben]) {
      const recount = rows.filter(({ unreadBy }) => unreadBy === user.id).length;
      const [conversation] = (await messaging.conversations(user)).items;
      expect(conversation!.unreadCount).toBe(recount);
      expect(await messaging.badge(user)).toBe(recount);
      expect(conversation!.lastMessage!.content).toBe(ordered.at(-1));
      await messaging.read(user, id);
      expect(await messaging.badge(user)).toBe(0);
    }
  });
});
