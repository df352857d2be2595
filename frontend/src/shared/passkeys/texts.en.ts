/** A passkey in place of the current password, for every form that asks for that. */
export const en = {
  proof: {
    instead: 'Use a passkey instead',
    /** Of an account without a password. */
    only: 'Confirm with a passkey',
    waiting: 'Waiting for your passkey...',
    done: 'Confirmed with your passkey.',
    failed: 'This passkey could not be used. Please try again.',
    /** It counts for some minutes. */
    over: 'Please confirm once more that it is you.',
    /** Without a password, a new sign-in shows that it is still them. */
    signInAgain: 'Please log out and sign in again, and do this within 5 minutes.',
  },
} as const;
