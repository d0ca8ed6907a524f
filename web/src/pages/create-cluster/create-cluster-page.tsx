import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { send } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { ProblemAlert } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { ClusterForm, ForOperators } from './cluster-form.tsx';
import { type Draft, emptyDraft, isComplete, resourceOf } from './draft.ts';
import { useChoices, useDryRun } from './queries.ts';

export const CreateClusterPage = () => (
  <Page title="New cluster" about="You see what it will need before anything is written">
    <ForOperators>
      <Form />
    </ForOperators>
  </Page>
);

function Form() {
  const choices = useChoices();
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const draft = { ...emptyDraft, ...choices.usual, ...typed };
  const create = useCreate();
  return (
    <ClusterForm
      title="New cluster"
      verb="Create"
      draft={draft}
      choices={choices}
      dryRun={useDryRun(isComplete(draft) ? resourceOf(draft) : undefined, true)}
      isSending={create.isPending}
      problem={create.error !== null && <ProblemAlert error={create.error} />}
      cancel="/clusters"
      file={`It becomes a manifest in the directory: clusters/${draft.name || 'NAME'}.yaml`}
      onChange={(change) => setTyped((before) => ({ ...before, ...change }))}
      onSubmit={() => create.mutate(draft)}
    />
  );
}

function useCreate() {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (draft: Draft) =>
      send('PUT', `/resources/Cluster/${draft.name}`, { body: resourceOf(draft), isNew: true }),
    onSuccess: async (_, { name }) => {
      await client.invalidateQueries({ queryKey: keys.view });
      navigate(`/clusters/${name}`);
      // The form is long, and what it led to begins at the top.
      window.scrollTo({ top: 0 });
    },
  });
}
