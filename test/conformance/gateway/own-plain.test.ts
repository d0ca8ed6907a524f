// The same again over ordinary sockets, as on a Node whose native handles are not what we know.
import { ownPromises } from './own/index.ts';
import { gatewayProcess } from './own-process.ts';

ownPromises(gatewayProcess({ CAUSEWAY_WIRE: 'plain' }));
