import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleModel } from '../testing/sample-model.ts';
import { samplePlanOf } from '../testing/sample-plan.ts';
import { issuanceOf } from './issuers.ts';

test('before release 2.31 the ingress controller answers HTTP-01', () => {
  const spec = { ...sampleModel.platform.spec, release: '2.30', certificates: { acmeHTTP01: {} } };
  const issuance = issuanceOf(samplePlanOf({ ...sampleModel, platform: { ...sampleModel.platform, spec } }));
  const issuer = issuance?.documents[0]?.object as { spec: { acme: { solvers: unknown } } };
  assert.deepEqual(issuer.spec.acme.solvers, [{ http01: { ingress: { ingressClassName: 'nginx' } } }]);
});
