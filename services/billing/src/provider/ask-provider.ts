import { Injectable } from '@nestjs/common';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { Provider } from './provider.js';
import { refusedByProvider } from './provider-errors.js';

/** Of one reading, or of one page: callers have 5 s in all. */
export const READ_LIMIT_MS = 3_000;

/** Asks the provider, while a caller waits, for what changes nothing that has to be remembered. */
@Injectable()
export class AskProvider {
  constructor(
    private readonly provider: Provider,
    private readonly logger: Logger,
  ) {}

  /** Throws `unavailable` where the provider does not answer now, and `unprocessable` where it refuses for good. */
  async execute<T>(ask: (provider: Provider, signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await ask(this.provider, AbortSignal.timeout(READ_LIMIT_MS));
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const isRefused = this.provider.failureOf(error) === 'refused';
      this.logger.warn({ err: error, isRefused }, 'the payment provider does not answer what it was asked');
      throw isRefused ? refusedByProvider() : unavailable();
    }
  }
}
