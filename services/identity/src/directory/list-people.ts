import { Injectable } from '@nestjs/common';
import type { ListPeopleRequest, UserPage } from '@pulso/contracts/identity/v1/identity';
import { PEOPLE_SEARCH_MIN, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { pageSize } from '@pulso/platform/paging/page-size';
import { searchKey } from '@pulso/platform/text/comparison-key';
import { canonical, cleanText, codePointLength } from '@pulso/platform/text/text-rules';
import { nameInCursor } from '../store/name-in-cursor.js';
import { PeopleRepository } from '../store/people.repository.js';
import { ShownUsersRepository } from '../store/shown-users.repository.js';
import { toUserMessage } from '../user/user-message.js';

/**
 * A page of the coaches and members whom a name or username finds (PEOPLE-17), without those hidden from the caller by
 * a block in either direction. Throws `not-authenticated`, `validation-failed`, `invalid-cursor`.
 */
@Injectable()
export class ListPeople {
  constructor(
    private readonly people: PeopleRepository,
    private readonly users: ShownUsersRepository,
    private readonly sealer: CursorSealer,
  ) {}

  async execute({ q, limit, cursor }: ListPeopleRequest): Promise<UserPage> {
    const { userId: viewerId } = requireCaller();
    const text = searchText(q);
    const size = pageSize(limit);
    // A cursor is valid for its own search only, in whatever form the letters are sent.
    const list = `people ${JSON.stringify(searchKey(text))}`;
    const position = cursor === '' ? undefined : this.sealer.open(list, viewerId, cursor);
    const [rank, foldedName, id] = (position ?? []) as [number, string, string];
    const after = position === undefined ? undefined : { rank, foldedName, id };
    const found = await this.people.search({ text, viewerId, after, limit: size + 1 });
    const shown = found.slice(0, size);
    const last = found.length > size ? shown.at(-1) : undefined;
    const people = await this.users.active(shown.map((person) => person.id));
    return {
      items: people.map(toUserMessage),
      nextCursor: last
        ? this.sealer.seal(list, viewerId, [last.rank, nameInCursor(last.foldedName), last.id])
        : '',
    };
  }
}

function searchText(input: string): string {
  const { value, problem } = cleanText(input, TEXT_LIMITS.search);
  if (problem) throw validationFailed([{ path: 'q', ...problem }]);
  // People are written as @username elsewhere.
  const text = value.replace(/^@\s*/, '');
  if (lettersOf(text) >= PEOPLE_SEARCH_MIN) return text;
  throw validationFailed([{ path: 'q', message: VALIDATION_MESSAGES.peopleSearch, code: 'too-short' }]);
}

/** How many letters a search compares; white space finds nothing by itself. */
const lettersOf = (text: string): number => codePointLength(canonical(searchKey(text)).replace(/\s/g, ''));
