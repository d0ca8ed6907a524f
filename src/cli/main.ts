// Commands are imported when they are asked for, so that none pays for another.
const [command, ...args] = process.argv.slice(2);

if (command === 'test') {
  const { runTest } = await import('./commands/test.ts');
  process.exitCode = await runTest({
    quick: args.includes('--quick'),
    update: args.includes('--update'),
    soak: args.includes('--soak'),
  });
} else {
  process.stderr.write('causeway: only "test" exists so far.\n');
  process.exitCode = 2;
}
