//! What was promised and what came out; the last line and the exit code.

pub struct Verdict {
    name: String,
    measured: f64,
    goal: f64,
}

#[derive(Default)]
pub struct Verdicts {
    all: Vec<Verdict>,
}

impl Verdicts {
    pub fn expect(&mut self, name: impl Into<String>, measured: f64, goal: f64) {
        self.all.push(Verdict { name: name.into(), measured, goal });
    }

    /// Prints every verdict and the last line; true when all are met.
    pub fn report(&self) -> bool {
        println!("\n{:<34} {:>9} {:>7}", "verdict", "measured", "goal");
        for v in &self.all {
            let word = if v.is_met() { "met" } else { "MISSED" };
            println!("{:<34} {:>9.2} {:>7.2}  {word}", v.name, v.measured, v.goal);
        }
        println!("{}", self.last_line());
        self.all.iter().all(Verdict::is_met)
    }

    fn last_line(&self) -> String {
        let missed: Vec<String> = self
            .all
            .iter()
            .filter(|v| !v.is_met())
            .map(|v| format!("{} {:.2}/{:.2}", v.name, v.measured, v.goal))
            .collect();
        let (met, all) = (self.all.len() - missed.len(), self.all.len());
        let tail = if missed.is_empty() {
            String::new()
        } else {
            format!("; missed: {}", missed.join(", "))
        };
        format!("bench-md5: {met} of {all} verdicts met{tail}")
    }
}

impl Verdict {
    /// Not a number is never met.
    fn is_met(&self) -> bool {
        self.measured >= self.goal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_line_names_what_was_missed() {
        let mut verdicts = Verdicts::default();
        verdicts.expect("a", 2.0, 1.0);
        assert_eq!(verdicts.last_line(), "bench-md5: 1 of 1 verdicts met");
        verdicts.expect("b", 0.5, 1.0);
        verdicts.expect("c", f64::NAN, 1.0);
        let line = "bench-md5: 1 of 3 verdicts met; missed: b 0.50/1.00, c NaN/1.00";
        assert_eq!(verdicts.last_line(), line);
        assert!(!verdicts.report());
    }
}
