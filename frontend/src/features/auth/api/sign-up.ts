import { client, unwrap } from '../../../server/client/client.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { session } from '../../../server/session/session.js';

export interface SignUpBody {
  email: string;
  password: string;
  name: string;
  username: string;
  isCoach: boolean;
  bio: string;
  specialties: string[];
}

/** POST /api/auth/signup; the session begins on success. */
export const useSignUp = () =>
  useSingleMutation({
    mutationFn: (body: SignUpBody) => unwrap(client.POST('/api/auth/signup', { body })),
    onSuccess: (started) => session.signIn(started),
  });
