import { ContactState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { toContactState } from './contact-state.js';
import type { User } from './user.entity.js';

const ana = {
  ...{ id: '01a2036b-8ba3-7354-9c74-b0f26f6ca145', version: 7, status: 'suspended', createdAt: 1_000 },
  ...{
    email: 'ana@example.com',
    emailVerified: true,
    name: 'Ana Ruiz',
    username: 'ana',
    bio: 'Runs',
    language: 'es',
  },
  ...{ wantsSubscriptionMails: true, wantsSecurityMails: false, unsubscribeToken: 'abcdefghijklmnopqrstuv' },
  welcomedByNotice: true,
} as User;

// Rule: MAIL-8
describe('the published contact of a user', () => {
  it('says where they get mail, and which mails', () => {
    const { id, version, createdAt, email, unsubscribeToken } = ana;
    expect(toContactState(ana)).toEqual({
      ...{ id, version, createdAt, email, emailVerified: true, unsubscribeToken, language: 'es' },
      ...{ wantsSubscriptionMails: true, wantsSecurityMails: false, welcomedByNotice: true },
      status: UserStatus.USER_STATUS_SUSPENDED,
    });
  });

  it('leads to nobody once the account is deleted', () => {
    const { id, version, createdAt } = ana;
    const status = UserStatus.USER_STATUS_DELETED;
    expect(toContactState({ ...ana, status: 'deleted' })).toEqual(
      ContactState.fromPartial({ id, version, createdAt, status }),
    );
  });
});
