import { derivedId, isId, newId, newIdAt, timeOfId } from './uuid-v7.js';

describe('ids', () => {
  it('contain their time', () => {
    const before = Date.now();
    const time = timeOfId(newId());
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
    expect(timeOfId('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')).toBe(Date.UTC(2022, 1, 22, 19, 22, 22));
  });

  it('ascend, also within a millisecond', () => {
    const made = Array.from({ length: 10_000 }, newId);
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
  });

  it('can be made for a given time, ascending within it', () => {
    const time = Date.UTC(2026, 0, 1, 12, 0, 0, 7);
    const made = Array.from({ length: 1_000 }, () => newIdAt(time));
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
    expect(made.every((id) => isId(id) && timeOfId(id) === time)).toBe(true);
    expect(newIdAt(time - 1) < made[0]!).toBe(true);
  });

  it('can be derived from those of elsewhere: one for each owner, with the time of the other', () => {
    const source = newIdAt(Date.UTC(2021, 4, 5, 6, 7, 8, 9));
    const id = derivedId('ada', source);
    expect(isId(id) && timeOfId(id) === timeOfId(source)).toBe(true);
    expect(derivedId('ada', source)).toBe(id);
    const others = [
      source,
      derivedId('ben', source),
      derivedId('ada', id),
      derivedId('ada', newIdAt(timeOfId(source))),
    ];
    expect(others).not.toContain(id);
  });

  it('are recognized by their form', () => {
    expect(isId(newId())).toBe(true);
    for (const id of [
      '',
      'x',
      newId().toUpperCase(),
      ` ${newId()}`,
      '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
      '00000000-0000-0000-0000-000000000000',
      `${newId()}\n`,
    ]) {
      expect(isId(id)).toBe(false);
    }
  });
});
