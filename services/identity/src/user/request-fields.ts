import { type FieldError, validationFailed } from '@pulso/platform/errors/domain-error';
import { type TextRule, cleanText } from '@pulso/platform/text/text-rules';
import { type PasswordRules, passwordProblem, unusablePassword } from '../password/password-policy.js';
import { isEmail, normaliseEmail } from './email.js';
import { isUsername, normaliseUsername } from './username.js';

const NAME: TextRule = { max: 80, multiline: false, joiners: false };
const BIO: TextRule = { max: 2000, multiline: true, joiners: true };
const SPECIALTY: TextRule = { max: 40, multiline: false, joiners: true };
const SPECIALTIES_MAX = 20;
/** Before duplicates are dropped; more are not worth reading. */
const SPECIALTIES_GIVEN_MAX = 100;

/** Price limits in minor units: steps of 0.50 up to 100,000 (decisions 11, http-api.md). */
const PRICE_STEP = 50;
const PRICE_MAX = 10_000_000;
/** More help nobody, and gRPC carries errors in headers. */
const ERRORS_TOLD = 25;
const CURRENCIES: readonly string[] = ['MXN', 'USD'];

/**
 * Reads the fields of one request, collecting every problem under the HTTP field's path; `check()` throws
 * `validation-failed` when there is any. Values read before that are only meaningful after it.
 */
export class RequestFields {
  private readonly errors: FieldError[] = [];

  check(): void {
    if (this.errors.length > 0) throw validationFailed(this.errors);
  }

  reject(path: string, code: string, message: string): void {
    if (this.errors.length < ERRORS_TOLD) this.errors.push({ path, code, message });
  }

  name(input: string): string {
    const name = this.text('name', input, NAME);
    if (name === '') this.reject('name', 'required', 'Name is required');
    return name ?? '';
  }

  bio(input: string): string {
    return this.text('bio', input, BIO) ?? '';
  }

  /** Trimmed, without empty ones and duplicates (case aside), sorted alphabetically (product.md section 5). */
  specialties(inputs: readonly string[]): string[] {
    const byKey = new Map<string, string>();
    if (inputs.length > SPECIALTIES_GIVEN_MAX) return this.tooManySpecialties();
    for (const [index, input] of inputs.entries()) {
      const specialty = this.text(`specialties.${index}`, input, SPECIALTY);
      if (specialty && !byKey.has(specialty.toLowerCase())) byKey.set(specialty.toLowerCase(), specialty);
    }
    if (byKey.size > SPECIALTIES_MAX) return this.tooManySpecialties();
    return [...byKey.values()].sort((a, b) => a.localeCompare(b, 'en'));
  }

  username(input: string): string {
    const { value, problem } = normaliseUsername(input);
    if (problem) this.reject('username', problem.code, problem.message);
    else if (value === '') this.reject('username', 'required', 'Username is required');
    else if (!isUsername(value)) {
      this.reject(
        'username',
        'invalid-username',
        'Username must be 3 to 30 letters, numbers and inner dashes',
      );
    }
    return value ?? '';
  }

  email(input: string): string {
    const email = this.loginEmail(input);
    if (email && !isEmail(email)) {
      this.reject('email', 'invalid-email', 'Please enter a valid email address');
    }
    return email;
  }

  /** An address that is looked up: what cannot be one is simply unknown. */
  loginEmail(input: string): string {
    const { value, problem } = normaliseEmail(input);
    if (problem) this.reject('email', problem.code, problem.message);
    else if (value === '') this.reject('email', 'required', 'Email is required');
    return value ?? '';
  }

  /** A password that is compared: the policy may have been another when it was set. */
  loginPassword(input: string): string {
    const problem = unusablePassword(input);
    if (problem) this.reject('password', problem.code, problem.message);
    return input;
  }

  /** A password about to be set. */
  newPassword(path: string, input: string, rules: PasswordRules): string {
    const problem = passwordProblem(input, rules);
    if (problem) this.reject(path, problem.code, problem.message);
    return input;
  }

  /** Minor units, or undefined for none. */
  price(input: number | undefined): number | undefined {
    if (input === undefined) return undefined;
    const path = 'subscriptionPrice';
    if (input < 0) this.reject(path, 'too-small', 'Price must be at least 0');
    else if (input > PRICE_MAX) this.reject(path, 'too-big', `Price must be at most ${PRICE_MAX / 100}`);
    else if (input % PRICE_STEP !== 0) this.reject(path, 'invalid-step', 'Price must be a multiple of 0.5');
    return input;
  }

  currency(input: string): string {
    if (!CURRENCIES.includes(input)) {
      this.reject('subscriptionCurrency', 'invalid-currency', 'Currency must be MXN or USD');
    }
    return input;
  }

  private tooManySpecialties(): string[] {
    this.reject('specialties', 'too-many', `Must have at most ${SPECIALTIES_MAX} entries`);
    return [];
  }

  private text(path: string, input: string, rule: TextRule): string | undefined {
    const { value, problem } = cleanText(input, rule);
    if (problem) this.reject(path, problem.code, problem.message);
    return value;
  }
}
