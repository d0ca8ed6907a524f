// The controls above a list. Each one is a parameter of the address.
import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
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

interface SearchBarProps extends Pick<FilterBarProps, 'actions'>, Omit<FilterProps, 'name'> {}

/** A search field as the only control. */
export const SearchBar = ({ actions, ...field }: SearchBarProps) => (
  <FilterBar names={['q']} actions={actions}>
    <TextFilter name="q" {...field} />
  </FilterBar>
);

export function PortFilter({ name, label }: FilterProps) {
  const [text, type] = useTyped(name);
  return (
    <NumberInput
      aria-label={label}
      placeholder={label}
      min={1}
      max={65535}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      hideControls
      value={text}
      onChange={(value) => type(String(value))}
      flex="0 1 84px"
      miw={84}
    />
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface ChoiceFilterProps extends FilterProps {
  readonly options: readonly Choice[];
  /** Hears what is typed, where the options are looked up by it. */
  readonly onSearch?: (text: string) => void;
}

export function ChoiceFilter({ name, label, options, onSearch }: ChoiceFilterProps) {
  const url = useUrlState();
  const chosen = url.get(name);
  // An address may name what is not offered, at least not yet.
  const isOffered = chosen === '' || options.some(({ value }) => value === chosen);
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={isOffered ? [...options] : [{ value: chosen, label: chosen }, ...options]}
      value={chosen || null}
      onChange={(value) => url.set({ ...fromTheStart, [name]: value ?? undefined })}
      searchable={options.length > 8 || onSearch !== undefined}
      {...(onSearch === undefined ? {} : { onSearchChange: onSearch })}
      nothingFoundMessage="Nothing of that name"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      limit={100}
      clearable
      flex="1 1 130px"
      maw={230}
    />
  );
}
