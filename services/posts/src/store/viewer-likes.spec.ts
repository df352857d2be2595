import { newId } from '@pulso/platform/ids/uuid-v7';
import type { LikeRepository } from './like.repository.js';
import { ViewerLikes } from './viewer-likes.js';

function over(maxTargets: number) {
  const asked: string[] = [];
  const likes = {
    async likedAmong(userId: string, targetIds: readonly string[]) {
      asked.push(userId);
      return new Set(targetIds.slice(0, 1));
    },
  };
  return { likes: new ViewerLikes(likes as LikeRepository, maxTargets), asked };
}

const aViewer = () => ({ id: newId(), graphVersion: 0, likeVersion: 1 });
const targets = (count: number) => Array.from({ length: count }, () => newId());

describe('ViewerLikes', () => {
  it('uses the cache until the like version grows', async () => {
    const { likes, asked } = over(100);
    const viewer = aViewer();
    const [liked, other] = targets(2) as [string, string];
    expect(await likes.among(viewer, [liked, other])).toEqual(new Set([liked]));
    expect(await likes.among(viewer, [liked, other])).toEqual(new Set([liked]));
    expect(asked).toHaveLength(1);
    await likes.among({ ...viewer, likeVersion: 2 }, [liked]);
    expect(asked).toHaveLength(2);
  });

  it('evicts the least recently seen viewer when the cache is full', async () => {
    const { likes, asked } = over(100);
    const seen = targets(30);
    const [first, second, third] = [aViewer(), aViewer(), aViewer()];
    for (const viewer of [first, second, third]) await likes.among(viewer, seen);
    await likes.among(third, seen);
    await likes.among(second, seen);
    expect(asked).toEqual([first.id, second.id, third.id]);
    await likes.among(first, seen);
    expect(asked).toHaveLength(4);
  });
});
