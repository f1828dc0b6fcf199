// The requests of the lab.
import { send } from '../../lib/api';
import type { LabInfo, RunInfo, RunReport, StudyReport } from '../../lib/types';

const at = (run: string): string => `/api/lab/runs/${encodeURIComponent(run)}`;

export const lab = {
  info: () => send<LabInfo>('GET', '/api/lab'),
  start: (experiment: string, games: number) => send<RunInfo>('POST', '/api/lab/runs', { experiment, games }),
  run: (id: string) => send<RunReport>('GET', at(id)),
  stop: (id: string) => send<RunInfo>('POST', `${at(id)}/stop`, {}),
  page: (id: string) => `${at(id)}/report`,
  study: () => send<StudyReport>('GET', '/api/study/report'),
};
