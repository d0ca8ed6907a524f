// Loaded before a program: two seconds after its start its clock is set forward by an hour, as by a machine that was
// suspended. Only where all arguments of CLOCK_SET_IN are given, so that what it starts keeps the right time.
const wanted = (process.env.CLOCK_SET_IN ?? '').split(' ');
const hour = 3_600_000;

if (wanted.every((argument) => process.argv.includes(argument))) {
  const now = Date.now.bind(Date);
  setTimeout(() => {
    Date.now = () => now() + hour;
  }, 2000).unref();
}
