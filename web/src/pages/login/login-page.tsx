import { Page } from '../../components/page.tsx';

export const LoginPage = () => <Page title="Login">{null}</Page>;
