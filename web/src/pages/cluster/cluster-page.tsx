import { Page } from '../../components/page.tsx';

export const ClusterPage = () => <Page title="Cluster">{null}</Page>;
