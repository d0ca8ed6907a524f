import { Page } from '../../components/page.tsx';

export const EgressPage = () => <Page title="Egress">{null}</Page>;
