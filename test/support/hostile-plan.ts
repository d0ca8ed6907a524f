// The sample with text in it that would break every format that forgets to escape.
import type { Plan } from '../../src/plan/schema/index.ts';
import { type Subject, sample } from './rendered.ts';

const evil = '"; } \'\n) $(id) `id` | <b> \\ {{x}} %s # ; ! "\r\nhttp_access allow all\u2028é’';

const places = Object.fromEntries(
  Object.entries(sample.plan.places).map(([id, place]) => [id, { ...place, title: `${place.title} ${evil}` }]),
);

const plan: Plan = {
  ...sample.plan,
  places,
  flows: sample.plan.flows.map((flow) => ({ ...flow, reason: evil.repeat(5) })),
  dns: {
    ...sample.plan.dns,
    records: sample.plan.dns.records.map((record) => ({ ...record, reason: evil, place: evil })),
  },
  certificates: sample.plan.certificates.map((certificate) => ({ ...certificate, issuedBy: evil, place: evil })),
  egress: {
    ...sample.plan.egress,
    entries: sample.plan.egress.entries.map((entry) => ({ ...entry, reason: evil, component: evil, paths: [evil] })),
  },
};

export const hostile: Subject = { name: 'hostile text', plan };
