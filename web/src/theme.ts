import { type CSSVariablesResolver, createTheme, v8CssVariablesResolver } from '@mantine/core';

const systemFonts = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export const theme = createTheme({
  primaryColor: 'indigo',
  // White on the usual shade is too faint.
  primaryShade: 8,
  fontFamily: systemFonts,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '600' },
  defaultRadius: 'md',
  autoContrast: true,
  cursorType: 'pointer',
});

/**
 * Mantine's own grey for secondary text is too faint to be read by everybody (WCAG AA asks for 4.5 : 1). In the dark theme
 * its earlier, translucent tints are calmer than the present ones.
 */
export const cssVariables: CSSVariablesResolver = (own) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-green-light-color': '#1c6b30',
    '--mantine-color-orange-light-color': '#9c3400',
    '--mantine-color-yellow-light-color': '#7a4b00',
    '--cw-page': '#f7f8fa',
    '--cw-line': 'var(--mantine-color-gray-3)',
    '--cw-tint': 'var(--mantine-color-gray-1)',
    '--cw-frame': 'rgb(76 110 245 / 4%)',
    '--cw-good': '#1f7a36',
    '--cw-bad': '#c92a2a',
    '--cw-warn': '#a34a00',
    '--cw-busy': '#1864ab',
    '--cw-idle': '#5c636a',
  },
  dark: {
    ...v8CssVariablesResolver(own).dark,
    '--mantine-color-dimmed': '#a6adb5',
    '--mantine-color-placeholder': '#9aa1a9',
    '--mantine-color-error': '#ff8787',
    '--cw-page': '#17181b',
    '--cw-line': 'var(--mantine-color-dark-4)',
    '--cw-tint': 'var(--mantine-color-dark-6)',
    '--cw-frame': 'rgb(116 143 252 / 6%)',
    '--cw-good': '#69db7c',
    '--cw-bad': '#ff8787',
    '--cw-warn': '#ffc078',
    '--cw-busy': '#74c0fc',
    '--cw-idle': '#a6adb5',
  },
});
