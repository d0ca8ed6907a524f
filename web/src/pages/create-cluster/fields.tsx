import {
  Accordion,
  Autocomplete,
  Badge,
  Group,
  NumberInput,
  type OptionsFilter,
  Radio,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Fragment } from 'react';
import type { KubernetesVersions } from '../../api/types.ts';
import { type Strategy, strategyWords } from '../../components/strategies.ts';
import { type AtFields, type Draft, fieldWords } from './draft.ts';
import type { Choices } from './queries.ts';

interface FieldsProps {
  /** It has its name already. */
  readonly isFixed?: boolean;
  readonly draft: Draft;
  readonly choices: Choices;
  /** Keeps it from being written. */
  readonly wrong: AtFields;
  /** Does not. */
  readonly advice: AtFields;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function Fields(props: FieldsProps) {
  const [isOpen, { toggle }] = useDisclosure();
  // What is wrong must be seen, also where nothing was typed and something inherited is wrong.
  const isWrong = networkFields.some(({ key }) => props.wrong.has(key) || props.advice.has(key));
  return (
    <Stack gap="md">
      <Basics {...props} />
      <StrategyChoice {...props} />
      <Accordion variant="contained" chevronPosition="left" value={isOpen || isWrong ? 'more' : null} onChange={toggle}>
        <Accordion.Item value="more">
          <Accordion.Control>Network and access</Accordion.Control>
          <Accordion.Panel>
            <NetworkFields {...props} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

/** Below a field that may stay as it is. */
const Advice = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <Text fz="xs" c="var(--cw-warn)" mt={-10}>
      {text}
    </Text>
  );

const Basics = ({ draft, choices, wrong, advice, onChange, isFixed = false }: FieldsProps) => (
  <>
    {!isFixed && (
      <TextInput
        label={fieldWords.name}
        description="Small letters, digits and hyphens; it becomes part of its DNS names"
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value.toLowerCase() })}
        error={wrong.get('name') ?? nameProblem(draft.name)}
        required
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    )}
    <Advice text={isFixed ? undefined : advice.get('name')} />
    <Select
      label={fieldWords.datacenter}
      description="Where its workers are"
      data={[...choices.datacenters]}
      value={draft.datacenter || null}
      onChange={(datacenter) => onChange({ datacenter: datacenter ?? '' })}
      error={wrong.get('datacenter')}
      allowDeselect={false}
      searchable
      required
    />
    <Advice text={advice.get('datacenter')} />
    <VersionField
      offered={choices.versions}
      value={draft.version}
      error={wrong.get('version')}
      onChange={(version) => onChange({ version })}
    />
    <Advice text={advice.get('version')} />
    <NumberInput
      label={fieldWords.nodes}
      description="How many there will be"
      value={draft.nodes}
      onChange={(nodes) => onChange({ nodes: typeof nodes === 'number' ? nodes : '' })}
      error={wrong.get('nodes')}
      min={0}
      max={10_000}
      allowDecimal={false}
    />
    <Advice text={advice.get('nodes')} />
  </>
);

const nameProblem = (name: string): string | undefined =>
  name === '' || /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)
    ? undefined
    : 'Small letters, digits and hyphens only, with a letter or digit at both ends.';

const StrategyChoice = ({ draft, wrong, advice, onChange }: FieldsProps) => (
  <>
    <Radio.Group
      label={fieldWords.strategy}
      value={draft.strategy}
      onChange={(strategy) => onChange({ strategy: strategy as Strategy | '' })}
      error={wrong.get('strategy')}
      errorProps={{ mt: 6 }}
    >
      <Stack gap={6} mt={6}>
        <Radio
          value=""
          label="As the platform says"
          description="Inherited from the datacenter, the seed or the platform"
        />
        {Object.entries(strategyWords).map(([strategy, words]) => (
          <Radio key={strategy} value={strategy} label={strategy} description={words} />
        ))}
      </Stack>
    </Radio.Group>
    <Advice text={advice.get('strategy')} />
  </>
);

const networkFields = [
  { key: 'pods', placeholder: '172.25.0.0/16' },
  { key: 'services', placeholder: '10.240.16.0/20' },
  { key: 'agentIP', placeholder: '100.64.30.10' },
  { key: 'allowedSourceRanges', placeholder: 'everybody; or 10.0.0.0/8, 192.0.2.0/24' },
] as const;

const NetworkFields = ({ draft, wrong, advice, onChange }: FieldsProps) => (
  <Stack gap="md">
    {networkFields.map(({ key, placeholder }) => (
      <Fragment key={key}>
        <TextInput
          label={fieldWords[key]}
          placeholder={placeholder}
          description={key === 'allowedSourceRanges' ? 'Its own workers always may' : 'Empty: inherited'}
          value={draft[key]}
          onChange={(event) => onChange({ [key]: event.currentTarget.value })}
          error={wrong.get(key)}
          autoComplete="off"
        />
        <Advice text={advice.get(key)} />
      </Fragment>
    ))}
  </Stack>
);

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
