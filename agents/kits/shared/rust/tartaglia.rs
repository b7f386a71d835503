//! The dialogue of Tartaglia's programs: one JSON object per line on stdin and stdout. Needs only Rust's standard library.
//!
//! Do not use `println!`, which would write into the dialogue. Use `eprintln!` instead; only your team can read it.

use crate::json::{Json, JsonError};
use std::error::Error;
use std::io::{stdin, stdout, BufRead, Write};

/// Answers the messages of one match, one after the other; null: the message asks for nothing.
pub type Dialogue = Box<dyn FnMut(&Json) -> Result<Json, JsonError>>;

/// Plays a match: reads messages from stdin and answers them on stdout.
pub fn play(mut answer: Dialogue) -> Result<(), Box<dyn Error>> {
    for line in stdin().lock().lines() {
        let message = Json::parse(&line?)?;
        // A "refused" line needs no answer: it gives the fault of the last answer, or says that it came too late.
        if message.at("type")?.is_text("refused") {
            eprintln!("refused: {}", message.at("text")?.as_text()?);
        } else if let Some(question) = message.find("question") {
            let reply = answer(&message)?;
            if reply == Json::Null {
                return Err(format!("no answer to {}", message.at("type")?).into());
            }
            let reply = reply.with("question", question.clone());
            let mut out = stdout().lock();
            writeln!(out, "{reply}")?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Feeds the messages of a saved move to a new dialogue. An error unless the last answer is the saved one.
fn replay(file: &str, mut answer: Dialogue) -> Result<(), Box<dyn Error>> {
    let saved = Json::parse(&std::fs::read_to_string(file)?)?;
    let mut last = Json::Null;
    for message in saved.at("messages")?.as_list()? {
        last = answer(message)?;
    }
    match saved.find("answer") {
        Some(expected) if last != *expected => Err(format!("The answer is {last}, and was {expected}.").into()),
        _ => Ok(()),
    }
}

/// The files among these paths, and those in the folders among them.
fn files_of(paths: &[String]) -> std::io::Result<Vec<String>> {
    let mut files = Vec::new();
    for path in paths {
        if !std::path::Path::new(path).is_dir() {
            files.push(path.clone());
            continue;
        }
        for each in std::fs::read_dir(path)? {
            files.push(each?.path().to_string_lossy().into_owned());
        }
    }
    files.sort();
    Ok(files)
}

/// Replays saved moves, each with a new dialogue, and says which ones pass. An error unless all do.
fn test(paths: &[String], new_match: &dyn Fn() -> Dialogue) -> Result<(), Box<dyn Error>> {
    let files = files_of(paths)?;
    let mut passed = 0;
    for file in &files {
        match replay(file, new_match()) {
            Ok(()) => {
                passed += 1;
                println!("pass {file}");
            }
            Err(error) => println!("FAIL {file}: {error}"),
        }
    }
    let summary = format!("{passed} of {} saved moves pass.", files.len());
    if passed < files.len() || files.is_empty() {
        return Err(summary.into());
    }
    println!("{summary}");
    Ok(())
}

/// The main function of an agent. `agent --test PATH...` tests saved moves, files or folders of them; otherwise `play` plays a
/// match. The messages of saved moves are those that scripts get: `as_script` answers them.
pub fn run_with(play: impl FnOnce() -> Result<(), Box<dyn Error>>, as_script: &dyn Fn() -> Dialogue) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_test = arguments.first().map_or(false, |first| first == "--test");
    let result = if is_test { test(&arguments[1..], as_script) } else { play() };
    if let Err(error) = result {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// The same with the dialogue of JSON lines.
pub fn run(new_match: fn() -> Dialogue, as_script: fn() -> Dialogue) {
    run_with(|| play(new_match()), &as_script);
}
