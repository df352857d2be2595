import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AssetKind, type AssetPurpose, objectKeyOf, variantsOf } from './asset.js';

/** The main file of a picture or a video. */
interface ArchivedFile {
  id: string;
  /** What it is called in the archive. */
  name: string;
  objectKey: string;
}

const AT_ONCE = 200;
const SHOWN = `state = 'ready' AND (kind = 'image' OR EXISTS (
  SELECT FROM videos WHERE videos.id = assets.id AND status = 'ready'))`;
/** By media type (`VIDEO.types`); all pictures are JPEGs. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
};

interface Row {
  id: string;
  kind: AssetKind;
  purpose: AssetPurpose;
  type: string | null;
}

/** Which files of a user are in an archive: those that can be seen, and not what the user has deleted. */
@Injectable()
export class ArchivedFiles {
  constructor(private readonly dataSource: DataSource) {}

  /** Of all of them together. */
  async bytesOf(ownerId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ bytes: number }[]>(
      `SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM assets WHERE owner_id = $1 AND ${SHOWN}`,
      [ownerId],
    );
    return row!.bytes;
  }

  /** In the order of their ids, each page as it is when its turn comes. */
  async *of(ownerId: string): AsyncGenerator<ArchivedFile> {
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const rows = await this.dataSource.query<Row[]>(
        `SELECT id, kind, purpose, (SELECT type FROM videos WHERE videos.id = assets.id) AS type
         FROM assets WHERE owner_id = $1 AND id > $2 AND ${SHOWN} ORDER BY id LIMIT ${AT_ONCE}`,
        [ownerId, after],
      );
      yield* rows.map(toFile);
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)!.id;
    }
  }
}

function toFile({ id, kind, purpose, type }: Row): ArchivedFile {
  const extension = kind === 'image' ? 'jpg' : (EXTENSIONS[type!] ?? 'bin');
  const [main] = variantsOf({ kind, purpose });
  return { id, name: `media/${id}.${extension}`, objectKey: objectKeyOf(id, main!, kind) };
}
