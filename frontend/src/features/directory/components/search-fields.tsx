import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { startTransition, useEffect, useEffectEvent, useOptimistic, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { LIMITS } from '../../../api/limits.js';
import { useSpecialties } from '../../../shared/specialties.js';
import { SEARCH, useArrival } from '../../../components/shortcuts/targets.js';
import type { CoachSearch } from '../../../shared/coaches.js';
import { writtenLine } from '../../../text/written.js';
import { lengthError } from '../../../validation/text.js';
import { useDirectoryTexts } from '../texts.js';
import classes from './directory.module.css';

/** How long after the last key the search starts, in ms. */
const TYPING_PAUSE_MS = 250;

/** Of the row's beginning, in CSS px, for the outline of the focus, and of its end, which its fade covers. */
const INSET = { begin: 4, end: 40 };

/** Scrolls the row to the chosen specialty, where that is out of sight; the page stays where it is. */
function showChosen(row: HTMLElement): void {
  const chosen = row.querySelector(':checked')?.parentElement;
  if (!chosen) return;
  const { left, right } = chosen.getBoundingClientRect();
  const seen = row.getBoundingClientRect();
  const before = seen.left + INSET.begin - left;
  const behind = right - seen.right + INSET.end;
  if (before > 0) row.scrollLeft -= before;
  else if (behind > 0) row.scrollLeft += behind;
}

interface SearchFieldsProps {
  search: CoachSearch;
  onChange: (search: CoachSearch) => void;
}

/** The search box and the specialty filter. */
export function SearchFields({ search, onChange }: SearchFieldsProps) {
  const texts = useDirectoryTexts();
  const { directory } = texts;
  // The router follows in a transition: until then this is what was chosen last, and what the next choice adds to.
  const [wanted, setWanted] = useOptimistic(search);
  const change = (next: CoachSearch) =>
    startTransition(() => {
      setWanted(next);
      onChange(next);
    });
  const [text, setText] = useState(search.q);
  const [shown, setShown] = useState(search.q);
  const q = writtenLine(text);
  const tooLong = lengthError(directory.search, q, LIMITS.searchLength, texts);
  const known = useSpecialties().data ?? [];
  // The one that the address names comes first, in sight also where the row cannot be scrolled by scripts (UI-71). The others stay.
  const [first] = useState(search.specialty);
  const unknown = known.includes(wanted.specialty) ? [] : [wanted.specialty];
  const specialties = [...new Set([first, ...unknown, ...known])].filter((specialty) => specialty !== '');
  const row = useRef<HTMLFieldSetElement>(null);
  useEffect(() => showChosen(row.current!), [wanted.specialty]);
  useArrival(SEARCH);

  // The search was changed from outside: cleared, or by navigation.
  if (search.q !== shown) {
    setShown(search.q);
    if (search.q !== q) setText(search.q);
  }

  const changeText = useEffectEvent(() => {
    if (q !== wanted.q && !tooLong) change({ ...wanted, q });
  });
  useEffect(() => {
    const timer = setTimeout(changeText, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!tooLong) change({ ...wanted, q });
  };

  // What was typed and chosen before this page came to life.
  const form = useRef<HTMLFormElement>(null);
  const takeOver = useEffectEvent((begun: FormData) => {
    const chosen = begun.get('specialty');
    setText(String(begun.get('q')));
    if (typeof chosen === 'string' && chosen !== wanted.specialty) change({ q, specialty: chosen });
  });
  useEffect(() => takeOver(new FormData(form.current!)), []);

  return (
    // Without scripts the server is asked.
    <form ref={form} role="search" action="/coaches" className={classes.fields} onSubmit={submit}>
      <TextInput
        data-search
        name="q"
        className={classes.box}
        type="search"
        label={directory.search}
        placeholder={directory.searchPlaceholder}
        leftSection={<IconSearch size={18} aria-hidden />}
        error={tooLong}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <fieldset ref={row} className={classes.specialties}>
        <legend className="visually-hidden">{directory.specialty}</legend>
        {['', ...specialties].map((specialty) => (
          <label key={specialty} className={classes.specialty}>
            <input
              type="radio"
              name="specialty"
              value={specialty}
              checked={wanted.specialty === specialty}
              onChange={() => change({ ...wanted, specialty })}
            />
            {specialty || directory.allSpecialties}
          </label>
        ))}
      </fieldset>
      <noscript>
        <Button type="submit" variant="default">
          {directory.search}
        </Button>
      </noscript>
    </form>
  );
}
