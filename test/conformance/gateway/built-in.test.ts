import { builtInEngine } from '../../../src/gateway/supervisor/index.ts';
import { builtInPromises } from './built-in.ts';

builtInPromises(builtInEngine);
