import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { toUserState } from './user-state.js';
import type { User } from './user.entity.js';

const ana = {
  ...{ id: '01a2036b-8ba3-7354-9c74-b0f26f6ca145', version: 7, status: 'active', createdAt: 1_000 },
  ...{ email: 'ana@example.com', name: 'Ana Ruiz', username: 'ana', bio: 'Runs', isCoach: true },
  ...{ profileImageId: '01a2036b-8ba3-7354-9c74-b0f26f6ca146', price: { minor: 900, currency: 'USD' } },
} as User;

describe('the published state of a user', () => {
  it('names an active one', () => {
    expect(toUserState(ana)).toMatchObject({
      name: 'Ana Ruiz',
      username: 'ana',
      version: 7,
      createdAt: 1_000,
    });
  });

  it('leaves the price to billing', () => {
    const { subscriptionPriceMinor, subscriptionCurrency } = toUserState(ana);
    expect([subscriptionPriceMinor, subscriptionCurrency]).toEqual([undefined, '']);
  });

  it('names nobody once the account is deleted', () => {
    const { id, version, createdAt } = ana;
    const status = UserStatus.USER_STATUS_DELETED;
    expect(toUserState({ ...ana, status: 'deleted' })).toEqual(
      UserState.fromPartial({ id, version, createdAt, status }),
    );
  });
});
