import { expect, it } from '@jest/globals';
import { SessionOverError } from '../http/api-error.js';
import { unwrap } from './client.js';

it('a visitor’s call that was not sent, because a user is there now, is no lost answer', async () => {
  await expect(unwrap(Promise.reject(new SessionOverError('the viewer has changed')))).rejects.toThrow(
    SessionOverError,
  );
});
