//! Prints an access token of the person's account, who signs in first if there is none, and whose account it is:
//! rustc sign-in.rs && ./sign-in github.com
//!
//! Uses only the standard library, which has no JSON: the second half reads it. A program with serde_json needs only the first half.

use std::error::Error;
use std::io::{stderr, stdin, stdout, BufRead, BufReader, IsTerminal, Write};
use std::os::unix::{fs::MetadataExt, net::UnixStream};
use std::{env, fmt, fs, process};

/// An error of the daemon's: its name, and a sentence for the user.
#[derive(Debug)]
struct Refusal {
    name: String,
    message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for Refusal {}

/// Tells the user what to do: type a code, or open the page that no browser shows.
fn show(reply: &Json) -> Result<(), Box<dyn Error>> {
    let part = |name| reply.text(&["parameters", "event", name]);
    let line = match (part("authorizationURL"), part("pageProblem"), part("verificationURI"), part("userCode")) {
        (Some(page), Some(_), ..) => format!("open this page to sign in: {page}"),
        (None, _, Some(page), Some(code)) => format!("open {page} on any device and type this code there: {code}"),
        _ => return Ok(()),
    };
    if !stdin().is_terminal() && !stdout().is_terminal() && !stderr().is_terminal() {
        return Err("sign in first: there is no terminal to show the page's address on".into());
    }
    eprintln!("{line}");
    Ok(())
}

/// Calls a method and returns its last reply; an error is a sentence for the user.
fn call(method: &str, parameters: &[(&str, &str)]) -> Result<Json, Box<dyn Error>> {
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let path = match (variable("POSTERN_SOCKET"), variable("XDG_RUNTIME_DIR").filter(|path| path.starts_with('/'))) {
        (Some(path), _) => path,
        (_, Some(runtime)) => format!("{runtime}/postern/io.postern"),
        _ => format!("/run/user/{}/postern/io.postern", fs::metadata("/proc/self")?.uid()),
    };
    let mut daemon = UnixStream::connect(&path).map_err(|error| format!("posternd cannot be reached at {path}: {error}"))?;
    let members: Vec<_> = parameters.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    let request = format!(r#"{{"method":"io.postern.{method}","parameters":{{{}}},"more":true}}"#, members.join(","));
    // A failed write is ignored: the answer may say why the call was not read to its end. It is complete if its last byte is 0.
    let _ = daemon.write_all(&[request.as_bytes(), b"\0"].concat());
    let mut replies = BufReader::new(daemon);
    loop {
        let mut message = Vec::new();
        let _ = replies.read_until(0, &mut message);
        if message.pop() != Some(0) {
            return Err("posternd closed the connection".into());
        }
        let reply = Json::read(std::str::from_utf8(&message)?).ok_or("the answer is not JSON")?;
        if let Some(name) = reply.text(&["error"]) {
            let message = reply.text(&["parameters", "message"]).unwrap_or(name);
            return Err(Refusal { name: name.into(), message: message.into() }.into());
        }
        if !matches!(reply.at(&["continues"]), Some(Json::True)) {
            return Ok(reply);
        }
        show(&reply)?;
    }
}

/// Takes the name of a provider, or of an account in the configuration.
fn run(name: &str) -> Result<(), Box<dyn Error>> {
    let mut name = name.to_string();
    let found = call("GetAccessToken", &[("providerID", &name)]);
    let reply = match found {
        Err(error) if error.downcast_ref::<Refusal>().is_some_and(|refusal| refusal.name == "io.postern.SignInRequired") => {
            // Opens the page in the browser, waits for the person, and keeps the account for all their programs.
            let signed_in = call("SignIn", &[("providerID", &name), ("intent", "keep")])?;
            let account = |part| signed_in.text(&["parameters", "event", "account", part]).ok_or("the answer has no account");
            name = account("providerID")?.to_string();
            call("GetAccessToken", &[("providerID", &name), ("uid", account("uid")?)])?
        }
        other => other?,
    };
    let token = reply.text(&["parameters", "accessToken"]).ok_or("the answer has no token")?;
    let uid = reply.text(&["parameters", "uid"]).ok_or("the answer has no token")?;
    let list = call("ListCredentials", &[])?;
    let stored = list.at(&["parameters", "credentials"]).ok_or("the answer has no credentials")?.items();
    let owner = stored.iter().find(|each| {
        each.text(&["uid"]) == Some(uid) && [each.text(&["providerID"]), each.text(&["account"])].contains(&Some(name.as_str()))
    });
    let who = owner.and_then(|each| each.text(&["email"]).or(each.text(&["displayName"]))).unwrap_or(uid);
    writeln!(stdout(), "the account is {who}\n{token}")?;
    Ok(())
}

fn main() {
    if let Err(error) = run(&env::args().nth(1).unwrap_or("github.com".into())) {
        eprintln!("{error}");
        process::exit(1);
    }
}

// ---- JSON ----

enum Json {
    Text(String),
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    True,
    /// Numbers and other values, which are not used here.
    Other,
}

fn quoted(text: &str) -> String {
    let escape = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        '\0'..='\x1f' => format!("\\u{:04x}", character as u32),
        _ => character.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

impl Json {
    fn at(&self, path: &[&str]) -> Option<&Json> {
        match (self, path) {
            (value, []) => Some(value),
            (Json::Object(members), [name, rest @ ..]) => members.iter().find(|(key, _)| key == name)?.1.at(rest),
            _ => None,
        }
    }

    fn text(&self, path: &[&str]) -> Option<&str> {
        match self.at(path)? {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    /// None if the text is not JSON.
    fn read(text: &str) -> Option<Json> {
        let mut rest = text;
        let value = Json::value(&mut rest, 0)?;
        rest.trim_start().is_empty().then_some(value)
    }

    fn value(rest: &mut &str, depth: usize) -> Option<Json> {
        *rest = rest.trim_start();
        match rest.chars().next()? {
            '"' => Json::string(rest).map(Json::Text),
            first @ ('{' | '[') if depth < 100 => {
                let (mut members, end) = (Vec::new(), if first == '{' { '}' } else { ']' });
                *rest = rest[1..].trim_start();
                while !rest.starts_with(end) {
                    if !members.is_empty() {
                        *rest = rest.strip_prefix(',')?.trim_start();
                    }
                    let name = if first == '{' { Json::string(rest)? } else { String::new() };
                    if first == '{' {
                        *rest = rest.trim_start().strip_prefix(':')?;
                    }
                    members.push((name, Json::value(rest, depth + 1)?));
                    *rest = rest.trim_start();
                }
                *rest = &rest[1..];
                Some(if first == '{' { Json::Object(members) } else { Json::List(members.into_iter().map(|(_, value)| value).collect()) })
            }
            _ => {
                let (word, after) = rest.split_at(rest.find([',', '}', ']', ' ', '\n', '\r', '\t']).unwrap_or(rest.len()));
                *rest = after;
                match word {
                    "true" => Some(Json::True),
                    _ => (["false", "null"].contains(&word) || word.parse::<f64>().is_ok()).then_some(Json::Other),
                }
            }
        }
    }

    fn string(rest: &mut &str) -> Option<String> {
        let (mut characters, mut units) = (rest.strip_prefix('"')?.chars(), Vec::new());
        loop {
            match characters.next()? {
                '"' => break,
                '\\' => units.push(match characters.next()? {
                    'u' => {
                        let code = characters.as_str().get(..4)?;
                        characters = characters.as_str()[4..].chars();
                        u16::from_str_radix(code, 16).ok()?
                    }
                    escaped => *[('n', 10), ('t', 9), ('r', 13), ('b', 8), ('f', 12), ('"', 34), ('\\', 92), ('/', 47)]
                        .iter()
                        .find_map(|(name, unit)| (*name == escaped).then_some(unit))?,
                }),
                // JSON's escapes write a character beyond U+FFFF as a surrogate pair, so here it is a pair, too.
                character => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
            }
        }
        *rest = characters.as_str();
        String::from_utf16(&units).ok()
    }
}
