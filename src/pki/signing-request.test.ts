// Requests that two parsers read differently: the approver reads one, and the controller manager signs by the other.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { readSigningRequest } from './index.ts';
import { isDer } from './x509.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  const shortest = content.length >= 0x80 && content.length < 0x100 ? [0x81, content.length] : length;
  return Buffer.concat([Buffer.from([tag, ...shortest]), content]);
};
/** The same, with more bytes for its length than it needs. */
const loose = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
const oid = (...bytes: number[]): Buffer => tlv(0x06, Buffer.from(bytes));

const extensionRequest = oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e);
const names = (ip: string): Buffer => {
  const address = tlv(0x87, Buffer.from(ip.split('.').map(Number)));
  return tlv(0x30, tlv(0x30, oid(0x55, 0x1d, 0x11), tlv(0x04, tlv(0x30, address))));
};
const part = (last: number, tag: number, text: string): Buffer =>
  tlv(0x31, tlv(0x30, oid(0x55, 0x04, last), tlv(tag, Buffer.from(text))));

function requestWith(...attributes: readonly Buffer[]): Buffer {
  const subject = tlv(0x30, part(0x0a, 0x13, 'system:nodes'), part(0x03, 0x13, 'system:node:one'));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const signed = tlv(0x30, tlv(0x02, Buffer.from([0])), subject, key, tlv(0xa0, ...attributes));
  const ecdsa = tlv(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  return tlv(0x30, signed, ecdsa, tlv(0x03, Buffer.from([0]), sign('sha256', signed, privateKey)));
}
const pem = (bytes: Uint8Array): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(bytes).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
const attribute = (ip: string): Buffer => tlv(0x30, extensionRequest, tlv(0x31, names(ip)));

test('a request is read where there is one way to read it', async () => {
  const read = await readSigningRequest(pem(requestWith(attribute('10.0.0.1'))));
  assert.deepEqual(read?.ips, ['10.0.0.1']);
});

test('a request whose first names only lenient parsers see is none', async () => {
  const hidden = tlv(0x30, extensionRequest, loose(0x31, names('10.0.0.1')));
  for (const attributes of [[hidden, attribute('10.0.0.2')], [attribute('10.0.0.1'), attribute('10.0.0.2')], [hidden]])
    assert.equal(await readSigningRequest(pem(requestWith(...attributes))), undefined);
  const twice = tlv(0x30, extensionRequest, tlv(0x31, names('10.0.0.1'), names('10.0.0.2')));
  assert.equal(await readSigningRequest(pem(requestWith(twice))), undefined);
});

test('a text with more than one block, with other lines, or in another Base64 is none', async () => {
  const text = pem(requestWith(attribute('10.0.0.1')));
  for (const other of [
    text + text,
    `x\n${text}`,
    `${text}x`,
    text.replace('=', ''),
    text.replace('\n', '\nProc-Type: 4\n\n'),
  ])
    if (other !== text) assert.equal(await readSigningRequest(other), undefined, other);
});

test('DER has shortest lengths, an end, and nothing behind it', () => {
  const bytes = requestWith(attribute('10.0.0.1'));
  assert.ok(isDer(bytes));
  for (const other of [
    [0x30, 0x80, 0, 0],
    [0x30, 0x81, 1, 5],
    [0x30, 0x82, 0, 0x80],
    [0x1f, 1, 0],
    [0x30, 5, 0],
    [0x30],
  ])
    assert.equal(isDer(Buffer.from(other)), false, String(other));
  assert.equal(isDer(bytes.subarray(0, -1)), false);
  assert.equal(isDer(Buffer.from(`${'30'.repeat(20)}00`, 'hex')), false);
});
