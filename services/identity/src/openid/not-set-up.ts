import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';

/** Answers for a sign-in by OpenID Connect where no provider is set up. */
@Injectable()
export class OpenidNotSetUp {
  execute(): Promise<never> {
    return Promise.reject(notFound('No provider of sign-ins is set up.'));
  }
}
