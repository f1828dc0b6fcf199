//! The other commands: `compare`, `draw`, `fmt`, `list`, `completions`.

use crate::args::{Cli, CompareArgs, DrawArgs, Ends, FmtArgs, Listing, Shell};
use crate::check::limits;
use crate::input::{Failure, Loaded, load, read_text};
use crate::library;
use crate::monitor::Monitor;
use crate::output::{complain, emit, line, raw};
use clap::CommandFactory;
use ken_games::list::GAMES;
use ken_games::table::page::{GameInfo, PlayerInfo};
use ken_logic::check::compare::Comparison;
use ken_logic::draw::{Options as Drawn, Picture};
use ken_logic::model::{Kripke, Model};
use ken_logic::text::wrap;
use ken_logic::{CheckError, Checker, Limits, Options};
use serde_json::{Value, json};

/// A model with its worlds listed.
fn listed(loaded: &Loaded, limits: Limits) -> Result<Kripke, Failure> {
    let mut checker = loaded.document.checker(limits);
    let listed = checker.listed().cloned();
    listed.map_err(|error| loaded.failure(&error, None))
}

/// Watches the limits of a command, and says on a terminal what it is doing.
pub(crate) fn watch(limits: impl Into<Ends>, json: bool, doing: &str) -> Monitor {
    let print = move |failure: &Failure| {
        if json {
            emit(&failure.json());
        } else {
            complain(&failure.text());
        }
    };
    let Ends(seconds, megabytes) = limits.into();
    let monitor = Monitor::start(seconds, megabytes, Box::new(print));
    monitor.doing(doing);
    monitor
}

pub(crate) fn compare(args: &CompareArgs) -> Result<u8, Failure> {
    let monitor = watch(&args.limits, args.json, "comparing");
    let mut models = Vec::new();
    let mut used: Vec<String> = Vec::new();
    for file in [&args.first, &args.second] {
        let (_, text) = read_text(file)?;
        let known = library::parameters(&text);
        let own = args.set.iter().filter(|pair| known.iter().any(|(n, _)| pair.split('=').next() == Some(n)));
        let own: Vec<String> = own.cloned().collect();
        used.extend(own.iter().cloned());
        let loaded = load(file, &own)?;
        let model = listed(&loaded, limits(&args.limits))?;
        let point = model.point().ok_or_else(|| Failure::Usage {
            message: format!("`{file}` has no point to compare at"),
            help: Some("add `point …` to the model (\"point\" in JSON)".to_string()),
        })?;
        models.push((model, point));
    }
    if let Some(unused) = args.set.iter().find(|pair| !used.contains(pair)) {
        return Err(Failure::usage(format!("`--set {unused}`: neither model has this parameter")));
    }
    let (left, right) = (&models[0], &models[1]);
    let result = ken_logic::check::compare::compare(&left.0, left.1, &right.0, right.1)
        .map_err(|error| Failure::usage(error.to_string()))?;
    drop(monitor);
    match result {
        Comparison::Bisimilar { classes, .. } => {
            if args.json {
                emit(&json!({"bisimilar": true, "classes": classes}));
            } else {
                line(&format!(
                    "bisimilar: no formula tells the points apart\n  {} and {} worlds, {classes} classes of bisimilar ones",
                    left.0.size(),
                    right.0.size()
                ));
            }
            Ok(0)
        }
        Comparison::Different(formula) => {
            if args.json {
                emit(&json!({"bisimilar": false, "formula": formula.to_string()}));
            } else {
                line(&format!(
                    "different: {formula}\n  holds at {} of {}\n  fails at {} of {}",
                    left.0.name(left.1),
                    args.first,
                    right.0.name(right.1),
                    args.second
                ));
            }
            Ok(1)
        }
    }
}

pub(crate) fn draw(args: &DrawArgs) -> Result<u8, Failure> {
    let monitor = watch(&args.limits, args.json, "drawing");
    let loaded = load(&args.model.file, &args.model.set)?;
    let kind = match args.output.as_ref().map(|o| o.extension().and_then(|e| e.to_str())) {
        None | Some(Some("svg")) => "svg",
        Some(Some("dot" | "gv")) => "dot",
        Some(_) => {
            return Err(Failure::Usage {
                message: "cannot tell the format of the drawing".to_string(),
                help: Some("end the file name with .svg or .dot".to_string()),
            });
        }
    };
    if let Some(text) = &args.formula
        && loaded.document.time.is_some()
    {
        if kind != "svg" {
            return Err(Failure::Usage {
                message: "runs of a system are drawn as SVG".to_string(),
                help: Some("end the file name with .svg".to_string()),
            });
        }
        let drawing = crate::time::chart(&loaded, args, text)?;
        drop(monitor);
        let mut facts = serde_json::Map::new();
        facts.insert("format".into(), json!(kind));
        return deliver(args, drawing, facts, "the run that decides it");
    }
    if let Some(flag) = crate::time::given(&args.memory) {
        return Err(Failure::Usage {
            message: format!("`{flag}` is for the runs of a system"),
            help: Some("give a system and a formula with -f, or leave it out".to_string()),
        });
    }
    let query = args.formula.as_ref().map(|text| loaded.query(text)).transpose()?;
    let model = listed(&loaded, limits(&args.limits))?;
    let point = match &args.at {
        Some(name) => {
            let unknown = || loaded.failure(&CheckError::UnknownWorld(name.clone()), None);
            Some(loaded.at(name)?.world(&model).ok_or_else(unknown)?)
        }
        None => model.point(),
    };
    let truth = match query {
        Some(query) => {
            let options = Options { limits: limits(&args.limits), ..Options::default() };
            let set = Checker::of(Model::Kripke(model.clone()), options).truth(&query.formula);
            let set = set.map_err(|error| loaded.failure(&error, Some(&query)))?;
            Some((query.text, set))
        }
        None => None,
    };
    let options = Drawn { point, truth, max_worlds: args.worlds, title: Some(loaded.name.clone()) };
    let picture = Picture::new(&model, &options);
    let drawing = if kind == "svg" { picture.svg() } else { picture.dot() };
    drop(monitor);
    let drawn = picture.drawn();
    let mut facts = serde_json::Map::new();
    facts.insert("format".into(), json!(kind));
    facts.insert("worlds".into(), json!(model.size()));
    facts.insert("drawn".into(), json!(drawn));
    deliver(args, drawing, facts, &format!("{drawn} of {} worlds", model.size()))
}

/// Writes a drawing where it is wanted, and says what it is.
fn deliver(
    args: &DrawArgs,
    drawing: String,
    mut facts: serde_json::Map<String, Value>,
    what: &str,
) -> Result<u8, Failure> {
    match &args.output {
        Some(output) => {
            std::fs::write(output, drawing)
                .map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", output.display())))?;
            facts.insert("output".into(), json!(output.display().to_string()));
            if args.json {
                emit(&Value::Object(facts));
            } else {
                line(&format!("{}: {what}", output.display()));
            }
        }
        None if args.json => {
            facts.insert("drawing".into(), json!(drawing));
            emit(&Value::Object(facts));
        }
        None => raw(&drawing),
    }
    Ok(0)
}

pub(crate) fn format(args: &FmtArgs) -> Result<u8, Failure> {
    // Everything is read and formatted before anything is written: a broken file stops the command with all left alone.
    let mut formatted = Vec::new();
    for file in &args.files {
        let (name, text) = read_text(file)?;
        let tidy = ken_logic::syntax::format(&text).map_err(|problems| Failure::Text {
            name,
            text: text.clone(),
            problems,
        })?;
        formatted.push((file.as_str(), text, tidy));
    }
    let mut changed = Vec::new();
    for (file, text, tidy) in &formatted {
        if *file == "-" && !args.check && !args.json {
            raw(tidy);
        } else if tidy != text {
            changed.push(*file);
            if !args.check && *file != "-" {
                replace(file, tidy)?;
            }
        }
    }
    if args.json {
        let key = if args.check { "unformatted" } else { "formatted" };
        let mut object = serde_json::Map::new();
        object.insert(key.into(), json!(changed));
        if let Some((_, _, tidy)) = formatted.iter().find(|(file, _, _)| *file == "-" && !args.check) {
            object.insert("text".into(), json!(tidy));
        }
        emit(&Value::Object(object));
    } else {
        let word = if args.check { "not formatted" } else { "formatted" };
        changed.iter().for_each(|f| line(&format!("{word}: {f}")));
    }
    Ok(u8::from(args.check && !changed.is_empty()))
}

/// Writes a file through a new one beside it, so that an interruption leaves the old text; links and modes are kept.
fn replace(file: &str, text: &str) -> Result<(), Failure> {
    let write = || -> std::io::Result<()> {
        let target = std::fs::canonicalize(file)?;
        let mut beside = target.clone().into_os_string();
        beside.push(format!(".{}.new", std::process::id()));
        std::fs::write(&beside, text)?;
        std::fs::set_permissions(&beside, std::fs::metadata(&target)?.permissions())?;
        std::fs::rename(&beside, &target)
    };
    write().map_err(|error| Failure::usage(format!("cannot write `{file}`: {error}")))
}

pub(crate) fn list(what: Listing, json: bool) -> Result<u8, Failure> {
    let data = match what {
        Listing::Models => {
            let model = |(name, text): &(&str, &str)| {
                let parameters: serde_json::Map<String, Value> =
                    library::parameters(text).into_iter().map(|(n, v)| (n.to_string(), json!(v))).collect();
                json!({"name": name, "title": library::title(text), "parameters": parameters})
            };
            json!({"models": library::MODELS.iter().map(model).collect::<Vec<_>>()})
        }
        Listing::Games => {
            let game = |info: GameInfo| json!({"name": info.name, "title": info.title, "about": info.about});
            json!({"games": GAMES.iter().map(|kind| game(kind.info())).collect::<Vec<_>>()})
        }
        Listing::Players => {
            let of = |info: GameInfo| {
                let player =
                    |p: &PlayerInfo| json!({"game": info.name, "name": p.name, "about": p.about, "says": p.says});
                info.players.iter().map(player).collect::<Vec<_>>()
            };
            json!({"players": GAMES.iter().flat_map(|kind| of(kind.info())).collect::<Vec<_>>()})
        }
        Listing::Experiments => json!({"experiments": crate::experiment::listed()?.into_keys().collect::<Vec<_>>()}),
        Listing::Rules => json!({"rules": crate::eleusis::library()}),
    };
    if json {
        emit(&data);
        return Ok(0);
    }
    match what {
        Listing::Models => table(library::MODELS.iter().map(|(name, text)| {
            let parameters: Vec<String> =
                library::parameters(text).into_iter().map(|(n, v)| format!("{n}={v}")).collect();
            let parameters =
                if parameters.is_empty() { String::new() } else { format!(" [{}]", parameters.join(", ")) };
            (*name, format!("{}{parameters}", library::title(text)))
        })),
        Listing::Games => table(GAMES.iter().map(|kind| (kind.name(), kind.info().about))),
        Listing::Players => {
            for info in GAMES.iter().map(|kind| kind.info()) {
                line(&format!("{}:", info.name));
                table(info.players.iter().map(|player| (player.name.as_str(), player.about.clone())));
            }
        }
        Listing::Experiments => {
            let experiments = crate::experiment::listed()?;
            table(experiments.iter().map(|(name, title)| (name.as_str(), title.clone())));
        }
        Listing::Rules => {
            let rules = data["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
            table(rules.iter().map(|rule| (rule["name"].as_str().unwrap_or_default(), crate::eleusis::about(rule))));
        }
    }
    Ok(0)
}

/// Names with what they are, in lines that fit.
fn table<'a>(rows: impl Iterator<Item = (&'a str, String)>) {
    let rows: Vec<(&str, String)> = rows.collect();
    let width = rows.iter().map(|(n, _)| n.len()).max().unwrap_or(0);
    for (name, about) in rows {
        for (i, part) in wrap(&about, 78 - width).iter().enumerate() {
            let name = if i == 0 { name } else { "" };
            line(format!("{name:width$}  {part}").trim_end());
        }
    }
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
