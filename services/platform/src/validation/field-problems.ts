import { MAX_REPORTED_ERRORS } from '@pulso/contracts/limits';
import { type FieldError, validationFailed } from '../errors/domain-error.js';
import { cleanText, type TextRule } from '../text/text-rules.js';

/** Collects what is wrong with the fields of a request, so that one refusal names all of it. */
export class FieldProblems {
  constructor(
    private readonly prefix = '',
    private readonly byPath = new Map<string, FieldError>(),
  ) {}

  /** The same problems, for the fields of the object at `path`. */
  within(path: string): FieldProblems {
    return new FieldProblems(`${this.prefix}${path}.`, this.byPath);
  }

  /** Of each field only the first problem counts, and of all `MAX_REPORTED_ERRORS` (HTTP-15). */
  add(field: string, code: FieldError['code'], message: string): void {
    const path = `${this.prefix}${field}`;
    if (this.byPath.has(path) || this.byPath.size === MAX_REPORTED_ERRORS) return;
    this.byPath.set(path, { path, code, message });
  }

  /** The text in the form that is stored; empty if it has a problem. */
  text(path: string, input: string, rule: TextRule): string {
    const { value, problem } = cleanText(input, rule);
    if (problem) this.add(path, problem.code, problem.message);
    return value ?? '';
  }

  /** Throws `validation-failed` if there is a problem. */
  check(): void {
    if (this.byPath.size > 0) throw validationFailed([...this.byPath.values()]);
  }
}
