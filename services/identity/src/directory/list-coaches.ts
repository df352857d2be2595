import { Injectable } from '@nestjs/common';
import type { ListCoachesRequest } from '@pulso/contracts/identity/v1/identity';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { viewerId } from '@pulso/platform/context/request-context';
import { type FieldError, validationFailed } from '@pulso/platform/errors/domain-error';
import { pageSize } from '@pulso/platform/paging/page-size';
import { type TextRule, cleanText } from '@pulso/platform/text/text-rules';
import type { User } from '../user/user.entity.js';
import type { CoachSearch, DirectoryPosition } from './coach-search.js';
import { CoachRepository } from './coach.repository.js';

const SEARCHED: TextRule = { max: 100, multiline: false, joiners: true };

export interface CoachPage {
  coaches: User[];
  /** Empty on the last page. */
  nextCursor: string;
}

/**
 * A page of the coach directory (PEOPLE-14). Public; coaches hidden from the caller by a block in either direction
 * are left out. Throws `validation-failed`, `invalid-cursor`.
 */
@Injectable()
export class ListCoaches {
  constructor(
    private readonly coaches: CoachRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute(request: ListCoachesRequest): Promise<CoachPage> {
    const viewer = viewerId();
    const { text, specialty, size } = readRequest(request);
    // A cursor is valid for its own search only.
    const list = `coaches ${JSON.stringify([text, specialty])}`;
    const after = this.open(list, viewer, request.cursor);
    const search: CoachSearch = { text, specialty, viewerId: viewer, after, limit: size + 1 };
    const found = await this.coaches.search(search);
    const shown = found.slice(0, size);
    const last = found.length > size ? shown.at(-1) : undefined;
    return {
      coaches: await this.coaches.listed(shown.map(({ id }) => id)),
      nextCursor: last ? this.sealer.seal(list, viewer, [last.foldedName, last.id]) : '',
    };
  }

  private open(list: string, viewer: string | null, cursor: string): DirectoryPosition | undefined {
    if (cursor === '') return undefined;
    const [foldedName, id] = this.sealer.open(list, viewer, cursor) as [string, string];
    return { foldedName, id };
  }
}

function readRequest({ q, specialty, limit }: ListCoachesRequest) {
  const errors: FieldError[] = [];
  const text = (path: string, input: string): string => {
    const { value = '', problem } = cleanText(input, SEARCHED);
    if (problem) errors.push({ path, ...problem });
    return value;
  };
  const fields = { text: text('q', q), specialty: text('specialty', specialty) };
  if (errors.length > 0) throw validationFailed(errors);
  return { ...fields, size: pageSize(limit) };
}
