import { NativeSelect, TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { LIMITS } from '../../../api/limits.js';
import { useSpecialties } from '../../../client/specialties.js';
import { SEARCH, useArrival } from '../../../components/shortcuts/destinations.js';
import type { CoachSearch } from '../api/get-coaches.js';
import { useDirectoryMessages } from '../messages.js';
import classes from './directory.module.css';

/** How long after the last key the search starts, in ms. */
const PAUSE = 250;

interface SearchFieldsProps {
  search: CoachSearch;
  onChange: (search: CoachSearch) => void;
}

/** The search box and the specialty filter. */
export function SearchFields({ search, onChange }: SearchFieldsProps) {
  const { directory } = useDirectoryMessages();
  const [text, setText] = useState(search.q);
  const [shown, setShown] = useState(search.q);
  const known = useSpecialties().data ?? [];
  const specialties =
    search.specialty === '' || known.includes(search.specialty) ? known : [search.specialty, ...known];
  useArrival(SEARCH);

  // The search was changed from outside: cleared, or by navigation.
  if (search.q !== shown) {
    setShown(search.q);
    if (search.q !== text.trim()) setText(search.q);
  }

  const current = useRef({ search, onChange });
  useEffect(() => {
    current.current = { search, onChange };
  });
  useEffect(() => {
    const timer = setTimeout(() => {
      const { search: now, onChange: change } = current.current;
      if (text.trim() !== now.q) change({ ...now, q: text.trim() });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ ...search, q: text.trim() });
  };

  return (
    <form role="search" className={classes.fields} onSubmit={submit}>
      <TextInput
        data-search
        className={classes.box}
        type="search"
        label={directory.search}
        placeholder={directory.searchPlaceholder}
        leftSection={<IconSearch size={18} aria-hidden />}
        maxLength={LIMITS.searchLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <NativeSelect
        className={classes.filter}
        size="md"
        rightSection={<IconChevronDown size={18} aria-hidden />}
        label={directory.specialty}
        value={search.specialty}
        onChange={(event) => onChange({ ...search, specialty: event.currentTarget.value })}
      >
        <option value="">{directory.allSpecialties}</option>
        {specialties.map((specialty) => (
          <option key={specialty} value={specialty}>
            {specialty}
          </option>
        ))}
      </NativeSelect>
    </form>
  );
}
