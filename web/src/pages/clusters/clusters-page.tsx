import { Page } from '../../components/page.tsx';

export const ClustersPage = () => <Page title="Clusters">{null}</Page>;
