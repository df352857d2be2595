import { Injectable } from '@nestjs/common';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { UserRepository } from '../account/user.repository.js';
import { toUserState } from './user-state.js';

/** Every user's present state, for projections that are being rebuilt. */
@Injectable()
export class RepublishUsers {
  constructor(private readonly users: UserRepository) {}

  async *states(): AsyncIterable<UserState> {
    for await (const user of this.users.all()) yield toUserState(user);
  }
}
