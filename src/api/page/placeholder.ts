/** Shown until the page is built. Without script: it looks again by itself. */
export const placeholder = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width">
<title>Causeway</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
main { max-width: 34rem; margin: 20vh auto; padding: 0 1rem; }
</style>
</head>
<body>
<main>
<h1>Causeway</h1>
<p>The platform is running. Its page is being built, which takes a few seconds, once; this one looks again by itself.</p>
<p>Meanwhile <code>causeway status</code> shows the same in the terminal.</p>
</main>
</body>
</html>
`;
