import { useState } from 'react';
import { LazyDialog } from '../../components/lazy-dialog.js';
import { lazyWithQueries } from '../../components/lazy-with-queries.js';
import { typedKey } from '../../components/shortcuts/typed-key.js';
import { useTexts } from '../../i18n/texts.js';

const SearchDialog = lazyWithQueries(() =>
  import('../../features/people/components/search-dialog.js').then((module) => module.SearchDialog),
);

/** People search (UI-55). What is typed while its code is loading is what it begins with. */
export function PeopleSearch({ onClose }: { onClose: () => void }) {
  const { nav } = useTexts();
  const [begun, setBegun] = useState('');
  const [opener] = useState(() => document.activeElement);
  return (
    <LazyDialog
      onClose={onClose}
      fallback={
        <input
          className="visually-hidden"
          aria-label={nav.search}
          // In sight wherever the page is scrolled to, else the focus would scroll it.
          style={{ position: 'fixed', top: 0 }}
          autoFocus
          value={begun}
          onChange={(event) => setBegun(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (typedKey(event) === 'Escape') onClose();
          }}
        />
      }
    >
      <SearchDialog
        begun={begun}
        returnFocusTo={() => (opener instanceof HTMLElement ? opener : null)}
        onClose={onClose}
      />
    </LazyDialog>
  );
}
