import { Page } from '../../components/page.tsx';

export const FindingsPage = () => <Page title="Findings">{null}</Page>;
