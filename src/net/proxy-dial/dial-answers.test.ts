import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Ask, miniProxy } from '../../../test/support/agent/mini-proxy.ts';
import { failure, name, proxyAt, tlsTo } from './testing/route-stand.ts';

interface AnswerCase {
  readonly title: string;
  readonly answer: Answer | ((ask: Ask) => Answer);
  readonly code: string;
  readonly says: RegExp;
  readonly port?: number;
  readonly userinfo?: string;
}

const wantsBasic = 'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="corp, x"\r\n\r\n';
const wantsKerberos = 'HTTP/1.1 407 No\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n\r\n';
const answers: readonly AnswerCase[] = [
  {
    title: 'credentials are missing',
    answer: wantsBasic,
    code: 'CW-PROXY-AUTH-MISSING',
    says: /407.*wants credentials \(Basic\)/,
  },
  {
    title: 'credentials are wrong',
    answer: wantsBasic,
    userinfo: 'a:S3cret@',
    code: 'CW-PROXY-AUTH-WRONG',
    says: /does not accept/,
  },
  {
    title: 'only NTLM and Negotiate are offered',
    answer: wantsKerberos,
    userinfo: 'a:S3cret@',
    code: 'CW-PROXY-AUTH-SCHEME',
    says: /takes Negotiate, NTLM/,
  },
  {
    title: 'the host is not allowed',
    answer: 'HTTP/1.1 403 Forbidden\r\nX-Squid-Error: ERR_ACCESS_DENIED 0\r\nVia: 1.1 corp\r\n\r\n',
    code: 'CW-PROXY-DENIED',
    says: /x-squid-error: ERR_ACCESS_DENIED 0; via: 1\.1 corp/,
  },
  {
    title: 'the port is not allowed',
    answer: 'HTTP/1.1 403 Forbidden\r\n\r\n',
    port: 8088,
    code: 'CW-PROXY-PORT',
    says: /because of the port/,
  },
  {
    title: 'the proxy cannot reach the gateway',
    answer: 'HTTP/1.1 502 Bad Gateway\r\n\r\n',
    code: 'CW-PROXY-UPSTREAM',
    says: /cannot reach it/,
  },
  {
    title: 'the proxy cannot resolve the gateway',
    answer: 'HTTP/1.1 503 Oh\r\nX-Squid-Error: ERR_DNS_FAIL 0\r\n\r\n',
    code: 'CW-PROXY-DNS',
    says: /cannot resolve/,
  },
  {
    title: 'a portal answers',
    answer: 'HTTP/1.1 302 Found\r\nLocation: http://login/\r\n\r\n',
    code: 'CW-PROXY-LOGIN',
    says: /location: http:\/\/login/,
  },
  {
    title: 'CONNECT is not known',
    answer: 'HTTP/1.1 405 No\r\n\r\n',
    code: 'CW-PROXY-NO-CONNECT',
    says: /does not tunnel/,
  },
  {
    title: 'the request is not understood',
    answer: 'HTTP/1.1 400 Bad\r\n\r\n',
    code: 'CW-PROXY-BAD-REQUEST',
    says: /did not understand/,
  },
  {
    title: 'there are too many requests',
    answer: 'HTTP/1.1 429 Slow\r\n\r\n',
    code: 'CW-PROXY-BUSY',
    says: /too many/,
  },
  { title: 'a status is unknown', answer: 'HTTP/1.1 418 Tea\r\n\r\n', code: 'CW-PROXY-ANSWER', says: /418 Tea/ },
  {
    title: 'it is no HTTP at all',
    answer: 'SSH-2.0-OpenSSH\r\n',
    code: 'CW-PROXY-NOT-HTTP',
    says: /"SSH-2\.0-OpenSSH··"/,
  },
  { title: 'it closes without an answer', answer: '', code: 'CW-PROXY-CLOSED', says: /without an answer/ },
  {
    title: 'it never answers',
    answer: 'silence',
    code: 'CW-DIAL-TIMEOUT',
    says: /answer of the proxy .* took longer than 0\.3 s/,
  },
];

for (const { title, answer, code, says, port = 443, userinfo } of answers) {
  test(`says what the proxy answered and what to change when ${title}`, async (t) => {
    const proxy = await miniProxy(t, typeof answer === 'function' ? answer : () => answer);
    const error = await failure({
      gateway: { host: name, port },
      tls: tlsTo(),
      proxy: proxyAt(proxy.port, userinfo),
      timeouts: { answer: 300 },
    });
    assert.equal(error.code, code);
    assert.equal(error.step, 'ask-proxy');
    assert.match(error.message, says);
    assert.ok(error.fix.length > 10);
  });
}
