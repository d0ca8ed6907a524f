import { Page } from '../../components/page.tsx';

export const EventsPage = () => <Page title="Events">{null}</Page>;
