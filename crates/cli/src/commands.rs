//! The other commands: `compare`, `draw`, `fmt`, `list`, `completions`.

use crate::args::{Cli, CompareArgs, DrawArgs, FmtArgs, Listing, Shell};
use crate::input::{Failure, read_text};
use crate::library;
use crate::output::{line, raw};
use clap::CommandFactory;
use serde_json::{Value, json};

pub(crate) fn compare(_args: &CompareArgs) -> Result<u8, Failure> {
    Err(Failure::usage("soon"))
}

pub(crate) fn draw(_args: &DrawArgs) -> Result<u8, Failure> {
    Err(Failure::usage("soon"))
}

pub(crate) fn format(args: &FmtArgs) -> Result<u8, Failure> {
    let mut unformatted = Vec::new();
    for file in &args.files {
        let (name, text) = read_text(file)?;
        let formatted = ken_logic::syntax::format(&text).map_err(|problems| Failure::Text {
            name,
            text: text.clone(),
            problems,
        })?;
        if file == "-" && !args.check {
            raw(&formatted);
            continue;
        }
        if formatted != text {
            unformatted.push(file.as_str());
            if !args.check {
                replace(file, &formatted)?;
            }
        }
    }
    if args.json {
        let key = if args.check { "unformatted" } else { "formatted" };
        line(&json!({key: unformatted}).to_string());
    } else {
        let word = if args.check { "not formatted" } else { "formatted" };
        unformatted.iter().for_each(|f| line(&format!("{word}: {f}")));
    }
    Ok(u8::from(args.check && !unformatted.is_empty()))
}

/// Writes a file through a new one beside it, so that an interruption leaves the old text.
fn replace(file: &str, text: &str) -> Result<(), Failure> {
    let beside = format!("{file}.new");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, file))
        .map_err(|error| Failure::usage(format!("cannot write `{file}`: {error}")))
}

pub(crate) fn list(what: Listing, json: bool) -> Result<u8, Failure> {
    let Listing::Models = what;
    if json {
        let models: Vec<Value> = library::MODELS
            .iter()
            .map(|(name, text)| {
                let parameters: serde_json::Map<String, Value> =
                    library::parameters(text).into_iter().map(|(n, v)| (n.to_string(), json!(v))).collect();
                json!({"name": name, "title": library::title(text), "parameters": parameters})
            })
            .collect();
        line(&json!({"models": models}).to_string());
        return Ok(0);
    }
    let width = library::MODELS.iter().map(|(n, _)| n.len()).max().unwrap_or(0);
    for (name, text) in library::MODELS {
        let parameters: Vec<String> = library::parameters(text).into_iter().map(|(n, v)| format!("{n}={v}")).collect();
        let parameters = if parameters.is_empty() { String::new() } else { format!("  [{}]", parameters.join(", ")) };
        line(&format!("{name:width$}  {}{parameters}", library::title(text)));
    }
    Ok(0)
}

pub(crate) fn completions(shell: Shell) -> Result<u8, Failure> {
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "ken", &mut script);
    raw(&String::from_utf8_lossy(&script));
    Ok(0)
}
