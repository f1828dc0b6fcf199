//! The binary `ken`: flags, files, printing. No rule, no logic, no statistics live here.

mod args;
mod belief;
mod check;
mod cluedo;
mod commands;
mod eleusis;
mod eleusis_know;
mod experiment;
mod guess;
mod input;
mod know;
mod library;
mod memory;
mod monitor;
mod output;
mod play;
mod properties;
#[cfg_attr(not(feature = "serve"), path = "no_server.rs")]
mod serve;
mod time;
mod yokai;
mod yokai_know;
mod yokai_partner;

use args::{Cli, Command};
use clap::Parser;
use input::Failure;
use std::process::ExitCode;

/// Deep formulas are walked recursively; the memory is only reserved until it is used.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && std::env::args_os().any(|a| a == "--json") => {
            let message = error.to_string();
            let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
            output::emit(&Failure::usage(message).json());
            return ExitCode::from(2);
        }
        Err(error) if error.use_stderr() => {
            output::complain(&error.to_string());
            return ExitCode::from(2);
        }
        Err(error) => error.exit(),
    };
    memory::refusal_is_a_limit();
    let json = wants_json(&cli.command);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&cli.command));
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err(Failure::usage("ken met an error of its own; please report it with the input")),
        Err(error) => Err(Failure::GaveUp {
            message: format!("cannot start: {error}"),
            help: "give the program more memory, or more threads".to_string(),
        }),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            if json {
                output::emit(&failure.json());
            } else {
                output::complain(&failure.text());
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

fn wants_json(command: &Command) -> bool {
    match command {
        Command::Check(args) | Command::Explain(args) => args.json,
        Command::Compare(args) => args.json,
        Command::Draw(args) => args.json,
        Command::Fmt(args) => args.json,
        Command::Know(args) => args.json || args.batch,
        Command::Why(args) => args.json,
        Command::Cluedo(command) => cluedo::wants_json(command),
        Command::Eleusis(command) => eleusis::wants_json(command),
        Command::Belief(command) => belief::wants_json(command),
        Command::Yokai(command) => yokai::wants_json(command),
        Command::Play(args) => args.json,
        Command::Replay(args) => args.json,
        Command::Run(args) => args.json,
        Command::Report(args) => args.json,
        Command::Serve(args) => args.json,
        Command::List { json, .. } => *json,
        Command::Completions { .. } => false,
    }
}

fn run(command: &Command) -> Result<u8, Failure> {
    match command {
        Command::Check(args) => check::run(args, false),
        Command::Explain(args) => check::run(args, true),
        Command::Compare(args) => commands::compare(args),
        Command::Draw(args) => commands::draw(args),
        Command::Fmt(args) => commands::format(args),
        Command::Know(args) => know::know(args, &|name, text| know::placed(None, name, text)),
        Command::Why(args) => know::why(args, &|name, text| know::placed(None, name, text)),
        Command::Cluedo(command) => cluedo::run(command),
        Command::Eleusis(command) => eleusis::run(command),
        Command::Belief(command) => belief::run(command),
        Command::Yokai(command) => yokai::run(command),
        Command::Play(args) => play::play(args),
        Command::Replay(args) => play::replay(args),
        Command::Run(args) => experiment::run(args),
        Command::Report(args) => experiment::report(args),
        Command::Serve(args) => serve::run(args),
        Command::List { what, json } => commands::list(*what, *json),
        Command::Completions { shell } => commands::completions(*shell),
    }
}
