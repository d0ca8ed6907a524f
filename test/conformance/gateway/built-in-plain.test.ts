// The same again over ordinary sockets, as on a Node whose native handles are not what we know.
import { builtInPromises } from './built-in.ts';

process.env.CAUSEWAY_WIRE = 'plain';
const { builtInEngine } = await import('../../../src/gateway/index.ts');

builtInPromises({ ...builtInEngine, name: 'built-in, plain wires,' });
