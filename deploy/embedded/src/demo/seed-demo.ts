import { DomainError } from '@pulso/platform/errors/domain-error';
import { SERVICES } from '@pulso/registry/services';
import { decodeJwt } from 'jose';
import { callAs } from '../call-as.js';
import { type Account, DAY_MS, DemoActs, inTurns, type SeedOptions } from './demo-acts.js';
import {
  DEMO_PASSWORD,
  DEMO_PEOPLE,
  DEMO_PRICE,
  DEMO_REVIEWS,
  type DemoPerson,
  type Username,
} from './people.js';
import { DEMO_POSTS } from './posts.js';
import { publishPost } from './publish-post.js';

const PRICE = {
  specialties: undefined,
  subscriptionPriceMinor: { value: DEMO_PRICE.minor },
  subscriptionCurrency: DEMO_PRICE.currency,
  emails: undefined,
};

/** What is seeded, and by whom: `dressDemo` goes on with it. */
export interface SeededDemo {
  acts: DemoActs;
  /** Whether an earlier seed was here, which may have been killed. */
  isRepetition: boolean;
}

/**
 * Fills a new installation with the demo (DEMO-1, DEMO-2) by calling the services as its people, so that all events
 * flow; the times are counted back from now. Can be repeated after a kill: what is there stays as it is. Without what
 * `dressDemo` adds.
 */
export async function seedDemo(options: SeedOptions): Promise<SeededDemo> {
  const acts = new DemoActs(options);
  const { pulso, clock } = options;
  const { now } = acts;
  const { identity, social } = acts.clients;

  const fresh = await inTurns(
    DEMO_PEOPLE.map((person) => async () => {
      const joined = now - person.joinedDaysAgo * DAY_MS;
      const { account, isNew } = await signIn(person, joined);
      acts.isHere(person.username, account);
      await clock.at(isNew ? joined : now, () => verifyEmail(person.username));
      if (person.isCoach)
        await acts.as(person.username, isNew ? joined : now, () => identity.updateMe(PRICE));
      return isNew;
    }),
  );
  // On a busy machine the new users may reach the others later than the half second that a call waits, and it would
  // refuse.
  await pulso.drainEvents();
  const isRepetition = fresh.includes(false);

  await inTurns<unknown>([
    ...DEMO_PEOPLE.flatMap(({ username, joinedDaysAgo, follows }) =>
      follows.map(
        (followed, index) => () =>
          acts.as(username, now - (joinedDaysAgo - 0.1 * (index + 1)) * DAY_MS, () =>
            social.followUser({ userId: acts.idOf(followed) }),
          ),
      ),
    ),
    ...DEMO_REVIEWS.map(({ coach, author, rating, daysAgo, comment }) => () => {
      const idempotency = { key: `demo-${coach}`, scope: 'seed', bodyHash: 'review' };
      const review = { coachId: acts.idOf(coach), rating, comment, idempotency };
      return acts.as(author, now - daysAgo * DAY_MS, () => social.putReview(review));
    }),
    ...DEMO_POSTS.flatMap((post, index) =>
      post.pictures || post.video ? [] : [() => publishPost(acts, { post, index, isRepetition })],
    ),
  ]);
  return { acts, isRepetition };

  async function signIn(person: DemoPerson, joined: number): Promise<{ account: Account; isNew: boolean }> {
    const { name, username, email, isCoach, bio, specialties } = person;
    const device = { userAgent: 'Pulso demo', address: '127.0.0.1' };
    const given = { name, username, email, isCoach, bio, specialties };
    const profile = { ...given, password: DEMO_PASSWORD, device, language: 'en' };
    try {
      const signedUp = await clock.at(joined, () => callAs(undefined, () => identity.signUp(profile)));
      return { account: accountOf(signedUp.accessToken), isNew: true };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'email-already-in-use') throw error;
      const signedIn = await callAs(undefined, () => identity.logIn(profile));
      return { account: accountOf(signedIn.accessToken), isNew: false };
    }
  }

  /** As an operator does: what the demo's people do to each other is mailed to them. */
  async function verifyEmail(username: Username): Promise<void> {
    const command = SERVICES.identity.commands['verify-email']!;
    await command.prepare({ operands: [username], options: { by: 'the demo' } })(pulso.services.identity);
  }
}

function accountOf(accessToken: string): Account {
  const { sub, sid } = decodeJwt<{ sid: string }>(accessToken);
  return { userId: sub!, sessionId: sid };
}
