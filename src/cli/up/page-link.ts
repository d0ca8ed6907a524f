import type { ControlClient } from '../../platform/control/control-client.ts';

/** The address of the page; on loopback with a token that lets one browser in, so each call gives another one. */
export async function pageLink(control: ControlClient): Promise<string> {
  return (JSON.parse(await control.ask('POST', '/control/link')) as { url: string }).url;
}
