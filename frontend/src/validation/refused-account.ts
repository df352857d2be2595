import { ApiError, refusedFields } from '../server/http/api-error.js';
import { ruleTexts } from './texts.js';

const { rules } = ruleTexts();

/** Codes that blame a field without naming it. */
const BLAMED: Partial<Record<string, Record<string, string>>> = {
  'username-taken': { username: rules.usernameTaken },
  'too-many-renames': { username: rules.tooManyRenames },
  'too-many-former-usernames': { username: rules.tooManyFormerUsernames },
  'wrong-password': { currentPassword: rules.wrongPassword },
  'email-already-in-use': { email: rules.emailTaken },
};
const OURS: Partial<Record<string, string>> = {
  'common-password': rules.passwordCommon,
  'format-character': rules.invisible,
};

/** What the server refused of an account, by field of the request body: our text where its code has one, else the server's own. */
export function refusedAccount(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const blamed = BLAMED[error.code];
  if (blamed) return blamed;
  if (error.code === 'price-below-minimum' && error.detail) return { subscriptionPrice: error.detail };
  const ours = Object.entries(error.fields).flatMap(([path, { code }]) => {
    const text = OURS[code];
    return text === undefined ? [] : [[path.split('.', 1)[0], text]];
  });
  return { ...refusedFields(error), ...Object.fromEntries(ours) };
}
