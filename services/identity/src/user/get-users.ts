import { Injectable } from '@nestjs/common';
import type { GetUsersRequest, GetUsersResponse } from '@pulso/contracts/identity/v1/identity';
import { readUserIds } from '@pulso/platform/validation/read-user-ids';
import { toUserMessage } from './user-message.js';
import { VisibleUsers } from './visible-users.js';

/**
 * Those of the users whom `GetUser` would give the caller, in no certain order; public. Throws `validation-failed` for more
 * than 100 ids.
 */
@Injectable()
export class GetUsers {
  constructor(private readonly visible: VisibleUsers) {}

  async execute({ ids }: GetUsersRequest): Promise<GetUsersResponse> {
    const users = await this.visible.among(readUserIds('ids', ids));
    return { users: users.map(toUserMessage) };
  }
}
