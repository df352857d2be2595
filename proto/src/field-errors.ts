/**
 * Every reason for which a field of a request is refused, and what it means. The API sends the key as `errors[].code`, beside the
 * English text: with the path it says which text of `REFUSAL_TEXTS` that is, so that clients can translate it (HTTP-14).
 */
export const FIELD_ERRORS = {
  required: 'Is missing or empty.',
  'invalid-type': 'Is of another type.',
  'invalid-value': 'Is none of the values that the field takes.',
  invalid: 'Is malformed, or not where the form of an upload has it.',
  'unknown-field': 'The request has no such field.',
  unknown: 'Is none of the known names.',
  'lone-surrogate': 'Is no Unicode text.',
  'control-character': 'Has control characters, or more than one line where one is asked for.',
  'format-character': 'Has characters that nobody sees.',
  'too-long': 'Has more characters than the field takes.',
  'too-short': 'Has fewer characters than the field needs.',
  'too-many': 'Has more items than the field takes.',
  'too-small': 'Is below the smallest number.',
  'too-big': 'Is above the greatest number.',
  'out-of-range': 'Is outside of the range of the field.',
  'invalid-step': 'Is between the steps in which the number goes.',
  repeated: 'Stands in the list already.',
  'invalid-email': 'Is no e-mail address.',
  'invalid-username': 'Is no username.',
  'invalid-url': 'Is no web address.',
  'foreign-origin': 'Is no address of Pulso.',
  'invalid-currency': 'Is none of the currencies.',
  'invalid-language': 'Is none of the languages.',
  'missing-lowercase': 'Has no lowercase letter.',
  'missing-uppercase': 'Has no uppercase letter.',
  'missing-number': 'Has no number.',
  'missing-special-character': 'Has no character besides letters and numbers.',
  'common-password': 'Is one of the most common passwords.',
  'images-and-video': 'A post has images or a video, not both.',
} as const satisfies Record<string, string>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

export function isFieldErrorCode(code: unknown): code is FieldErrorCode {
  return typeof code === 'string' && Object.hasOwn(FIELD_ERRORS, code);
}
