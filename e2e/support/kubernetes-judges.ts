import { aGym, type Gym } from './a-gym.js';

type Check = (facts: Gym['facts']) => { faults: string[]; figures: string };
/** What is broken, how, and what a fault says about it. */
type Case = [string, (gym: Gym) => void, RegExp];

/** Tests that `check` finds nothing in a sound tree, and in a broken one what is broken. */
export function judges(check: Check, figures: string, cases: Case[]): void {
  it('passes what is sound, and says what it has looked at', () => {
    expect(check(aGym().facts)).toEqual({ faults: [], figures });
  });

  it.each(cases)('refuses %s', (_what, spoil, message) => {
    const gym = aGym();
    spoil(gym);
    const { faults } = check(gym.facts);
    expect(faults).toContainEqual(expect.stringMatching(message));
    // It begins with a file or a process, which is where to look.
    for (const fault of faults) expect(fault).toMatch(/^[\w./-]+:? /);
  });
}

/** The container of the process `gym`. */
export const processOf = (gym: Gym) => gym.pod('Deployment/gym').containers[0];
