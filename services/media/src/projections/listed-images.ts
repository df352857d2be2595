import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The images that posts and profiles list in the newest events that media has handled. Their assets may be lost. */
@Injectable()
export class ListedImages {
  constructor(private readonly dataSource: DataSource) {}

  /** Those of `ids` that a post or a profile lists. Each call reads all posts once: ask for many at a time. */
  among(ids: readonly string[]): Promise<Set<string>> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL statement_timeout = 0');
      const rows = await manager.query<{ id: string }[]>(
        `WITH asked AS (SELECT unnest($1::text[]) AS id)
         SELECT asked.id FROM known_posts CROSS JOIN unnest(media_ids) AS listed (id)
           JOIN asked ON asked.id = listed.id WHERE NOT deleted
         UNION
         SELECT asked.id FROM known_users JOIN asked ON asked.id = profile_image_id WHERE status <> 'deleted'`,
        [ids],
      );
      return new Set(rows.map(({ id }) => id));
    });
  }
}
