import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import {
  CURRENCIES,
  type Language,
  LANGUAGES,
  PRICE,
  VALIDATION_MESSAGES,
  SPECIALTIES,
  TEXT_LIMITS,
} from '@pulso/contracts/limits';
import { alphabetical, withoutRepeats } from '@pulso/platform/text/comparison-key';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import { type GivenPassword, readNewPassword, readPassword } from '../password/password-policy.js';
import { isEmail, normaliseEmail } from './email.js';
import { isUsername, normaliseUsername } from './username.js';

/** Requests contain prices in minor units. */
const MINOR_PER_UNIT = 100;

/**
 * Reads the fields of one request and collects every problem under the path of the HTTP field. Values read before `check()`
 * are valid only after it has passed.
 */
export class RequestFields extends FieldProblems {
  name(input: string): string {
    const name = this.text('name', input, TEXT_LIMITS.name);
    if (name === '') this.add('name', 'required', VALIDATION_MESSAGES.required('name'));
    return name;
  }

  bio(input: string): string {
    return this.text('bio', input, TEXT_LIMITS.bio);
  }

  /** Without empty ones and repeats, sorted alphabetically (PEOPLE-11). */
  specialties(inputs: readonly string[]): string[] {
    if (inputs.length > SPECIALTIES.given) return this.tooManySpecialties();
    const given = inputs.map((input, index) =>
      this.text(`specialties.${index}`, input, TEXT_LIMITS.specialty),
    );
    const specialties = withoutRepeats(given);
    return specialties.length > SPECIALTIES.max ? this.tooManySpecialties() : specialties.sort(alphabetical);
  }

  username(input: string): string {
    const { value, problem } = normaliseUsername(input);
    if (problem) this.add('username', problem.code, problem.message);
    else if (value === '') this.add('username', 'required', VALIDATION_MESSAGES.required('username'));
    else if (!isUsername(value)) {
      this.add('username', 'invalid-username', VALIDATION_MESSAGES.username);
    }
    return value ?? '';
  }

  email(input: string): string {
    const email = this.loginEmail(input);
    if (email && !isEmail(email)) {
      this.add('email', 'invalid-email', VALIDATION_MESSAGES.email);
    }
    return email;
  }

  /** An address for a look-up: one that cannot be an address is simply unknown. */
  loginEmail(input: string): string {
    const { value, problem } = normaliseEmail(input);
    if (problem) this.add('email', problem.code, problem.message);
    else if (value === '') this.add('email', 'required', VALIDATION_MESSAGES.required('email'));
    return value ?? '';
  }

  /** A password to compare: the policy may have been different when it was set. */
  loginPassword(input: string): string {
    return this.password('password', readPassword(input));
  }

  /** A password about to be set. */
  newPassword(path: string, input: string, policy: PasswordPolicy): string {
    return this.password(path, readNewPassword(input, policy));
  }

  /** Minor units, or undefined for none. */
  price(input: number | undefined): number | undefined {
    if (input === undefined) return undefined;
    const path = 'subscriptionPrice';
    if (input < PRICE.min * MINOR_PER_UNIT) this.add(path, 'too-small', VALIDATION_MESSAGES.priceTooSmall);
    else if (input > PRICE.max * MINOR_PER_UNIT) this.add(path, 'too-big', VALIDATION_MESSAGES.priceTooBig);
    else if (input % (PRICE.step * MINOR_PER_UNIT) !== 0)
      this.add(path, 'invalid-step', VALIDATION_MESSAGES.priceStep);
    return input;
  }

  currency(input: string): string {
    if (!CURRENCIES.some((currency) => currency === input)) {
      this.add('subscriptionCurrency', 'invalid-currency', VALIDATION_MESSAGES.currency);
    }
    return input;
  }

  /** Of mails (MAIL-6). */
  language(input: string): Language {
    const language = LANGUAGES.find((known) => known === input);
    if (language === undefined) this.add('language', 'invalid-language', VALIDATION_MESSAGES.language);
    return language ?? LANGUAGES[0];
  }

  private password(path: string, { value = '', problem }: GivenPassword): string {
    if (problem) this.add(path, problem.code, problem.message);
    return value;
  }

  private tooManySpecialties(): string[] {
    this.add('specialties', 'too-many', VALIDATION_MESSAGES.specialties);
    return [];
  }
}
