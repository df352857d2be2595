import { Injectable } from '@nestjs/common';
import { MarkedUsers } from '@pulso/platform/erasure/marked-users';
import { PostgresMarks } from '@pulso/platform/postgres/postgres-marks';
import { DataSource } from 'typeorm';

/** Identity's marks of erased users: it asks for the erasures, and acknowledges none. */
@Injectable()
export class MarkedErasures extends MarkedUsers {
  private readonly marks: PostgresMarks;

  constructor(dataSource: DataSource) {
    super();
    this.marks = new PostgresMarks(dataSource, 'erasures');
  }

  every() {
    return this.marks.every();
  }

  since(markedAt: Date) {
    return this.marks.since(markedAt);
  }
}
