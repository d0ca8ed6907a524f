import { Page } from '../../components/page.tsx';

export const CreateClusterPage = () => <Page title="CreateCluster">{null}</Page>;
