import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';

const notSetUp = () => Promise.reject(notFound('No provider of sign-ins is set up.'));

/** Answers where no provider of OpenID Connect is set up. */
@Injectable()
export class BeginOpenid {
  execute(): Promise<never> {
    return notSetUp();
  }
}

/** As `BeginOpenid`. */
@Injectable()
export class FinishOpenid {
  execute(): Promise<never> {
    return notSetUp();
  }
}
