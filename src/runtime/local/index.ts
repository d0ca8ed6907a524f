export { createProcessDriver, type ProcessDriver, type ProcessDriverOptions } from './process-driver.ts';
