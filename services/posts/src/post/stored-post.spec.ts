import {
  Author,
  Comment,
  Permissions,
  Post,
  PostImage,
  type PostVideo,
  VideoLink,
} from '@pulso/contracts/posts/v1/posts';
import { everyField } from '@pulso/platform/testing/every-field';
import { storedComment } from '../comment/stored-comment.js';
import { storedPost } from './stored-post.js';

const AUTHOR = everyField(Author, {
  id: 'carla',
  name: 'Carla',
  username: 'carla',
  profileImageId: 'picture',
  isCoach: true,
  subscriptionPriceMinor: 999,
  subscriptionCurrency: 'USD',
});
const images = [
  everyField(PostImage, {
    id: 'image',
    url: '/media/image/full',
    thumbnail: '/media/image/thumbnail',
    alt: 'Squat',
    caption: 'Low',
    blurhash: 'hash',
    width: 3,
    height: 2,
    originalName: 'a.png',
    originalSize: 9,
    bytes: 8,
  }),
];

const video: PostVideo = {
  link: everyField(VideoLink, { url: 'u', originalUrl: 'link', platform: 3, direct: true }),
};

// Rule: HTTP-13, POST-12
it('stores a published post without its author’s name and what they wrote or attached', async () => {
  const kept = {
    id: 'post',
    author: AUTHOR,
    truncated: true,
    imageCount: 1,
    hasVideo: true,
    visibility: 2,
    likeCount: 3,
    likedByViewer: true,
    commentCount: 2,
    createdAt: 1_000,
    updatedAt: 2_000,
    editedAt: 3_000,
    importedAt: 4_000,
    locked: true,
    permissions: everyField(Permissions, { edit: true, delete: true, like: true, comment: true }),
  };
  const written = { content: 'Written', images, video };
  const post = everyField(Post, { ...kept, ...written });
  const codec = storedPost(
    { content: written.content, visibility: 'public' },
    () => Promise.resolve(AUTHOR),
    () => ({ images, video }),
  );
  const bytes = codec.encode(post);
  expect(Post.decode(bytes)).toEqual({ ...kept, author: undefined, content: '', images: [] });
  expect(await codec.decode(bytes)).toEqual(post);
});

// Rule: HTTP-13
it('stores an added comment without its text and its author’s name', async () => {
  const kept = {
    id: 'comment',
    postId: 'post',
    author: AUTHOR,
    likeCount: 3,
    likedByViewer: true,
    createdAt: 1_000,
    updatedAt: 2_000,
    importedAt: 4_000,
  };
  const comment = everyField(Comment, { ...kept, content: 'Written' });
  const codec = storedComment({ content: 'Written' }, () => Promise.resolve(AUTHOR));
  const bytes = codec.encode(comment);
  expect(Comment.decode(bytes)).toEqual({ ...kept, author: undefined, content: '' });
  expect(await codec.decode(bytes)).toEqual(comment);
});
