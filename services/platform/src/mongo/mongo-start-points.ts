import { Schema } from 'mongoose';
import type { StartPoint, StartPoints } from '../events/start-points.js';
import { collection } from './collection.js';
import { SCHEMA_OPTIONS } from './schema-options.js';

interface StartPointRow {
  /** `<group> <topic>` */
  _id: string;
  /** By partition. */
  offsets: number[];
}

const startPointSchema = new Schema<StartPointRow>(
  { _id: { type: String, required: true }, offsets: { type: [Number], required: true } },
  SCHEMA_OPTIONS,
);

export class StartPointRows extends collection<StartPointRow>({
  name: 'startPoints',
  schema: startPointSchema,
}) {}

export class MongoStartPoints implements StartPoints {
  constructor(private readonly rows: StartPointRows) {}

  async keep(
    group: string,
    topic: string,
    offsets: readonly number[],
    formerGroups: readonly string[] = [],
  ): Promise<StartPoint> {
    const _id = `${group} ${topic}`;
    const former = await this.formerOffsets(topic, formerGroups);
    const isStored = await this.rows.insertIfNew({ _id, offsets: [...(former ?? offsets)] });
    const { offsets: kept } = (await this.rows.findOne({ _id }))!;
    return { offsets: kept, isNew: isStored && former === undefined };
  }

  private async formerOffsets(
    topic: string,
    formerGroups: readonly string[],
  ): Promise<readonly number[] | undefined> {
    for (const group of formerGroups) {
      const row = await this.rows.findOne({ _id: `${group} ${topic}` });
      if (row) return row.offsets;
    }
    return undefined;
  }
}
