import type { FieldErrorCode } from '@pulso/contracts/field-errors';
import { REFUSAL_TEXTS, refusalText } from '@pulso/contracts/refusal-texts';

interface Refused {
  path: string;
  code: string;
  message: string;
}

/** The errors whose text is not the one that the catalogue has for their code and path. */
export function withoutText(errors: readonly Refused[], bodyName?: string): Refused[] {
  return errors.filter(({ path, code, message }) => {
    const text = Object.hasOwn(REFUSAL_TEXTS, code)
      ? refusalText(code as FieldErrorCode, path, bodyName)
      : undefined;
    return text === undefined || !isText(text, message);
  });
}

/** Whether a message is the text with something in place of each `{…}`. */
export function isText(text: string, message: string): boolean {
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`).test(message);
}
