import { Autocomplete, Badge, Group, type OptionsFilter } from '@mantine/core';
import type { KubernetesVersions } from '../../api/types.ts';
import { fieldWords } from './draft.ts';

interface VersionFieldProps {
  readonly offered: KubernetesVersions;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (version: string) => void;
}

const all: OptionsFilter<string> = ({ options }) => options;

/** Versions that can be had are offered; another one may be typed, and is asked for. */
export function VersionField({ offered: { items, incomplete }, value, error, onChange }: VersionFieldProps) {
  const tested = new Set(items.flatMap((item) => (item.tested ? [item.version] : [])));
  const groups = [
    { group: 'On this machine', items: items.filter(({ here }) => here).map(({ version }) => version) },
    {
      group: 'Fetched or built when it is needed',
      items: items.filter(({ here }) => !here).map(({ version }) => version),
    },
  ];
  return (
    <Autocomplete
      label={fieldWords.version}
      description={
        incomplete === undefined
          ? 'Versions that can be had are offered'
          : 'Those that are known are offered; whoever publishes more could not be asked'
      }
      data={groups.filter((group) => group.items.length > 0)}
      // One that was chosen must not hide the others.
      {...(items.some(({ version }) => version === value) && { filter: all })}
      renderOption={({ option }) => (
        <Group gap="xs" justify="space-between" w="100%">
          {option.value}
          {tested.has(option.value) && (
            <Badge variant="default" size="sm">
              tested
            </Badge>
          )}
        </Group>
      )}
      value={value}
      onChange={onChange}
      error={error}
      placeholder="1.36.3"
      required
    />
  );
}
