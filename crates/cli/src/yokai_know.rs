//! `ken yokai know` and `why`: what a seat knows of the colours.

use crate::args::EndArgs;
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::know;
use crate::output::{emit, line, number};
use clap::{Args, ValueEnum};
use ken_games::cards::Card;
use ken_games::game::Verdict;
use ken_games::knowledge::{self, Budget, Inspected, Mind, Other, Refused, Voice};
use ken_games::yokai::face::ColourMind;
use ken_games::yokai::knowledge::{Assumed, Atom, Fact, Notes, Proof, Why, clash, row, why};
use ken_games::yokai::{CARDS, Colouring, read};
use ken_logic::text::hang;
use serde_json::{Value, json};

/// What is assumed.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Assume {
    /// Only looks count
    Nothing,
    /// Every hint is proper
    Proper,
}

#[derive(Args)]
pub(crate) struct About {
    /// The position: a JSON file, or `-` for standard input
    pub(crate) position: String,
    /// What is assumed beyond looks
    #[arg(long, value_enum, default_value_t = Assume::Proper)]
    pub(crate) assume: Assume,
    /// Two cards that were announced to have the same colour, such as 3,7; may be given again
    #[arg(long, value_name = "CARD,CARD", value_parser = pair)]
    pub(crate) same: Vec<(Card, Card)>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct KnowArgs {
    #[command(flatten)]
    pub(crate) about: About,
    /// A formula
    #[arg(short = 'f', long = "formula", value_name = "FORMULA", required = true)]
    pub(crate) formulas: Vec<String>,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
}

#[derive(Args)]
pub(crate) struct WhyArgs {
    #[command(flatten)]
    pub(crate) about: About,
    /// A fact: any formula
    #[arg(short = 'f', long = "fact", value_name = "FACT", required = true)]
    pub(crate) fact: String,
}

fn pair(text: &str) -> Result<(Card, Card), String> {
    let card = |text: &str| text.trim().parse().ok().filter(|n| (1..=CARDS as u8).contains(n)).map(|n: u8| Card(n - 1));
    let found = text.split_once(',').and_then(|(a, b)| Some((card(a)?, card(b)?)));
    found.filter(|(a, b)| a != b).ok_or_else(|| "two different cards of 1 to 16, such as 3,7".to_string())
}

impl About {
    fn notes(&self) -> Result<Notes, Failure> {
        let (name, text) = read_text(&self.position)?;
        let position = read::position(&text).map_err(|problems| Failure::Text { name, text, problems })?;
        let assumed = match self.assume {
            Assume::Nothing => Assumed::Nothing,
            Assume::Proper => Assumed::Proper,
        };
        let mut notes = Notes::of(&position, assumed);
        self.same.iter().for_each(|&(a, b)| notes.announce(a, b, None));
        Ok(notes)
    }
}

fn fact(text: &str, notes: &Notes) -> Result<Fact, Failure> {
    knowledge::read(notes, text).map_err(|problems| Failure::Text {
        name: "formula".to_string(),
        text: text.to_string(),
        problems,
    })
}

/// Why there is no answer.
fn refused(notes: &Notes, why: &Refused) -> Failure {
    match why {
        Refused::NoWorld => contradiction(notes, clash(notes).as_ref()),
        Refused::Limit | Refused::Unfit(_) => know::refused(why),
    }
}

/// What was seen and what is assumed cannot both be true.
fn contradiction(notes: &Notes, proof: Option<&Proof>) -> Failure {
    let message = format!("no colouring fits what seat {} saw and what is assumed", notes.seat());
    Failure::Usage { message, help: proof.map(|p| format!("here is why:\n{}", p.words(notes).trim_end())) }
}

pub(crate) fn know(args: &KnowArgs) -> Result<u8, Failure> {
    let notes = args.about.notes()?;
    let monitor = watch(&args.ends, args.about.json, "finding out");
    let mut mind = ColourMind::new(notes.clone());
    let texts: Vec<&str> = args.formulas.iter().map(String::as_str).collect();
    let answers = know::answers(&mut mind, &texts, &Budget::default(), |why| refused(&notes, &why))?;
    drop(monitor);
    match args.about.json {
        true => {
            let results = know::results(&mind, &texts, &answers);
            let count = Mind::count(&mut mind).map(|n| number(&n.into()));
            emit(&json!({"seat": notes.seat().0, "colourings": count, "results": results}));
        }
        false => know::print(&mind, &texts, &answers),
    }
    Ok(know::code(&answers))
}

pub(crate) fn why_command(args: &WhyArgs) -> Result<u8, Failure> {
    let notes = args.about.notes()?;
    let asked = fact(&args.fact, &notes)?;
    if asked.speaks_of_moves() {
        let help = Some("leave out the move; `know` answers what would be known after it".to_string());
        return Err(Failure::Usage { message: "what would come of a move cannot be explained".to_string(), help });
    }
    let found = why(&notes, &asked);
    let (verdict, data) = match &found {
        Why::Known(proof) => (Verdict::Yes, json!({"verdict": "known", "proof": proof.data(&notes)})),
        Why::Refuted(proof) => (Verdict::No, json!({"verdict": "known not", "proof": proof.data(&notes)})),
        Why::Open { holds, fails, trail } => {
            let trail: Vec<Value> = trail.iter().map(|step| other(step, &notes)).collect();
            let mind = ColourMind::new(notes.clone());
            let sides = (mind.data(holds), mind.data(fails));
            let data = json!({"true_in": sides.0, "false_in": sides.1, "trail": trail, "verdict": "open"});
            (Verdict::Open, data)
        }
        Why::Clash(proof) => return Err(contradiction(&notes, Some(proof))),
        Why::Unproved(verdict) => return Err(unproved(*verdict)),
    };
    if args.about.json {
        let mut data = data;
        data["fact"] = json!(args.fact);
        emit(&data);
    } else {
        know::say(verdict, &args.fact);
        reasons(&found, &notes).iter().for_each(|l| line(l));
    }
    Ok(u8::from(verdict != Verdict::Yes))
}

fn unproved(verdict: Verdict) -> Failure {
    let known = match verdict {
        Verdict::Yes => "it is known",
        Verdict::No => "it is known to be false",
        Verdict::Open => "no colouring fits what was seen and what is assumed",
    };
    Failure::GaveUp {
        message: format!("{known}, but no short proof was found"),
        help: "`know` tells in how many colourings it is true".to_string(),
    }
}

fn sides(holds: &Colouring, fails: &Colouring) -> Vec<String> {
    vec![
        format!("  true if the cards 1 to 16 are   {}", row(holds)),
        format!("  false if they are               {}", row(fails)),
    ]
}

/// The proof, or two colourings and the way on from the second.
fn reasons(found: &Why, notes: &Notes) -> Vec<String> {
    match found {
        Why::Known(proof) | Why::Refuted(proof) | Why::Clash(proof) => {
            proof.words(notes).lines().map(str::to_string).collect()
        }
        Why::Open { holds, fails, trail } => {
            let mut lines = sides(holds, fails);
            lines.extend(trail.iter().flat_map(|other| hang("  ", &other.words(notes))));
            lines
        }
        Why::Unproved(_) => Vec::new(),
    }
}

fn other(other: &Other<Atom, Colouring>, notes: &Notes) -> Value {
    let seats: Vec<u8> = other.seats.iter().map(|seat| seat.0).collect();
    json!({"seats": seats, "colours": ColourMind::new(notes.clone()).data(&other.world), "false_there": knowledge::words(notes, &other.fails, &Voice::default())})
}
