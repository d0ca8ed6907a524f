import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { dockerImage } from './docker-image.ts';

const image = dockerImage({ name: 'docker.io/local/app:1', program: Buffer.from('a program'), arguments: ['serve'] });
const member = (archive: Buffer, name: string): Buffer => execFileSync('tar', ['-xO', name], { input: archive });

test('tar finds a manifest that names the image, and a layer with the program', () => {
  const [manifest] = JSON.parse(`${member(image, 'manifest.json')}`);
  assert.deepEqual(manifest.RepoTags, ['docker.io/local/app:1']);
  const layer = member(image, manifest.Layers[0]);
  assert.equal(`${member(layer, 'program')}`, 'a program');
  assert.match(`${execFileSync('tar', ['-tv'], { input: layer })}`, /^-rwxr-xr-x .* program$/m);
});

test('the configuration vouches for the layer, and starts the program', () => {
  const config = JSON.parse(`${member(image, 'config.json')}`);
  assert.deepEqual(config.rootfs.diff_ids, [`sha256:${hash('sha256', member(image, 'layer.tar'))}`]);
  assert.deepEqual(config.config.Entrypoint, ['/program', 'serve']);
});
