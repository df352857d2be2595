import { eventOf } from './event-record.js';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import { commentTopic, likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';

describe('topics', () => {
  it('have the names and keys of the contracts', () => {
    const id = { id: 'x', version: 3 };
    expect(eventOf(userTopic, userTopic.codec.decode(new Uint8Array()))).toMatchObject({
      topic: 'pulso.identity.user.v1',
      key: '',
    });
    const keys = [
      [userTopic.name, userTopic.keyOf({ ...userTopic.codec.decode(new Uint8Array()), ...id })],
      [postTopic.name, postTopic.keyOf({ ...postTopic.codec.decode(new Uint8Array()), ...id })],
      [commentTopic.name, commentTopic.keyOf({ ...commentTopic.codec.decode(new Uint8Array()), ...id })],
      [
        likeTopic.name,
        likeTopic.keyOf({ ...likeTopic.codec.decode(new Uint8Array()), targetId: 't', userId: 'u' }),
      ],
      [followTopic.name, followTopic.keyOf({ followerId: 'f', targetId: 't', version: 1, active: true })],
      [blockTopic.name, blockTopic.keyOf({ blockerId: 'b', blockedId: 'c', version: 1, active: true })],
      [
        subscriptionTopic.name,
        subscriptionTopic.keyOf({ userId: 'u', coachId: 'c', version: 1, active: true }),
      ],
    ];
    expect(keys).toEqual([
      ['pulso.identity.user.v1', 'x'],
      ['pulso.posts.post.v1', 'x'],
      ['pulso.posts.comment.v1', 'x'],
      ['pulso.posts.like.v1', 't_u'],
      ['pulso.social.follow.v1', 'f_t'],
      ['pulso.social.block.v1', 'b_c'],
      ['pulso.billing.subscription.v1', 'u_c'],
    ]);
  });

  it('decode what they encode, also versions in microseconds', () => {
    const state = { followerId: 'f', targetId: 't', version: 1_790_000_000_000_123, active: true };
    const event = eventOf(followTopic, state);
    expect(event).toMatchObject({
      id: 'pulso.social.follow.v1/f_t/1790000000000123',
      version: state.version,
    });
    expect(followTopic.codec.decode(event.payload)).toEqual(state);
  });
});

describe('eventOf', () => {
  it('gives the same state the same id, and another one in each republication', () => {
    const state = { followerId: 'f', targetId: 't', version: 1, active: true };
    expect(eventOf(followTopic, state)).toEqual(eventOf(followTopic, { ...state }));
    const again = eventOf(followTopic, state, { republication: 'run-1' });
    expect(again).toMatchObject({ id: 'pulso.social.follow.v1/f_t/1/run-1', republished: true });
    expect(again.headers.ce_id).toBe(again.id);
  });
});
