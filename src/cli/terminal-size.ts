interface Terminal {
  readonly isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** A terminal that does not know its size says 0, on a serial line or inside some tools; prompts would wrap every letter. */
export function assumeUsualSize(...terminals: Terminal[]): void {
  for (const terminal of terminals.filter(({ isTTY }) => isTTY)) {
    if (terminal.columns === 0) terminal.columns = 80;
    if (terminal.rows === 0) terminal.rows = 24;
  }
}
