const mapped = '::ffff:';

/** An IPv4 address as such, also where the system shows it inside IPv6. */
export const unmapped = (address: string): string =>
  address.startsWith(mapped) && address.includes('.') ? address.slice(mapped.length) : address;
