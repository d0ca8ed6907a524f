import { ownPromises } from './own/index.ts';
import { gatewayProcess } from './own-process.ts';

ownPromises(gatewayProcess());
