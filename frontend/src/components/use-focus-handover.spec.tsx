import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { useFocusHandover } from './use-focus-handover.js';

function Entry({ name }: { name: string }) {
  const entry = useFocusHandover<HTMLLIElement>('section');
  return (
    <li ref={entry} tabIndex={-1} aria-label={name}>
      <button type="button">delete {name}</button>
    </li>
  );
}

function List({ names }: { names: string[] }) {
  return (
    <section tabIndex={-1} aria-label="list">
      {names.length > 0 && (
        <ul>
          {names.map((name) => (
            <Entry key={name} name={name} />
          ))}
        </ul>
      )}
    </section>
  );
}

// Rule: UI-46
it('keeps the focus in the list while its entries go', () => {
  const { rerender } = render(<List names={['a', 'b', 'c']} />);
  screen.getByText('delete b').focus();
  rerender(<List names={['a', 'c']} />);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('c');
  rerender(<List names={['a']} />);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('a');
  rerender(<List names={[]} />);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('list');
});
