import { Page } from '../../components/page.tsx';

export const NetworkPage = () => <Page title="Network">{null}</Page>;
