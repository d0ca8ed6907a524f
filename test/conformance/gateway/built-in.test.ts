import { builtInEngine } from '../../../src/gateway/index.ts';
import { builtInPromises } from './built-in.ts';

builtInPromises(builtInEngine);
