import type { AttachedImage } from '../store/attached-image.js';
import type { CommentDocument } from '../store/comment.schema.js';
import type { PostDocument } from '../store/post.schema.js';
import {
  COMMENT_FIELDS,
  type Decided,
  type ModeratedPicture,
  type ModeratedPost,
  type ModeratedText,
  POST_FIELDS,
} from './moderated-text.js';

interface Titled {
  title: string;
}
type TitledPost = PostDocument & Titled;
type TitledImages = Omit<PostDocument, 'images'> & { images?: (AttachedImage & Titled)[] };
type TitledPictures = Omit<ModeratedPost, 'pictures'> & { pictures: readonly (ModeratedPicture & Titled)[] };

// Rule: PEOPLE-36
describe('a new text', () => {
  it('of a post or comment does not compile until it is decided whether moderators see it', () => {
    // @ts-expect-error: not decided
    const undecided: Decided<TitledPost, ModeratedPost> = POST_FIELDS;
    // @ts-expect-error: moderators see no such field
    const unseen: Decided<TitledPost, ModeratedPost> = { ...POST_FIELDS, title: 'title' };
    const seen: Decided<TitledPost, ModeratedPost & Titled> = { ...POST_FIELDS, title: 'title' };
    const leftOut: Decided<TitledPost, ModeratedPost> = { ...POST_FIELDS, title: { leftOut: 'a reason' } };
    // @ts-expect-error: not decided
    const ofComment: Decided<CommentDocument & Titled, ModeratedText & { post: unknown }> = COMMENT_FIELDS;
    expect([undecided, unseen, seen, leftOut]).toHaveLength(4);
    expect(ofComment).toBe(COMMENT_FIELDS);
  });

  it('of an image neither', () => {
    const { images } = POST_FIELDS;
    // @ts-expect-error: not decided
    const undecided: Decided<TitledImages, ModeratedPost>['images'] = images;
    const fields = { ...images.fields, title: 'title' } as const;
    // @ts-expect-error: moderators see no such field
    const unseen: Decided<TitledImages, ModeratedPost>['images'] = { as: 'pictures', fields };
    const seen: Decided<TitledImages, TitledPictures>['images'] = { as: 'pictures', fields };
    expect([undecided, unseen, seen]).toHaveLength(3);
  });
});
