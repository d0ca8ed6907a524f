// The controls above a list. Each one is a parameter of the address.
import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilterOff, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { fromTheStart, useUrlState } from './url-state.ts';

interface FilterBarProps {
  /** Parameters that its controls set. */
  readonly names: readonly string[];
  readonly children: ReactNode;
  /** At the right end. */
  readonly actions?: ReactNode;
}

export function FilterBar({ names, children, actions }: FilterBarProps) {
  const url = useUrlState();
  const isFiltered = names.some((name) => url.get(name) !== '');
  const clear = (): void => url.set({ ...fromTheStart, ...Object.fromEntries(names.map((name) => [name, undefined])) });
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <Group gap="xs" align="flex-end" flex="1 1 320px" role="search" aria-label="Filters">
        {children}
        {isFiltered && (
          <Button variant="subtle" color="gray" leftSection={<IconFilterOff size={16} />} onClick={clear}>
            Clear
          </Button>
        )}
      </Group>
      {actions}
    </Group>
  );
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
}

/** How long one waits for the next letter before the server is asked. */
const typingMs = 200;

/** What is being typed is shown at once, and told to the address when the fingers rest. */
function useTyped(name: string): [text: string, type: (text: string) => void] {
  const url = useUrlState();
  const settled = url.get(name);
  const [text, setText] = useState(settled);
  // The address can also be changed from elsewhere: Clear, Back, a click on a value in the list.
  useEffect(() => setText(settled), [settled]);
  const tell = useDebouncedCallback((value: string) => {
    url.set({ ...fromTheStart, [name]: value.trim() }, { replace: true });
  }, typingMs);
  const type = (value: string): void => {
    setText(value);
    tell(value);
  };
  return [text, type];
}

export function TextFilter({ name, label, placeholder }: FilterProps) {
  const [text, type] = useTyped(name);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder ?? label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      flex="2 1 180px"
      maw={420}
    />
  );
}

/** Free text with suggestions: for lists that may be longer than what the page knows of. */
export function SuggestFilter({ name, label, placeholder, options }: FilterProps & { options: readonly string[] }) {
  const [text, type] = useTyped(name);
  return (
    <Autocomplete
      aria-label={label}
      placeholder={placeholder ?? label}
      data={[...options]}
      limit={50}
      value={text}
      onChange={type}
      clearable
      flex="1 1 130px"
      maw={230}
    />
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

export function ChoiceFilter({ name, label, placeholder, options }: FilterProps & { options: readonly Choice[] }) {
  const url = useUrlState();
  return (
    <Select
      aria-label={label}
      placeholder={placeholder ?? label}
      data={[...options]}
      value={url.get(name) || null}
      onChange={(value) => url.set({ ...fromTheStart, [name]: value ?? undefined })}
      clearable
      flex="1 1 130px"
      maw={230}
    />
  );
}
