// One match as this browser sees it: the table, and the page of one seat. Asks again whenever something changes.
import { api, problemOf } from '../../lib/api';
import { listen, type LiveState } from '../../lib/live';
import type { Desk, Preview, Problem, TableInfo } from '../../lib/types';

export class Match {
  readonly id: string;
  table = $state.raw<TableInfo>();
  desk = $state.raw<Desk>();
  /** The seat whose page is shown; none while the device changes hands. */
  seat = $state<number>();
  /** After how many events the table is shown; now if it is not given. */
  at = $state<number>();
  /** What went wrong with the match itself. */
  problem = $state.raw<Problem>();
  /** What was wrong with the last move. */
  refused = $state.raw<Problem>();
  busy = $state(false);
  live = $state<LiveState>('live');
  private asked = 0;
  private stop: (() => void) | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** The seats that this browser holds. */
  readonly mine = $derived((this.table?.seats ?? []).filter((seat) => seat.mine).map((seat) => seat.seat));
  /** The own seat that the device should be handed to, if it is not the one that is shown. */
  readonly handTo = $derived.by(() => {
    const turn = this.table?.turn;
    if (this.mine.length < 2 || this.table?.ended || turn == null) return undefined;
    return this.mine.includes(turn) && turn !== this.seat ? turn : undefined;
  });

  /** Starts to listen; the answer ends it. */
  start(): () => void {
    void this.load();
    this.stop = listen(
      api.live(this.id),
      (revision) => {
        const same = revision !== undefined && revision === this.desk?.revision && revision === this.table?.revision;
        // A friend who takes a seat is news, though nothing was played.
        if (!same || this.table?.seats.some((seat) => seat.kind === 'friend')) void this.load();
      },
      (state) => (this.live = state),
    );
    return () => this.stop?.();
  }

  /** Shows the page of a seat, or of a moment. */
  async show(seat: number | undefined, at: number | undefined): Promise<void> {
    if (seat !== this.seat) this.desk = undefined;
    this.seat = seat;
    this.at = at;
    await this.load();
  }

  /** Asks for everything again. An answer that was overtaken by a later request is dropped. */
  async load(): Promise<void> {
    const ask = ++this.asked;
    try {
      const table = await api.table(this.id);
      if (ask !== this.asked) return;
      this.table = table;
      const seat = this.choose(table);
      const desk = seat === undefined ? undefined : await api.desk(this.id, seat, this.at);
      if (ask !== this.asked) return;
      this.seat = seat;
      this.desk = desk;
      this.problem = undefined;
    } catch (error) {
      if (ask === this.asked) this.problem = problemOf(error);
    }
  }

  /** The seat to show: the one that is shown, else the only own one; any seat once the match is over. */
  private choose(table: TableInfo): number | undefined {
    const mine = table.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
    if (table.ended) return this.seat ?? mine[0] ?? 0;
    if (mine.length === 1) return mine[0];
    if (mine.length > 1 && this.seat !== undefined && mine.includes(this.seat)) {
      // The page goes as soon as another seat of this device is to move: its owner must not see these cards.
      return table.turn != null && table.turn !== this.seat && mine.includes(table.turn) ? undefined : this.seat;
    }
    return undefined;
  }

  /** Plays an action; the answer is whether it was stored. */
  async play(action: string): Promise<boolean> {
    const desk = this.desk;
    if (!desk || this.busy) return false;
    this.busy = true;
    this.refused = undefined;
    let stored = false;
    try {
      await api.move(this.id, desk.seat, action, desk.revision);
      stored = true;
    } catch (error) {
      this.refused = problemOf(error);
    }
    await this.load();
    this.busy = false;
    return stored;
  }

  async undo(): Promise<void> {
    const desk = this.desk;
    if (!desk || this.busy) return;
    this.busy = true;
    this.refused = undefined;
    try {
      await api.undo(this.id, desk.seat, desk.revision);
    } catch (error) {
      this.refused = problemOf(error);
    }
    await this.load();
    this.busy = false;
  }

  /** Gives the match up; the answer is what was wrong with that. */
  async resign(): Promise<Problem | undefined> {
    const desk = this.desk;
    if (!desk || this.busy) return undefined;
    this.busy = true;
    let problem: Problem | undefined;
    try {
      await api.resign(this.id, desk.seat, desk.revision);
    } catch (error) {
      problem = problemOf(error);
    }
    await this.load();
    this.busy = false;
    return problem;
  }

  /** What an action would do; a refusal comes as a preview that is not allowed. */
  async preview(action: string): Promise<Preview | undefined> {
    const desk = this.desk;
    if (!desk) return undefined;
    try {
      return await api.preview(this.id, desk.seat, action);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'offline') return undefined;
      const why = problem.help ? `${problem.message} (${problem.help})` : problem.message;
      return { legal: false, why_not: why, read_as: null, lines: [], marks: problem.marks ?? [], answers: [], share: null, fits: null, samples: [] };
    }
  }

  /** Sets or removes a note at once on the page, and then on the server. */
  async note(key: string, mark: string | undefined): Promise<void> {
    const desk = this.desk;
    if (!desk?.mine) return;
    const marks = { ...desk.notes.marks };
    if (mark === undefined) delete marks[key];
    else marks[key] = mark;
    this.desk = { ...desk, notes: { marks } };
    try {
      await api.notes(this.id, desk.seat, { marks });
      // What does not follow is the server's to say.
      const fresh = await api.desk(this.id, desk.seat, this.at);
      const unchanged = this.desk && JSON.stringify(this.desk.notes.marks) === JSON.stringify(marks);
      if (unchanged && this.seat === desk.seat) this.desk = fresh;
    } catch (error) {
      this.refused = problemOf(error);
    }
  }
}
