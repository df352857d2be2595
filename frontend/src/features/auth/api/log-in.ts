import { client, unwrap } from '../../../server/client/client.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { session } from '../../../server/session/session.js';

interface Credentials {
  email: string;
  password: string;
}

/** POST /api/auth/login; the session begins on success. */
export const useLogIn = () =>
  useSingleMutation({
    mutationFn: (body: Credentials) => unwrap(client.POST('/api/auth/login', { body })),
    onSuccess: (started) => session.signIn(started),
  });
