import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { newIdAt } from '../src/ids/uuid-v7.js';
import type { Clock } from '../src/time/clock.js';

/** The states of users that a suite publishes in identity's place, each with its next version. */
export class PublishedUsers {
  /** The last state of each user. */
  readonly states = new Map<string, UserState>();
  private count = 0;

  constructor(private readonly clock: Clock) {}

  /** The first state of a new active user, `Person 1` and so on. */
  first(fields: Partial<UserState> = {}): UserState {
    this.count += 1;
    const named = { name: `Person ${this.count}`, username: `person-${this.count}` };
    const id = newIdAt(this.clock.now());
    return this.next({ id }, { ...named, status: UserStatus.USER_STATUS_ACTIVE, ...fields });
  }

  /** The user's next state, which differs in these fields. */
  next({ id }: Pick<UserState, 'id'>, fields: Partial<UserState>): UserState {
    const previous = this.states.get(id) ?? UserState.create();
    const state = { ...previous, id, ...fields, version: previous.version + 1 };
    this.states.set(id, state);
    return state;
  }
}
