// Answers nodes that ask for the certificate that their kubelet serves with. Nobody else does: Kubernetes leaves it open
// because only the platform knows its nodes. What is approved is signed by the controller manager.
import { type KubeClient, Reflector, Store, type Stored } from '../../kube/index.ts';
import { readSigningRequest } from '../../pki/index.ts';
import { Reconciler, type Result, reconciled } from '../../reconcile/index.ts';
import type { Log } from '../../sys/log.ts';
import { type AddressedNode, kubeletServing, nodeOf, type Review, reviewServing } from './review.ts';
import { issuedMark } from './transition.ts';

interface RequestObject extends Stored {
  readonly spec: {
    /** PEM in base64. */
    readonly request: string;
    readonly signerName: string;
    readonly username: string;
    readonly groups?: readonly string[];
    readonly usages?: readonly string[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

export interface KubeletApproverOptions {
  readonly cluster: string;
  /** With the certificate as it is now. */
  client(): KubeClient;
  /** Undefined while the API server does not tell. */
  nodes(): readonly AddressedNode[] | undefined;
  readonly log: Log;
  readonly backoff?: { readonly firstMs: number; readonly longestMs: number };
}

const api = 'certificates.k8s.io/v1';
const requestsPath = `/apis/${api}/certificatesigningrequests?fieldSelector=${encodeURIComponent(`spec.signerName=${kubeletServing}`)}`;
/** A kubelet asks again after a quarter of an hour. */
const waitBackoff = { firstMs: 500, longestMs: 15_000 };

/** Of one node at a time; a kubelet has one, and asks again for what was left out. */
const mostOpen = 5;

export class KubeletApprover {
  readonly #options: KubeletApproverOptions;
  readonly #over = new AbortController();
  /** Who asks, by name of the request. */
  readonly #open = new Map<string, string>();
  readonly #requests: Reconciler<RequestObject>;
  #following = false;

  constructor(options: KubeletApproverOptions) {
    this.#options = options;
    this.#requests = new Reconciler({
      backoff: options.backoff ?? waitBackoff,
      reconcile: (_, request) => this.#answer(request),
      changed: (name) => this.#tell(name),
    });
  }

  /** From when the API server answers until `stop`. */
  follow(): void {
    if (this.#following) return;
    this.#following = true;
    const { client, log, cluster } = this.#options;
    const store = new Store<RequestObject>({
      handlerFailed: ({ message }) => log.warn(`requests of kubelets could not be taken in: ${message}`, { cluster }),
    });
    const see = (request: RequestObject): void => this.#see(request);
    store.handle({ added: see, updated: see, deleted: ({ metadata: { name } }) => this.#close(name) });
    const reflector = new Reflector<RequestObject>({
      client: { get: (...asked) => client().get(...asked), watch: (...asked) => client().watch(...asked) },
      path: requestsPath,
      store,
      timing: { longestPauseMs: 5_000 },
    });
    void reflector.run(this.#over.signal);
  }

  /** A Node may have got the address that a request waits for. */
  nodesChanged(): void {
    for (const name of this.#open.keys()) this.#requests.wake(name);
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#requests.stop();
  }

  #see(request: RequestObject): void {
    const { name } = request.metadata;
    const { username } = request.spec;
    if ((request.status?.conditions ?? []).length > 0) this.#close(name);
    else if (this.#open.has(name) || this.#openOf(username) < mostOpen) {
      this.#open.set(name, username);
      this.#requests.desire(name, request);
    }
  }

  #openOf(username: string): number {
    return [...this.#open.values()].filter((one) => one === username).length;
  }

  #close(name: string): void {
    this.#open.delete(name);
    void this.#requests.forget(name);
  }

  async #answer(request: RequestObject): Promise<Result> {
    const review = await this.#review(request);
    if (review.verdict === 'wait') throw new Error(review.message);
    const node = nodeOf(request.spec) ?? request.spec.username;
    // First: once it is answered, nobody looks at this request again.
    if (review.verdict === 'approve') await this.#mark(node);
    await this.#options.client().apply(answerTo(request, review), { subresource: 'approval' });
    const { log, cluster } = this.#options;
    if (review.verdict === 'approve') log.info(`the kubelet of ${node} gets a certificate`, { cluster });
    else log.warn(`${node} gets no certificate for a kubelet: ${review.message}`, { cluster });
    return reconciled;
  }

  /** With its uid: a Node that is gone is not made again. */
  async #mark(name: string): Promise<void> {
    const uid = this.#options.nodes()?.find(({ metadata }) => metadata.name === name)?.metadata.uid;
    if (uid === undefined) return;
    const metadata = { name, uid, annotations: { [issuedMark]: 'issued' } };
    await this.#options
      .client()
      .apply({ apiVersion: 'v1', kind: 'Node', metadata }, { fieldManager: 'causeway-kubelets' });
  }

  async #review({ spec }: RequestObject): Promise<Review> {
    const nodes = this.#options.nodes();
    if (nodes === undefined) return { verdict: 'wait', reason: 'NoNodes', message: 'the nodes are not known yet' };
    const { signerName, username, groups = [], usages = [] } = spec;
    const content = await readSigningRequest(Buffer.from(spec.request, 'base64').toString());
    return reviewServing({ signerName, username, groups, usages, content }, nodes);
  }

  #tell(name: string): void {
    const { failure } = this.#requests.state(name);
    const { log, cluster } = this.#options;
    if (failure !== undefined && this.#open.has(name))
      log.warn(`the request ${name} for a certificate of a kubelet waits: ${failure.message}`, { cluster });
  }
}

/** With its uid: another request of the same name is answered by itself. */
const answerTo = ({ metadata: { name, uid } }: RequestObject, review: Review) => ({
  apiVersion: api,
  kind: 'CertificateSigningRequest',
  metadata: { name, ...(uid === undefined ? {} : { uid }) },
  status: {
    conditions: [
      review.verdict === 'approve'
        ? { type: 'Approved', status: 'True', reason: 'AddressesOfNode', message: 'it names addresses of its own node' }
        : { type: 'Denied', status: 'True', reason: review.reason, message: review.message },
    ],
  },
});
