import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FoundImport, ImportState } from '@pulso/contracts/posts/v1/posts';
import { PostsClient } from '../clients.js';
import { BODY_BYTES } from '../http/endpoint.js';
import { ClaimMedia } from '../media/claim-media.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { toPublishRequest } from '../posts/to-post.js';
import {
  BeginImportBody,
  type Import,
  importedCommentsSchema,
  type ImportedComments,
  importedPostsSchema,
  type ImportedPosts,
  ImportCommentsBody,
  ImportPostsBody,
  importSchema,
  type PendingImports,
  PendingImportsBody,
  pendingImportsSchema,
} from './import.dto.js';

/** LIMIT-21. */
const IMPORT_LIMITS = ['imports-address', 'imports-account'] as const;

/** ACCT-46, HTTP-46. */
@ApiTags('Authentication and account')
@Controller('api/me/import')
export class ImportController {
  constructor(
    private readonly posts: PostsClient,
    private readonly claims: ClaimMedia,
  ) {}

  @Get()
  @Endpoint({
    summary: 'From where the caller has imported, and how much',
    access: 'private',
    status: 200,
    answer: importSchema,
  })
  async get(): Promise<Import> {
    return toImport(await this.posts.getImport({}));
  }

  @Post()
  @Endpoint({
    summary: 'Begin an import, or go on with it',
    description:
      'Into an account that has no posts and no comments, or from the source from which it has imported before.',
    access: 'private',
    limit: IMPORT_LIMITS,
    status: 200,
    answer: importSchema,
    errors: ['account-not-empty'],
  })
  async begin(@Body() body: BeginImportBody): Promise<Import> {
    return toImport(await this.posts.beginImport(body));
  }

  @Post('pending')
  @Endpoint({
    summary: 'Which of these posts and comments have not been imported',
    access: 'private',
    limit: IMPORT_LIMITS,
    status: 200,
    answer: pendingImportsSchema,
  })
  async pending(@Body() { posts, comments }: PendingImportsBody): Promise<PendingImports> {
    const found = await this.posts.findImported({ postIds: posts, commentIds: comments });
    return {
      posts: posts.filter((_, index) => !found.posts[index]?.imported),
      comments: comments.filter((_, index) => !found.comments[index]?.imported),
    };
  }

  @Post('posts')
  @Endpoint({
    summary: 'Import posts',
    description:
      'All are checked before the first one is written; a repetition changes nothing. Images and videos are uploaded before.',
    access: 'private',
    limit: IMPORT_LIMITS,
    status: 200,
    bodyBytes: BODY_BYTES.post,
    answer: importedPostsSchema,
    errors: ['permission-denied', 'media-not-attachable', 'conflict', 'unprocessable'],
  })
  async importPosts(@Body() { posts }: ImportPostsBody): Promise<ImportedPosts> {
    const postIds = posts.map(({ sourceId }) => sourceId);
    const found = await this.posts.findImported({ postIds, commentIds: [] });
    const claims = posts.map((post, index) => claimOf(post, found.posts[index]));
    const { ids } = await this.claims.forImportedPosts(claims, (tickets) =>
      this.posts.importPosts({
        posts: posts.map(({ sourceId, editedAt, ...post }, index) => ({
          sourceId,
          editedAt: editedAt ?? undefined,
          post: { ...toPublishRequest(post), ticket: tickets[index], idempotency: undefined },
        })),
      }),
    );
    return { posts: imported(postIds, ids) };
  }

  @Post('comments')
  @Endpoint({
    summary: 'Import the caller’s comments on imported posts',
    description: 'All are checked before the first one is written; a repetition changes nothing.',
    access: 'private',
    limit: IMPORT_LIMITS,
    status: 200,
    bodyBytes: BODY_BYTES.post,
    answer: importedCommentsSchema,
    errors: ['conflict', 'unprocessable'],
  })
  async importComments(@Body() body: ImportCommentsBody): Promise<ImportedComments> {
    const { ids } = await this.posts.importComments(body);
    return {
      comments: imported(
        body.comments.map(({ sourceId }) => sourceId),
        ids,
      ),
    };
  }
}

/** What is there already keeps the media that it has, and nothing is claimed for what is no id, which posts refuses. */
function claimOf({ images, video }: ImportPostsBody['posts'][number], found: FoundImport | undefined) {
  if (!found || found.imported || found.id === '') return { postId: '' };
  return { postId: found.id, images, video };
}

const toImport = ({ sourceUserId, posts, comments }: ImportState): Import => ({
  ...{ sourceUserId: sourceUserId ?? null, posts, comments },
});

const imported = (sourceIds: readonly string[], ids: readonly string[]) =>
  sourceIds.map((sourceId, index) => ({ sourceId, id: ids[index] || null }));
