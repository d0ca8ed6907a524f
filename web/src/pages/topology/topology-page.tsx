import { Page } from '../../components/page.tsx';

export const TopologyPage = () => <Page title="Topology">{null}</Page>;
