import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { billingErasureTopic } from '@pulso/contracts/topics/billing';
import { mediaErasureTopic } from '@pulso/contracts/topics/media';
import { messagingErasureTopic } from '@pulso/contracts/topics/messaging';
import { postsErasureTopic } from '@pulso/contracts/topics/posts';
import { socialErasureTopic } from '@pulso/contracts/topics/social';
import { EraseMe } from '../../src/account/erase-me.js';
import { SignUp } from '../../src/account/sign-up.js';
import { LogIn } from '../../src/session/log-in.js';
import { ErasureRepository } from '../../src/store/erasure.repository.js';
import { aSignUp, type Identity, PASSWORD, type SignedIn } from '../start.js';

export const ACKNOWLEDGED_BY = [
  billingErasureTopic,
  mediaErasureTopic,
  messagingErasureTopic,
  postsErasureTopic,
  socialErasureTopic,
];

/** What a suite of erasures does with the service of `identity`, and sees of it. */
export function erasuresIn(identity: () => Identity) {
  const erase = (person: SignedIn, password = PASSWORD) =>
    identity().as(person, () => identity().get(EraseMe).execute({ password }));
  const logIn = ({ email }: { email: string }, password = PASSWORD) =>
    identity().get(LogIn).execute({ email, password, device: undefined });
  const signUp = (fields: { email?: string; username?: string }) =>
    identity().get(SignUp).execute(aSignUp(fields));
  /** Of the present erasure, unless `asked` is given. */
  const acknowledge = async (
    topic: (typeof ACKNOWLEDGED_BY)[number],
    state: Omit<ErasedUserState, 'asked'> & { asked?: number },
  ) => {
    const [erasure] = await identity().rows<{ version: string }>(
      'SELECT version FROM erasures WHERE user_id = $1',
      [state.userId],
    );
    return identity().service.tell(topic, { asked: Number(erasure?.version ?? 1), ...state });
  };
  const acknowledgeAll = async ({ user: { id: userId } }: SignedIn, version = 1) => {
    for (const topic of ACKNOWLEDGED_BY)
      await acknowledge(topic, { userId, version, erasedAt: identity().clock.now() });
  };
  const shown = async ({ user: { id: userId } }: SignedIn) => {
    const [erasure] = await identity().get(ErasureRepository).list({ userId, limit: 1 });
    return erasure;
  };
  return { erase, logIn, signUp, acknowledge, acknowledgeAll, shown };
}
