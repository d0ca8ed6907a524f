import { yamlText } from '../render/text/yaml.ts';

export const toYamlDocuments = (documents: readonly unknown[]): string => documents.map(yamlText).join('---\n');
