import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { TypeORMError } from 'typeorm';

/** What these say is no answer of a provider: a defect keeps its stack, and a database says itself what it lacks. */
const OWN = [DomainError, TypeORMError, TypeError, RangeError, ReferenceError, SyntaxError] as const;

/**
 * Runs an operator's command that asks the payment provider. Throws `unavailable` with the provider's own words where the provider fails,
 * so that the operator reads one line.
 */
export async function explainFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || OWN.some((kind) => error instanceof kind)) throw error;
    throw unavailable(`The payment provider has not done its part: ${error.message}`);
  }
}
