//! Layers of histories, and the walk through them along a real match.

use super::ask::Ask;
use super::{CannotUnfold, Unfold};
use crate::game::{Game, Illegal, Seat, Turn, Verdict};
use ken_logic::check::EngineChoice;
use ken_logic::formula::{F, Formula, Name};
use ken_logic::model::kripke::{Classes, Relation};
use ken_logic::model::{BitSet, Kripke, Model};
use ken_logic::{Checker, Options};
use std::collections::{HashMap, HashSet};
use std::mem::discriminant;
use std::sync::Arc;

/// Something that can have happened: a deal and what followed.
pub struct History<G: Game> {
    state: G::State,
    event: G::Event,
    last: Option<Last<G>>,
}

struct Last<G: Game> {
    action: G::Action,
    before: Arc<History<G>>,
}

impl<G: Game> History<G> {
    /// The truth at its end.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Its last event.
    pub fn event(&self) -> &G::Event {
        &self.event
    }

    /// The action that made its last event; `None` after the deal.
    pub fn action(&self) -> Option<&G::Action> {
        self.last.as_ref().map(|last| &last.action)
    }

    /// The history without its last event; `None` of a deal.
    pub fn before(&self) -> Option<&History<G>> {
        self.last.as_ref().map(|last| &*last.before)
    }

    /// All its events, the deal first.
    pub fn events(&self) -> Vec<&G::Event> {
        let mut events: Vec<_> = std::iter::successors(Some(self), |h| h.before()).map(History::event).collect();
        events.reverse();
        events
    }
}

/// Histories of the same number of events, closed under what any seat confuses.
pub(super) struct Layer<G: Game> {
    pub(super) histories: Vec<Arc<History<G>>>,
    /// The place in the layer before of what each history continues.
    pub(super) before: Vec<usize>,
    /// For each seat, the histories by what it saw.
    views: Vec<Classes>,
    pub(super) model: Kripke,
    checker: Checker,
}

/// An option and what it leads to.
struct Step<G: Game> {
    action: G::Action,
    state: G::State,
    event: G::Event,
}

/// Histories that may become a layer.
struct Draft<G: Game> {
    histories: Vec<Arc<History<G>>>,
    before: Vec<usize>,
    views: Vec<Classes>,
}

impl<G: Game> Draft<G> {
    /// Leaves out what cannot be reached from a history in `from` by steps between histories that a seat confuses.
    fn reached(self, from: impl Fn(usize) -> bool) -> Draft<G> {
        let parts = Classes::join(self.histories.len(), self.views.iter());
        let wanted: HashSet<u32> = (0..self.histories.len()).filter(|&i| from(i)).map(|i| parts.of[i]).collect();
        let keep: Vec<usize> = (0..self.histories.len()).filter(|&i| wanted.contains(&parts.of[i])).collect();
        let view = |view: &Classes| Classes::by_key(keep.iter().map(|&i| view.of[i]));
        Draft {
            histories: keep.iter().map(|&i| self.histories[i].clone()).collect(),
            before: keep.iter().map(|&i| self.before[i]).collect(),
            views: self.views.iter().map(view).collect(),
        }
    }
}

impl<G: Game> Layer<G> {
    fn of(unfold: &Unfold<'_, G>, draft: Draft<G>) -> Result<Layer<G>, CannotUnfold> {
        let Draft { histories, before, views } = draft;
        let agents = unfold.seats().map(|seat| seat.to_string().into()).collect();
        let mut model = Kripke::new(histories.len(), agents, unfold.names().cloned().collect());
        for (seat, view) in views.iter().enumerate() {
            model.set_relation(seat, Relation::Classes(view.clone()));
        }
        for (name, truth) in &unfold.atoms {
            let column = BitSet::from_fn(histories.len(), |i| truth(&histories[i]));
            set(&mut model, name, &column);
        }
        // Without a history there is nothing to check.
        for (name, formula) in unfold.defined.iter().filter(|_| !histories.is_empty()) {
            let column = check(&mut checker(&model), &model, formula)?;
            set(&mut model, name, &column);
        }
        let checker = checker(&model);
        Ok(Layer { histories, before, views, model, checker })
    }

    /// Where the formula is true.
    pub(super) fn truth(&mut self, formula: &F) -> Result<BitSet, CannotUnfold> {
        check(&mut self.checker, &self.model, formula)
    }
}

/// Somebody to ask about a model.
pub(super) fn checker(model: &Kripke) -> Checker {
    let options = Options { engine: EngineChoice::Explicit, ..Options::default() };
    Checker::of(Model::Kripke(model.clone()), options)
}

/// Where a formula over the propositions of the model is true. The checker takes those that it does not know for false; an
/// oracle must not.
pub(super) fn check(checker: &mut Checker, model: &Kripke, formula: &F) -> Result<BitSet, CannotUnfold> {
    let mut unknown = None;
    formula.any(&mut |f| match f {
        Formula::Atom(name) if model.column(name).is_none() => {
            unknown = Some(name.clone());
            true
        }
        _ => false,
    });
    match unknown {
        Some(name) => Err(CannotUnfold::NoAtom(name)),
        None => checker.truth(formula).map_err(|why| CannotUnfold::Unchecked(why.to_string())),
    }
}

/// The model with these propositions, which hide others of the same name.
pub(super) fn extended(model: &Kripke, named: &[(Name, BitSet)]) -> Kripke {
    let columns = |name: &Name| Some((name.clone(), model.column(name)?.clone()));
    let kept = model.props().iter().filter(|prop| named.iter().all(|(name, _)| name != *prop)).filter_map(columns);
    let columns: Vec<(Name, BitSet)> = kept.chain(named.iter().cloned()).collect();
    let names = columns.iter().map(|(name, _)| name.clone()).collect();
    let mut larger = Kripke::new(model.size(), model.agents().to_vec(), names);
    for (agent, relation) in model.relations().iter().enumerate() {
        larger.set_relation(agent, relation.clone());
    }
    columns.iter().for_each(|(name, column)| set(&mut larger, name, column));
    larger
}

/// Makes a proposition true at these worlds.
fn set(model: &mut Kripke, name: &Name, at: &BitSet) {
    at.iter().for_each(|world| model.set_true(world, name));
}

impl<G: Game> Unfold<'_, G> {
    /// The first layer: the deals that can be reached from one.
    fn first(&self, deal: &G::Event) -> Result<(Layer<G>, usize), CannotUnfold> {
        let history = |(state, event)| Arc::new(History { state, event, last: None });
        let histories: Vec<Arc<History<G>>> = self.deals()?.into_iter().map(history).collect();
        let view = |seat| Classes::by_key(histories.iter().map(|h| self.game.sight(&h.event, seat)));
        let views = self.seats().map(view).collect();
        let real = histories.iter().position(|h| h.event == *deal).ok_or(CannotUnfold::NoSuchDeal)?;
        let draft = Draft { before: vec![0; histories.len()], histories, views }.reached(|i| i == real);
        let real = draft.histories.iter().position(|h| h.event == *deal).ok_or(CannotUnfold::NoSuchDeal)?;
        Ok((Layer::of(self, draft)?, real))
    }

    /// The layer after this one: all histories continued by all their options, and of these what can be reached from a
    /// continuation that is wanted, by the place of the history and the action. Returns also the wanted ones.
    pub(super) fn next(
        &self,
        layer: &mut Layer<G>,
        wanted: impl Fn(usize, &G::Action) -> bool,
    ) -> Result<(Layer<G>, Vec<usize>), CannotUnfold> {
        let mut memo = HashMap::new();
        let (mut histories, mut before) = (Vec::new(), Vec::new());
        for at in 0..layer.histories.len() {
            for Step { action, state, event } in self.options(layer, at, &mut memo)? {
                if histories.len() == self.limit {
                    return Err(CannotUnfold::TooMany(self.limit));
                }
                let last = Some(Last { action, before: layer.histories[at].clone() });
                histories.push(Arc::new(History { state, event, last }));
                before.push(at);
            }
        }
        let views = self.seats().zip(&layer.views).map(|(seat, view)| {
            let sight = |(h, &at): (&Arc<History<G>>, &usize)| (view.of[at], self.game.sight(&h.event, seat));
            Classes::by_key(histories.iter().zip(&before).map(sight))
        });
        let draft = Draft { views: views.collect(), histories, before };
        let is_wanted = |h: &History<G>, at: usize| h.action().is_some_and(|action| wanted(at, action));
        let roots: Vec<bool> = draft.histories.iter().zip(&draft.before).map(|(h, &at)| is_wanted(h, at)).collect();
        let layer = Layer::of(self, draft.reached(|i| roots[i]))?;
        let places = layer.histories.iter().zip(&layer.before).enumerate();
        let found = places.filter(|(_, (h, at))| is_wanted(h, **at)).map(|(i, _)| i).collect();
        Ok((layer, found))
    }

    /// The options at a history. `memo` remembers where the conditions of the convention hold.
    fn options(
        &self,
        layer: &mut Layer<G>,
        at: usize,
        memo: &mut HashMap<F, BitSet>,
    ) -> Result<Vec<Step<G>>, CannotUnfold> {
        let history = layer.histories[at].clone();
        let (open, mut actions): (Vec<G::Action>, Vec<G::Action>) =
            self.game.legal(&history.state).into_iter().partition(|action| self.game.is_open(action));
        let of_kind = |action: &&G::Action| open.iter().any(|o| discriminant(o) == discriminant(*action));
        let listed = actions.len();
        actions.extend(self.open.iter().filter(of_kind).cloned());
        let mut options = Vec::with_capacity(actions.len());
        for (i, action) in actions.into_iter().enumerate() {
            if let Some(condition) = (self.only_if)(&history.state, &action) {
                if !memo.contains_key(&condition) {
                    let holds = layer.truth(&condition)?;
                    memo.insert(condition.clone(), holds);
                }
                if !memo[&condition].contains(at) {
                    continue;
                }
            }
            let mut state = history.state.clone();
            match self.game.play(&mut state, &action) {
                Ok(event) => options.push(Step { action, state, event }),
                Err(_) if i >= listed => {}
                Err(Illegal { message, .. }) => return Err(CannotUnfold::Refused(format!("{action:?}: {message}"))),
            }
        }
        Ok(options)
    }

    /// Whether it is the turn of the seat, or of anybody if none is given.
    pub(super) fn is_turn(&self, state: &G::State, seat: Option<Seat>) -> bool {
        match self.game.turn(state) {
            Turn::Of(turn) => seat.is_none_or(|seat| seat == turn),
            Turn::Over(_) => false,
        }
    }
}

/// A layer with the real history in it: what everybody knows at one moment of a match.
pub struct Unfolding<'u, 'a, G: Game> {
    unfold: &'u Unfold<'a, G>,
    layer: Layer<G>,
    real: usize,
}

impl<'u, 'a, G: Game> Unfolding<'u, 'a, G> {
    pub(super) fn begin(unfold: &'u Unfold<'a, G>, deal: &G::Event) -> Result<Self, CannotUnfold> {
        let (layer, real) = unfold.first(deal)?;
        Ok(Unfolding { unfold, layer, real })
    }

    /// The real history.
    pub fn real(&self) -> &History<G> {
        &self.layer.histories[self.real]
    }

    /// How many histories there are that can be reached from the real one, itself included.
    pub fn len(&self) -> usize {
        self.layer.histories.len()
    }

    /// Never: the real history is there.
    pub fn is_empty(&self) -> bool {
        self.layer.histories.is_empty()
    }

    /// The histories, in the order of the worlds of the model.
    pub fn histories(&self) -> impl Iterator<Item = &History<G>> {
        self.layer.histories.iter().map(|history| &**history)
    }

    /// The layer as a model: the agents are the seats `0`, `1`, …, the worlds the histories, the propositions the atoms.
    /// It has no point.
    pub fn model(&self) -> &Kripke {
        &self.layer.model
    }

    /// The histories that the seat cannot tell from the real one.
    pub fn confused(&self, seat: Seat) -> impl Iterator<Item = &History<G>> {
        self.places(seat).map(|i| &*self.layer.histories[i])
    }

    fn places(&self, seat: Seat) -> impl Iterator<Item = usize> {
        let view = &self.layer.views[seat.index()].of;
        let mine = view[self.real];
        view.iter().enumerate().filter(move |(_, class)| **class == mine).map(|(i, _)| i)
    }

    /// What the seat saw in the real match.
    pub fn memory(&self, seat: Seat) -> Vec<G::Sight> {
        self.real().events().into_iter().map(|event| self.unfold.game.sight(event, seat)).collect()
    }

    /// What may be chosen in the real match: what is legal, with the open actions of the list, as far as the convention
    /// lets it be chosen.
    pub fn options(&mut self) -> Result<Vec<G::Action>, CannotUnfold> {
        let options = self.unfold.options(&mut self.layer, self.real, &mut HashMap::new())?;
        Ok(options.into_iter().map(|step| step.action).collect())
    }

    /// Plays an action in the real match. On an error nothing has changed.
    pub fn play(&mut self, action: &G::Action) -> Result<(), CannotUnfold> {
        let real = self.real;
        let (layer, found) = self.unfold.next(&mut self.layer, |at, other| at == real && other == action)?;
        self.real = *found.first().ok_or_else(|| CannotUnfold::NoOption(format!("{action:?}")))?;
        self.layer = layer;
        Ok(())
    }

    /// The histories at which it is true, as worlds of the model.
    pub fn truth(&mut self, ask: &Ask<G::Action>) -> Result<BitSet, CannotUnfold> {
        self.unfold.truth(&mut self.layer, ask)
    }

    /// Whether it is true in the real match.
    pub fn holds(&mut self, ask: &Ask<G::Action>) -> Result<bool, CannotUnfold> {
        Ok(self.truth(ask)?.contains(self.real))
    }

    /// What the seat knows of it.
    pub fn verdict(&mut self, seat: Seat, ask: &Ask<G::Action>) -> Result<Verdict, CannotUnfold> {
        let truth = self.truth(ask)?;
        let (mut holds, mut fails) = (false, false);
        for place in self.places(seat) {
            if truth.contains(place) { holds = true } else { fails = true }
        }
        Ok(match (holds, fails) {
            (true, false) => Verdict::Yes,
            (false, _) => Verdict::No,
            (true, true) => Verdict::Open,
        })
    }
}
