import { DEMO_PEOPLE, type Username } from '../demo/people.js';

/** Somebody with an account at the development provider. */
export interface Person {
  name: string;
  email: string;
  /** Whether the provider says that the address is theirs. */
  emailVerified: boolean;
  /** What signing in as them shows. */
  shows: string;
}

const demo = (username: Username) => DEMO_PEOPLE.find((person) => person.username === username)!;

/** One for each way in which a sign-in ends (ACCT-28). */
export const PERSONS: readonly Person[] = [
  {
    name: 'Vera Castillo',
    email: 'vera@people.example',
    emailVerified: true,
    shows: 'becomes a member at the first time',
  },
  {
    name: 'Udo Brandt',
    email: 'udo@people.example',
    emailVerified: false,
    shows: 'becomes a member whose address is not verified',
  },
  {
    name: demo('nora-quintana').name,
    email: demo('nora-quintana').email,
    emailVerified: true,
    shows: 'signs in to the account of the demo with this address',
  },
  {
    name: demo('alex-rivera').name,
    email: demo('alex-rivera').email,
    emailVerified: false,
    shows: 'is refused: an account of the demo has this address',
  },
];

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,180}$/;

/** Whoever has an address that was typed in; undefined for what is none. */
export function personWith(email: string, emailVerified: boolean): Person | undefined {
  if (!ADDRESS.test(email)) return undefined;
  return { name: email.slice(0, email.indexOf('@')), email, emailVerified, shows: '' };
}
