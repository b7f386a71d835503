//! How JSON texts are read and written.

use crate::json::{problem, Json, Result};
use std::fmt;

impl Json {
    /// Reads a text that is one JSON value.
    pub fn parse(text: &str) -> Result<Json> {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let found = reader.value(0)?;
        reader.skip();
        if reader.at < text.len() {
            return reader.fail("something follows the value");
        }
        Ok(found)
    }
}

const DEEPEST: usize = 200;

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn fail<T>(&self, what: &str) -> Result<T> {
        problem(format!("This is not JSON: {what} at character {}.", self.at + 1))
    }

    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn skip(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn took(&mut self, wanted: u8) -> bool {
        self.skip();
        let is_there = self.peek() == wanted;
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, wanted: u8) -> Result<()> {
        if self.took(wanted) {
            return Ok(());
        }
        self.fail(&format!("expected {}", wanted as char))
    }

    fn word(&mut self, word: &str, meaning: Json) -> Result<Json> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return self.fail("unknown word");
        }
        self.at += word.len();
        Ok(meaning)
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        if depth > DEEPEST {
            return self.fail(&format!("the nesting is deeper than {DEEPEST}"));
        }
        self.skip();
        match self.peek() {
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => self.string().map(Json::Text),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json> {
        let mut items = Vec::new();
        self.expect(b'[')?;
        if self.took(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if !self.took(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(Json::List(items))
    }

    fn object(&mut self, depth: usize) -> Result<Json> {
        let mut members = Vec::new();
        self.expect(b'{')?;
        if self.took(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip();
            let name = self.string()?;
            self.expect(b':')?;
            members.push((name, self.value(depth + 1)?));
            if !self.took(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(Json::Object(members))
    }

    fn digits(&mut self) -> Result<()> {
        if !self.peek().is_ascii_digit() {
            return self.fail("expected a value");
        }
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Json> {
        let start = self.at;
        self.at += usize::from(self.peek() == b'-');
        if self.peek() == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), b'+' | b'-'));
            self.digits()?;
        }
        let digits = String::from_utf8_lossy(&self.text[start..self.at]);
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Json::Number(number)),
            _ => self.fail("a number is out of range"),
        }
    }

    fn hex(&mut self) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4).filter(|four| four.iter().all(u8::is_ascii_hexdigit));
        match digits.and_then(|four| u32::from_str_radix(&String::from_utf8_lossy(four), 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.fail("expected four hex digits"),
        }
    }

    /// The character of an escape; a half of a pair alone becomes the sign for unreadable characters.
    fn escaped(&mut self) -> Result<char> {
        let first = self.hex()?;
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with(b"\\u") {
            let before = self.at;
            self.at += 2;
            let second = self.hex()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            self.at = before;
        }
        Ok(char::from_u32(first).unwrap_or('\u{fffd}'))
    }

    fn string(&mut self) -> Result<String> {
        if self.peek() != b'"' {
            return self.fail("expected a text");
        }
        self.at += 1;
        let mut found = Vec::new();
        loop {
            let here = self.peek();
            if self.at >= self.text.len() {
                return self.fail("a text does not end");
            }
            self.at += 1;
            match here {
                b'"' => return Ok(String::from_utf8_lossy(&found).into_owned()),
                b'\\' => {
                    let letter = self.peek();
                    self.at += 1;
                    let meaning = match letter {
                        b'"' | b'\\' | b'/' => letter as char,
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'n' => '\n',
                        b'r' => '\r',
                        b't' => '\t',
                        b'u' => self.escaped()?,
                        _ => return self.fail("unknown escape"),
                    };
                    found.extend_from_slice(meaning.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return self.fail("a control character in a text"),
                _ => found.push(here),
            }
        }
    }
}

/// Writes a value in one line.
impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Bool(given) => write!(out, "{given}"),
            Json::Number(number) => out.write_str(&printed(*number)),
            Json::Text(text) => quoted(text, out),
            Json::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    write!(out, "{}{item}", if at == 0 { "[" } else { "," })?;
                }
                out.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Json::Object(members) => {
                for (at, (name, value)) in members.iter().enumerate() {
                    out.write_str(if at == 0 { "{" } else { "," })?;
                    quoted(name, out)?;
                    write!(out, ":{value}")?;
                }
                out.write_str(if members.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn quoted(text: &str, out: &mut fmt::Formatter) -> fmt::Result {
    out.write_str("\"")?;
    for each in text.chars() {
        match each {
            '"' | '\\' => write!(out, "\\{each}")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            '\0'..='\u{1f}' => write!(out, "\\u{:04x}", each as u32)?,
            _ => write!(out, "{each}")?,
        }
    }
    out.write_str("\"")
}

/// Writes a number as JavaScript does, with the fewest digits that give it back. JSON has no infinite numbers: they become null.
fn printed(number: f64) -> String {
    if !number.is_finite() {
        return "null".to_string();
    }
    if number == 0.0 {
        return "0".to_string();
    }
    let all = format!("{:e}", number.abs());
    let (mantissa, exponent) = all.split_once('e').unwrap_or((&all, "0"));
    let digits = mantissa.replace('.', "");
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let sign = if number < 0.0 { "-" } else { "" };
    if point > 21 || point < -5 {
        let mark = if point > 0 { "e+" } else { "e-" };
        return format!("{sign}{mantissa}{mark}{}", (point - 1).abs());
    }
    if point <= 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize));
    }
    let point = point as usize;
    if point >= digits.len() {
        return format!("{sign}{digits}{}", "0".repeat(point - digits.len()));
    }
    format!("{sign}{}.{}", &digits[..point], &digits[point..])
}
