import { NotifyOfMentions } from '../src/notification/notify-of-mentions.reaction.js';
import { type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

const HOUR = 60 * 60_000;

// Rule: NOTIF-14
describe('mentions of strangers', () => {
  let messaging: TestMessaging;
  let acts: Acts;
  let people: Person[];
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    acts = new Acts(messaging);
    people = await Promise.all(Array.from({ length: 130 }, () => messaging.person()));
  });
  afterAll(() => messaging?.stop());

  /** Who of the people has unread notifications. */
  const told = async (): Promise<Person[]> => {
    const counts = await Promise.all(people.map((person) => messaging.unread(person)));
    return people.filter((_, at) => counts[at]! > 0);
  };

  it('tell 100 in an hour, and followers besides; a repeated event tells nobody else', async () => {
    const writer = await messaging.person();
    const followers = people.slice(120);
    for (const follower of followers) await acts.follow(follower, writer);
    const first = await acts.post(writer, people.slice(0, 60));
    messaging.clock.advance(1_000);
    const second = await acts.post(writer, people.slice(60));
    const all = [...people.slice(0, 100), ...followers];
    expect(await told()).toEqual(all);

    messaging.clock.advance(HOUR / 2);
    for (const post of [first, second]) await messaging.service.get(NotifyOfMentions).handle(post);
    const edited = { id: second.id, createdAt: second.createdAt };
    await acts.post(writer, people.slice(60), edited);
    expect(await told()).toEqual(all);

    messaging.clock.advance(HOUR);
    for (const post of [first, second]) await messaging.service.get(NotifyOfMentions).handle(post);
    expect(await told()).toEqual(all);
    await acts.post(writer, people.slice(100, 110));
    expect(await told()).toEqual([...people.slice(0, 110), ...followers]);
  });
});
