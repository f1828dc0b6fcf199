//! `ken yokai`: records with the table drawn, legal moves, and what a player would do.

use crate::input::{Failure, read_text};
use crate::output::{emit, line};
use crate::play;
use crate::yokai_know::{self, YokaiKnowArgs, YokaiWhyArgs};
use crate::yokai_partner::{self, PartnerArgs};
use clap::{Args, Subcommand};
use ken_games::cards::{Card, CardSet};
use ken_games::game::{Notation, Seat, View};
use ken_games::record::{Entry, Match, Record};
use ken_games::yokai::draw::{cards, draw, hints, saw, table};
use ken_games::yokai::notation::number;
use ken_games::yokai::players::paper::learn::{Lesson, Lessons, Tally};
use ken_games::yokai::players::{Basis, Mind};
use ken_games::yokai::read::{position as read_position, position_data};
use ken_games::yokai::view::Page;
use ken_games::yokai::{Cell, Colour, Position, Yokai, players};
use ken_logic::text::hang;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub(crate) enum YokaiCommand {
    /// Show a record step by step: the table, the hints, and who saw what
    #[command(after_help = "Examples:\n  \
        ken yokai show match.json\n  \
        ken yokai show match.json --as 0 --at 12\n\n\
        Without --as the letters are the true colours; with it, those that the seat saw.")]
    Show(ShowArgs),
    /// List the legal moves of every card
    #[command(after_help = "Example:\n  ken yokai moves examples/yokai/bridge.json\n\n\
        A position is a JSON file (docs/yokai.md); `cells` and `marks`, or a list `marked`, are enough.")]
    Moves(MovesArgs),
    /// Say what a player would do in a position, and why
    #[command(after_help = "Example:\n  ken yokai plan examples/yokai/middle.json --player random\n\n\
        `ken list players` shows the players; NAME@6 remembers only its last six looks. With --base FILE a player with a\n\
        belief base (paper-sat) writes it, and its questions to FILE.questions.json. They can be asked again:\n  \
        ken yokai plan examples/yokai/middle.json --player paper-sat --base base.json\n  \
        ken belief entails --base base.json --batch < base.json.questions.json")]
    Plan(PlanArgs),
    /// Learn from records: an order of goals from explorers, or how somebody plays
    #[command(after_help = "Examples:\n  \
        ken run experiments/yokai-exploring\n  \
        ken yokai learn results/yokai-exploring/01-exploring.jsonl\n  \
        ken yokai learn matches.jsonl --partner person -o partner.json\n\n\
        Seats of the player `explorer` in matches that came to their end teach an order of goals. With --partner, or\n\
        where there are people and no explorers, the matches that are over teach how one plays: how often its marks\n\
        are proper, how much it remembers, and which order of goals explains its moves.")]
    Learn(LearnArgs),
    /// Say in words what is known of a partner from earlier matches
    #[command(after_help = "Examples:\n  \
        ken yokai partner partner.json\n  \
        ken yokai partner monday.json tuesday.json -o both.json\n\n\
        `ken yokai learn RECORDS --partner NAME -o FILE` writes such a file; `ken play yokai --partner FILE` uses it.")]
    Partner(PartnerArgs),
    /// Say whether a seat knows formulas about the colours, nested to any depth
    #[command(after_help = "Examples:\n  \
        ken yokai know examples/yokai/know.json -f 'col(4,green)' -f 'K[1] K[0] col(3,green)'\n  \
        ken yokai know examples/yokai/know.json --assume nothing --same 3,4 -f grouped\n\n\
        Atoms: col(card,colours), same(card,card), proper(card), grouped. Exit code 0: all are known. 1: not all are.")]
    Know(YokaiKnowArgs),
    /// Say why a fact about the colours is known, or show colourings that differ in it
    #[command(after_help = "Examples:\n  \
        ken yokai why examples/yokai/know.json -f 'col(4,green)'\n  \
        ken yokai why examples/yokai/know.json -f 'K[1] K[0] col(1,red)'\n\n\
        Exit code 0: it is known, with a checked proof. 1: it is not, with a checked proof or two colourings.")]
    Why(YokaiWhyArgs),
}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// The record: a file or `-`; with a record on each line, all of them
    pub(crate) record: String,
    /// Stop after this many entries of the record
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<usize>,
    /// As this seat saw it
    #[arg(long = "as", value_name = "SEAT")]
    pub(crate) seat: Option<u8>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct MovesArgs {
    /// The position: a JSON file, or `-` for standard input
    pub(crate) position: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct PlanArgs {
    /// The position: a JSON file, or `-` for standard input
    pub(crate) position: String,
    /// Who chooses
    #[arg(long, value_name = "NAME", default_value = "conventional")]
    pub(crate) player: String,
    /// The seed of the player's own chance
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Options of the game as JSON, such as '{"free_order": true}', or `@file`; those of the position if it has any
    #[arg(long, value_name = "JSON")]
    pub(crate) options: Option<String>,
    /// Write the player's belief base here, and beside it what was asked of it, for `ken belief entails`
    #[arg(long, value_name = "FILE")]
    pub(crate) base: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct LearnArgs {
    /// Records: files, or `-`; one record, or one on each line
    #[arg(required = true)]
    pub(crate) records: Vec<String>,
    /// Learn how this one plays, by the name in the records; `person` is every person
    #[arg(long, value_name = "NAME")]
    pub(crate) partner: Option<String>,
    /// Write what was learned of the partner to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn wants_json(command: &YokaiCommand) -> bool {
    match command {
        YokaiCommand::Show(args) => args.json,
        YokaiCommand::Moves(args) => args.json,
        YokaiCommand::Plan(args) => args.json,
        YokaiCommand::Learn(args) => args.json,
        YokaiCommand::Partner(args) => args.json,
        YokaiCommand::Know(args) => args.asked.json || args.asked.batch,
        YokaiCommand::Why(args) => args.asked.json,
    }
}

pub(crate) fn run(command: &YokaiCommand) -> Result<u8, Failure> {
    match command {
        YokaiCommand::Show(args) => show(args),
        YokaiCommand::Moves(args) => moves(args),
        YokaiCommand::Plan(args) => plan(args),
        YokaiCommand::Learn(args) => learn(args),
        YokaiCommand::Partner(args) => yokai_partner::partner(args),
        YokaiCommand::Know(args) => yokai_know::know(args),
        YokaiCommand::Why(args) => yokai_know::why(args),
    }
}

fn show(args: &ShowArgs) -> Result<u8, Failure> {
    let (name, text) = read_text(&args.record)?;
    for record in play::records(&name, &text)? {
        let bad = |bad| play::bad(Some(Path::new(&name)), &bad);
        if record.game != Yokai::NAME {
            return Err(Failure::Usage {
                message: format!("`{name}` is a record of {}, not of {}", record.game, Yokai::NAME),
                help: Some("`ken replay` tells records of any game".to_string()),
            });
        }
        let game = Yokai::with_options(&record.options).map_err(play::refusal)?;
        let whole = ken_games::record::replay(game, &record).map_err(bad)?;
        let over = record.result.is_some() || whole.outcome().is_some();
        let seat = play::viewer(&record, 2, args.seat, over).map_err(bad)?;
        let shown = Shown::new(game, &record, args.at.unwrap_or(usize::MAX), seat)?;
        match args.json {
            true => emit(&shown.data(&record)),
            false => line(&shown.text(&record)),
        }
    }
    Ok(0)
}

/// A record with the table after each entry.
struct Shown {
    seat: Option<Seat>,
    /// After each entry: its number, what is told of it, and the page of each seat that is shown.
    steps: Vec<(usize, String, Vec<Page>)>,
    /// The same as positions.
    positions: Vec<Vec<Position>>,
    played: Match<Yokai>,
}

impl Shown {
    fn new(game: Yokai, record: &Record, at: usize, seat: Option<Seat>) -> Result<Shown, Failure> {
        let mut played = Match::deal(game, record.seed);
        let seats: Vec<Seat> = seat.map_or_else(|| Seat::all(2).collect(), |s| vec![s]);
        let step = |played: &Match<Yokai>, entry: usize, text: Option<String>| {
            let pages: Vec<Page> = seats.iter().map(|&s| game.view(&played.memory(s))).collect();
            let event = &played.events()[played.events().len() - 1];
            let told = match seat {
                Some(_) => pages[0].log[pages[0].log.len() - 1].clone(),
                None => game.tell(event),
            };
            (entry, text.unwrap_or(told), pages)
        };
        let position = |played: &Match<Yokai>, &s: &Seat| Position::of_memory(&game, &played.memory(s));
        let placed = |played: &Match<Yokai>| seats.iter().map(|s| position(played, s)).collect::<Vec<_>>();
        let mut steps = vec![step(&played, 0, None)];
        let mut positions = vec![placed(&played)];
        for (i, entry) in record.entries.iter().enumerate().take(at) {
            let undone = match entry {
                Entry::Play(text) => {
                    let action = game.read(text).map_err(play::refusal)?;
                    played.play(&action).map_err(play::refusal)?;
                    None
                }
                Entry::Undo => {
                    played.undo().map_err(play::refusal)?;
                    Some("that is taken back".to_string())
                }
            };
            steps.push(step(&played, i + 1, undone));
            positions.push(placed(&played));
        }
        Ok(Shown { seat, steps, positions, played })
    }

    fn text(&self, record: &Record) -> String {
        let players: Vec<String> = record.players.iter().enumerate().map(|(i, p)| format!("{i} {p}")).collect();
        let mut lines = hang("", &format!("{} with the seats {}", record.game, players.join(", ")));
        if let Some(seat) = self.seat {
            lines.push(format!("  as seat {seat} saw it"));
        }
        for (entry, told, pages) in &self.steps {
            lines.push(String::new());
            lines.extend(hang(&format!("{entry:4}  "), told));
            let table = match self.seat {
                Some(_) => table(&pages[0]),
                None => draw(&pages[0].stage, |card| Some(self.played.state().colouring().of(card).letter())),
            };
            lines.extend(table.iter().map(|l| format!("      {l}")));
            lines.extend(hang("      ", &hints(&pages[0].stage)));
            for page in pages {
                lines.extend(hang("      ", &format!("seat {} saw {}", page.seat, saw(page))));
            }
            if let Some(seat) = self.seat {
                let partner = seat.next(2);
                lines.extend(hang("      ", &format!("seat {partner} looked at {}", cards(pages[0].looked(partner)))));
            }
        }
        if let Some(outcome) = self.played.outcome() {
            lines.push(format!("\n{}", outcome.words));
        }
        lines.join("\n")
    }

    fn data(&self, record: &Record) -> Value {
        let step = |((entry, told, _), positions): (&(usize, String, Vec<Page>), &Vec<Position>)| {
            let positions: Vec<Value> = positions.iter().map(position_data).collect();
            json!({"entry": entry, "text": told, "positions": positions})
        };
        let result = self.played.outcome().map(|o| json!({"scores": o.scores, "words": o.words}));
        let mut data = json!({
            "game": record.game, "options": record.options, "players": record.players,
            "seat": self.seat.map(|s| s.0), "steps": self.steps.iter().zip(&self.positions).map(step).collect::<Vec<_>>(), "result": result,
        });
        if self.seat.is_none() || self.played.outcome().is_some() {
            let colours = self.played.state().colouring().colours();
            data["colours"] = colours.iter().map(|c| c.name()).collect();
        }
        data
    }
}

/// Reads a position, or says all that is wrong with it.
fn position(file: &str) -> Result<Position, Failure> {
    let (name, text) = read_text(file)?;
    read_position(&text).map_err(|problems| Failure::Text { name, text, problems })
}

fn moves(args: &MovesArgs) -> Result<u8, Failure> {
    let position = position(&args.position)?;
    let stage = &position.stage;
    let shape = stage.layout().shape();
    let found: Vec<(Card, Cell)> = shape.moves(stage.marked()).collect();
    if args.json {
        let moves: Vec<Value> = found.iter().map(|(card, to)| json!([number(*card), [to.row, to.col]])).collect();
        emit(&json!({"moves": moves}));
        return Ok(0);
    }
    draw(stage, |card| position.seen[card.index()].map(Colour::letter)).iter().for_each(|l| line(l));
    line("");
    for card in CardSet::first(16).iter() {
        let to: Vec<String> = found.iter().filter(|m| m.0 == card).map(|m| m.1.to_string()).collect();
        let said = match (stage.marks()[card.index()], to.is_empty()) {
            (Some(_), _) => "marked".to_string(),
            (None, true) => "none: it holds the others together".to_string(),
            (None, false) => to.join(" "),
        };
        hang(&format!("{:>4}  ", number(card)), &said).iter().for_each(|l| line(l));
    }
    line(&format!("\n{} legal moves", found.len()));
    Ok(0)
}

fn plan(args: &PlanArgs) -> Result<u8, Failure> {
    let position = position(&args.position)?;
    let game = match (&args.options, position.past.rules) {
        (None, Some(rules)) => rules,
        (options, _) => {
            let options = play::options(options.as_deref().unwrap_or("{}"))?;
            Yokai::with_options(&options).map_err(play::refusal)?
        }
    };
    if position.stage.seat() != position.me {
        return Err(Failure::usage(format!("seat {} is to move, not seat {}", position.stage.seat(), position.me)));
    }
    let choices = Yokai::options(&game, &position.stage);
    if choices.is_empty() {
        return Err(Failure::usage("the match is over"));
    }
    let mut player = players::mind(&args.player, &game, args.seed).map_err(play::refusal)?;
    player.place(&position);
    let action = game.write(&player.choose(&choices));
    let reason = player.reason();
    if let Some(file) = &args.base {
        write_basis(file, &args.player, player.as_mut())?;
    }
    if args.json {
        let reason = reason.map(|r| json!({"headline": r.headline, "lines": r.lines, "data": r.data}));
        emit(&json!({"player": args.player, "action": action, "reason": reason}));
        return Ok(0);
    }
    line(&action);
    match reason {
        None => line(&format!("  `{}` gives no reasons", args.player)),
        Some(reason) => {
            hang("  ", &reason.headline).iter().for_each(|l| line(l));
            reason.lines.iter().flat_map(|l| hang("    ", l)).for_each(|l| line(&l));
        }
    }
    Ok(0)
}

/// Writes the base to the file, and the questions with their answers beside it.
fn write_basis(file: &Path, name: &str, player: &mut dyn Mind) -> Result<(), Failure> {
    let Some(Basis { base, questions }) = player.basis() else {
        return Err(Failure::Usage {
            message: format!("`{name}` has no belief base to write"),
            help: Some("`--player paper-sat` reasons by one".to_string()),
        });
    };
    let questions: Value =
        questions.iter().map(|(formula, answer)| json!({"formula": formula, "answer": answer})).collect();
    let mut beside = file.as_os_str().to_owned();
    beside.push(".questions.json");
    for (path, data) in [(file, base), (Path::new(&beside), questions)] {
        let wrong = |error| Failure::usage(format!("cannot write `{}`: {error}", path.display()));
        std::fs::write(path, format!("{data}\n")).map_err(wrong)?;
    }
    Ok(())
}

fn learn(args: &LearnArgs) -> Result<u8, Failure> {
    let files = args.records.iter().map(|file| read_text(file)).collect::<Result<Vec<_>, _>>()?;
    if let Some(who) = yokai_partner::whom(args, &files) {
        return yokai_partner::learn(args, &files, &who);
    }
    let mut lessons = Lessons::default();
    for (name, text) in &files {
        for record in play::records(name, text)? {
            lessons.add(&record).map_err(|bad| play::bad(Some(Path::new(name)), &bad))?;
        }
    }
    if lessons.matches() == 0 {
        return Err(Failure::Usage {
            message: "there is nothing to learn from: no match with an `explorer` came to its end".to_string(),
            help: Some(
                "`ken run experiments/yokai-exploring` makes such records; --partner NAME learns how somebody plays"
                    .to_string(),
            ),
        });
    }
    let tallies = |lesson: &Lesson| lesson.factor.levels.iter().zip(lesson.levels.clone()).collect::<Vec<_>>();
    if args.json {
        let told = |lesson: &Lesson| {
            let level = |(name, tally): (&&str, Tally)| json!({"level": name, "matches": tally.matches, "wins": tally.wins, "groups": tally.groups()});
            let levels: Vec<Value> = tallies(lesson).into_iter().map(level).collect();
            json!({"factor": lesson.factor.name, "best": lesson.factor.levels[lesson.best()], "levels": levels})
        };
        emit(&json!({"factors": lessons.lessons.iter().map(told).collect::<Vec<_>>()}));
        return Ok(0);
    }
    line("factor    level      matches   wins  groups");
    for lesson in &lessons.lessons {
        for (i, (name, tally)) in tallies(lesson).into_iter().enumerate() {
            let factor = if i == 0 { lesson.factor.name } else { "" };
            let best = if i == lesson.best() { "  *" } else { "" };
            let (matches, wins, groups) = (tally.matches, 100.0 * tally.win_rate(), tally.groups());
            line(&format!("{factor:<9} {name:<10} {matches:>7} {wins:>4.1} %  {groups:>6.3}{best}"));
        }
    }
    line(&format!("the best order: {}", lessons.order()));
    Ok(0)
}
