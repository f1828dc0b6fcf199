// One match as this browser sees it: the table, and the page of one seat. Asks again whenever something changes.
import { api, problemOf } from '../../lib/api';
import { listen, type LiveState } from '../../lib/live';
import type { Desk, Preview, Problem, TableInfo } from '../../lib/types';
import { moves, pace, Pause, worthWatching } from './playback';

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
  /** How many events there were before the last move from this page; none if no move was made from it. */
  since = $state<number>();
  /** Others' moves are being played back: how many events are shown, and how many there are. */
  watching = $state.raw<{ at: number; of: number }>();
  /** How many events were there before others' moves came that were not played back: they can be stepped through. */
  missed = $state<number>();
  live = $state<LiveState>('live');
  private asked = 0;
  /** The page of now, while moves before it are played back. */
  private latest: Desk | undefined;
  private pause = new Pause();
  /** How many playbacks have begun: the last one alone goes on. */
  private played = 0;
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
    return () => {
      this.leave();
      this.stop?.();
    };
  }

  /** Shows the page of a seat, or of a moment. */
  async show(seat: number | undefined, at: number | undefined): Promise<void> {
    this.leave();
    if (seat !== this.seat) {
      this.desk = undefined;
      this.since = undefined;
      this.missed = undefined;
    }
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
      this.problem = undefined;
      this.turnTo(desk);
    } catch (error) {
      if (ask === this.asked) this.problem = problemOf(error);
    }
  }

  /** Shows a page, at once or after the moves that led to it. */
  private turnTo(desk: Desk | undefined): void {
    const before = this.desk;
    const worth = desk !== undefined && before !== undefined && this.at === undefined && worthWatching(before, desk);
    if (desk && this.latest && this.at === undefined) this.latest = desk;
    else if (desk && before && worth && moves()) {
      this.latest = desk;
      void this.playBack(before.at);
    } else {
      this.leave();
      if (worth) this.missed ??= before?.at;
      this.desk = desk;
    }
  }

  /** Shows what came after an event, one event after another; at the end the page of now. */
  private async playBack(from: number): Promise<void> {
    const run = ++this.played;
    const each = pace((this.latest?.of ?? from) - from);
    for (let at = from + 1; this.latest && at < this.latest.of; at += 1) {
      const { seat, of } = this.latest;
      const page = await api.desk(this.id, seat, at).catch(() => undefined);
      // Where the past is not shown the page is of now.
      if (page?.at !== at || !this.latest || run !== this.played) break;
      this.watching = { at, of };
      this.desk = page;
      await this.pause.wait(each);
      if (run !== this.played) break;
    }
    if (this.latest && run === this.played) this.skip();
  }

  /** Ends a playback with the page of now. */
  skip(): void {
    if (this.latest) this.desk = this.latest;
    this.leave();
  }

  /** Ends a playback; what is shown next is for others to say. */
  private leave(): void {
    this.latest = undefined;
    this.watching = undefined;
    this.pause.end();
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
      this.since = desk.of;
      this.missed = undefined;
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
