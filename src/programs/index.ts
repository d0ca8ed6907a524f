export type { ProgramOptions } from './config.ts';
export { isPermanent } from './errors.ts';
export {
  type Availability,
  type KubernetesVersions,
  kubernetesVersions,
  type OfferedVersions,
} from './kubernetes-versions.ts';
export { locateProgram, needPrograms, readOrder, type Wanted } from './need-programs.ts';
export { type Progress, progressTo } from './progress.ts';
export { runTool } from './run-tool.ts';
export { type Surveyed, surveyPrograms } from './survey.ts';
