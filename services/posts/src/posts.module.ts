import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CommentGrpc } from './comment/comment.grpc.js';
import { FeedGrpc } from './feed/feed.grpc.js';
import { LikeGrpc } from './like/like.grpc.js';
import { PostGrpc } from './post/post.grpc.js';

@Module({})
export class PostsModule {
  /** The rpc service over use cases that are made already: what they share outlives and precedes Nest's container. */
  static over(useCases: readonly object[]): DynamicModule {
    return {
      module: PostsModule,
      controllers: [FeedGrpc, PostGrpc, CommentGrpc, LikeGrpc],
      providers: useCases.map((useCase) => ({
        provide: useCase.constructor as Type<unknown>,
        useValue: useCase,
      })),
    };
  }
}
