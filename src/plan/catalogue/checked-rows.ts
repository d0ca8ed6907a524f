/**
 * Rows that a program of ours checks on site or at the provider. Whoever writes such a check adds its rows here; of all
 * others nothing may claim that they are checked.
 */
export const checkedRows: ReadonlySet<string> = new Set();
