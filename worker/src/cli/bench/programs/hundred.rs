use gg::{files, views};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

const LOG: &str = "\
2026-01-04T08:00:01 INFO  gateway  request=17 path=/orders status=200 ms=12
2026-01-04T08:00:02 WARN  payments request=18 path=/charge status=502 ms=1841
2026-01-04T08:00:02 INFO  gateway  request=19 path=/orders status=200 ms=9
2026-01-04T08:00:05 ERROR payments request=20 path=/charge status=500 ms=90
2026-01-04T08:00:07 INFO  search   request=21 path=/find status=200 ms=33
not a line of the log
2026-01-04T08:00:09 INFO  search   request=22 path=/find status=404 ms=7
";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Info,
    Warn,
    Error,
}

impl std::str::FromStr for Level {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "INFO" => Ok(Level::Info),
            "WARN" => Ok(Level::Warn),
            "ERROR" => Ok(Level::Error),
            other => Err(ParseError::Level(other.to_owned())),
        }
    }
}

#[derive(Debug)]
enum ParseError {
    Shape(usize),
    Level(String),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Shape(line) => write!(f, "line {line} has another shape"),
            ParseError::Level(level) => write!(f, "there is no level {level}"),
        }
    }
}

impl std::error::Error for ParseError {}

#[derive(Debug, Clone)]
struct Request {
    level: Level,
    service: String,
    status: u16,
    ms: u64,
}

fn parse(pattern: &Regex, number: usize, line: &str) -> Result<Request, ParseError> {
    let found = pattern.captures(line).ok_or(ParseError::Shape(number))?;
    Ok(Request {
        level: found["level"].parse()?,
        service: found["service"].to_owned(),
        status: found["status"].parse().map_err(|_| ParseError::Shape(number))?,
        ms: found["ms"].parse().map_err(|_| ParseError::Shape(number))?,
    })
}

#[derive(Debug, Default)]
struct Report {
    requests: u64,
    failures: u64,
    slowest: u64,
    total: u64,
}

impl Report {
    fn add(&mut self, request: &Request) {
        self.requests += 1;
        self.failures += u64::from(request.status >= 500);
        self.slowest = self.slowest.max(request.ms);
        self.total += request.ms;
    }

    fn to_json(&self) -> Value {
        json!({ "requests": self.requests, "failures": self.failures, "slowest": self.slowest,
                "mean": self.total / self.requests.max(1) })
    }
}

fn main() -> Result<(), gg::Failure> {
    let pattern = Regex::new(r"^\S+ (?<level>[A-Z]+)\s+(?<service>\w+)\s.*status=(?<status>\d+) ms=(?<ms>\d+)$")?;
    let (requests, problems): (Vec<_>, Vec<_>) =
        LOG.lines().enumerate().map(|(number, line)| parse(&pattern, number + 1, line)).partition(Result::is_ok);
    let mut reports: BTreeMap<String, Report> = BTreeMap::new();
    for request in requests.iter().flatten().filter(|request| request.level <= Level::Error) {
        reports.entry(request.service.clone()).or_default().add(request);
    }
    let report: serde_json::Map<String, Value> =
        reports.iter().map(|(service, report)| (service.clone(), report.to_json())).collect();
    let text = serde_json::to_string_pretty(&report)?;
    files::write_file("report.json", &text)?;
    let problems: Vec<String> = problems.iter().filter_map(|problem| Some(problem.as_ref().err()?.to_string())).collect();
    views::open_text("report", &format!("{text}\n{}", problems.join("\n")))?;
    Ok(())
}
