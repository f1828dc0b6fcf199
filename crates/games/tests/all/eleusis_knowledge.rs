//! Who knows what of the secret rule: the laws of knowledge, the example of `docs/eleusis.md`, and what is not claimed.

use ken_games::cards::{Card, CardSet};
use ken_games::conformance as laws;
use ken_games::eleusis::automaton::separate;
use ken_games::eleusis::knowledge::{Atom, Fact, Memory, Premise, Proof, Rule, Standing};
use ken_games::eleusis::moves::{Cards, Sight, What};
use ken_games::eleusis::properties::Reading;
use ken_games::eleusis::rule;
use ken_games::eleusis::secret::Secret;
use ken_games::eleusis::table::{Eleusis, State};
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Knowledge, Notation, Seat, Verdict};
use ken_games::knowledge;
use ken_games::knowledge::proof::{Step, check};
use serde_json::json;
use std::sync::Arc;

type Family = Arc<[Arc<Secret>]>;

fn family<G: Eleusis>(game: &G, texts: &[&str]) -> Family {
    texts.iter().map(|text| game.table().menu().secret(text).expect("a rule")).collect()
}

/// The rules that the dealer of a random match chooses from.
fn offered<G: Eleusis>(game: &G) -> Family {
    game.table().menu().offered().iter().cloned().collect()
}

fn expresses() -> Vec<Express> {
    let options = [
        json!({"players": 3, "deck": {"values": 4}, "hand": 2}),
        json!({"players": 4, "deck": {"values": 5}, "hand": 1, "guess": "always"}),
        json!({"players": 3, "deck": {"values": 3}, "decks": 2, "hand": 2, "draw_refused": 2}),
        json!({"players": 3, "deck": {"values": 4}, "hand": 2, "open": true}),
        json!({"players": 3, "hand": 4, "draw_refused": 6, "draw_no_play": 6}),
    ];
    options.iter().map(|options| Express::with_options(options).expect("options")).collect()
}

fn classics() -> Vec<Classic> {
    let options = [json!({"players": 3, "deck": {"values": 4}, "moves": 12}), json!({"players": 4, "moves": 12})];
    options.iter().map(|options| Classic::with_options(options).expect("options")).collect()
}

/// Knowledge from the sight of the deal on.
fn begin<G: Eleusis>(game: &G, family: &Family) -> impl Fn(&Sight) -> Memory<G> {
    let mind = Memory::within(game, family.clone());
    move |sight| {
        let mut mind = mind.clone();
        mind.learn(sight);
        mind
    }
}

/// Facts about a few cards, all seats and all rules.
fn facts<G: Eleusis>(game: &G, family: &Family) -> Vec<Fact> {
    let size = game.table().deck().size();
    let cards = || (0..size).step_by(size.div_ceil(6)).map(|at| Card(at as u8));
    let mut facts: Vec<Fact> = cards().flat_map(|card| [Fact::accepts(card), Fact::accepts(card).negated()]).collect();
    facts.extend((0..family.len()).map(|place| Fact::rule(place).negated()));
    for seat in Seat::all(game.seats()) {
        facts.extend(cards().map(|card| Fact::Atom(Atom::Holds(seat, card))));
        facts.extend([Fact::Atom(Atom::CanPlay(seat)), Fact::Atom(Atom::CanPlay(seat)).negated()]);
    }
    facts
}

/// What is true of a state; knowledge is compared elsewhere.
fn holds(family: &Family, state: &State, fact: &Fact) -> bool {
    match fact {
        Fact::Atom(Atom::Accepts(card)) => state.accepted().has(*card),
        Fact::Atom(Atom::Rule(place)) => {
            let (Some(rule), Some(&starter)) = (state.rule(), state.stage().layout().mainline().first()) else {
                return true;
            };
            let other = &family[*place];
            separate((rule.automaton(), rule.after(starter)), (other.automaton(), other.after(starter))).is_none()
        }
        Fact::Atom(Atom::Holds(seat, card)) => state.hand(*seat).contains(card),
        Fact::Atom(Atom::CanPlay(seat)) => state.hand(*seat).iter().any(|&card| state.accepted().has(card)),
        Fact::Not(fact) => !holds(family, state, fact),
        _ => unreachable!("not a fact of a state"),
    }
}

fn keeps_the_laws<G: Eleusis>(game: &G, seed: u64) {
    let family = offered(game);
    let facts = facts(game, &family);
    let truth = |state: &State, fact: &Fact| holds(&family, state, fact);
    assert_eq!(laws::knowledge_is_true(game, seed, begin(game, &family), &facts, truth), Ok(()));
    let rules: Vec<Fact> = (0..family.len()).map(|place| Fact::rule(place).negated()).collect();
    let first = |sight: &Sight| FirstRound { mind: begin(game, &family)(sight), over: false };
    assert_eq!(laws::known_stays_known(game, seed, first, &rules), Ok(()));
    let table: Vec<Fact> = facts.into_iter().filter(|fact| matches!(fact.atoms()[..], [Atom::Accepts(_)])).collect();
    let plain = |_: &Sight| Plain {
        family: family.clone(),
        wrong: Vec::new(),
        seen: Vec::new(),
        line: Vec::new(),
        told: None,
        dealer: None,
    };
    let compared = laws::engines_agree(game, seed, begin(game, &family), plain, &table).expect("the same verdicts");
    assert!(compared > 100, "{compared}");
}

#[test]
fn knowledge_of_express_is_true_lasts_and_agrees_with_a_plain_engine() {
    expresses().iter().for_each(|game| (0..2).for_each(|seed| keeps_the_laws(game, seed)));
}

#[test]
fn knowledge_of_the_game_of_1959_is_true_lasts_and_agrees_with_a_plain_engine() {
    classics().iter().for_each(|game| (0..2).for_each(|seed| keeps_the_laws(game, seed)));
}

/// Knowledge of the first round of a match: the rule of the next is another one.
struct FirstRound<G: Eleusis> {
    mind: Memory<G>,
    over: bool,
}

impl<G: Eleusis> Knowledge<G> for FirstRound<G> {
    type Fact = Fact;
    type Proof = ();

    fn learn(&mut self, sight: &Sight) {
        if !self.over {
            self.mind.learn(sight);
        }
        self.over |= sight.end.is_some();
    }

    fn verdict(&self, fact: &Fact) -> Verdict {
        self.mind.verdict(fact)
    }

    fn explain(&self, fact: &Fact) -> Option<()> {
        self.mind.explain(fact).map(|_| ())
    }
}

/// Knowledge of what is accepted by direct evaluation of every rule on every judged card. Guesses of random matches are
/// those that are listed, *any card*: a wrong one is out for rules that accept everything from its line on.
struct Plain {
    /// The lines on which *any card* was a wrong guess.
    wrong: Vec<Vec<Card>>,
    family: Family,
    /// The line before the card, the card, whether it was accepted.
    seen: Vec<(Vec<Card>, Card, bool)>,
    line: Vec<Card>,
    told: Option<Arc<str>>,
    dealer: Option<Arc<str>>,
}

/// Whether the rule accepts every card on every line that is longer by fewer than so many cards.
fn accepts_all(rule: &rule::Rule, line: &[Card], cards: usize) -> bool {
    let longer = |card| [line, &[card]].concat();
    let all = rule.deck.all();
    cards == 0 || rule.accepted(line) == all && all.iter().all(|card| accepts_all(rule, &longer(card), cards - 1))
}

impl<G: Eleusis> Knowledge<G> for Plain {
    type Fact = Fact;
    type Proof = ();

    fn learn(&mut self, sight: &Sight) {
        let judge = |plain: &mut Plain, card: Card, accepted: bool| {
            plain.seen.push((plain.line.clone(), card, accepted));
            plain.line.extend(accepted.then_some(card));
        };
        match &sight.what {
            What::Dealt { starter, rule, .. } => {
                (self.seen, self.line, self.told, self.wrong) = (Vec::new(), vec![*starter], None, Vec::new());
                self.dealer.clone_from(rule);
            }
            What::Played { card, accepted, .. } => judge(self, *card, *accepted),
            What::NoPlay { hand, laid, .. } => {
                let lower = hand.iter().filter(|&&card| laid.is_none_or(|laid| card < laid));
                lower.for_each(|&card| judge(self, card, false));
                laid.iter().for_each(|&card| judge(self, card, true));
            }
            What::Guessed { right: false, .. } => self.wrong.push(self.line.clone()),
            What::Begun { .. } | What::Discarded { .. } | What::Guessed { .. } | What::Passed { .. } => {}
        }
        if let Some(end) = &sight.end {
            self.told = Some(end.rule.clone());
        }
    }

    fn verdict(&self, fact: &Fact) -> Verdict {
        let known = self.told.as_ref().or(self.dealer.as_ref());
        let fits = |rule: &&Arc<Secret>| match known {
            Some(text) => rule.text() == text,
            None => {
                self.seen.iter().all(|(line, card, accepted)| rule.rule().accepts(line, *card) == *accepted)
                    && !self.wrong.iter().any(|line| accepts_all(rule.rule(), line, 3))
            }
        };
        let judges = |rule: &Arc<Secret>| match fact {
            Fact::Atom(Atom::Accepts(card)) => rule.rule().accepts(&self.line, *card),
            Fact::Not(inner) => {
                let [Atom::Accepts(card)] = inner.atoms()[..] else { unreachable!("facts about the next card") };
                !rule.rule().accepts(&self.line, *card)
            }
            _ => unreachable!("facts about the next card"),
        };
        let all: Vec<bool> = self.family.iter().filter(fits).map(judges).collect();
        match (self.line.is_empty(), all.contains(&true), all.contains(&false)) {
            (false, true, false) => Verdict::Yes,
            (false, false, true) => Verdict::No,
            _ => Verdict::Open,
        }
    }

    fn explain(&self, _: &Fact) -> Option<()> {
        None
    }
}

fn card(text: &str) -> Card {
    ken_games::eleusis::deck::Deck::STANDARD.read(text).expect("a card")
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(card).collect()
}

/// Four rules, two of which are left after two cards.
const FOUR: [&str; 4] =
    ["alternate red and black", "parity changes", "if previous is black then odd else even", "within 3 of previous"];

/// The round of `docs/eleusis.md`, as a seat sees it: seat 2 deals, 3S lies, seat 0 plays 4H, seat 1 plays 9C.
fn example(seat: u8) -> Vec<Sight> {
    let see = |what: What| Sight { what, end: None };
    let hand = |of: u8, text: &str| {
        let cards = cards(text);
        if of == seat { Cards::Seen(cards) } else { Cards::Hidden(cards.len()) }
    };
    let played = |seat: u8, text: &str| {
        let drawn = Cards::Seen(Vec::new());
        see(What::Played { seat: Seat(seat), card: card(text), accepted: true, drawn })
    };
    vec![
        see(What::Begun { seat: Some(Seat(seat)), shuffles: None }),
        see(What::Dealt {
            dealer: Seat(2),
            rule: (seat == 2).then(|| FOUR[0].into()),
            hands: vec![hand(0, "5C 4H 6H"), hand(1, "9C TC KD"), hand(2, "")],
            removed: Cards::Hidden(0),
            flipped: Vec::new(),
            starter: card("3S"),
            stock: 45,
        }),
        played(0, "4H"),
        see(What::Passed { seat: Seat(0) }),
        played(1, "9C"),
        see(What::Passed { seat: Seat(1) }),
    ]
}

fn mind(seat: u8, game: &Express, family: &Family) -> Memory<Express> {
    let mut mind = Memory::within(game, family.clone());
    example(seat).iter().for_each(|sight| mind.learn(sight));
    mind
}

#[test]
fn the_example_of_the_documentation_is_answered_as_it_says() {
    let game = Express::new(3);
    let deck = game.table().deck();
    let family = family(&game, &FOUR);
    let [me, next, dealer] = [0, 1, 2].map(|seat| mind(seat, &game, &family));
    // Two rules fit, and agree on the red even and the black odd cards.
    assert_eq!(me.standing(), Standing::Fits(2));
    assert_eq!(me.fitting().collect::<Vec<_>>(), [0, 1]);
    let even = deck.ranks(|rank| rank % 2 == 0);
    let sure = me.sure().expect("something fits");
    assert_eq!(sure.accepted, deck.red().and(even));
    assert_eq!(sure.refused, deck.all().minus(deck.red().or(even)));
    // What refutes the others.
    let refuter =
        |place: usize| me.refuted(place).map(|judgement| judgement.words(deck, me.desk().stage.layout().mainline()));
    assert_eq!(refuter(0), None);
    assert_eq!(refuter(2).expect("out"), "4H was accepted after 3S");
    assert_eq!(refuter(3).expect("out"), "9C was accepted after 3S 4H");
    // Why: one card is enough.
    let six = Fact::accepts(card("6H"));
    assert_eq!(me.verdict(&six), Verdict::Yes);
    let proof = me.explain(&six).expect("known");
    assert_eq!(check(&me, &proof, &six), Ok(()));
    assert_eq!(
        proof.words(&me),
        "\
1. The rule is not `if previous is black then odd else even` (4H was accepted
   after 3S, and `if previous is black then odd else even` refuses 4H there).
2. 6H is accepted next (by 1: `alternate red and black`, `parity changes` and
   `within 3 of previous` are left, and accept it).
"
    );
    assert_eq!(me.verdict(&Fact::Atom(Atom::RuleKnown(Seat(0), Reading::Residual))), Verdict::No, "two rules fit");
    // The next player knows that I know; but not that I can use it, which depends on my hand.
    let nested = six.clone().known_to(Seat(0));
    assert_eq!(next.verdict(&nested), Verdict::Yes);
    assert_eq!(me.verdict(&nested.known_to(Seat(1))), Verdict::Yes);
    let sure_play = Fact::Atom(Atom::SurePlay(Seat(0)));
    assert_eq!(me.verdict(&sure_play), Verdict::Yes);
    assert_eq!(next.verdict(&sure_play), Verdict::Open);
    assert_eq!(me.verdict(&sure_play.clone().known_to(Seat(1))), Verdict::No);
    assert_eq!(me.verdict(&sure_play.clone().known_to(Seat(1)).negated().known_to(Seat(0))), Verdict::Yes);
    // The dealer does not see hands either, but knows the rule, as everybody knows.
    assert_eq!(dealer.verdict(&sure_play), Verdict::Open);
    assert_eq!(dealer.standing(), Standing::Told);
    assert_eq!(dealer.verdict(&Fact::accepts(card("AD"))), Verdict::Yes);
    let deals = Fact::Atom(Atom::RuleKnown(Seat(2), Reading::Which));
    assert_eq!(me.verdict(&deals.known_to(Seat(1)).known_to(Seat(0))), Verdict::Yes);
}

#[test]
fn when_no_rule_of_the_family_fits_nothing_is_claimed_but_by_the_dealer() {
    let game = Express::new(3);
    let family = family(&game, &["same suit", "red"]);
    let [me, dealer] = [0, 2].map(|seat| mind(seat, &game, &family));
    assert_eq!(me.standing(), Standing::NothingFits);
    assert_eq!(me.sure(), None);
    for fact in
        [Fact::accepts(card("6H")), Fact::rule(0).negated(), Fact::Atom(Atom::RuleKnown(Seat(0), Reading::Residual))]
    {
        assert_eq!(me.verdict(&fact), Verdict::Open);
        assert_eq!(me.explain(&fact), None);
    }
    assert_eq!(dealer.verdict(&Fact::accepts(card("6H"))), Verdict::Yes);
    assert_eq!(dealer.verdict(&Fact::accepts(card("6H")).known_to(Seat(0))), Verdict::No);
}

#[test]
fn before_the_deal_nothing_is_known() {
    let game = Express::new(3);
    let mut mind = Memory::new(&game);
    mind.learn(&example(0)[0]);
    assert_eq!(mind.standing(), Standing::Waiting);
    assert_eq!(mind.verdict(&Fact::Atom(Atom::RuleKnown(Seat(2), Reading::Which))), Verdict::Open);
    assert_eq!(mind.sure(), None);
    assert_eq!(mind.wider(), None);
}

#[test]
fn a_proof_that_is_tampered_with_does_not_pass() {
    let game = Express::new(3);
    let family = family(&game, &FOUR);
    let me = mind(0, &game, &family);
    let six = Fact::accepts(card("6H"));
    let proof = me.explain(&six).expect("known");
    let passes = |change: &dyn Fn(&mut Proof)| {
        let mut other = proof.clone();
        change(&mut other);
        check(&me, &other, &other.goal).is_ok()
    };
    let judged = |proof: &mut Proof, place: usize| {
        proof.premises = vec![Premise::Judged(place), Premise::Family];
        proof.lines[0].step = Step::Given(vec![Premise::Judged(place)]);
    };
    assert!(passes(&|_| {}));
    assert!(passes(&|proof| judged(proof, 0)));
    assert!(passes(&|proof| judged(proof, 1)), "9C refutes it as well");
    assert!(!passes(&|proof| judged(proof, 2)), "nothing was judged then");
    assert!(!passes(&|proof| proof.lines[0].facts = vec![Fact::rule(3).negated()]), "4H does not refute that");
    assert!(!passes(&|proof| proof.lines[0].facts.push(Fact::rule(0).negated())), "nothing refutes that");
    assert!(!passes(&|proof| proof.goal = Fact::accepts(card("AD"))), "it does not follow");
    assert!(!passes(&|proof| proof.premises.clear()), "nothing refutes what is out");
    assert!(!passes(&|proof| proof.premises.push(Premise::Hand)), "nothing needs the hand");
    assert!(!passes(&|proof| drop(proof.lines.remove(0))), "nothing is refuted");
    assert!(!passes(&|proof| proof.lines[1].step = Step::Rule(Rule::Left(vec![0, 1]))), "a rule is forgotten");
    assert!(!passes(&|proof| proof.lines[1].step = Step::Rule(Rule::Left(vec![0, 1, 2, 3]))), "one says otherwise");
    assert!(!passes(&|proof| proof.lines[1].step = Step::Rule(Rule::Told)), "a player is not told");
    let other = mind(1, &game, &family);
    assert_eq!(check(&other, &proof, &six), Ok(()), "everybody saw it");
}

#[test]
fn what_others_know_is_proved_to_any_depth_in_one_line_more() {
    let game = Express::new(3);
    let family = family(&game, &FOUR);
    let me = mind(0, &game, &family);
    let proof = |text: &str| {
        let fact = knowledge::read(&me, text).expect("a fact");
        let proof = me.explain(&fact).unwrap_or_else(|| panic!("{text} has no proof"));
        assert_eq!(me.verdict(&fact), Verdict::Yes, "{text}");
        assert_eq!(check(&me, &proof, &fact), Ok(()), "{text}");
        (proof.sentences(&me).len(), proof.words(&me))
    };
    for text in ["accepts(6H)", "refuses(AC)"] {
        let (plain, _) = proof(text);
        for deeper in ["K[0]", "K[1]", "K[2]", "K[1] K[0]", "K[1] K[0] K[1]", "C[0,1,2]", "D[0,1]", "K[2] C[0,1]"] {
            assert_eq!(proof(&format!("{deeper} {text}")).0, plain + 1, "{deeper} {text}");
        }
    }
    let words = proof("K[1] K[0] accepts(6H)").1.split_whitespace().collect::<Vec<_>>().join(" ");
    let last = "3. Seat 1 knows that you know that 6H is accepted next (by 2: everybody can tell that).";
    assert!(words.ends_with(last), "{words}");
    for (text, lines) in [
        ("holds(0,6H)", 1),
        ("!holds(1,6H)", 2),
        ("!holds(1,4H)", 1),
        ("K[0] sure_play(0)", 6),
        ("can_play(0)", 3),
        ("!K[1] sure_play(0)", 7),
        ("!K[1] can_play(0)", 3),
        ("K[1] !K[0] holds(1,KD)", 9),
        ("knows_rule(2)", 1),
        ("!knows_rule(1)", 1),
        ("K[1] !knows_rule(0)", 2),
        ("Kw[2] accepts(AD)", 9),
        ("!Kw[1] accepts(AD)", 9),
        ("!C[0,2] accepts(AD)", 3),
        ("!rule(within 3 of previous)", 1),
        ("K[2] (accepts(6H) & knows_rule(2))", 9),
        ("E[0,1,2] accepts(6H)", 5),
    ] {
        let (length, words) = proof(text);
        assert!(length <= lines, "{text}: {words}");
    }
}

#[test]
fn ignorance_is_proved_by_two_rules_that_fit_everything() {
    let game = Express::new(3);
    let family = family(&game, &FOUR);
    let me = mind(0, &game, &family);
    let ignorant = Fact::Atom(Atom::RuleKnown(Seat(1), Reading::Residual)).negated();
    let mut proof = me.explain(&ignorant).expect("known");
    assert_eq!(
        proof.words(&me),
        "\
1. Seat 1 does not know how the rule goes on (`alternate red and black` and
   `parity changes` fit all that was judged, and only one of them accepts AD
   next).
"
    );
    for (one, other) in [(0, 2), (0, 3), (1, 1), (0, 4)] {
        proof.lines[0].step = Step::Rule(Rule::Differ(one, other));
        assert!(check(&me, &proof, &ignorant).is_err(), "{one} and {other}");
    }
}

#[test]
fn the_library_is_the_family_unless_another_is_given_and_the_wider_space_is_surer_of_less() {
    let game = Express::new(3);
    let mut me = Memory::new(&game);
    example(0).iter().for_each(|sight| me.learn(sight));
    assert!(matches!(me.standing(), Standing::Fits(n) if n > 2));
    // Hearts were refused again and again: some cards are sure in the library.
    for text in ["AC", "2S", "3C", "5S", "6S", "7S", "8C", "JC", "QS"] {
        let drawn = Cards::Hidden(1);
        me.learn(&Sight { what: What::Played { seat: Seat(1), card: card(text), accepted: false, drawn }, end: None });
    }
    let (sure, wider) = (me.sure().expect("something fits"), me.wider().expect("something fits"));
    assert!(sure.refused.len() > 9, "{:?}", sure.refused);
    let judged: CardSet = cards("AC 2S 3C 5S 6S 7S 8C JC QS").into_iter().collect();
    assert!(judged.is_subset(wider.refused) && judged.is_subset(sure.refused));
    assert!(wider.accepted.is_disjoint(wider.refused));
    assert!(wider.accepted.is_subset(sure.accepted) && wider.refused.is_subset(sure.refused));
}

#[test]
fn where_there_are_too_many_worlds_the_answer_is_open() {
    let game = Express::new(3);
    let mut me = Memory::new(&game);
    let mut sights = example(0);
    let What::Dealt { hands, .. } = &mut sights[1].what else { panic!("the deal") };
    *hands = vec![Cards::Seen(cards("4H 5C 6H 7S 8D 9D TS")), Cards::Hidden(7), Cards::Hidden(0)];
    sights.iter().for_each(|sight| me.learn(sight));
    // Nobody can be sure of a card of mine. But the rules of the library tell most cards apart, so there are too many
    // hands of seat 1 to see that it is not sure whether one of mine is accepted.
    let ignorant = |fact: Fact| me.verdict(&fact.known_to(Seat(1)).negated());
    assert_eq!(ignorant(Fact::Atom(Atom::SurePlay(Seat(0)))), Verdict::Yes);
    assert_eq!(ignorant(Fact::Atom(Atom::CanPlay(Seat(0)))), Verdict::Open);
}
