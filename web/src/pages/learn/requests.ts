// The requests of the lessons.
import { send } from '../../lib/api';
import type { CheckedAnswer, Lesson, LessonInfo } from '../../lib/types';

const at = (lesson: string): string => `/api/learn/${encodeURIComponent(lesson)}`;

export const lessons = (): Promise<LessonInfo[]> => send<LessonInfo[]>('GET', '/api/learn');
export const lessonOf = (id: string): Promise<Lesson> => send<Lesson>('GET', at(id));
export const answered = (id: string, answer: string[]): Promise<CheckedAnswer> => send<CheckedAnswer>('POST', `${at(id)}/answer`, { answer });
