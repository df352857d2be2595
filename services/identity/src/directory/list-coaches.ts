import { Injectable } from '@nestjs/common';
import { CoachOrder, type ListCoachesRequest, type UserPage } from '@pulso/contracts/identity/v1/identity';
import { TEXT_LIMITS } from '@pulso/contracts/limits';
import { CursorSealer, type JsonValue } from '@pulso/platform/auth/sealed-cursor';
import { viewerId } from '@pulso/platform/context/request-context';
import { pageSize } from '@pulso/platform/paging/page-size';
import { comparisonKey, searchKey } from '@pulso/platform/text/comparison-key';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import type { CoachSearch } from '../store/coach-search.js';
import { CoachRepository, type ListedCoach } from '../store/coach.repository.js';
import { nameInCursor } from '../store/name-in-cursor.js';
import { toUserMessage } from '../user/user-message.js';

/**
 * A page of the coach directory, by name (PEOPLE-14) or by merit (PEOPLE-15). Public; coaches hidden from the caller by a
 * block in either direction are left out. Throws `validation-failed`, `invalid-cursor`.
 */
@Injectable()
export class ListCoaches {
  constructor(
    private readonly coaches: CoachRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute(request: ListCoachesRequest): Promise<UserPage> {
    const viewer = viewerId();
    const { text, specialty, size } = readRequest(request);
    const byMerit = request.order === CoachOrder.COACH_ORDER_MERIT;
    // A cursor is valid for its own search and order only, in whatever form the letters are sent.
    const searched = [searchKey(text), comparisonKey(specialty)];
    const list = `coaches ${JSON.stringify(byMerit ? [...searched, 'merit'] : searched)}`;
    const after = request.cursor === '' ? undefined : this.sealer.open(list, viewer, request.cursor);
    const search = { text, specialty, viewerId: viewer, limit: size + 1 };
    const found = byMerit ? await this.byMerit(search, after) : await this.byName(search, after);
    const shown = found.slice(0, size);
    const last = found.length > size ? shown.at(-1) : undefined;
    return {
      items: shown.flatMap(({ coach }) => (coach ? [toUserMessage(coach)] : [])),
      nextCursor: last ? this.sealer.seal(list, viewer, last.position) : '',
    };
  }

  private async byName(search: Search, position: JsonValue | undefined): Promise<Found[]> {
    const [foldedName, id] = (position ?? []) as [string, string];
    const after = position === undefined ? undefined : { foldedName, id };
    const found = await this.coaches.search({ ...search, after });
    return found.map(({ coach, position: at }) => ({
      coach,
      position: [nameInCursor(at.foldedName), at.id],
    }));
  }

  /** The cursor has the time of the first page: its order stays while coaches are followed and reviewed (PEOPLE-15). */
  private async byMerit(search: Search, position: JsonValue | undefined): Promise<Found[]> {
    const [merit, followers, id, at] = (position ?? []) as [number, number, string, string];
    const after = position === undefined ? undefined : { merit, followers, id, at };
    const found = await this.coaches.searchByMerit({ ...search, after });
    return found.map(({ coach, position: at }) => ({
      coach,
      position: [at.merit, at.followers, at.id, at.at],
    }));
  }
}

type Search = Omit<CoachSearch, 'after'>;

interface Found {
  coach: ListedCoach<unknown>['coach'];
  /** The content of a cursor that goes on after this coach. */
  position: JsonValue;
}

function readRequest({ q, specialty, limit }: ListCoachesRequest) {
  const problems = new FieldProblems();
  const fields = {
    text: problems.text('q', q, TEXT_LIMITS.search),
    specialty: problems.text('specialty', specialty, TEXT_LIMITS.search),
  };
  problems.check();
  return { ...fields, size: pageSize(limit) };
}
