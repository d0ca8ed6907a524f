/**
 * Runs it when asked, and once more when it was asked meanwhile, never twice at once: a slow platform is not asked again
 * before it has answered, and the last change is always seen.
 */
export function oneAtATime(act: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await act();
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
