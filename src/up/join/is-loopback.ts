/** Addresses that lead nowhere from another machine. */
export const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';
