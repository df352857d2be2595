import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { LIMITS } from '../../../api/limits.js';
import { useLoadOn } from '../../../server/queries/paged-list.js';
import type { Profile } from '../../../api/types.js';
import { Dialog } from '../../../components/dialog.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { profilePath } from '../../../components/profile-path.js';
import type { ReturnFocusTo } from '../../../components/menu/menu-entry.js';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import { LoadError } from '../../../components/states.js';
import { useDelayed } from '../../../components/use-delayed.js';
import { lengthError } from '../../../validation/text.js';
import { usePeopleSearch } from '../api/search-people.js';
import { isSearchable, searchText } from '../search-text.js';
import { useSearchTexts } from '../search-texts.js';
import { PersonSummary } from './person-summary.js';
import search from './search-dialog.module.css';
import classes from './people.module.css';

/** How long after the last key the search starts, in ms. */
const TYPING_PAUSE_MS = 200;

interface SearchDialogProps {
  /** What was typed before the dialog was there. */
  begun?: string;
  returnFocusTo?: ReturnFocusTo;
  onClose: () => void;
}

/** People search, from everywhere (UI-55): a combobox whose list is always open. */
export function SearchDialog({ begun = '', returnFocusTo, onClose }: SearchDialogProps) {
  const texts = useSearchTexts();
  const { finding } = texts;
  const navigate = useNavigate();
  const ids = useId();
  const [typed, setTyped] = useState(begun);
  const text = searchText(typed);
  const tooLong = lengthError(finding.field, text, LIMITS.searchLength, texts);
  const [q, setQ] = useState('');
  const [activeId, setActiveId] = useState<string>();
  const [enterPressed, setEnterPressed] = useState(false);
  const searchable = isSearchable(text);
  const query = usePeopleSearch(q, isSearchable(q));
  useLoadOn(query);
  const found = searchable ? query.found : undefined;
  const upToDate = q === text && !query.isPlaceholderData;
  const active = found?.find(({ id }) => id === activeId);
  const failed = searchable && query.isError && !found;
  const shown = found !== undefined && found.length > 0;

  useEffect(() => {
    const timer = setTimeout(() => setQ(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const open = (person: Profile) => {
    onClose();
    void navigate(profilePath(person));
  };
  // Enter was faster than the results.
  const first = upToDate ? (active ?? found?.[0]) : undefined;
  const openFirst = useEffectEvent(open);
  useEffect(() => {
    if (enterPressed && first) openFirst(first);
  }, [enterPressed, first]);

  const type = (next: string) => {
    setTyped(next);
    setActiveId(undefined);
    setEnterPressed(false);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const key = typedKey(event);
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step && found?.length) {
      event.preventDefault();
      const at = active ? found.indexOf(active) + step : step > 0 ? 0 : -1;
      setActiveId(found.at(at % found.length)!.id);
    }
    if (key === 'Enter') {
      event.preventDefault();
      setQ(text);
      // Of the results of an older text nobody is opened.
      if (active && upToDate) open(active);
      else setEnterPressed(true);
    }
  };

  return (
    <Dialog title={finding.title} onClose={onClose} returnFocusTo={returnFocusTo} fullScreenOnPhones>
      <div className={search.field}>
        <TextInput
          data-autofocus
          role="combobox"
          aria-label={finding.field}
          aria-expanded={shown}
          aria-controls={shown ? `${ids}list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={active && `${ids}${active.id}`}
          placeholder={finding.field}
          leftSection={<IconSearch size={18} aria-hidden />}
          error={tooLong}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={search.results}>
        <p role="status" className="visually-hidden">
          {shown && upToDate && finding.found(found.length, query.hasNextPage)}
        </p>
        {!searchable && !tooLong && (
          <p className={classes.quiet}>{finding.hint(LIMITS.peopleSearchLength)}</p>
        )}
        {searchable && !found && !failed && <Loading />}
        {failed && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
        {found?.length === 0 && upToDate && !query.hasNextPage && <Nobody q={q} onClose={onClose} />}
        {shown && (
          <div
            role="listbox"
            id={`${ids}list`}
            aria-label={finding.results}
            aria-busy={!upToDate}
            className={classes.list}
          >
            {found.map((person) => (
              <Option
                key={person.id}
                id={`${ids}${person.id}`}
                person={person}
                selected={person === active}
                onOpen={onClose}
              />
            ))}
          </div>
        )}
        {shown && <InfiniteSentinel list={query} />}
      </div>
    </Dialog>
  );
}

interface OptionProps {
  id: string;
  person: Profile;
  selected: boolean;
  onOpen: () => void;
}

/** A link, so that it can also be opened in another tab. The focus stays in the field. */
function Option({ id, person, selected, onOpen }: OptionProps) {
  useEffect(() => {
    if (selected) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  }, [id, selected]);
  return (
    <Link
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      to={profilePath(person)}
      className={`${classes.person} ${search.option}`}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) onOpen();
      }}
    >
      <PersonSummary user={person} />
    </Link>
  );
}

function Loading() {
  const { app } = useSearchTexts();
  const slow = useDelayed();
  return (
    <p role="status" className={classes.quiet}>
      {slow && app.loading}
    </p>
  );
}

function Nobody({ q, onClose }: { q: string; onClose: () => void }) {
  const { finding } = useSearchTexts();
  return (
    <div className={search.nobody}>
      <p role="status" dir="auto">
        {finding.none(q)}
      </p>
      <Button component={Link} to="/coaches" variant="default" onClick={onClose}>
        {finding.browseCoaches}
      </Button>
    </div>
  );
}
