import { Injectable } from '@nestjs/common';
import type { GetUserVersionRequest, GetUserVersionResponse } from '@pulso/contracts/identity/v1/identity';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { UserRepository } from '../store/user.repository.js';

/**
 * The version of an account's published state, for the gateway: it tells users whom other services have not received yet
 * from ids of nobody (HTTP-30). Public and independent of status and blocks. Throws `not-found`.
 */
@Injectable()
export class GetUserVersion {
  constructor(private readonly users: UserRepository) {}

  async execute({ id }: GetUserVersionRequest): Promise<GetUserVersionResponse> {
    const user = isId(id) ? await this.users.findById(id) : null;
    if (!user) throw userNotFound();
    return { version: user.version };
  }
}
