import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMay, useWhoAmI } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';

/** Who may only look is told so before anything is typed. */
export function ForOperators({ children }: { children: ReactNode }) {
  const may = useMay('operator');
  return <Loaded query={useWhoAmI()}>{() => (may ? children : <NotAllowed />)}</Loaded>;
}

const NotAllowed = () => (
  <Notice icon={IconLock} title="Your role may look, not change">
    Creating or changing a cluster needs the role operator or admin.
  </Notice>
);
