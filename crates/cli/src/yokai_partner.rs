//! `ken yokai learn --partner` and `ken yokai partner`: how somebody plays, from records to a file and in words.

use crate::input::{Failure, json as read_json, read_text};
use crate::output::{complain, emit, line};
use crate::play;
use crate::yokai::LearnArgs;
use clap::Args;
use ken_arena::partner::{Learned, estimates, has_people, words};
use ken_games::record::{BadRecord, PERSON, Record};
use ken_games::yokai::PartnerModel;
use ken_games::yokai::players::paper::learn::EXPLORER;
use ken_logic::text::hang;
use serde_json::json;
use std::path::Path;

#[derive(Args)]
pub(crate) struct PartnerArgs {
    /// What was learned: a file that `ken yokai learn -o FILE` wrote, or `-`; several are added up
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
    /// Write all of it together to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<std::path::PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

type Lines = Vec<(usize, Result<Record, BadRecord>)>;

/// About whom to learn: whom the flag names, or people if there are some and no explorers; `None` for explorers.
pub(crate) fn whom(args: &LearnArgs, files: &[(String, String)]) -> Option<String> {
    if args.partner.is_some() || args.output.is_some() {
        return Some(args.partner.clone().unwrap_or_else(|| PERSON.to_string()));
    }
    let lines: Lines = files.iter().flat_map(|(_, text)| play::readable(text)).collect();
    let explored = |record: &Record| record.players.iter().any(|name| name == EXPLORER);
    let explored = lines.iter().filter_map(|(_, read)| read.as_ref().ok()).any(explored);
    (!explored && has_people(&lines)).then(|| PERSON.to_string())
}

/// Learns how somebody plays.
pub(crate) fn learn(args: &LearnArgs, files: &[(String, String)], who: &str) -> Result<u8, Failure> {
    // The lines of all files in a row; a warning names the file and the line in it.
    let (mut lines, mut places): (Lines, Vec<String>) = (Vec::new(), Vec::new());
    for (name, text) in files {
        for (number, read) in play::readable(text) {
            places.push(format!("{name}:{number}"));
            lines.push((places.len(), read));
        }
    }
    let learned = Learned::of(&lines, who);
    let warn = || {
        for left_out in &learned.left_out {
            complain(&format!("warning: {}: left out: {}\n", places[left_out.line - 1], left_out.why));
        }
    };
    if learned.model.matches == 0 {
        warn();
        return Err(Failure::Usage {
            message: format!("there is nothing to learn from: no match of `{who}` at Yōkai is over"),
            help: Some("--partner takes a name as the records have it; `person` is every person".to_string()),
        });
    }
    if let Some(file) = &args.output {
        write(file, &learned.model)?;
    }
    match args.json {
        true => {
            let mut data = learned.json();
            // A line of one of several files is named with its file.
            for left_out in data["left_out"].as_array_mut().into_iter().flatten() {
                let place = left_out["line"].as_u64().map_or(0, |line| line as usize);
                *left_out = json!({"place": places[place - 1], "why": left_out["why"]});
            }
            emit(&data);
        }
        false => say(&learned.words()),
    }
    warn();
    Ok(0)
}

/// Shows what is known of a partner.
pub(crate) fn partner(args: &PartnerArgs) -> Result<u8, Failure> {
    let models = args.files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let model = models.iter().fold(PartnerModel::default(), |all, model| all.and(model));
    if let Some(file) = &args.output {
        write(file, &model)?;
    }
    match args.json {
        true => emit(&json!({"partner": model.to_data(), "estimates": estimates(&model)})),
        false => say(&words(&model)),
    }
    Ok(0)
}

/// The model in a file.
pub(crate) fn read(file: &str) -> Result<PartnerModel, Failure> {
    let (name, text) = read_text(file)?;
    let data = read_json(&format!("`{name}`"), &text)?;
    PartnerModel::from_data(&data).map_err(|why| Failure::Usage {
        message: format!("`{name}` is no partner: {why}"),
        help: Some("`ken yokai learn RECORDS --partner NAME -o FILE` writes one".to_string()),
    })
}

fn write(file: &Path, model: &PartnerModel) -> Result<(), Failure> {
    std::fs::write(file, format!("{:#}\n", model.to_data()))
        .map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", file.display())))
}

/// The headline, and under it a sentence for each thing that is known.
fn say(words: &[String]) {
    let (first, rest) = words.split_first().expect("there is something to say");
    line(first);
    rest.iter().flat_map(|sentence| hang("  ", sentence)).for_each(|l| line(&l));
}
