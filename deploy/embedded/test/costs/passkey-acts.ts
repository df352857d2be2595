import { TestAuthenticator } from '@pulso/platform/testing/test-authenticator';
import type { Act, World } from './acts.js';
import type { Caller } from './caller.js';

/** `PUBLIC_URL` of the Pulso that is measured. */
const ORIGIN = 'http://localhost';
const PASSKEYS = '/api/auth/passkeys';

/** The acts of passkeys: each has a user and an authenticator of its own. */
export function passkeyActs({ newCaller }: Pick<World, 'newCaller'>): Record<string, Act> {
  let owner: Caller;
  let device: TestAuthenticator;
  let passkey: string;
  let body: unknown;
  const newOwner = async () => {
    owner = await newCaller().signUp('eva');
    device = new TestAuthenticator(ORIGIN);
  };
  const optionsOf = async (path: string, given?: unknown) =>
    JSON.stringify(await owner.post(`${PASSKEYS}${path}/options`, given));
  const made = async () => {
    await newOwner();
    const { id, response } = device.create(await optionsOf('', {}));
    body = { name: 'Phone', id, ...response };
  };
  const added = async () => {
    await made();
    ({ id: passkey } = await owner.post(PASSKEYS, body));
  };
  const shown = (path: string) => async () => {
    await added();
    const { id, response } = device.get(await optionsOf(path));
    body = { id, ...response };
  };
  return {
    [`POST ${PASSKEYS}/login/options`]: { act: () => newCaller().post(`${PASSKEYS}/login/options`) },
    [`POST ${PASSKEYS}/login`]: {
      before: shown('/login'),
      act: () => newCaller().post(`${PASSKEYS}/login`, body),
    },
    [`GET ${PASSKEYS}`]: { before: added, act: () => owner.get(PASSKEYS) },
    [`POST ${PASSKEYS}/options`]: { before: newOwner, act: () => optionsOf('', {}) },
    [`POST ${PASSKEYS}`]: { before: made, act: () => owner.post(PASSKEYS, body) },
    [`POST ${PASSKEYS}/confirm/options`]: { before: added, act: () => optionsOf('/confirm') },
    [`POST ${PASSKEYS}/confirm`]: {
      before: shown('/confirm'),
      act: () => owner.post(`${PASSKEYS}/confirm`, body),
    },
    [`PATCH ${PASSKEYS}/{id}`]: {
      before: added,
      act: () => owner.patch(`${PASSKEYS}/${passkey}`, { name: 'Old phone' }),
    },
    [`DELETE ${PASSKEYS}/{id}`]: { before: added, act: () => owner.delete(`${PASSKEYS}/${passkey}`) },
  };
}
