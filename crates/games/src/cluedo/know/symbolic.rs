//! The symbolic engine: all worlds at once, as a decision diagram.
//!
//! The law is true of the worlds that the public history leaves. `K[j] φ` is ∀(all that j does not see)(law → φ). The
//! events are added in their order, so each endmove is judged by the law of its time: what comes later is not yet there.
//! A show needs variables only if it matters to somebody's mind which card it was; otherwise it is a clause.

use super::find::{Literal, PLACES, Places, Region, Show, Table, bits};
use super::law::{Build, Order, Shown};
use super::model::{History, Minds, Point};
use super::nodes::{Node, Nodes};
use super::{Refused, Sides};
use crate::cards::{Card, CardSet};
use crate::cluedo::rules;
use crate::cluedo::suppose::Supposition;
use crate::game::Seat;
use crate::knowledge::Outcomes;
use ken_logic::bdd::{Bdd, Capacity, Full, OxiddBdd, OxiddCube, OxiddFunction, Split};
use ken_logic::model::symbolic::{all, any, odd};
use ken_logic::stop;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why there is no diagram.
enum Stop {
    /// A larger one may do.
    Full,
    /// The steps are spent.
    Limit,
}

impl From<Full> for Stop {
    fn from(_: Full) -> Stop {
        Stop::Full
    }
}

/// The nodes that a step stands for: making them takes about a microsecond.
const NODES: u64 = 2;

/// The smallest diagrams to start with.
const START: Capacity = Capacity::new(1 << 20, 1 << 17);

/// The worlds of now, as a diagram, and what was found about them.
#[derive(Clone, Debug)]
pub(super) struct Symbolic {
    bdd: Arc<OxiddBdd>,
    may: Places,
    order: Order,
    /// The seats whose knowledge it can speak of.
    agents: u8,
    law: OxiddFunction,
    /// The shows that are asked about, each with the node of its move; the last ones of the table.
    supposed: Vec<(u32, Show)>,
    /// What is public: now, and after moves that were asked about.
    stages: Vec<Stage>,
    /// By stage and node.
    values: FxHashMap<(usize, u32), OxiddFunction>,
}

/// What is public at some time.
#[derive(Clone, Debug)]
struct Stage {
    law: OxiddFunction,
    /// Seats that have seen the envelope, as bits.
    saw: u8,
    /// Whether the match is over: nothing can be done any more.
    over: bool,
}

/// The event of a show that has not happened but is asked about.
const SUPPOSED: usize = usize::MAX;

/// Answers with diagrams of growing size, until the steps are spent; keeps the last one for the next question.
pub(super) fn ask(
    kept: &mut Option<Symbolic>,
    history: &mut History,
    nodes: &Nodes,
    node: u32,
    steps: &mut u64,
    limit: u64,
) -> Result<Sides, Refused> {
    let supposed = supposed(history, nodes, node);
    if !supposed.is_empty() {
        // The shows that are asked about need variables of their own.
        let mut history = history.clone();
        history.table.shows.extend(supposed.into_iter().map(|(_, show)| show));
        return grow(&mut None, &mut history, nodes, node, steps, limit);
    }
    grow(kept, history, nodes, node, steps, limit)
}

/// The shows that moves inside the node may lead to, each with the node of its move.
fn supposed(history: &History, nodes: &Nodes, node: u32) -> Vec<(u32, Show)> {
    let mut found = Vec::new();
    for after in nodes.moves_in(node) {
        let Node::After(at, ..) = nodes.get(after) else { continue };
        if let Supposition::Ask { asker, cards, answers, .. } = &nodes.moves()[*at as usize] {
            let may = &history.moments[history.now()].may;
            let can = |by: &&Seat| may[by.index()] & cards.0 != 0;
            let show = |by: &Seat| Show { event: SUPPOSED, by: by.0, to: asker.0, cards: cards.0 };
            found.extend(answers.iter().filter(can).map(|by| (after, show(by))));
        }
    }
    found
}

/// Answers with diagrams of growing size.
fn grow(
    kept: &mut Option<Symbolic>,
    history: &mut History,
    nodes: &Nodes,
    node: u32,
    steps: &mut u64,
    limit: u64,
) -> Result<Sides, Refused> {
    let agents = nodes.agents(node);
    let mut capacity = kept.as_ref().map_or(START, |k| k.bdd.capacity());
    kept.take_if(|k| agents & !k.agents != 0);
    loop {
        match answer(kept, history, nodes, node, steps, limit, capacity) {
            Ok(Some(verdict)) => return Ok(verdict),
            Ok(None) => return Err(Refused::NoWorld),
            Err(Stop::Limit) => return Err(Refused::Limit),
            Err(Stop::Full) => {
                let room = limit.saturating_sub(*steps).saturating_mul(NODES);
                capacity = capacity.grown().filter(|c| u64::from(c.nodes()) / 4 <= room).ok_or(Refused::Limit)?;
            }
        }
    }
}

fn answer(
    kept: &mut Option<Symbolic>,
    history: &mut History,
    nodes: &Nodes,
    node: u32,
    steps: &mut u64,
    limit: u64,
    capacity: Capacity,
) -> Result<Option<Sides>, Stop> {
    let mut built = match kept.take() {
        Some(built) => built,
        None => {
            while let Some((seat, then)) = (Work { history, steps, limit }).idle(capacity)? {
                history.forget_endmove(seat, then);
            }
            let agents = nodes.agents(node);
            let minds = history.minds(history.now(), agents);
            let Some(mut built) = (Work { history, steps, limit }).build(history.now(), &minds, capacity)? else {
                return Ok(None);
            };
            built.agents = agents;
            built.supposed = supposed(history, nodes, node);
            built
        }
    };
    let verdict = (Work { history, steps, limit }).verdict(&mut built, nodes, node)?;
    *kept = Some(built);
    Ok(Some(verdict).filter(|v| v.iter().any(Option::is_some)))
}

/// What everybody sees come of a move.
struct Outcome {
    law: OxiddFunction,
    saw: u8,
    /// The variables of what only some see.
    shown: Vec<u32>,
    /// What is said of those; it is not public.
    said: Option<OxiddFunction>,
    /// Whether the match ends by it.
    over: bool,
}

impl Outcome {
    /// What everybody sees in the same way, after which the match goes on.
    fn public(law: OxiddFunction, saw: u8) -> Outcome {
        Outcome { law, saw, shown: Vec::new(), said: None, over: false }
    }
}

/// What work needs and what it costs.
struct Work<'a> {
    history: &'a History,
    steps: &'a mut u64,
    limit: u64,
}

impl Work<'_> {
    /// Counts the steps that it took to make the function.
    fn made(&mut self, bdd: &OxiddBdd, f: OxiddFunction) -> Result<OxiddFunction, Stop> {
        *self.steps += 1 + bdd.node_count(&f) as u64 / NODES;
        if *self.steps > self.limit || stop::asked() { Err(Stop::Limit) } else { Ok(f) }
    }

    /// The worlds of a moment; none if nothing fits. `minds` says which shows matter.
    fn build(&mut self, now: usize, minds: &Minds, capacity: Capacity) -> Result<Option<Symbolic>, Stop> {
        let history = self.history;
        let table = &history.table;
        let mut stops: Vec<usize> = (0..now).filter(|&m| history.tells(m)).collect();
        stops.push(now);
        let mut region = history.region(stops[0]);
        if history.find(stops[0], &mut region, self.steps).is_none() {
            return Ok(None);
        }
        let may = region.may;
        let shows = &table.shows[..history.moments[now].shows];
        let shown: Vec<Shown> = (0..).zip(shows.iter().map(|show| show.cards & may[show.by as usize])).collect();
        let matters = |&(e, mask): &Shown| {
            let to = table.shows[e as usize].to;
            (e as usize) < minds[to as usize] && to != table.shows[e as usize].by && mask.count_ones() > 1
        };
        let mut told: Vec<Shown> = shown.iter().copied().filter(matters).collect();
        let mut asked_for = shown.clone();
        if now == history.now() {
            let all = (0..).zip(&table.shows).filter(|(_, show)| show.event == SUPPOSED);
            let supposed: Vec<Shown> = all.map(|(e, show)| (e, show.cards & may[show.by as usize])).collect();
            told.extend(supposed.iter().copied().filter(|s| s.1.count_ones() > 1));
            asked_for.extend(supposed);
        }
        let order = Order::new(table, &may, sequence(table, &asked_for), &told);
        let bdd = OxiddBdd::open(order.vars, capacity).map_err(Full::from)?;
        let build = Build { table, may: &may, order: &order, bdd: &bdd };
        let mut law = self.made(&bdd, build.deals()?)?;
        let (mut shows, mut never, mut out) = (0, 0, may);
        for &stop in &stops {
            let moment = &history.moments[stop];
            let mut parts = Vec::new();
            for (place, (was, is)) in out.iter().zip(&moment.may).enumerate() {
                let gone = bits(was & !is);
                parts.push(build.cube(gone.map(|b| Literal::Not(b.trailing_zeros() as u8, place as u8)))?);
            }
            out = moment.may;
            for &show in &shown[shows..moment.shows] {
                parts.push(if matters(&show) { build.choice(show)? } else { build.held(show)? });
            }
            shows = moment.shows;
            for &triple in &moment.never[never..] {
                let envelope = table.envelope() as u8;
                let wrong = build.cube(bits(triple).map(|b| Literal::At(b.trailing_zeros() as u8, envelope)))?;
                parts.push(bdd.not(&wrong)?);
            }
            never = moment.never.len();
            for part in parts {
                law = bdd.and(&law, &part)?;
            }
            law = self.made(&bdd, law)?;
            if stop != now {
                let solved = self.solved(&build, &law, moment.saw, history.ends[stop])?;
                law = bdd.and(&law, &bdd.not(&solved)?)?;
                law = self.made(&bdd, law)?;
            }
        }
        let stages = vec![Stage { law: law.clone(), saw: history.moments[now].saw, over: false }];
        let values = FxHashMap::default();
        Ok(Some(Symbolic { bdd: Arc::new(bdd), may, order, agents: 0, law, supposed: Vec::new(), stages, values }))
    }

    /// The first endmove if it tells nothing: nobody could have known the envelope then.
    fn idle(&mut self, capacity: Capacity) -> Result<Option<(u8, usize)>, Stop> {
        let Some(then) = (0..self.history.now()).find(|&m| self.history.tells(m)) else { return Ok(None) };
        let seat = self.history.ends[then];
        let mut minds = [0; PLACES];
        minds[seat as usize] = self.history.moments[then].shows;
        let Some(built) = self.build(then, &minds, capacity)? else { return Ok(None) };
        let saw = self.history.moments[then].saw;
        let solved = self.solved(&built.build(&self.history.table), &built.law, saw, seat)?;
        Ok((solved == built.bdd.constant(false)).then_some((seat, then)))
    }

    /// What the observer considers possible.
    fn seen(&self, built: &Symbolic) -> Result<OxiddFunction, Full> {
        let table = &self.history.table;
        let said = self.history.seen.iter().map(|&literal| match literal {
            // Without variables for the show, all that it tells is who holds the card.
            Literal::Show(e, card) if !built.order.show.contains_key(&(e, card)) => {
                Literal::At(card, table.shows[e as usize].by)
            }
            other => other,
        });
        built.bdd.and(&built.law, &built.build(table).cube(said)?)
    }

    /// All variables but those that the seats see, where these have seen the envelope.
    fn unseen(&self, build: &Build, saw: u8, seats: u8, keep: impl Fn(u8) -> bool) -> Result<OxiddCube, Full> {
        let envelope = self.history.table.envelope() as u8;
        let sees = |place: u8| if place == envelope { saw & seats != 0 } else { seats >> place & 1 == 1 };
        let cards = build.order.at.iter().filter(|((_, place), _)| !sees(*place) && !keep(*place));
        let shows = build.order.show.iter().filter(|((e, _), _)| {
            let show = &self.history.table.shows[*e as usize];
            (seats >> show.to | seats >> show.by) & 1 == 0
        });
        build.bdd.cube(cards.map(|c| *c.1).chain(shows.map(|s| *s.1)))
    }

    /// Where the seat knows the envelope.
    fn solved(&mut self, build: &Build, law: &OxiddFunction, saw: u8, seat: u8) -> Result<OxiddFunction, Stop> {
        let bdd = build.bdd;
        let table = &self.history.table;
        let envelope = table.envelope() as u8;
        if saw >> seat & 1 == 1 {
            return Ok(bdd.constant(true));
        }
        let unseen = self.unseen(build, saw, 1 << seat, |place| place == envelope)?;
        let vars = build.order.at.iter().filter(|((_, place), _)| *place == envelope);
        let inside = bdd.cube(vars.map(|v| *v.1))?;
        let mut views = self.made(bdd, bdd.exists(law, &unseen)?)?;
        let mut categories = table.categories.clone();
        categories.sort_unstable_by_key(|c| (c & build.may[envelope as usize]).count_ones());
        for category in categories {
            // The views with none of the cards so far, and with exactly one.
            let (mut none, mut one) = (bdd.constant(true), bdd.constant(false));
            for card in bits(category & build.may[envelope as usize]).map(|b| b.trailing_zeros() as u8) {
                let may_be = bdd.and_exists(&views, &build.literal(Literal::At(card, envelope))?, &inside)?;
                one = bdd.ite(&may_be, &none, &one)?;
                none = bdd.and(&none, &bdd.not(&may_be)?)?;
            }
            // Few views tell the first category, so little is left for the next.
            views = self.made(bdd, bdd.and(&views, &one)?)?;
        }
        self.made(bdd, bdd.exists(&views, &inside)?)
    }

    /// Where the node is true at a stage, as far as its law goes.
    fn value(&mut self, built: &mut Symbolic, nodes: &Nodes, stage: usize, node: u32) -> Result<OxiddFunction, Stop> {
        if let Some(known) = built.values.get(&(stage, node)) {
            return Ok(known.clone());
        }
        let bdd = built.bdd.clone();
        let Stage { law, saw, .. } = built.stages[stage].clone();
        let mut all_of = |parts: &[u32], built: &mut Symbolic| {
            parts.iter().map(|&p| self.value(built, nodes, stage, p)).collect::<Result<Vec<_>, _>>()
        };
        let value = match nodes.get(node) {
            Node::Const(value) => bdd.constant(*value),
            Node::At(card, place) => built.build(&self.history.table).literal(Literal::At(*card, *place))?,
            Node::Not(f) => bdd.not(&self.value(built, nodes, stage, *f)?)?,
            Node::All(fs) => all(&*bdd, all_of(fs, built)?)?,
            Node::Some(fs) => any(&*bdd, all_of(fs, built)?)?,
            Node::Odd(fs) => odd(&*bdd, all_of(fs, built)?)?,
            Node::Count(cmp, n, fs) => {
                // By how many are true so far.
                let mut counts = vec![bdd.constant(true)];
                for f in all_of(fs, built)? {
                    counts.push(bdd.constant(false));
                    for i in (0..counts.len()).rev() {
                        let less = if i > 0 { counts[i - 1].clone() } else { bdd.constant(false) };
                        counts[i] = bdd.ite(&f, &less, &counts[i])?;
                    }
                }
                let fits = (0u64..).zip(counts).filter(|(i, _)| cmp.admits(i.cmp(n)));
                any(&*bdd, fits.map(|c| c.1).collect())?
            }
            Node::Knows(seats, f) => {
                let f = self.value(built, nodes, stage, *f)?;
                let unseen = self.unseen(&built.build(&self.history.table), saw, *seats, |_| false)?;
                bdd.forall_imp(&law, &f, &unseen)?
            }
            Node::Common(seats, f) => {
                let f = self.value(built, nodes, stage, *f)?;
                let mut wrong = bdd.and(&law, &bdd.not(&f)?)?;
                loop {
                    let mut more = wrong.clone();
                    for seat in (0..8).filter(|seat| seats >> seat & 1 == 1) {
                        let unseen = self.unseen(&built.build(&self.history.table), saw, 1 << seat, |_| false)?;
                        let reached = bdd.and(&law, &bdd.exists(&wrong, &unseen)?)?;
                        more = self.made(&bdd, bdd.or(&more, &reached)?)?;
                    }
                    if more == wrong {
                        break bdd.not(&wrong)?;
                    }
                    wrong = more;
                }
            }
            Node::After(..) => self.after(built, nodes, stage, node)?,
            Node::Solved(seat) => self.solved(&built.build(&self.history.table), &law, saw, *seat)?,
        };
        let value = self.made(&bdd, value)?;
        built.values.insert((stage, node), value.clone());
        Ok(value)
    }

    /// Where a fact is true after a move: whatever comes of it, or in some way.
    fn after(&mut self, built: &mut Symbolic, nodes: &Nodes, stage: usize, node: u32) -> Result<OxiddFunction, Stop> {
        let &Node::After(at, outcomes, then) = nodes.get(node) else { unreachable!("a move") };
        let bdd = built.bdd.clone();
        let mut value = bdd.constant(outcomes == Outcomes::Every);
        if built.stages[stage].over {
            return Ok(value);
        }
        for Outcome { law, saw, shown, said, over } in self.outcomes(built, stage, node, &nodes.moves()[at as usize])? {
            built.stages.push(Stage { law: law.clone(), saw, over });
            let there = self.value(built, nodes, built.stages.len() - 1, then)?;
            let shown = bdd.cube(shown)?;
            let leads = match said {
                Some(said) => bdd.and(&law, &said)?,
                None => law,
            };
            value = match outcomes {
                Outcomes::Every => bdd.and(&value, &bdd.forall_imp(&leads, &there, &shown)?)?,
                Outcomes::Some => bdd.or(&value, &bdd.and_exists(&leads, &there, &shown)?)?,
            };
            value = self.made(&bdd, value)?;
        }
        Ok(value)
    }

    /// What everybody can see come of a move.
    fn outcomes(
        &mut self,
        built: &Symbolic,
        stage: usize,
        node: u32,
        supposed: &Supposition,
    ) -> Result<Vec<Outcome>, Stop> {
        let Stage { law, saw, .. } = built.stages[stage].clone();
        let table = &self.history.table;
        let build = built.build(table);
        let bdd = &*built.bdd;
        let envelope = table.envelope() as u8;
        let cards = |set: CardSet| bits(set.0).map(|b| b.trailing_zeros() as u8);
        match supposed {
            Supposition::Ask { asker, cards: asked, answers, nobody, shown } => {
                let mut found = Vec::new();
                // What is left when all so far have passed.
                let mut law = law;
                for by in rules::asked(*asker, table.seats as u8) {
                    if answers.contains(&by)
                        && let Some(show) = built.show(self.history, node, by)
                    {
                        let mask = table.shows[show as usize].cards & built.may[by.index()];
                        let choice = match mask.count_ones() > 1 {
                            true => build.choice((show, mask))?,
                            false => build.held((show, mask))?,
                        };
                        let then = bdd.and(&law, &choice)?;
                        let this = |card: Card| match mask.count_ones() > 1 {
                            true => Literal::Show(show, card.0),
                            false => Literal::At(card.0, by.0),
                        };
                        let said = shown.map(|card| build.literal(this(card))).transpose()?;
                        let vars = built.order.show.iter().filter(|((e, _), _)| *e == show).map(|(_, &var)| var);
                        found.push(Outcome {
                            law: self.made(bdd, then)?,
                            saw,
                            shown: vars.collect(),
                            said,
                            over: false,
                        });
                    }
                    let none = build.cube(cards(*asked).map(|card| Literal::Not(card, by.0)))?;
                    law = self.made(bdd, bdd.and(&law, &none)?)?;
                }
                if *nobody {
                    found.push(Outcome::public(law, saw));
                }
                Ok(found)
            }
            Supposition::Accuse { seat, cards: said, right, wrong } => {
                let is = build.cube(cards(*said).map(|card| Literal::At(card, envelope)))?;
                let everybody = ((1u16 << table.seats) - 1) as u8;
                let mut found = Vec::new();
                if *right {
                    found.push(Outcome { over: true, ..Outcome::public(bdd.and(&law, &is)?, everybody) });
                }
                if *wrong {
                    let law = bdd.and(&law, &bdd.not(&is)?)?;
                    found.push(Outcome::public(law, saw | 1 << seat.0));
                }
                Ok(found)
            }
            Supposition::End { seat } => {
                let solved = self.solved(&build, &law, saw, seat.0)?;
                let law = bdd.and(&law, &bdd.not(&solved)?)?;
                Ok(vec![Outcome::public(law, saw)])
            }
        }
    }

    fn verdict(&mut self, built: &mut Symbolic, nodes: &Nodes, node: u32) -> Result<Sides, Stop> {
        let value = self.value(built, nodes, 0, node)?;
        let bdd = &built.bdd;
        let seen = self.seen(built)?;
        let yes = bdd.and(&seen, &value)?;
        let no = bdd.and(&seen, &bdd.not(&value)?)?;
        let history = self.history;
        let region = history.region_with(history.now(), history.seen.iter().copied());
        Ok([yes, no].map(|f| built.point(history, &region, f)))
    }
}

impl Symbolic {
    /// The show by this seat that the move of the node may lead to.
    fn show(&self, history: &History, node: u32, by: Seat) -> Option<u16> {
        let first = history.table.shows.len() - self.supposed.len();
        let own = self.supposed.iter().position(|(after, show)| *after == node && show.by == by.0)?;
        u16::try_from(first + own).ok()
    }

    fn build<'a>(&'a self, table: &'a Table) -> Build<'a> {
        Build { table, may: &self.may, order: &self.order, bdd: &self.bdd }
    }

    /// The first world where the function is true.
    fn point(&self, history: &History, region: &Region, mut f: OxiddFunction) -> Option<Point> {
        let no = self.bdd.constant(false);
        if f == no {
            return None;
        }
        let mut shown = region.shown.clone();
        let shows: FxHashMap<u32, (u16, u8)> = self.order.show.iter().map(|(&show, &var)| (var, show)).collect();
        let mut at = [0; PLACES];
        while let Split::Node { var, hi, lo } = self.bdd.split(&f) {
            if lo != no {
                f = lo;
                continue;
            }
            f = hi;
            match (self.order.cards.get(&var), shows.get(&var)) {
                (Some(&(card, place)), _) => at[place as usize] |= 1 << card,
                (None, Some(&(e, card))) => shown[e as usize] = 1 << card,
                (None, None) => unreachable!("a variable of a card or of a show"),
            }
        }
        let shows = history.table.shows.iter().zip(&shown);
        let shown = shows.map(|(show, mask)| (at[show.by as usize] & mask).trailing_zeros() as u8).collect();
        Some(Point { at, shown })
    }
}

/// The cards, those that were asked for together near each other.
fn sequence(table: &Table, shown: &[Shown]) -> Vec<u8> {
    let mut left = table.cards;
    let mut sequence: Vec<u8> = Vec::new();
    while left != 0 {
        let open = |card: u64| {
            let after = left & !card;
            let open = shown.iter().filter(|s| s.1 & after != 0 && s.1 & !after != 0).count();
            let closed = shown.iter().filter(|s| s.1 & card != 0 && s.1 & after == 0).count();
            open as isize - closed as isize
        };
        let next = bits(left).min_by_key(|&card| (open(card), card)).expect("a card is left");
        sequence.push(next.trailing_zeros() as u8);
        left &= !next;
    }
    let shows: Vec<(u8, u64)> = shown.iter().map(|&(e, mask)| (table.shows[e as usize].by, mask)).collect();
    let deck: Vec<u8> = bits(table.cards).map(|b| b.trailing_zeros() as u8).collect();
    if width(table, &deck, &shows) < width(table, &sequence, &shows) {
        sequence = deck;
    }
    let mut best = width(table, &sequence, &shows);
    loop {
        let before = best;
        for from in 0..sequence.len() {
            for to in 0..sequence.len() {
                let mut other = sequence.clone();
                let card = other.remove(from);
                other.insert(to, card);
                let width = width(table, &other, &shows);
                if width < best {
                    (best, sequence) = (width, other);
                }
            }
        }
        if best == before {
            return sequence;
        }
    }
}

/// About how many nodes the law has in this sequence. Between a card and the next, it has to remember of each earlier one
/// who holds it, among those who may have shown it or a later one, and of each category that has begun whether its card of
/// the envelope is among them.
fn width(table: &Table, sequence: &[u8], shows: &[(u8, u64)]) -> u64 {
    let mut placed = 0u64;
    let mut total = 0u64;
    for card in sequence {
        placed |= 1 << card;
        let ways = bits(placed).map(|card| {
            let open = shows.iter().filter(|s| s.1 & card != 0 && s.1 & !placed != 0);
            u64::from(open.fold(0u8, |all, s| all | 1 << s.0).count_ones()) + 1
        });
        let begun = table.categories.iter().filter(|&c| c & placed != 0 && c & !placed != 0).count();
        total = total.saturating_add(ways.fold(1 << begun, u64::saturating_mul));
    }
    total
}
