// A node that will not come back: its pods are started elsewhere at once, and not when somebody finds out that it is gone.

export interface RemovingClient {
  list(path: string): Promise<readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[]>;
  /** What is gone already is no error. */
  remove(path: string): Promise<unknown>;
}

/** The node first, so that nothing is scheduled there meanwhile. No kubelet is left to wait for, hence no grace. */
export async function removeNode(client: RemovingClient, name: string): Promise<void> {
  await client.remove(`/api/v1/nodes/${name}`);
  const pods = await client.list(`/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${name}`)}`);
  for (const { metadata } of pods)
    await client.remove(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}?gracePeriodSeconds=0`);
}
